"""Private companies and small Montan companies (ledger section 4)."""

from __future__ import annotations

import pytest

from engine import moves as mv
from engine.events import PrivateClosed
from engine.finance import shares
from engine.game import Game
from engine.remembered import Dealt
from engine.state import ASIDE, BANK, CLOSED, OFFERING, POOL
from tests.titles.ruhr import arrange as a
from titles.ruhr import works
from titles.ruhr.locations import MakeLink, joined, value
from titles.ruhr.spending import Develop
from titles.ruhr.stock import RemovePrivate


def guarded(players: int = 4, player: str = "bo", percent: int = 20, par: int = 60) -> Game:
    """ann owns the private company and so much of BME, three certificates lie in the pool."""
    game = a.second_stock_round(players, player=player)
    a.private(game, "PBME", "ann")
    a.floated(game, "BME", "ann", par)
    a.own(game, "BME", "ann", percent)
    for number in (1, 2, 3):
        if game.company("BME").certificates[number] == OFFERING:
            game.company("BME").certificates[number] = POOL
    a.take_offer(game)
    return game


@pytest.mark.rule("RUHR-4.1.1-c", "RUHR-4.1.1-d")
def test_three_certificates_go_to_the_pool_and_their_value_aside() -> None:
    game = a.new(3)
    game.apply(mv.BuyLot("ann", "PBME"))
    bank = game.state.cash[BANK]
    game.apply(mv.Found("ann", "BME", 60))
    owners = game.company("BME").certificates
    assert (owners.count(POOL), owners.count(OFFERING), owners[0]) == (3, 5, "ann")
    assert game.prices.value("BME") == 60
    assert game.state.cash[BANK] == bank - 180
    assert game.state.cash[ASIDE] == 180
    assert game.state.cash["BME"] == 0


@pytest.mark.rule("RUHR-4.1.1-e", "RUHR-5.3-a")
def test_the_owner_stays_director_whatever_others_hold() -> None:
    game = guarded()
    a.own(game, "BME", "bo", 30)
    game.apply(mv.BuyShare("bo", "BME", OFFERING, 10))
    assert shares.held(game, "BME", "bo") == 40
    assert game.company("BME").director == "ann"
    # The same for another railway.
    a.floated(game, "CME", "ann")
    a.own(game, "CME", "ann", 20)
    a.own(game, "CME", "bo", 20)
    a.stock(game, "bo")
    game.apply(mv.BuyShare("bo", "CME", OFFERING, 10))
    assert game.company("CME").director == "bo"


@pytest.mark.rule("RUHR-4.1.1-e")
def test_a_sale_down_to_the_certificate_keeps_the_office() -> None:
    game = guarded(player="ann", percent=30)
    a.own(game, "BME", "bo", 40)
    game.apply(mv.SellShares("ann", "BME", 10))
    assert (game.company("BME").director, shares.held(game, "BME", "ann")) == ("ann", 20)


@pytest.mark.rule("RUHR-4.1.1-f", "RUHR-11-4-c")
@pytest.mark.parametrize(("other", "director"), [(40, "bo"), (20, "ann")])
def test_with_the_first_4_the_most_shares_decide(other: int, director: str) -> None:
    game = guarded()
    a.own(game, "BME", "bo", other)
    a.mine(game, 10, "ann", 300)
    a.cards_left(game, t4=6)
    a.operating(game, "MC10", "spend")
    a.phase(game, "3")
    game.state.depot.sold["3+3"] = 7
    game.apply(Develop("ann", "MC10", "4+4", "AB"))
    assert game.state.privates["PBME"] == CLOSED
    assert game.company("BME").director == director
    if director == "bo":
        numbers = shares.numbers(game, "BME", "ann")
        assert [shares.percent_of(game, "BME", n) for n in numbers] == [10, 10]


@pytest.mark.rule("RUHR-4.1.1-g", "RUHR-14.3-a")
def test_it_counts_against_the_limit() -> None:
    game = guarded(6, player="ann")
    for number in (1, 3, 5, 6):
        a.mine(game, number, "ann")
    a.founded(game, "CME", "bo")
    a.own(game, "CME", "ann", 50)
    assert shares.certificates(game, "ann") == 1 + 1 + 4 + 5  # with the director's certificate of BME
    a.own(game, "CME", "ann", 60)
    assert shares.certificates(game, "ann") == 12
    assert a.refused(game, mv.BuyShare("ann", "BME", POOL, 10)).rule == "RUHR-14.3-a"
    game.state.privates["PBME"] = CLOSED
    a.take_offer(game)
    game.apply(mv.BuyShare("ann", "BME", POOL, 10))


@pytest.mark.rule("RUHR-4.1.1-h", "RUHR-4.1.2-a", "RUHR-4.1.3-e", "RUHR-14.4-e")
def test_private_and_small_companies_are_never_sold() -> None:
    game = guarded(player="ann")
    for name in ("RSF", "SPF", "GPF"):
        a.private(game, name, "ann")
    a.mine(game, 10, "ann")
    a.own(game, "BME", "ann", 30)
    assert a.offered(game, "sell_shares") == ["BME"]
    assert a.refused(game, mv.SellShares("ann", "MC10", 100)).rule == "RUHR-14.4-a"
    for name in ("RSF", "SPF", "GPF"):
        assert a.refused(game, RemovePrivate("ann", name)).rule == "RUHR-4.1.1-i"
    assert a.names(game) <= {"sell_shares", "remove_private", "found", "buy_share", "pass"}


@pytest.mark.rule("RUHR-4.1.1-i")
def test_the_owner_may_remove_it_besides_a_transaction() -> None:
    game = guarded(3, player="ann")
    assert "remove_private" in a.names(game)
    (event,) = a.seen(game, RemovePrivate("ann", "PBME"), PrivateClosed)
    assert event.private == "PBME"
    assert a.asked(game) == "ann"
    game.apply(mv.BuyShare("ann", "BME", OFFERING, 10))
    assert a.asked(game) == "bo"
    assert a.refused(game, RemovePrivate("bo", "PBME")).rule == "RUHR-4.1.1-i"


@pytest.mark.rule("RUHR-4.1.1-i")
def test_a_removal_alone_is_no_action() -> None:
    game = guarded(3, player="ann")
    a.walk(game, RemovePrivate("ann", "PBME"), mv.Pass("ann"), mv.Pass("bo"), mv.Pass("cy"))
    assert game.state.round.kind != "stock"


@pytest.mark.rule("RUHR-4.1.1-i")
def test_who_can_do_nothing_else_may_still_remove_it() -> None:
    game = guarded(3, player="cy")
    a.own(game, "BME", "bo", 30)
    game.company("BME").operated = False  # nothing to sell
    a.cash(game, "ann", 0)
    game.apply(mv.Pass("cy"))
    assert (a.asked(game), a.names(game)) == ("ann", {"remove_private", "pass"})
    game.apply(RemovePrivate("ann", "PBME"))
    assert (game.company("BME").director, a.asked(game)) == ("bo", "bo")
    # Besides a purchase nobody is stopped for it.
    game = guarded(3, player="ann")
    a.cash(game, "ann", 60)
    game.apply(mv.BuyShare("ann", "BME", OFFERING, 10))
    assert a.asked(game) == "bo"


@pytest.mark.rule("RUHR-4.1.1-i")
def test_after_a_removal_whoever_holds_more_is_director() -> None:
    game = guarded(3, player="ann")
    a.own(game, "BME", "bo", 30)
    game.apply(RemovePrivate("ann", "PBME"))
    assert game.company("BME").director == "bo"


@pytest.mark.rule("RUHR-4.1.1-j")
def test_selling_below_the_certificate_ends_the_private_company() -> None:
    game = a.second_stock_round(player="ann")
    a.private(game, "PBME", "ann")
    a.floated(game, "BME", "ann")
    a.own(game, "BME", "ann", 30)
    a.own(game, "BME", "bo", 10)
    a.own(game, "BME", "cy", 10)
    assert a.refused(game, mv.SellShares("ann", "BME", 20)).rule == "RUHR-5.3-c"
    a.own(game, "BME", "bo", 20)
    game.apply(mv.SellShares("ann", "BME", 20))
    assert game.company("BME").director == "bo"
    assert game.state.privates["PBME"] == CLOSED
    assert shares.held(game, "BME", "ann") == 10


def paid_at_the_start(game: Game) -> dict[str, int]:
    """What players get before the first company acts."""
    before = dict(game.state.cash)
    game.rules.rounds["operating"].begin(game, 1, 2)  # type: ignore[attr-defined]
    return {who: game.state.cash[who] - before[who] for who in game.state.seats}


@pytest.mark.rule("RUHR-4.1.1-k", "RUHR-4.1.2-a", "RUHR-4.1.3-a", "RUHR-4.1.4-a", "RUHR-7.1-a")
def test_private_companies_pay_before_anybody_acts() -> None:
    game = guarded()
    for name, owner in {"RSF": "bo", "SPF": "cy", "GPF": "di"}.items():
        a.private(game, name, owner)
    assert paid_at_the_start(game) == {"ann": 10, "bo": 15, "cy": 10, "di": 5}
    game.state.privates["SPF"] = ""  # not sold
    game.state.privates["PBME"] = CLOSED
    assert paid_at_the_start(game) == {"ann": 0, "bo": 15, "cy": 0, "di": 5}


@pytest.mark.rule("RUHR-4.1.2-a", "RUHR-4.1.3-e", "RUHR-11-5-b")
def test_with_the_first_5_the_others_close() -> None:
    game = guarded()
    for name in ("RSF", "SPF", "GPF"):
        a.private(game, name, "cy")
    a.phase(game, "4")
    assert [game.state.privates[name] for name in ("PBME", "RSF", "SPF", "GPF")] == [CLOSED, "cy", "cy", "cy"]
    a.phase(game, "5")
    assert {game.state.privates[name] for name in ("RSF", "SPF", "GPF")} == {CLOSED}
    assert paid_at_the_start(game)["cy"] == 0


# ---------------------------------------------------------------------- horse tramways


def with_track(owner: str = "ann", private: str = "SPF") -> Game:
    """KWE's track leads from Hamm over C16 to Kamen (D15, no. 17, passive), ann has a tramway and the company 10."""
    game = a.second_stock_round()
    a.private(game, private, owner)
    a.floated(game, "KWE", "bo")
    a.lay(game, "C16", "9", 1)  # SW to NE: joins Hamm
    a.lay(game, "D15", "884", 1)
    a.mine(game, 10, "ann", 100)
    return game


@pytest.mark.rule("RUHR-4.1.3-b", "RUHR-4.1.4-a", "RUHR-9.2-b")
@pytest.mark.parametrize("private", ["SPF", "GPF"])
def test_a_tramway_closes_for_a_link(private: str) -> None:
    game = with_track(private=private)
    assert ("D15", 0) in joined(game)
    a.operating(game, "MC10", "spend")
    cash = dict(game.state.cash)
    for at in ("M12", "H13"):  # without connection: not even its own
        assert a.refused(game, MakeLink("ann", "MC10", at, private)).rule == "RUHR-4.1.3-b"
    game.apply(MakeLink("ann", "MC10", "D15", private))
    assert game.state.privates[private] == CLOSED
    assert value(game, "D15") == 10
    assert game.state.cash == cash


@pytest.mark.rule("RUHR-4.1.3-b")
def test_an_active_company_gets_its_connection_marker() -> None:
    game = with_track()
    a.mine(game, 17, "cy", A=2, B=1, C=1)
    assert works.placed(game, "MC17") == {"A": 2, "B": 1}
    a.operating(game, "MC10", "spend")
    game.apply(MakeLink("ann", "MC10", "D15", "SPF"))
    assert works.linked(game, "MC17")
    assert works.placed(game, "MC17") == {"A": 2, "B": 1, "C": 1}


@pytest.mark.rule("RUHR-4.1.3-c", "RUHR-10.3-d")
def test_only_in_a_turn_in_which_the_owner_acts() -> None:
    game = with_track()
    a.operating(game, "KWE")  # bo's
    assert "make_link" not in {c.name for c in game.offer().of("bo") if c.granted_by}
    assert a.refused(game, MakeLink("bo", "KWE", "D15", "SPF")).rule == "RUHR-4.1.3-c"
    a.floated(game, "CME", "ann")
    a.operating(game, "CME")  # no route of CME leads there
    game.apply(MakeLink("ann", "CME", "D15", "SPF"))
    assert value(game, "D15") == 10


@pytest.mark.rule("RUHR-4.1.3-c")
@pytest.mark.parametrize("owner", ["ann", "bo"])
def test_before_the_trains_run_its_owner_is_asked_though_the_run_itself_is_settled(owner: str) -> None:
    game = with_track(owner)
    a.floated(game, "CME", "ann")
    a.operating(game, "CME", "run")  # it has no train
    Dealt.of(game).deal = True  # nor a certificate to deal in
    game.settle()
    assert ((game.state.round.actor, game.state.round.step) == ("CME", "run")) == (owner == "ann")
    if owner == "ann":
        game.apply(MakeLink("ann", "CME", "D15", "SPF"))
        assert value(game, "D15") == 10


@pytest.mark.rule("RUHR-4.1.3-f")
def test_it_is_no_expenditure_of_the_company() -> None:
    game = with_track()
    a.operating(game, "MC10", "spend")
    game.apply(MakeLink("ann", "MC10", "D15", "SPF"))
    game.apply(Develop("ann", "MC10", "2+2", "A"))
    assert works.charter(game, "MC10").markers["A"] == 3


@pytest.mark.rule("RUHR-4.1.3-e")
def test_unused_at_the_first_5_it_is_gone() -> None:
    game = with_track()
    a.phase(game, "5")
    a.operating(game, "MC10", "spend")
    assert a.refused(game, MakeLink("ann", "MC10", "D15", "SPF")).rule == "RUHR-4.1.3-c"


# ---------------------------------------------------------------------- income of small companies


@pytest.mark.rule("RUHR-4.2-a", "RUHR-7.2-a")
def test_income_is_the_sum_of_active_markers() -> None:
    game = a.second_stock_round()
    a.mine(game, 10, "ann", A=2, B=1)
    assert works.income(game, "MC10") == 40
    a.phase(game, "4")  # A earns no more
    assert works.income(game, "MC10") == 20
    a.markers(game, "MC10", A=3, B=1)
    assert works.income(game, "MC10") == 20


@pytest.mark.rule("RUHR-4.2-b", "RUHR-7.2-o")
def test_income_comes_at_the_start_of_the_turn() -> None:
    game = a.second_stock_round()
    a.mine(game, 10, "ann", 80, A=2)
    a.operating(game, "MC10")
    game.settle()
    assert a.names(game) == {"dividend"}
    assert a.refused(game, Develop("ann", "MC10", "2+2", "A")).rule == "RUHR-7.3-a"
    game.apply(mv.Dividend("ann", "MC10", "withhold"))
    assert game.state.cash["MC10"] == 100
    game.apply(Develop("ann", "MC10", "2+2", "A"))
    assert game.state.cash["MC10"] == 0
    assert works.income(game, "MC10") == 30  # from the next turn on


@pytest.mark.rule("RUHR-4.2-c")
@pytest.mark.parametrize(("kind", "treasury", "owner"), [("withhold", 40, 0), ("half", 20, 20)])
def test_all_or_half_is_kept(kind: str, treasury: int, owner: int) -> None:
    game = a.second_stock_round()
    a.mine(game, 10, "ann", 0, A=2, B=1)
    a.cash(game, "ann", 0)
    a.operating(game, "MC10")
    game.settle()
    assert a.offered(game, "dividend") == ["half", "withhold"]
    assert a.refused(game, mv.Dividend("ann", "MC10", "pay")).rule == "RUHR-10.6.2-a"
    game.apply(mv.Dividend("ann", "MC10", kind))
    assert (game.state.cash["MC10"], game.state.cash["ann"]) == (treasury, owner)
