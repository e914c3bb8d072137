"""The self-checks of 18DO: each of them is tripped once by a position that no rule can lead to."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from engine.finance import shares
from engine.game import Game
from engine.state import BLANK
from tests.titles.do import exp_arrange, hsb_arrange, investing, railway
from tests.titles.do.hsb_arrange import refused
from titles.do.board.links import LinkLocation, LinkTokens
from titles.do.board.remembered import WagonsOnTrains
from titles.do.brewery.beer import Beer
from titles.do.brewery.breweries import EquipmentOwned, Idle, OrderTokens
from titles.do.brewery.loading import Loads
from titles.do.expert.markers import MarkersHeld
from titles.do.railways.private_breweries import SUPPLY, BreweryCards
from titles.do.two.investor import Investment
from titles.rhineland.investor import INVESTOR

Spoil = Callable[[Game], object]


def railways() -> Game:
    """The Railway Game in its second stock round."""
    return railway.later(1, 3, 4)


def breweries() -> Game:
    """Union with equipment and a railway that can carry its beer."""
    game = hsb_arrange.after_package()
    hsb_arrange.phase(game, "8")
    hsb_arrange.corporation(game, "DUB", equipment=("8", "4"), price=100)
    hsb_arrange.railway(game, "BME", "ann")
    hsb_arrange.trains(game, "BME", "8")
    return game


def expert() -> Game:
    """A train that could export in the Expert game, with a wagon of BME."""
    game = exp_arrange.exporting("8", "4")
    exp_arrange.give_markers(game, "BME", "C")
    return game


def draft() -> Game:
    return exp_arrange.exporting("8", form="draft-hsb")


def told(game: Game) -> set[str]:
    return set(game.rules.faults(game))


def hold(game: Game, company: str, holder: str, percent: int) -> None:
    """Somebody holds so much of a company, all but the director's certificate, wherever they were."""
    state = game.company(company)
    numbers = list(range(1, len(state.certificates)))
    while shares.held(game, company, holder) < percent:
        state.certificates[numbers.pop()] = holder


SPOILT: list[tuple[Callable[[], Game], Spoil, str]] = [
    (railways, lambda g: LinkTokens.of(g).values.update(E12=10), "E12 has a location token"),
    (railways, lambda g: LinkTokens.of(g).values.update(H9=15), "the location token on H9 shows 15"),
    (
        railways,
        lambda g: BreweryCards.of(g).cubes.update({SUPPLY: BreweryCards.of(g).cubes[SUPPLY] + 1}),
        "there are 38 cubes",
    ),
    (railways, lambda g: BreweryCards.of(g).markers.update(P1="BME"), "P1 has given its marker and is not turned"),
    (railways, lambda g: BreweryCards.of(g).turned.append("P3"), "P3 is turned and its marker lies there"),
    (railways, lambda g: g.board.place_station(BLANK, "E12", 0), "a place in Dortmund City is kept for nobody"),
    (breweries, lambda g: setattr(Beer.of(g), "stock", -1), "a field of the beer market has less than no cubes"),
    (breweries, lambda g: setattr(Beer.of(g), "closed", [1, 1]), "No Demand markers lie on [1, 1]"),
    (breweries, lambda g: hsb_arrange.demand(g, r4=1, closed=(4,)), "segment 4 is closed but has cubes"),
    (breweries, lambda g: EquipmentOwned.of(g).owned["DUB"].extend("4" * 20), "pieces of equipment 4 and"),
    (breweries, lambda g: OrderTokens.of(g).order.remove("DUB"), "DUB has equipment but no order token"),
    (breweries, lambda g: EquipmentOwned.of(g).owned["DUB"].reverse(), "the equipment of DUB is out of order"),
    (breweries, lambda g: EquipmentOwned.of(g).owned["DUB"].extend("321"), "DUB has 5 pieces of equipment"),
    (breweries, lambda g: OrderTokens.of(g).order.append("DUB"), "a brewery has two order tokens"),
    (breweries, lambda g: Loads.of(g).trains.update(BME=[("5", 1)]), "BME has beer on trains that it does not own"),
    (breweries, lambda g: Loads.of(g).trains.update(BME=[("8", 9)]), "BME has loads that do not fit"),
    (breweries, lambda g: Loads.of(g).trains.update(BME=[("8", 0)]), "BME has loads that do not fit"),
    (breweries, lambda g: setattr(Beer.of(g), "export", 40), "cubes instead of"),
    (expert, lambda g: MarkersHeld.of(g).display.update(B3=9), "markers B3 are owned and 9 on display"),
    (expert, lambda g: MarkersHeld.of(g).investments["BME"].append("B3"), "BME has markers that are for breweries"),
    (expert, lambda g: MarkersHeld.of(g).specials.update(BME=["P"]), "BME has markers that are for breweries"),
    (expert, lambda g: MarkersHeld.of(g).specials.update(DUB=["P", "O", "N"]), "DUB has too many markers"),
    (
        expert,
        lambda g: WagonsOnTrains.of(g).trains.update(BME=[("5", 1)]),
        "BME has wagons on trains that it does not own",
    ),
    (
        expert,
        lambda g: WagonsOnTrains.of(g).trains.update(BME=[("8", 2)]),
        "BME has wagons on trains that it does not have",
    ),
    (
        expert,
        lambda g: WagonsOnTrains.of(g).trains.update(BME=[("8", 0)]),
        "BME has wagons on trains that it does not have",
    ),
    (
        expert,
        lambda g: WagonsOnTrains.of(g).trains.update(BME=[("2", 1)]),
        "BME has a wagon on a train that takes none",
    ),
    (draft, lambda g: setattr(Idle.of(g), "equipment", {"DUB": ["4"]}), "DUB has idle equipment that it does not own"),
    (investing.later, lambda g: setattr(g.company("CME"), "director", "ann"), "ann directs CME"),
    (investing.later, lambda g: hold(g, "CME", "ann", 60), "ann holds more of CME than the Investor"),
    (investing.later, lambda g: setattr(g.company("BME"), "director", INVESTOR), "the Investor directs BME"),
    (investing.later, lambda g: hold(g, "BME", INVESTOR, 30), "the Investor holds 30 % of BME"),
    (investing.later, lambda g: Investment.of(g).owed.update(CME=0), "CME owes 0"),
]


@pytest.mark.parametrize(("arrange", "spoil", "says"), SPOILT, ids=[says for *_, says in SPOILT])
def test_what_cannot_be_is_noticed(arrange: Callable[[], Game], spoil: Spoil, says: str) -> None:
    game = arrange()
    before = told(game)
    assert not any(says in sentence for sentence in before)
    spoil(game)
    assert any(says in sentence for sentence in told(game) - before), told(game) - before


# ---------------------------------------------------------------------- refusals of typed moves


@pytest.mark.rule("DO-4.5-b")
def test_a_link_is_refused_for_a_company_whose_turn_it_is_not() -> None:
    game = railways()
    railway.floated(game, "BME", "ann")
    railway.floated(game, "CME", "ann")
    railway.operating(game, "BME", "link")
    assert refused(game, LinkLocation("ann", "CME", "H9")).key == "turn.order"
