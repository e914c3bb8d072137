"""Railway corporations: shares, floating, directors, and what is special about CCE, MKB and GVE."""

from __future__ import annotations

import pytest

from engine import events as ev
from engine import moves as mv
from engine.finance import shares
from engine.game import Game
from engine.state import BANK, OFFERING, POOL
from tests.titles.arranging import asked, passing, walk
from tests.titles.rhl import arrange
from tests.titles.rhl.asking import facts, holding, of_kind, paid, pass_until, permits, pool, price, values

SPLIT = [20] + [10] * 8
TABLE = {
    # shares, homes, stations
    "ADR": (SPLIT, ["K2"], 3),
    "BME": (SPLIT, ["F13"], 4),
    "CCE": (SPLIT, ["E6", "I10"], 3),
    "CME": (SPLIT, ["I10"], 4),
    "DEE": (SPLIT, ["F9"], 2),
    "GVE": (SPLIT, ["G6"], 2),
    "MKB": ([20, 20, 20, 10, 10, 10, 10], ["D7"], 2),
    "RhE": (SPLIT, ["I10"], 4),
}


def held_by(game: Game, company: str, **percents: int) -> None:
    """Founded and floated: the first named holds the director's certificate; the rest lies on the charter."""
    director = next(iter(percents))
    company_state = game.company(company)
    company_state.certificates = [OFFERING] * len(company_state.certificates)
    arrange.founded(game, company, director)
    for holder, percent in percents.items():
        missing = percent - shares.percent_of(game, company, 0) * (holder == director)
        if missing:
            arrange.hand(game, company, holder, missing)
    arrange.floated(game, company, director, treasury=500)


def second_round(company: str, seller: str, players: int = 3, **percents: int) -> Game:
    """The seller's turn in the second stock round, with these holdings of a company."""
    game = arrange.after_package(players)
    held_by(game, company, **percents)
    arrange.stock(game, seller)
    return game


# ---------------------------------------------------------------------- 4.2


@pytest.mark.rule("RHL-4.2-a", "RHL-4.2.2-f")
def test_certificates_homes_and_stations_are_those_of_the_table() -> None:
    game = arrange.new()
    found = {}
    for name, company in game.state.companies.items():
        percents = [shares.percent_of(game, name, n) for n in range(len(company.certificates))]
        assert sum(percents) == 100
        homes = sorted(at for at in game.state.board.stations if game.board.has_station(name, at))
        found[name] = (percents, homes, len(homes) + len(company.tokens_left))
    assert found == TABLE


@pytest.mark.rule("RHL-4.2-a")
def test_a_20_percent_certificate_is_not_sold_in_halves() -> None:
    game = arrange.after_package()
    arrange.founded(game, "MKB", "ann")
    game.company("MKB").certificates[1:4] = ["bo", "cy", "cy"]
    arrange.floated(game, "MKB", "ann")
    arrange.stock(game, "bo")
    assert values(game, "sell_shares", company="MKB") == [20]
    assert arrange.refused(game, mv.SellShares("bo", "MKB", 10)).rule == "RHL-4.2-a"
    game.apply(mv.SellShares("bo", "MKB", 20))
    assert holding(game, "MKB", "bo", POOL) == [0, 20]


@pytest.mark.rule("RHL-4.2-a", "RHL-5.2-c")
def test_from_the_pool_one_buys_a_certificate_of_either_size() -> None:
    game = arrange.after_package()
    arrange.founded(game, "MKB", "ann")
    game.company("MKB").certificates[1:5] = [POOL, "ann", "ann", POOL]
    arrange.floated(game, "MKB", "ann")
    arrange.stock(game, "bo")
    assert values(game, "buy_share", company="MKB", source=POOL) == [20, 10]
    for percent in (20, 10):
        twin = game.copy()
        happened = twin.apply(mv.BuyShare("bo", "MKB", POOL, percent))
        assert paid(happened, "bo", BANK) == 8 * percent
        assert holding(twin, "MKB", "bo", POOL) == [percent, 30 - percent]


@pytest.mark.rule("RHL-4.2-b")
def test_one_price_for_offering_charter_pool_and_sale() -> None:
    game = arrange.after_package()
    held_by(game, "ADR", ann=50, pool=10)
    price(game, "ADR", (1, 4))  # far from its starting price
    arrange.stock(game, "bo")
    assert values(game, "buy_share", company="ADR") == ["ADR", POOL]
    for source in ("ADR", POOL):
        assert facts(game, "buy_share", 10, company="ADR", source=source) == {"price": 100}
    assert paid(game.apply(mv.BuyShare("bo", "ADR", "ADR", 10)), "bo", "ADR") == 100
    assert paid(game.apply(mv.BuyShare("cy", "ADR", POOL, 10)), "cy", BANK) == 100
    assert paid(game.apply(mv.SellShares("ann", "ADR", 10)), BANK, "ann") == 100


@pytest.mark.rule("RHL-4.2-b")
def test_a_founded_company_sells_at_its_value_too() -> None:
    game = arrange.after_package()
    game.apply(mv.Found("ann", "BME", 90))
    assert paid(game.apply(mv.BuyShare("bo", "BME", OFFERING, 10)), "bo", BANK) == 90


@pytest.mark.rule("RHL-4.2-c")
def test_a_company_floats_with_the_fifth_share_in_that_turn() -> None:
    game = arrange.after_package()
    walk(game, mv.Found("ann", "ADR", 60), mv.BuyShare("bo", "ADR", OFFERING, 10))
    game.apply(mv.BuyShare("cy", "ADR", OFFERING, 10))
    assert not game.company("ADR").floated
    happened = game.apply(mv.BuyShare("ann", "ADR", OFFERING, 10))
    assert of_kind(happened, ev.CompanyFloated) == [ev.CompanyFloated("ADR", 300)]
    assert game.company("ADR").floated
    assert asked(game) == "bo"


@pytest.mark.rule("RHL-4.2-c", "RHL-4.2.2-b")
def test_mkb_floats_at_60_percent_and_is_paid_for_six_shares() -> None:
    game = arrange.after_package()
    walk(game, mv.Found("ann", "MKB", 60), mv.BuyShare("bo", "MKB", OFFERING, 20))
    assert not game.company("MKB").floated
    game.apply(mv.BuyShare("cy", "MKB", OFFERING, 20))
    assert game.company("MKB").floated
    assert game.state.cash["MKB"] == 360
    assert holding(game, "MKB", "ann", "bo", "cy", "MKB") == [20, 20, 20, 40]


@pytest.mark.rule("RHL-4.2-c", "RHL-4.2.2-e")
def test_gve_floats_with_40_percent_from_the_offering_and_the_share_of_no_5() -> None:
    game = arrange.after_package()  # cy bought private no. 5
    walk(game, mv.Found("ann", "GVE", 70), mv.BuyShare("bo", "GVE", OFFERING, 10))
    assert not game.company("GVE").floated
    happened = game.apply(mv.BuyShare("cy", "GVE", OFFERING, 10))
    assert game.company("GVE").floated
    assert paid(happened, BANK, "GVE") == 350
    assert holding(game, "GVE", "ann", "bo", "cy", "GVE") == [20, 10, 20, 50]


@pytest.mark.rule("RHL-4.2-d")
def test_only_the_director_decides() -> None:
    game = arrange.after_package()
    held_by(game, "ADR", ann=30, bo=30)
    for step, move in (
        ("track", mv.LayTile("bo", "ADR", "K4", "4", 1)),
        ("station", mv.Pass("bo")),
        ("trains", mv.BuyTrain("bo", "ADR", "2", BANK, 100)),
    ):
        arrange.operating(game, "ADR", step)
        assert asked(game) == "ann"
        assert arrange.refused(game, move).rule == "RHL-6.2-a"
    arrange.operating(game, "ADR")
    game.apply(mv.LayTile("ann", "ADR", "K4", "4", 1))


# ---------------------------------------------------------------------- 4.2.1


@pytest.mark.rule("RHL-4.2.1-a", "RHL-4.2.1-b")
def test_a_directorship_changes_when_another_holds_more_not_when_as_much() -> None:
    game = second_round("ADR", "bo", ann=30, bo=20)
    happened = game.apply(mv.BuyShare("bo", "ADR", "ADR", 10))
    assert of_kind(happened, ev.DirectorChanged) == []
    assert game.company("ADR").director == "ann"
    passing(game, "cy", "ann")
    happened = game.apply(mv.BuyShare("bo", "ADR", "ADR", 10))
    assert of_kind(happened, ev.DirectorChanged) == [ev.DirectorChanged("ADR", "ann", "bo")]
    # The director's certificate against two of 10 %.
    assert holding(game, "ADR", "ann", "bo") == [30, 40]
    assert len(shares.numbers(game, "ADR", "ann")) == 3
    assert shares.numbers(game, "ADR", "bo")[0] == 0
    assert len(shares.numbers(game, "ADR", "bo")) == 3


@pytest.mark.rule("RHL-4.2.1-a")
def test_a_sale_that_leaves_as_much_as_another_holds_changes_nothing() -> None:
    game = second_round("ADR", "ann", ann=40, bo=30)
    game.apply(mv.SellShares("ann", "ADR", 10))
    assert game.company("ADR").director == "ann"
    other = second_round("ADR", "ann", ann=40, bo=30)
    other.apply(mv.SellShares("ann", "ADR", 20))
    assert other.company("ADR").director == "bo"


@pytest.mark.rule("RHL-4.2.1-b")
def test_mkbs_new_director_hands_over_one_20_percent_certificate_if_he_has_no_two_of_10() -> None:
    game = arrange.after_package()
    arrange.founded(game, "MKB", "ann")
    game.company("MKB").certificates[1:3] = ["bo", "cy"]
    arrange.floated(game, "MKB", "ann")
    arrange.stock(game, "bo")
    game.apply(mv.BuyShare("bo", "MKB", "MKB", 10))
    assert game.company("MKB").director == "bo"
    assert shares.numbers(game, "MKB", "ann") == [1]
    assert shares.numbers(game, "MKB", "bo") == [0, 3]


def mkb(*holders: str, turn: str) -> Game:
    """MKB with its certificates of 20, 20, 20, 10, 10, 10 and 10 % in these hands, in the second stock round."""
    game = arrange.after_package()
    held_by(game, "MKB", ann=20)
    game.company("MKB").certificates = list(holders)
    arrange.stock(game, turn)
    return game


@pytest.mark.rule("RHL-4.2.1-b")
@pytest.mark.parametrize(("mix", "given", "kept"), [("10+10", [4, 5], [0, 1]), ("20", [1], [0, 4, 5])])
def test_a_buyer_who_becomes_director_of_mkb_chooses_what_to_hand_over(
    mix: str, given: list[int], kept: list[int]
) -> None:
    """Ruling 66: bo holds 20 % and two times 10 %."""
    game = mkb("ann", "bo", "cy", "ann", "bo", "MKB", "MKB", turn="bo")
    game.apply(mv.BuyShare("bo", "MKB", "MKB", 10))
    assert game.offer().deciders == ("bo",)
    assert arrange.names(game) == {"hand_over"}
    assert values(game, "hand_over") == ["10+10", "20"]
    assert arrange.refused(game, mv.HandOver("bo", "MKB", "10")).rule == "RHL-4.2.1-b"
    happened = game.apply(mv.HandOver("bo", "MKB", mix))
    assert of_kind(happened, ev.DirectorChanged) == [ev.DirectorChanged("MKB", "ann", "bo")]
    assert shares.numbers(game, "MKB", "bo") == kept
    assert shares.numbers(game, "MKB", "ann") == sorted([3, *given])
    assert holding(game, "MKB", "ann", "bo") == [30, 40]


@pytest.mark.rule("RHL-4.2.1-b")
def test_the_new_director_chooses_first_and_then_the_seller() -> None:
    game = mkb("ann", "bo", "ann", "bo", "bo", "cy", "cy", turn="ann")
    game.apply(mv.SellShares("ann", "MKB", 20))
    assert game.offer().deciders == ("bo",)
    assert values(game, "hand_over") == ["10+10", "20"]
    assert holding(game, "MKB", "ann", "bo", POOL) == [40, 40, 0], "nothing is sold before"
    twin = game.copy()
    twin.apply(mv.HandOver("bo", "MKB", "20"))
    assert shares.numbers(twin, "MKB", "bo") == [0, 3, 4]
    assert holding(twin, "MKB", "ann", "bo", POOL) == [20, 40, 20], "ann has two certificates of 20 %: nothing to ask"
    game.apply(mv.HandOver("bo", "MKB", "10+10"))
    assert game.offer().deciders == ("ann",)
    assert values(game, "hand_over") == ["10+10", "20"]
    before = game.state.cash["ann"]
    game.apply(mv.HandOver("ann", "MKB", "20"))
    assert shares.numbers(game, "MKB", "bo") == [0, 1]
    assert shares.numbers(game, "MKB", "ann") == [3, 4]
    assert shares.numbers(game, "MKB", POOL) == [2]
    assert game.state.cash["ann"] == before + 160
    assert game.company("MKB").director == "bo"
    assert arrange.refused(game, mv.BuyShare("ann", "MKB", POOL, 20)).rule == "RHL-5.2-b"


@pytest.mark.rule("RHL-4.2.1-b", "RHL-4.2.1-f")
def test_who_announces_half_of_the_directors_certificate_gets_what_allows_it() -> None:
    game = mkb("ann", "bo", "ann", "bo", "bo", "cy", "cy", turn="ann")
    game.apply(mv.SellShares("ann", "MKB", 10))
    assert shares.numbers(game, "MKB", "bo") == [0, 1], "with 20 % in exchange ann could not sell 10 %"
    assert holding(game, "MKB", "ann", "bo", POOL) == [30, 40, 10]


@pytest.mark.rule("RHL-4.2.1-b")
def test_a_seller_of_mkb_chooses_the_certificates() -> None:
    game = mkb("ann", "ann", "bo", "ann", "ann", "bo", "bo", turn="bo")
    twin = game.copy()
    twin.apply(mv.SellShares("bo", "MKB", 40))
    assert holding(twin, "MKB", "bo", POOL) == [0, 40], "everything: nothing to ask"
    game.apply(mv.SellShares("bo", "MKB", 20))
    assert values(game, "hand_over") == ["10+10", "20"]
    game.apply(mv.HandOver("bo", "MKB", "20"))
    assert shares.numbers(game, "MKB", POOL) == [2]
    assert shares.numbers(game, "MKB", "bo") == [5, 6]


@pytest.mark.rule("RHL-4.2.1-c")
def test_a_director_stays_in_office_when_nobody_else_holds_20_percent() -> None:
    game = second_round("ADR", "ann", ann=30, bo=10, cy=10)
    assert values(game, "sell_shares", company="ADR") == [10]
    for percent in (20, 30):
        assert arrange.refused(game, mv.SellShares("ann", "ADR", percent)).rule == "RHL-4.2.1-c"
    game.apply(mv.SellShares("ann", "ADR", 10))
    assert game.company("ADR").director == "ann"


@pytest.mark.rule("RHL-4.2.1-c")
def test_a_director_sells_out_when_another_holds_20_percent() -> None:
    game = second_round("ADR", "ann", ann=30, bo=20)
    happened = game.apply(mv.SellShares("ann", "ADR", 30))
    assert of_kind(happened, ev.DirectorChanged) == [ev.DirectorChanged("ADR", "ann", "bo")]
    assert holding(game, "ADR", "ann", "bo", POOL) == [0, 20, 30]
    assert shares.numbers(game, "ADR", "bo") == [0]


@pytest.mark.rule("RHL-4.2.1-c", "RHL-5.2.1-a")
def test_the_pool_limit_keeps_a_director_in_office() -> None:
    game = second_round("ADR", "ann", ann=30, bo=20, pool=40)
    assert arrange.refused(game, mv.SellShares("ann", "ADR", 30)).rule == "RHL-5.2.1-a"
    assert arrange.refused(game, mv.SellShares("ann", "ADR", 20)).rule == "RHL-5.2.1-a"
    assert values(game, "sell_shares", company="ADR") == [10]


@pytest.mark.rule("RHL-4.2.1-d")
@pytest.mark.parametrize(
    ("seller", "holdings", "heir"),
    [
        ("ann", {"bo": 20, "di": 20}, "bo"),
        ("cy", {"bo": 20, "di": 20}, "di"),
        ("di", {"ann": 20, "cy": 20}, "ann"),
        ("ann", {"bo": 20, "cy": 30}, "cy"),
    ],
)
def test_the_highest_share_takes_over_and_on_a_tie_the_nearest_to_the_left(
    seller: str, holdings: dict[str, int], heir: str
) -> None:
    game = second_round("ADR", seller, 4, **{seller: 30, **holdings})
    game.apply(mv.SellShares(seller, "ADR", 30))
    assert game.company("ADR").director == heir
    assert shares.numbers(game, "ADR", heir)[0] == 0


@pytest.mark.rule("RHL-4.2.1-e")
@pytest.mark.parametrize("percent", [20, 30, 40])
def test_the_directors_certificate_never_goes_to_the_pool(percent: int) -> None:
    game = second_round("ADR", "ann", ann=40, bo=30)
    game.apply(mv.SellShares("ann", "ADR", percent))
    assert pool(game, "ADR") == percent
    assert 0 not in shares.numbers(game, "ADR", POOL)
    assert holding(game, "ADR", "ann", "bo") == [40 - percent, 30]
    assert game.company("ADR").certificates[0] == game.company("ADR").director == "bo"


@pytest.mark.rule("RHL-4.2.1-f")
def test_example_of_the_rulebook_part_of_rhes_directors_certificate_is_sold() -> None:
    game = arrange.after_package()
    game.company("RhE").certificates = ["ann", "bo", "bo", "cy", "RhE", POOL, POOL, POOL, POOL]
    game.company("RhE").director = "ann"
    arrange.stock(game, "ann")
    assert holding(game, "RhE", "ann", "bo", "cy", "RhE", POOL) == [20, 20, 10, 10, 40]
    assert values(game, "sell_shares", company="RhE") == [10]
    assert facts(game, "sell_shares", 10, company="RhE") == {"amount": 75, "director": "bo"}
    happened = game.apply(mv.SellShares("ann", "RhE", 10))
    assert of_kind(happened, ev.DirectorChanged) == [ev.DirectorChanged("RhE", "ann", "bo")]
    assert holding(game, "RhE", "ann", "bo", "cy", "RhE", POOL) == [10, 20, 10, 10, 50]
    assert shares.numbers(game, "RhE", "bo") == [0]
    assert game.company("RhE").director == "bo"


@pytest.mark.rule("RHL-4.2.1-f")
def test_no_part_is_sold_where_only_a_20_percent_certificate_comes_in_exchange() -> None:
    game = arrange.after_package()
    arrange.founded(game, "MKB", "ann")
    game.company("MKB").certificates[1] = "bo"
    game.company("MKB").certificates[2] = "cy"
    arrange.floated(game, "MKB", "ann")
    arrange.stock(game, "ann")
    assert values(game, "sell_shares", company="MKB") == [20]
    assert arrange.refused(game, mv.SellShares("ann", "MKB", 10)).rule == "RHL-4.2.1-c"
    game.apply(mv.SellShares("ann", "MKB", 20))
    assert holding(game, "MKB", "ann", "bo", POOL) == [0, 20, 20]
    assert game.company("MKB").director == "bo"


# ---------------------------------------------------------------------- 4.2.2


@pytest.mark.rule("RHL-4.2.2-a")
def test_cce_starts_from_köln_and_from_krefeld() -> None:
    game = arrange.after_package()
    assert game.board.has_station("CCE", "I10")
    assert game.board.has_station("CCE", "E6")
    arrange.floated(game, "CCE", "ann")
    assert game.company("CCE").tokens_left == [80]
    arrange.operating(game, "CCE")
    assert {"H9", "E6"} <= set(values(game, "lay_tile"))
    game.apply(mv.LayTile("ann", "CCE", "E6", "202", 1))


@pytest.mark.rule("RHL-4.2.2-a")
def test_both_homes_of_cce_are_idle_before_it_floats_and_active_after() -> None:
    game = arrange.after_package()
    walk(game, mv.Found("ann", "CCE", 60), mv.BuyShare("bo", "CCE", OFFERING, 10))
    game.apply(mv.BuyShare("cy", "CCE", OFFERING, 10))
    assert game.board.stations_of("CCE") == []
    game.apply(mv.BuyShare("ann", "CCE", OFFERING, 10))
    assert sorted(game.board.stations_of("CCE")) == [("E6", 0), ("I10", 1)]


@pytest.mark.rule("RHL-4.2.2-a")
def test_the_third_station_of_cce_costs_80() -> None:
    game = arrange.after_package()
    arrange.floated(game, "CCE", "ann")
    arrange.lay(game, "E6", "202", 1)  # Krefeld – F7
    arrange.lay(game, "F7", "7", 5)
    arrange.lay(game, "E8", "56", 3)
    arrange.lay(game, "D9", "925")
    arrange.operating(game, "CCE", "station")
    reachable = values(game, "place_station")
    assert reachable
    happened = game.apply(mv.PlaceStation("ann", "CCE", reachable[0], 0))
    assert paid(happened, "CCE", BANK) == 80
    assert game.company("CCE").tokens_left == []


@pytest.mark.rule("RHL-4.2.2-c")
def test_mkb_is_founded_floats_and_operates_in_yellow_without_tile_route_or_train() -> None:
    game = arrange.after_package(buyers={"PWB": "cy"})
    assert "MKB" in values(game, "found")
    walk(game, mv.Found("ann", "MKB", 60), mv.BuyShare("bo", "MKB", OFFERING, 20))
    walk(game, mv.BuyShare("cy", "MKB", OFFERING, 20))
    happened = pass_until(game, "operating")
    while game.state.round.actor != "MKB":
        happened += passing(game, asked(game))
    # No tile, no station, no run: only trains are on offer, and none must be bought.
    assert game.state.round.step == "trains"
    assert asked(game) == "ann"
    assert arrange.names(game) == {"buy_train", "pass"}
    assert ev.SharePriceMoved("MKB", 65, 60, "no_dividend") in happened
    passing(game, "ann")
    assert game.company("MKB").operated
    assert game.company("MKB").trains == []


@pytest.mark.rule("RHL-4.2.2-c")
def test_mkb_cannot_connect_its_home_before_brown_and_can_then() -> None:
    game = arrange.after_package(buyers=dict.fromkeys(("PWB", "KEO", "THS", "TF"), "cy"))
    arrange.floated(game, "MKB", "ann")
    for phase in ("3", "4"):
        arrange.phase(game, phase)
        arrange.operating(game, "MKB")
        assert values(game, "lay_tile") == []
        assert arrange.refused(game, mv.LayTile("ann", "MKB", "D7", "947", 0)).rule == "RHL-6.2.1.1-a"
    game.company("MKB").operated = True
    arrange.phase(game, "5")
    arrange.operating(game, "MKB")
    assert values(game, "lay_tile") == ["D7"]
    game.apply(mv.LayTile("ann", "MKB", "D7", "947", 0))
    assert game.board.spaces("D7", 0).count("MKB") == 1


@pytest.mark.rule("RHL-4.2.2-d", "RHL-4.1.1-g")
def test_mkb_gets_a_second_station_in_green_with_private_no_2_and_builds_from_there() -> None:
    game = arrange.after_package()  # ann owns no. 2
    arrange.phase(game, "3")
    arrange.floated(game, "MKB", "ann")
    arrange.operating(game, "MKB")
    assert permits(game) == {"PWB", "KEO"}
    game.apply(mv.LayTile("ann", "MKB", "E8", "935", 0, "KEO"))
    game.apply(mv.PlaceStation("ann", "MKB", "E8", 0, "KEO"))
    assert game.company("MKB").tokens_left == []
    assert game.state.cash["MKB"] == 1000
    game.company("MKB").operated = True
    arrange.operating(game, "MKB")
    offered = set(values(game, "lay_tile", private=""))
    assert {"E6", "F7", "D9"} <= offered
    assert "D7" not in offered
