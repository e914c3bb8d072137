"""Private companies and their special functions (ledger sections 5.1 and 5.2)."""

from __future__ import annotations

import pytest

from engine import moves as mv
from engine.events import CompanyFloated, PrivateClosed, TileLaid
from engine.finance import shares
from engine.game import Game
from engine.moves import TrainPath
from engine.state import BANK, CLOSED, OFFERING, POOL
from tests.titles.bl import arrange as a
from titles.bl.access import AccessTokens, BuyAccess
from titles.bl.privates import BuyPrivate
from titles.bl.stock import ExchangePrivate

PRICES = {"SKB": 25, "DTE": 50, "MBG": 80, "EHG": 100, "DEBG": 120, "CCE": 180}
REVENUES = {"SKB": 5, "DTE": 10, "MBG": 10, "EHG": 15, "DEBG": 20, "CCE": 25}


def turn(owners: dict[str, str], company: str = "RhE", step: str = "track", phase: str = "2", **more: int) -> Game:
    """A turn of a floated corporation of ann's, with privates in the hands named."""
    game = a.after_package(3, owners)
    a.floated(game, company, "ann", treasury=more.get("treasury", 1000))
    if phase != "2":
        a.phase(game, phase)
    a.operating(game, company, step)
    return game


@pytest.mark.rule("BL-5.2-1a", "BL-5.2-2a", "BL-5.2-3a", "BL-5.2-4a", "BL-5.2-5a", "BL-5.2-6a")
def test_prices_and_revenues() -> None:
    privates = a.new().definition.privates
    assert {name: item.price for name, item in privates.items()} == PRICES
    assert {name: item.revenue for name, item in privates.items()} == REVENUES
    assert [item.number for item in privates.values()] == [1, 2, 3, 4, 5, 6]


@pytest.mark.rule("BL-5.1-a")
def test_privates_pay_their_owners_at_the_beginning_of_every_operating_round() -> None:
    owners = {"SKB": "ann", "DTE": "bo", "MBG": "RhE", "EHG": "cy", "DEBG": "RhE", "CCE": "ann"}
    game = a.after_package(3, owners)
    before = dict(game.state.cash)
    game.rules.rounds["operating"].begin(game, 1, 1)  # type: ignore[attr-defined]
    paid = {who: game.state.cash[who] - before[who] for who in ("ann", "bo", "cy", "RhE")}
    assert paid == {"ann": 30, "bo": 10, "cy": 15, "RhE": 30}


@pytest.mark.rule("BL-5.1-b", "BL-5.2-6h", "BL-9-i")
@pytest.mark.parametrize("kind", ["5", "SB5"])
def test_all_privates_close_with_the_first_5_or_sb5(kind: str) -> None:
    owners = {"SKB": "ann", "DTE": "RhE", "MBG": "bo", "EHG": "cy", "DEBG": "bo", "CCE": "RhE"}
    game = turn(owners, step="trains", phase="4")
    a.boxes(game, t5=3, SB5=2)
    assert CLOSED not in game.state.privates.values()
    game.apply(mv.BuyTrain("ann", "RhE", kind, BANK, game.definition.train(kind).price))
    assert set(game.state.privates.values()) == {CLOSED}


@pytest.mark.rule("BL-5.1-c", "BL-5.2-1a", "BL-5.2-2a", "BL-5.2-3a", "BL-5.2-4a", "BL-5.2-5a")
@pytest.mark.parametrize(
    ("phase", "sold"),
    [("2", {"MBG", "EHG"}), ("3", set(PRICES)), ("4", set(PRICES)), ("5", set()), ("6", set()), ("3+3", set())],
)
def test_which_privates_a_corporation_may_buy_in_which_phase(phase: str, sold: set[str]) -> None:
    game = turn(dict.fromkeys(PRICES, "ann"))
    if phase != "2":
        index = next(n for n, p in enumerate(game.definition.phases) if p.name == phase)
        game.state.phase = index  # the privates stay, so that only the phase can refuse them
        a.take_offer(game)
    for private, price in PRICES.items():
        if private in sold:
            twin = game.copy()
            twin.apply(BuyPrivate("ann", "RhE", private, price))
            assert twin.state.privates[private] == "RhE"
        else:
            assert a.refused(game, BuyPrivate("ann", "RhE", private, price)).rule == "BL-5.1-c"


@pytest.mark.rule("BL-5.1-c")
def test_a_corporation_buys_from_players_only_and_in_its_own_turn() -> None:
    game = turn({"MBG": "BME", "EHG": "ann"})
    a.floated(game, "BME", "ann")
    a.take_offer(game)
    assert a.refused(game, BuyPrivate("ann", "RhE", "MBG", 80)).rule == "BL-5.1-c"
    assert a.refused(game, BuyPrivate("ann", "BME", "EHG", 100)).rule == "BL-8.2-a"
    a.stock(game, "ann")
    assert a.refused(game, BuyPrivate("ann", "RhE", "EHG", 100)).rule == "BL-7-e"


@pytest.mark.rule("BL-5.1-d", "BL-5.2-6g")
@pytest.mark.parametrize(
    ("private", "low", "high"),
    [("SKB", 13, 50), ("DTE", 25, 100), ("MBG", 40, 160), ("EHG", 50, 200), ("DEBG", 60, 240), ("CCE", 90, 360)],
)
def test_the_price_is_between_half_and_twice_the_printed_value(private: str, low: int, high: int) -> None:
    game = turn({private: "bo"}, phase="3")
    for price in (low - 1, high + 1):
        assert a.refused(game, BuyPrivate("ann", "RhE", private, price)).rule == "BL-5.1-d"
    for price in (low, high):
        twin = game.copy()
        twin.apply(BuyPrivate("ann", "RhE", private, price))
        assert twin.state.privates[private] == "bo"  # the owner is asked first
        twin.apply(mv.Answer("bo", "accept"))
        assert twin.state.privates[private] == "RhE"
        assert twin.state.cash["RhE"] == 1000 - price
        assert twin.state.cash["bo"] == game.state.cash["bo"] + price


@pytest.mark.rule("BL-5.1-d")
def test_the_owner_may_decline_or_counter_and_the_treasury_must_suffice() -> None:
    game = turn({"EHG": "bo"}, treasury=120)
    assert a.refused(game, BuyPrivate("ann", "RhE", "EHG", 121)).rule == "BL-5.1-d"
    game.apply(BuyPrivate("ann", "RhE", "EHG", 60))
    assert a.asked(game) == "bo"
    assert a.refused(game, mv.Answer("bo", "counter", 121)).rule == "BL-5.1-d"
    game.apply(mv.Answer("bo", "counter", 110))
    assert a.asked(game) == "ann"
    game.apply(mv.Answer("ann", "decline"))
    assert game.state.privates["EHG"] == "bo"
    assert a.offered(game, "buy_private", private="EHG") == [50, 120, 1]  # bo has named a price: they may talk again
    a.walk(game, BuyPrivate("ann", "RhE", "EHG", 60), mv.Answer("bo", "decline"))
    refusal = a.refused(game, BuyPrivate("ann", "RhE", "EHG", 60))
    assert refusal.rule == "BL-5.1-d"
    assert refusal.key == "private.price.declined"
    assert a.offered(game, "buy_private", private="EHG") == [61, 120, 1]
    game.apply(BuyPrivate("ann", "RhE", "EHG", 100))
    game.apply(mv.Answer("bo", "accept"))
    assert game.state.cash["RhE"] == 20


@pytest.mark.rule("BL-5.1-d")
@pytest.mark.parametrize(("treasury", "answers"), [(60, ["accept", "decline"]), (61, ["accept", "decline", "counter"])])
def test_a_counter_needs_a_price_that_the_corporation_can_pay(treasury: int, answers: list[str]) -> None:
    game = turn({"EHG": "bo"}, treasury=treasury)
    game.apply(BuyPrivate("ann", "RhE", "EHG", 60))
    assert a.offered(game, "answer") == answers
    if "counter" in answers:
        a.walk(game, mv.Answer("bo", "counter", 61), mv.Answer("ann", "accept"))
        assert (game.state.privates["EHG"], game.state.cash["RhE"]) == ("RhE", 0)


@pytest.mark.rule("BL-5.1-d", "BL-8.2-f")
def test_a_turn_does_not_end_because_the_highest_price_was_declined() -> None:
    game = turn({"EHG": "bo"}, step="trains", treasury=90)
    a.vehicles(game, "RhE", "2")
    a.walk(game, BuyPrivate("ann", "RhE", "EHG", 90), mv.Answer("bo", "decline"))
    assert (game.state.round.actor, a.asked(game), a.names(game)) == ("RhE", "ann", {"pass"})
    game.apply(mv.Pass("ann"))
    assert game.state.round.kind == "stock" or game.state.round.actor != "RhE"


@pytest.mark.rule("BL-5.1-d")
@pytest.mark.parametrize("treasury", [49, 50])
def test_a_corporation_that_cannot_pay_half_the_value_is_offered_no_private(treasury: int) -> None:
    game = turn({"EHG": "ann"}, treasury=treasury)
    if treasury < 50:
        assert "buy_private" not in a.names(game)
        assert a.refused(game, BuyPrivate("ann", "RhE", "EHG", 50)).rule == "BL-5.1-d"
    else:
        game.apply(BuyPrivate("ann", "RhE", "EHG", 50))
        assert game.state.cash["RhE"] == 0


@pytest.mark.rule("BL-5.1-e")
def test_privates_count_against_the_certificate_limit() -> None:
    game = a.second_stock_round(6, {"SKB": "ann"})
    for company in ("BME", "CME"):
        a.floated(game, company, "bo")
        a.own(game, company, "ann", 50)
    assert shares.certificates(game, "ann") == 11
    assert a.refused(game, mv.Found("ann", "RhE", 67)).rule == "BL-7.2-a"
    a.private(game, "SKB", CLOSED)
    game.apply(mv.Found("ann", "RhE", 67))


def solingen(owner: str, company: str = "RhE") -> Game:
    """RhE has a station in Opladen (K3), from where track leads to the empty hex J4."""
    game = turn({"SKB": owner}, company, phase="3")
    a.lay(game, "K3", "57", 1)  # NE - SW: J4 lies to the north-east
    a.station(game, company, "K3")
    a.operating(game, company)
    return game


J4 = mv.LayTile("ann", "RhE", "J4", "57", 1)


@pytest.mark.rule("BL-5.2-1b")
def test_no_tile_on_j4_while_a_player_owns_private_1() -> None:
    for owner in ("ann", "bo"):
        game = solingen(owner)
        assert a.refused(game, J4).rule == "BL-5.2-1b"
        assert "J4" not in a.offered(game, "lay_tile")


@pytest.mark.rule("BL-5.2-1c", "BL-5.2-1d", "BL-5.1-f", "BL-5.1-g")
def test_the_owning_corporation_lays_on_j4_instead_of_its_normal_tile() -> None:
    game = solingen("RhE")
    assert a.refused(game, J4).rule == "BL-5.1-f"  # not as its normal lay
    game.apply(mv.LayTile("ann", "RhE", "J4", "57", 1, "SKB"))
    assert game.state.board.tiles["J4"] == ("57", 1)
    assert game.state.privates["SKB"] == CLOSED
    assert game.state.round.step != "track"  # no other tile in this turn
    assert "lay_tile" not in a.names(game)


@pytest.mark.rule("BL-5.1-g", "BL-11-a")
def test_a_special_lay_needs_a_link_from_an_own_station() -> None:
    special = mv.LayTile("ann", "RhE", "J4", "57", 1, "SKB")
    game = turn({"SKB": "RhE"}, phase="3")
    assert a.refused(game, special).rule == "BL-8.3.1-c"
    a.lay(game, "K3", "5", 4)  # NE towards J4, SE towards L4
    a.lay(game, "L4", "4", 2)
    a.lay(game, "M5", "57", 2)
    a.station(game, "RhE", "M5")
    a.operating(game, "RhE")
    game.copy().apply(special)  # two hexes and a town away
    a.floated(game, "BME", "bo")
    a.station(game, "BME", "K3")
    a.operating(game, "RhE")
    assert a.refused(game, special).rule == "BL-8.3.1-c"  # K3 is full


@pytest.mark.rule("BL-5.2-1c")
def test_another_corporation_lays_on_j4_with_the_consent_of_the_owners_director() -> None:
    game = solingen("BME")
    a.floated(game, "BME", "bo")
    a.operating(game, "RhE")
    twin = game.copy()
    for board in (game, twin):
        board.apply(J4)
        assert a.asked(board) == "bo"
        assert "J4" not in board.state.board.tiles
    treasury = game.state.cash["RhE"]
    game.apply(mv.Answer("bo", "accept"))
    assert game.state.board.tiles["J4"] == ("57", 1)
    assert game.state.privates["SKB"] == CLOSED
    assert game.state.cash["RhE"] == treasury
    assert game.state.round.step != "track"
    twin.apply(mv.Answer("bo", "decline"))
    assert twin.state.privates["SKB"] == "BME"
    assert a.refused(twin, J4).rule == "BL-5.2-1c"


@pytest.mark.rule("BL-5.2-1c", "BL-5.2-1d")
def test_elsewhere_nobody_is_asked_and_private_1_stays() -> None:
    game = solingen("BME")
    a.floated(game, "BME", "bo")
    a.operating(game, "RhE")
    game.apply(mv.LayTile("ann", "RhE", "C1", "9", 0))
    assert "C1" in game.state.board.tiles
    assert game.state.privates["SKB"] == "BME"


@pytest.mark.rule("BL-5.2-1c")
def test_consent_is_given_or_not_but_not_sold() -> None:
    game = solingen("BME")
    a.floated(game, "BME", "bo")
    a.operating(game, "RhE")
    game.apply(J4)
    assert a.offered(game, "answer") == ["accept", "decline"]
    assert a.refused(game, mv.Answer("bo", "counter", 1)).rule == "BL-5.2-1c"


@pytest.mark.rule("BL-5.2-1c")
def test_a_director_of_both_corporations_need_not_ask_himself() -> None:
    game = solingen("BME")
    a.floated(game, "BME", "ann")
    a.operating(game, "RhE")
    game.apply(J4)
    assert game.state.board.tiles["J4"] == ("57", 1)
    assert game.state.privates["SKB"] == CLOSED


@pytest.mark.rule("BL-5.2-1e")
def test_from_brown_on_any_corporation_lays_on_an_empty_j4() -> None:
    game = solingen("bo")
    a.phase(game, "5")
    a.operating(game, "RhE")
    events = game.apply(J4)
    assert "J4" in game.state.board.tiles
    assert not any(isinstance(event, PrivateClosed) for event in events)  # it was closed before


def elberfeld(owner: str) -> Game:
    return turn({"DTE": owner}, "DEE", phase="3", treasury=100)


@pytest.mark.rule("BL-5.2-2b", "BL-8.3.3-i", "BL-5.1-f")
def test_the_owner_of_private_2_upgrades_f6_for_nothing() -> None:
    game = elberfeld("DEE")
    choice = next(c for c in game.offer().choices if c.name == "lay_tile" and c.granted_by == "DTE")
    fit = choice.fits("F6")[0]  # type: ignore[attr-defined]
    move = mv.LayTile("ann", "DEE", "F6", fit.tile, fit.rotation)
    assert a.refused(game, move).rule == "BL-5.1-f"  # its own lay there is the free one (R50)
    events = game.apply(mv.LayTile("ann", "DEE", "F6", fit.tile, fit.rotation, "DTE"))
    assert [event.cost for event in events if isinstance(event, TileLaid)] == [0]
    assert game.state.cash["DEE"] == 100
    assert game.state.privates["DTE"] == CLOSED


@pytest.mark.rule("BL-5.2-2c", "BL-8.3.3-i")
def test_another_corporation_pays_for_f6_and_private_2_stays() -> None:
    game = elberfeld("bo")
    cost = game.definition.map.hexes["F6"].face.cost
    choice = game.offer().find("lay_tile")
    fit = choice.fits("F6")[0]  # type: ignore[union-attr]
    game.apply(mv.LayTile("ann", "DEE", "F6", fit.tile, fit.rotation))
    assert game.state.cash["DEE"] == 100 - cost
    assert game.state.privates["DTE"] == "bo"
    before = game.state.cash["bo"]
    game.rules.rounds["operating"].begin(game, 2, 2)  # type: ignore[attr-defined]
    assert game.state.cash["bo"] == before + 10
    a.phase(game, "5")
    assert game.state.privates["DTE"] == CLOSED


def gorge(owner: str, treasury: int = 150) -> Game:
    """RhE has a station in Remscheid, whose track leads to Müngsten."""
    game = turn({"MBG": owner}, treasury=treasury)
    a.lay(game, "H6", "57", 1)
    a.station(game, "RhE", "H6")
    a.operating(game, "RhE")
    return game


BRIDGE = mv.LayTile("ann", "RhE", "I5", "1961", 1)


@pytest.mark.rule("BL-5.2-3b", "BL-5.1-f")
def test_the_owner_of_private_3_lays_the_bridge_for_nothing() -> None:
    game = gorge("RhE")
    assert a.refused(game, BRIDGE).rule == "BL-5.1-f"
    game.apply(mv.LayTile("ann", "RhE", "I5", "1961", 1, "MBG"))
    assert game.state.cash["RhE"] == 150
    assert game.state.privates["MBG"] == CLOSED
    assert AccessTokens.of(game).private == 3  # those of private 4 stay where they are
    assert "lay_tile" not in a.names(game)


@pytest.mark.rule("BL-5.2-3c", "BL-8.3.2-c")
def test_others_pay_for_the_bridge_and_private_3_stays() -> None:
    game = gorge("bo")
    cost = game.definition.map.hexes["I5"].face.cost
    game.apply(BRIDGE)
    assert game.state.cash["RhE"] == 150 - cost
    assert game.state.privates["MBG"] == "bo"
    game = gorge("bo", treasury=cost - 1)
    assert a.refused(game, BRIDGE).rule == "BL-8.3.1-n"
    for owner in ("bo", "ann", "BME"):
        assert (
            a.refused(gorge(owner), mv.LayTile("ann", "RhE", "I5", "1961", 1, "MBG")).rule == "BL-5.1-f"
        )  # only the owner's lay is free


@pytest.mark.rule("BL-5.1-f", "BL-8.2-c")
def test_a_special_lay_replaces_the_whole_tile_step_even_in_the_first_turn() -> None:
    game = gorge("RhE")
    game.company("RhE").operated = False
    a.take_offer(game)
    game.apply(mv.LayTile("ann", "RhE", "I5", "1961", 1, "MBG"))
    assert game.state.round.step != "track"
    # and after one normal yellow tile there is no special lay
    game = gorge("RhE")
    game.company("RhE").operated = False
    a.take_offer(game)
    game.apply(mv.LayTile("ann", "RhE", "C1", "9", 0))
    assert a.refused(game, mv.LayTile("ann", "RhE", "I5", "1961", 1, "MBG")).rule == "BL-5.1-f"


@pytest.mark.rule("BL-5.2-4b", "BL-5.2-4e")
def test_the_buyer_of_private_4_gets_the_tokens() -> None:
    game = turn({"EHG": "ann"})
    assert "buy_access" not in a.names(game)
    assert a.refused(game, BuyAccess("ann", "RhE", "ann")).rule == "BL-5.2-4e"
    game.apply(BuyPrivate("ann", "RhE", "EHG", 100))
    assert AccessTokens.of(game) == AccessTokens(0, 2, 0, ["RhE"])


@pytest.mark.rule("BL-5.2-4b", "BL-5.2-4e")
def test_another_private_brings_no_access_tokens() -> None:
    game = turn({"EHG": "bo", "MBG": "ann"})
    game.apply(BuyPrivate("ann", "RhE", "MBG", 80))
    assert AccessTokens.of(game) == AccessTokens(3, 0, 0, [])


@pytest.mark.rule("BL-5.2-4c")
@pytest.mark.parametrize("treasury", [59, 60])
def test_an_access_token_costs_60(treasury: int) -> None:
    game = turn({}, "BME", treasury=treasury)
    a.floated(game, "RhE", "bo", treasury=0)
    a.private(game, "EHG", "RhE")
    a.operating(game, "BME")
    if treasury < 60:
        assert "buy_access" not in a.names(game)
        assert a.refused(game, BuyAccess("ann", "BME", "RhE")).rule == "BL-5.2-4c"
    else:
        game.apply(BuyAccess("ann", "BME", "RhE"))
        assert (game.state.cash["BME"], game.state.cash["RhE"]) == (0, 60)


@pytest.mark.rule("BL-5.2-4c", "BL-5.2-4d", "BL-5.2-4g")
def test_another_corporation_buys_a_token_without_being_asked_for_consent() -> None:
    game = turn({}, "BME", treasury=100)
    a.floated(game, "RhE", "bo", treasury=10)
    a.private(game, "EHG", "RhE")
    a.operating(game, "BME")
    assert a.offered(game, "buy_access") == ["RhE"]
    game.apply(BuyAccess("ann", "BME", "RhE"))
    assert (game.state.cash["BME"], game.state.cash["RhE"]) == (40, 70)
    assert AccessTokens.of(game) == AccessTokens(0, 1, 0, ["RhE", "BME"])
    a.cash(game, "BME", 500)
    a.take_offer(game)
    assert "buy_access" not in a.names(game)  # one for each charter, and none is sold on
    assert a.refused(game, BuyAccess("ann", "BME", "RhE")).rule == "BL-5.2-4c"
    a.floated(game, "CME", "cy")
    a.operating(game, "CME")
    assert a.offered(game, "buy_access") == ["RhE"]  # not BME's token
    assert a.refused(game, BuyAccess("cy", "CME", "BME")).rule == "BL-5.2-4e"


@pytest.mark.rule("BL-5.2-4f")
@pytest.mark.parametrize("owner", ["bo", "CME"])
def test_unsold_tokens_go_to_the_pool_in_brown(owner: str) -> None:
    game = turn({}, "RhE")
    a.floated(game, "CME", "bo")
    a.private(game, "EHG", owner)
    left = 3 if owner == "bo" else 2
    a.phase(game, "5")
    assert AccessTokens.of(game).pool == left
    a.operating(game, "RhE")
    bank = game.state.cash[BANK]
    game.apply(BuyAccess("ann", "RhE", POOL))
    assert game.state.cash[BANK] == bank + 60
    assert AccessTokens.of(game).pool == left - 1


def gummersbach(phase: str = "2") -> Game:
    """OV at Gummersbach with track over O11 to the ironworks (P12) and from there to Waldbröl (Q11)."""
    game = turn({}, "OV", phase=phase)
    a.lay(game, "N10", "57", 2)
    a.lay(game, "O11", "9", 2)
    a.lay(game, "Q11", "4", 1)
    return game


@pytest.mark.rule("BL-5.2-4h", "BL-11-a")
def test_p12_needs_an_access_token_for_routes_and_for_links() -> None:
    game = gummersbach()
    a.vehicles(game, "OV", "2")
    a.operating(game, "OV", "run")
    path = TrainPath("2", ("N10:a", "O11", "P12:a"))
    assert game.state.round.step == "run"
    router = game.router("OV")
    assert not router.any_route("2")
    assert not game.reach("OV").touches("Q11", 1 << 1)
    AccessTokens.of(game).charters.append("OV")
    a.take_offer(game)
    assert game.reach("OV").touches("Q11", 1 << 1)
    game.apply(mv.Run("ann", "OV", (path,)))
    assert game.company("OV").last_revenue == 50


@pytest.mark.rule("BL-5.2-4h")
def test_a_token_bought_in_the_turn_opens_p12_at_once() -> None:
    game = gummersbach()
    tokens = AccessTokens.of(game)
    tokens.private, tokens.pool = 0, 1
    a.take_offer(game)
    assert not game.reach("OV").touches("Q11", 1 << 1)
    game.apply(BuyAccess("ann", "OV", POOL))
    assert game.reach("OV").touches("Q11", 1 << 1)


@pytest.mark.rule("BL-5.2-5b", "BL-5.2-5c", "BL-8.8.1-d")
def test_private_5_brings_a_trailer_without_a_rail_bus() -> None:
    game = turn({"DEBG": "ann"}, phase="3")
    game.apply(BuyPrivate("ann", "RhE", "DEBG", 120))
    assert game.company("RhE").trains == ["BW-A"]
    assert game.state.depot.aside == []
    game = turn({"DEBG": "ann"}, phase="3")
    a.vehicles(game, "RhE", "SB3", "BW-A")
    assert a.refused(game, BuyPrivate("ann", "RhE", "DEBG", 120)).rule == "BL-8.8.1-d"  # R32
    a.private(game, "MBG", "ann")
    game.apply(BuyPrivate("ann", "RhE", "MBG", 80))  # a private without a trailer it may buy
    assert game.company("RhE").trains == ["SB3", "BW-A"]


@pytest.mark.rule("BL-5.2-5d")
def test_private_5_closes_when_its_trailer_has_earned() -> None:
    game = turn({"DEBG": "ann"}, "OV", phase="3")
    game.apply(BuyPrivate("ann", "OV", "DEBG", 120))
    a.vehicles(game, "OV", "SB3")
    a.lay(game, "N10", "57", 0)
    a.lay(game, "L10", "4", 0)
    a.operating(game, "OV", "run")
    twin = game.copy()
    twin.apply(mv.Run("ann", "OV", (TrainPath("SB3", ("N10:a", "L10:a")),)))
    assert twin.state.privates["DEBG"] == "OV"  # not used
    game.apply(mv.Run("ann", "OV", (TrainPath("SB3+BW-A", ("N10:a", "L10:a")),)))
    assert game.company("OV").last_revenue == 40
    assert game.state.privates["DEBG"] == CLOSED
    assert "BW-A" in game.company("OV").trains


# ---------------------------------------------------------------------- private 6


@pytest.mark.rule("BL-5.2-5d")
def test_private_5_stays_open_when_its_trailer_earns_nothing() -> None:
    """R15: a trailer doubles towns; behind a rail bus to the ironworks it earns nothing."""
    game = gummersbach("3")
    AccessTokens.of(game).charters.append("OV")
    a.private(game, "DEBG", "ann")
    a.operating(game, "OV")
    game.apply(BuyPrivate("ann", "OV", "DEBG", 120))
    a.vehicles(game, "OV", "SB3")
    a.operating(game, "OV", "run")
    game.apply(mv.Run("ann", "OV", (TrainPath("SB3+BW-A", ("N10:a", "O11", "P12:a")),)))
    assert game.state.privates["DEBG"] == "OV"


@pytest.mark.rule("BL-5.2-5d")
@pytest.mark.parametrize("owner", ["bo", "BME"])
def test_the_trailer_of_another_corporation_does_not_close_private_5(owner: str) -> None:
    game = turn({"DEBG": "bo"}, "OV", phase="3")
    a.private(game, "DEBG", owner)
    a.vehicles(game, "OV", "SB3", "BW-A")
    a.lay(game, "N10", "57", 0)
    a.lay(game, "L10", "4", 0)
    a.operating(game, "OV", "run")
    game.apply(mv.Run("ann", "OV", (TrainPath("SB3+BW-A", ("N10:a", "L10:a")),)))
    assert game.state.privates["DEBG"] == owner


def exchange(held: int = 30, player: str = "bo", number: int = 2) -> Game:
    game = a.after_package(3, {"CCE": "bo"})
    a.floated(game, "RhE", "ann")
    a.own(game, "RhE", "ann", 20)
    if held:
        a.own(game, "RhE", "bo", held)
    a.stock(game, player, number)
    return game


SWAP = ExchangePrivate("bo", "CCE")


@pytest.mark.rule("BL-5.2-6b", "BL-5.2-6f", "BL-6.3-a")
def test_the_exchange_brings_two_certificates_and_closes_private_6() -> None:
    game = exchange(10)
    before = dict(game.state.cash)
    game.apply(SWAP)
    assert shares.held(game, "RhE", "bo") == 30
    assert game.company("RhE").director == "bo"  # more than ann's 20 %
    assert game.state.privates["CCE"] == CLOSED
    assert game.state.cash == before
    game.rules.rounds["operating"].begin(game, 1, 1)  # type: ignore[attr-defined]
    assert game.state.cash["bo"] == before["bo"]


@pytest.mark.rule("BL-5.2-6b")
def test_no_exchange_in_the_first_stock_round_nor_before_rhe_is_founded() -> None:
    game = exchange(10, number=1)
    assert a.refused(game, SWAP).rule == "BL-5.2-6b"
    game = a.second_stock_round(3, {"CCE": "bo"}, "bo")
    assert a.refused(game, SWAP).rule == "BL-5.2-6b"
    assert "exchange_private" not in a.names(game)


@pytest.mark.rule("BL-5.2-6b")
def test_no_other_private_is_exchanged() -> None:
    game = exchange(10)
    a.private(game, "SKB", "bo")
    assert a.refused(game, ExchangePrivate("bo", "SKB")).rule == "BL-5.2-6b"


@pytest.mark.rule("BL-5.2-6b")
def test_missing_certificates_come_from_the_pool() -> None:
    game = exchange(0)
    a.hand(game, "RhE", "cy", 50)
    a.hand(game, "RhE", POOL, 20)
    a.take_offer(game)
    assert len(shares.numbers(game, "RhE", OFFERING)) == 1
    game.apply(SWAP)
    assert (shares.held(game, "RhE", OFFERING), shares.held(game, "RhE", POOL)) == (0, 10)
    game = exchange(0)
    a.hand(game, "RhE", "cy", 70)
    a.take_offer(game)
    assert a.refused(game, SWAP).rule == "BL-5.2-6b"  # only one certificate is left


@pytest.mark.rule("BL-5.2-6c", "BL-7-g")
def test_the_exchange_comes_on_top_of_the_normal_action() -> None:
    game = exchange(10)
    twin = game.copy()
    a.walk(game, SWAP, mv.BuyShare("bo", "RhE", OFFERING, 10))
    assert shares.held(game, "RhE", "bo") == 40
    assert a.asked(game) == "cy"
    twin.apply(mv.BuyShare("bo", "RhE", OFFERING, 10))
    assert a.asked(twin) == "bo"
    assert a.names(twin) == {"exchange_private", "pass"}
    twin.apply(SWAP)
    assert shares.held(twin, "RhE", "bo") == 40
    assert a.asked(twin) == "cy"


@pytest.mark.rule("BL-5.2-6d")
def test_the_exchange_is_barred_above_50_percent_and_at_the_certificate_limit() -> None:
    game = exchange(50)
    game.apply(SWAP)
    assert shares.held(game, "RhE", "bo") == 70
    game = exchange(60)
    assert a.refused(game, SWAP).rule == "BL-5.2-6d"
    game = exchange(10)
    limit = game.rules.limits.certificates(game, game.players[0])
    for company in ("BME", "CME", "DEE"):
        a.floated(game, company, "cy")
        room = limit - shares.certificates(game, "bo")
        a.own(game, company, "bo", min(room, 5) * 10)
    a.floated(game, "OV", "cy")
    room = limit - shares.certificates(game, "bo")
    a.own(game, "OV", "bo", room * 10)
    assert shares.certificates(game, "bo") == limit
    assert a.refused(game, SWAP).rule == "BL-7.2-a"


@pytest.mark.rule("BL-5.2-6d", "BL-7.2-c")
def test_the_exchange_gives_one_certificate_and_takes_two() -> None:
    """With 11 certificates allowed, ten with private 6 leave room; certificates in the yellow area need none."""
    game = a.second_stock_round(6, {"CCE": "bo"}, "bo")
    for company in ("BME", "CME"):
        a.floated(game, company, "cy")
        a.own(game, company, "bo", 50)
    a.floated(game, "RhE", "ann")
    assert shares.certificates(game, "bo") == 11
    assert a.refused(game, SWAP).rule == "BL-7.2-a"
    yellow = game.copy()
    a.price_at(yellow, "RhE", a.token_at(yellow, 50, "y"))
    yellow.apply(SWAP)
    assert shares.certificates(yellow, "bo") == 10
    a.own(game, "CME", "bo", 40)
    game.apply(SWAP)
    assert shares.certificates(game, "bo") == 11


@pytest.mark.rule("BL-5.2-6e")
def test_the_exchange_is_barred_after_selling_rhe_in_the_same_round() -> None:
    game = exchange(30)
    game.apply(mv.SellShares("bo", "RhE", 10))
    assert a.refused(game, SWAP).rule == "BL-5.2-6e"
    a.stock(game, "bo", 3)
    game.apply(SWAP)
    assert shares.held(game, "RhE", "bo") == 40


@pytest.mark.rule("BL-5.2-6g")
def test_private_6_sold_to_a_corporation_is_not_exchanged_any_more() -> None:
    game = exchange(10)
    a.phase(game, "3")
    a.operating(game, "RhE")
    a.walk(game, BuyPrivate("ann", "RhE", "CCE", 360), mv.Answer("bo", "accept"))
    a.stock(game, "bo", 3)
    assert a.refused(game, SWAP).rule == "BL-5.2-6b"
    assert "exchange_private" not in a.names(game)


@pytest.mark.rule("BL-6.1-b")
def test_the_exchange_counts_for_the_float() -> None:
    game = a.second_stock_round(3, {"CCE": "bo"}, "bo")
    a.founded(game, "RhE", "ann")
    a.own(game, "RhE", "ann", 30)
    game.apply(SWAP)
    assert game.company("RhE").floated
    assert game.state.cash["RhE"] == 380


@pytest.mark.rule("BL-6.1-b", "BL-6.1-c", "BL-7.3-a")
@pytest.mark.parametrize(("par", "capital"), [(67, 335), (76, 380), (100, 500)])
def test_an_exchange_beyond_50_percent_still_brings_five_times_par(par: int, capital: int) -> None:
    """R06: 40 % bought and 20 % exchanged are 60 %, paid for five."""
    game = a.second_stock_round(3, {"CCE": "bo"}, "bo")
    a.founded(game, "RhE", "ann", par)
    a.own(game, "RhE", "ann", 40)
    before = dict(game.state.cash)
    happened = game.apply(SWAP)
    assert shares.held(game, "RhE", OFFERING) == 40
    assert CompanyFloated("RhE", capital) in happened
    assert game.state.cash["RhE"] == capital
    assert game.state.cash[BANK] == before[BANK] - capital
    assert game.state.cash["bo"] == before["bo"]


def ironworks(phase: str) -> Game:
    """OV and RhE with track to the ironworks; private 4 went unsold to the pool if the phase is brown."""
    game = gummersbach()
    a.private(game, "EHG", "bo")
    a.phase(game, phase)
    a.vehicles(game, "OV", "3")
    a.floated(game, "RhE", "ann")
    a.operating(game, "OV", "run")
    return game


@pytest.mark.rule("BL-5.2-4f", "BL-5.2-4h", "BL-11-a")
@pytest.mark.parametrize("phase", ["4", "5", "6", "3+3"])
def test_p12_stays_closed_without_a_token_also_when_private_4_is_gone(phase: str) -> None:
    """The brown phase ends private 4, not the need of a token: it is bought from the bank then."""
    game = ironworks(phase)
    brown = phase != "4"
    assert (game.state.privates["EHG"] == CLOSED) == brown
    assert not game.reach("OV").touches("Q11", 1 << 1)
    a.lay(game, "L10", "4", 0)
    a.lay(game, "N10", "14", 2)
    a.operating(game, "OV", "run")
    works, towns = ("P12:a", "O11", "N10:a"), ("N10:a", "L10:a")
    assert a.refused(game, mv.Run("ann", "OV", (TrainPath("3", works),))).rule == "BL-5.2-4h"
    game.copy().apply(mv.Run("ann", "OV", (TrainPath("3", towns),)))
    if not brown:
        assert "buy_access" not in a.names(game)
        return
    game.apply(BuyAccess("ann", "OV", POOL))
    assert game.reach("OV").touches("Q11", 1 << 1)
    game.apply(mv.Run("ann", "OV", (TrainPath("3", works),)))
    assert game.company("OV").last_revenue == {"5": 50, "6": 60, "3+3": 60}[phase] + 30
