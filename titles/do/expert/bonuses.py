"""What a brewery's turn brings besides the prices of its cubes: bottling lines, premium beer, idle units, one more.

The turn remembers `rests` (the type of equipment that stays idle, to be given in), `premium` (the segments in which a
cube may be premium beer), `contracted` (whether idle units are paid), `shift` (equipment and segment of the
additional cube), and `drawn` (how many wagons the brewery had when it named its last unit for export).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from engine.game import Game
from titles.do.board.remembered import ExpertTurn
from titles.do.brewery import beer as market
from titles.do.brewery import breweries, delivering, loading
from titles.do.brewery.beer import CUSTOMERS, REGULAR, Field
from titles.do.brewery.selling import delivered, used
from titles.do.expert import markers
from titles.do.expert.tables import WAGON, expert
from titles.do.expert.wagons import reserved, useful
from titles.do.expert.yields import Extras


def free_units(game: Game, company: str) -> dict[str, int]:
    """The units of a brewery that have no beer to make: none was delivered, named for export or kept for customers."""
    return delivering.units(expert(game), useful(game, company), [*used(game), *reserved(game, company)])


# ---------------------------------------------------------------------- pieces


def exported(game: Game) -> Counter[str]:
    """The units of each type that are named for export or loaded."""
    return Counter(loading.exported(game))


def beyond_arrows(game: Game, company: str) -> dict[str, int]:
    """How many units without an arrow of each type are named for export, thanks to wagons."""
    arrows = delivering.arrows(expert(game), useful(game, company))
    return {type_: max(0, count - arrows.get(type_, 0)) for type_, count in exported(game).items()}


def in_one_piece(game: Game, company: str) -> dict[str, int]:
    """By type, how many cubes one piece can deliver to Dortmund when others export as much as they can."""
    t, named, beyond = expert(game), exported(game), beyond_arrows(game, company)
    wagons = len(markers.working(game, company, WAGON))
    found = {}
    for type_, pieces in Counter(useful(game, company)).items():
        row, others = t.types[type_], pieces - 1
        spare = wagons - sum(count for other, count in beyond.items() if other != type_)
        elsewhere = min(others * row.cubes, others * row.arrows + spare)
        found[type_] = row.cubes - max(0, named[type_] - elsewhere)
    return found


def export_named(game: Game, event: loading.ExportNamed) -> None:
    """A wagon that is put back later in the turn has done its work."""
    ExpertTurn.of(game).drawn = len(markers.working(game, event.company, WAGON))


def idle(game: Game, company: str) -> list[str]:
    """The types of equipment of which a piece has done nothing in this turn."""
    t, named = expert(game), exported(game)
    local = Counter(delivery.equipment for delivery in delivered(game))
    now = ExpertTurn.seen(game)
    wagons = now.drawn if now else 0
    result = []
    for type_, pieces in Counter(breweries.equipment(game, company)).items():
        row = t.types[type_]
        busy = next(
            number
            for number in range(pieces + 1)
            if number * row.cubes >= named[type_] + local[type_]
            and (not named[type_] or number * row.arrows + wagons >= named[type_])
        )
        if busy < pieces:
            result.append(type_)
    return result


# ---------------------------------------------------------------------- what it brings


def half(game: Game, number: int) -> int:
    """DO-7.2-a: half the regular price of a segment."""
    t = expert(game)
    return t.segments[number].regular * t.expert.half_percent // 100


def open_segments(game: Game, type_: str) -> list[int]:
    """The segments without a No Demand marker that a type of equipment serves, the highest first."""
    t, closed = expert(game), breweries.beer(game).closed
    return [
        row.number for row in reversed(t.segment) if row.number <= t.types[type_].reach and row.number not in closed
    ]


def idle_worth(game: Game, type_: str) -> int:
    """What somebody pays for a unit that nobody else wants."""
    return next((half(game, number) for number in open_segments(game, type_)), 0)


def uplift(game: Game, numbers: Iterable[int]) -> dict[Field, int]:
    """How much more a cube of some segments brings at the price of the next higher one."""
    t = expert(game)
    return {
        (number, customers): market.price(t, (number + 1, customers)) - market.price(t, (number, customers))
        for number in numbers
        for customers in CUSTOMERS
    }


def extras(game: Game, company: str) -> Extras:
    """What comes on top in this turn."""
    turn, t = ExpertTurn.seen(game) or ExpertTurn(), expert(game)
    made = delivered(game)
    return Extras(
        line=markers.bottling(game, company),
        made=Counter(delivery.equipment for delivery in made),
        most=in_one_piece(game, company),
        more=turn.shift[0] if turn.shift else "",
        uplift=uplift(game, turn.premium),
        served=frozenset(delivery.field for delivery in made),
        idle=t.expert.contract_cubes if turn.contracted else 0,
        idle_worth={type_: idle_worth(game, type_) for type_ in t.types},
    )


def before_turn(game: Game, company: str) -> Extras:
    """What will come on top for a brewery that has not acted: its bottling lines."""
    t = expert(game)
    return Extras(
        line=markers.bottling(game, company),
        made=Counter(reserved(game, company)),
        most={type_: row.cubes for type_, row in t.types.items()},
    )


def amounts(game: Game, company: str) -> dict[str, int]:
    """DO-7.1.2-a: what comes on top now, by the markers that bring it."""
    found, turn = extras(game, company), ExpertTurn.seen(game) or ExpertTurn()
    bottled = max((found.bottled(type_, 0) for type_ in set(useful(game, company))), default=0)
    rows = expert(game).investments
    result: dict[str, int] = {}
    for code in markers.working(game, company, "bottling"):
        result[code] = result.get(code, 0) + rows[code].income * bottled
    if turn.premium:
        result["K"] = found.premium(())
    if turn.contracted:
        result["N"] = found.idling(free_units(game, company))
    if turn.shift:
        result["O"] = half(game, turn.shift[1])
    return {code: amount for code, amount in result.items() if amount}


def take_cube(game: Game, number: int) -> bool:
    """A cube for one more regular customer of a segment, from the stock or else from the cheapest demand."""
    beer = breweries.beer(game)
    if not market.take_for_export(expert(game), beer):
        return False
    beer.delivered[REGULAR][number - 1] += 1
    return True
