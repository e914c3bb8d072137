"""18LRA for two: scenario, the Investor's company and its private, cards, seats, money, scores."""

from __future__ import annotations

from collections import Counter

import pytest

import titles
from engine import moves as mv
from engine.errors import Refused
from engine.finance import shares
from engine.finance.prices import rise_if_sold_out
from engine.house.invariants import faults
from engine.remembered import Earned
from engine.state import BANK, BLANK
from tests.titles.lra.investing import INVESTOR, SEATS, after_package, his, later, new, price_at, told
from tests.titles.rhl.arrange import cash, floated, hand, lay, names, operating, stock, take_offer, trains
from titles.lra.seat import Investment
from titles.rhineland.course import OrderCards
from titles.rhineland.investor import HeldCard

USED = {
    "1": {"RhE", "ADR", "CCE", "GVE", "CME", "KEG"},
    "2": {"BME", "ADR", "CCE", "GVE", "MKB", "KEG"},
    "3": {"BME", "ADR", "RhE", "CCE", "MKB", "CME"},
    "4": {"BME", "ADR", "RhE", "GVE", "MKB", "KEG"},
}
COVERED = {"1": {"G15", "C11"}, "2": {"K11", "K15"}, "3": {"G7", "F10"}, "4": {"A5", "K15"}}
PRIVATES = {"BME": "RH", "RhE": "NH", "CCE": "UH", "ADR": "UH"}


@pytest.mark.rule("LRA-9.1-a")
@pytest.mark.parametrize("scenario", ["1", "2", "3", "4"])
def test_one_of_the_four_scenarios_with_six_companies_and_6000(scenario: str) -> None:
    game = titles.new_game("lra", SEATS, {"scenario": scenario}, 5, "investor")
    assert set(game.state.companies) == USED[scenario]
    blank = {at for at, stops in game.state.board.stations.items() if any(BLANK in spaces for spaces in stops)}
    assert blank == COVERED[scenario]
    assert sum(game.state.cash.values()) == game.definition.bank == 6000
    assert [game.state.cash[who] for who in (*SEATS, BANK)] == [600, 600, 4800]


@pytest.mark.rule("LRA-9.1-b")
def test_the_company_is_drawn_from_those_of_the_scenario() -> None:
    for scenario, never in (("1", "BME"), ("2", "RhE"), ("3", ""), ("4", "CCE")):
        drawn = Counter(
            Investment.of(titles.new_game("lra", SEATS, {"scenario": scenario}, seed, "investor")).company
            for seed in range(80)
        )
        assert set(drawn) == {"BME", "RhE", "CCE", "ADR"} - {never}


@pytest.mark.rule("LRA-9.1-c")
@pytest.mark.parametrize("company", list(PRIVATES))
def test_its_private_belongs_to_it_from_the_start(company: str) -> None:
    game = new(company)
    private = PRIVATES[company]
    assert game.state.privates[private] == company
    left = [lot for lot in ("DEC", "UH", "NH", "RH", "RM", "GKB") if lot != private]
    assert game.rules.rounds["package"].unsold(game) == left  # type: ignore[attr-defined]
    with pytest.raises(Refused) as refusal:
        game.apply(mv.Bid("ann", private, 200))
    assert refusal.value.key == "package.order.sold"


@pytest.mark.rule("LRA-9.1-c")
def test_the_lots_left_are_sold_in_their_order_and_his_private_pays_nobody() -> None:
    game = after_package("BME")
    assert game.state.privates["RH"] == "BME"
    before = dict(game.state.cash)
    HeldCard.of(game).card = "ann"
    operating(game, "BME", "run")
    # ann has nos. 1, 3 and 5, bo nos. 2 and 6: no. 4 would have paid 15.
    assert game.state.cash["ann"] - before["ann"] == 5 + 15 + 20
    assert game.state.cash["bo"] - before["bo"] == 15 + 10
    assert game.state.cash["BME"] == game.state.cash[INVESTOR] == 0


@pytest.mark.rule("LRA-9.1-c")
def test_it_pays_nobody_in_a_short_round_either() -> None:
    game = new("BME")
    game.state.privates.update(DEC="ann")
    take_offer(game)
    before = game.state.cash["ann"]
    game.apply(mv.Pass(game.state.round.actor))
    events = game.apply(mv.Pass(game.state.round.actor))
    assert [(each["target"], each["amount"]) for each in told(events, "Paid")] == [("ann", 5)]
    assert game.state.cash["ann"] == before + 5


@pytest.mark.rule("LRA-9.1-d")
@pytest.mark.parametrize("company", ["BME", "RhE", "CCE"])
def test_he_has_half_of_it_in_four_certificates_and_the_charter_the_rest(company: str) -> None:
    game = new(company)
    owners = game.company(company).certificates
    assert owners == [INVESTOR] * 4 + [company] * 5
    assert (his(game, company), shares.held(game, company, company)) == (50, 50)
    assert shares.certificates(game, INVESTOR) == 4


@pytest.mark.rule("LRA-9.1-d")
def test_with_adr_the_certificate_of_private_5_is_not_among_them() -> None:
    game = new("ADR")
    owners = game.company("ADR").certificates
    assert owners == [INVESTOR, "aside", INVESTOR, INVESTOR, INVESTOR, "ADR", "ADR", "ADR", "ADR"]
    game = after_package("ADR")
    assert game.company("ADR").certificates[1] == "ann"
    assert (his(game, "ADR"), shares.held(game, "ADR", "ADR")) == (50, 40)


@pytest.mark.rule("LRA-9.1-e")
@pytest.mark.parametrize(("value", "rises_to"), [(70, 75), (80, 90), (65, 70), (90, 100), (75, 80), (60, 65)])
def test_his_card_sets_the_price_one_space_up(value: int, rises_to: int) -> None:
    game = new("BME", value=value)
    market = game.definition.market
    par = next(cell for cell in market.cells("p") if market.rows[cell[0]][cell[1]] == value)
    assert game.company("BME").price == (par[0] - 1, par[1])
    assert game.prices.value("BME") == market.rows[par[0] - 1][par[1]]
    card = OrderCards.of(game).order_cards[INVESTOR]
    assert {1: 70, 2: 80, 3: 65, 4: 90, 5: 75, 6: 60, 7: 80, 8: 70, 9: 75}[card] == value
    assert game.company("BME").floated
    assert game.prices.value("BME") == rises_to


@pytest.mark.rule("LRA-9.1-e")
def test_the_lower_card_of_the_players_begins_whatever_his_is() -> None:
    for seed in range(40):
        game = titles.new_game("lra", SEATS, {}, seed, "investor")
        cards = OrderCards.of(game).order_cards
        assert len(set(cards.values())) == 3
        first = min(SEATS, key=lambda player: cards[player])
        assert game.state.seats[0] == game.state.priority == game.state.round.actor == first


@pytest.mark.rule("LRA-9.1-f")
def test_nobody_holds_his_card_in_the_first_stock_round() -> None:
    game = after_package()
    assert HeldCard.of(game).card == ""
    assert game.decider("BME") == ""
    assert names(game) <= {"found", "buy_share", "pass"}


@pytest.mark.rule("LRA-9-a")
def test_he_sits_between_the_players_and_has_no_money() -> None:
    game = new()
    assert game.rules.circle(game) == ["ann", INVESTOR, "bo"]
    assert game.state.cash[INVESTOR] == game.state.cash["BME"] == 0
    assert game.state.seats == ["ann", "bo"]
    with pytest.raises(Refused) as refusal:
        titles.new_game("lra", (INVESTOR, "bo"), {}, 1, "investor")
    assert refusal.value.key == "names.taken"


@pytest.mark.rule("LRA-9-a")
def test_tile_station_and_train_of_his_company_move_no_money() -> None:
    game = later("BME")
    operating(game, "BME")
    # Düsseldorf costs 30 for others, a second station 60, the train 100.
    before = dict(game.state.cash)
    game.apply(mv.LayTile("ann", "BME", "G15", "L04", 0))
    assert game.state.cash == before
    operating(game, "BME", "trains")
    before = dict(game.state.cash)
    game.settle()
    assert game.company("BME").trains == ["2"]
    assert game.state.cash == before
    game = later("BME")
    operating(game, "BME", "station")
    lay(game, "G15", "L04")
    before = dict(game.state.cash)
    game.apply(mv.PlaceStation("ann", "BME", "H16", 0))
    assert game.state.cash == before
    assert game.board.has_station("BME", "H16")


@pytest.mark.rule("LRA-9-b")
def test_he_directs_his_company_only_and_for_the_whole_game() -> None:
    game = later("BME")
    floated(game, "GVE", "ann", 80)
    hand(game, "GVE", INVESTOR, 20, source="GVE")
    hand(game, "GVE", "bo", 20, source="GVE")
    take_offer(game)
    assert game.company("GVE").director == "ann"
    # bo holds all that is left of BME and is not its director.
    hand(game, "BME", "bo", 40, source="BME")
    take_offer(game)
    cash(game, "ann", 500)
    cash(game, "bo", 500)
    stock(game, "bo")
    game.apply(mv.BuyShare("bo", "BME", "BME", 10))
    assert shares.held(game, "BME", "bo") == 50
    assert game.company("BME").director == INVESTOR
    assert not faults(game)


@pytest.mark.rule("LRA-9-c")
def test_his_company_pays_only_the_players() -> None:
    game = later("BME")
    hand(game, "BME", "ann", 20, source="BME")
    lay(game, "G15", "L04")
    trains(game, "BME", "2", "3")
    operating(game, "BME", "dividend")
    Earned.of(game).revenue = 100
    before = dict(game.state.cash)
    game.settle()
    changed = {who: game.state.cash[who] - before[who] for who in before if game.state.cash[who] != before[who]}
    assert changed == {"ann": 20, BANK: -20}


@pytest.mark.rule("LRA-9-c")
def test_his_certificates_of_other_companies_earn_nothing() -> None:
    game = later("BME")
    floated(game, "GVE", "ann", 80)
    hand(game, "GVE", "bo", 20, source="GVE")
    hand(game, "GVE", INVESTOR, 20, source="GVE")
    hand(game, "GVE", "pool", 10, source="GVE")
    operating(game, "GVE", "dividend")
    Earned.of(game).revenue = 100
    take_offer(game)
    before = dict(game.state.cash)
    game.apply(mv.Dividend("ann", "GVE", "pay"))
    changed = {who: game.state.cash[who] - before[who] for who in before if game.state.cash[who] != before[who]}
    assert changed == {"ann": 50, "bo": 20, BANK: -70}


@pytest.mark.rule("LRA-9-d")
def test_only_the_players_are_scored() -> None:
    game = later("BME")
    assert set(game.rules.score(game)) == {"ann", "bo"}


@pytest.mark.rule("LRA-9-d")
def test_a_company_wholly_with_players_and_investor_is_sold_out() -> None:
    game = later("BME")
    floated(game, "GVE", "ann", 80)
    hand(game, "GVE", "ann", 30, source="GVE")
    hand(game, "GVE", INVESTOR, 10, source="GVE")
    value = game.prices.value("GVE")
    rise_if_sold_out(game)
    assert game.prices.value("GVE") == value
    hand(game, "GVE", INVESTOR, 10, source="GVE")
    rise_if_sold_out(game)
    assert game.prices.value("GVE") > value


@pytest.mark.rule("LRA-9-e")
def test_his_company_is_bought_from_its_charter_at_once_and_the_bank_gets_the_money() -> None:
    game = after_package("BME")
    player = game.state.round.actor
    value = game.prices.value("BME")
    before = dict(game.state.cash)
    game.apply(mv.BuyShare(player, "BME", "BME", 10))
    assert game.state.cash[player] == before[player] - value
    assert game.state.cash[BANK] == before[BANK] + value
    assert game.state.cash["BME"] == 0
    assert shares.held(game, "BME", player) == 10


@pytest.mark.rule("LRA-9-e")
def test_from_the_pool_only_after_the_first_stock_round() -> None:
    game = after_package("BME")
    hand(game, "BME", "pool", 10, source="BME")
    take_offer(game)
    player = game.state.round.actor
    with pytest.raises(Refused) as refusal:
        game.apply(mv.BuyShare(player, "BME", "pool", 10))
    assert refusal.value.rule == "RHL-5.1.2-a"
    game = later("BME")
    hand(game, "BME", "pool", 10, source="BME")
    take_offer(game)
    price_at(game, "BME", 70)
    before = dict(game.state.cash)
    game.apply(mv.BuyShare("ann", "BME", "pool", 10))
    assert game.state.cash[BANK] == before[BANK] + 70


@pytest.mark.rule("LRA-1.2-a")
def test_two_players_play_with_the_investor_and_no_others() -> None:
    for count in (1, 3):
        with pytest.raises(Refused) as refusal:
            titles.new_game("lra", ("ann", "bo", "cy")[:count], {}, 1, "investor")
        assert refusal.value.rule == "LRA-1.2-a"
