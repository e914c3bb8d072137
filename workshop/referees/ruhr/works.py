"""Montan companies: income, development, switch engines, railway links, closing (rulebook 9)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations_with_replacement, pairwise
from typing import Any

from workshop.referees.ruhr.cards import take
from workshop.referees.ruhr.routes import Worth
from workshop.referees.ruhr.sheet import sheet
from workshop.referees.ruhr.table import BANK, GONE, Charter, Table, need
from workshop.referees.ruhr.track import MARKER

#: Locations of small companies, which may be linked; a corporation's own never needs it (9.2).
SMALL = ("active", "passive", "merged")


# ---------------------------------------------------------------------- facts of a company


def kind(table: Table, company: str) -> str:
    return table.sheet.kind[company]


def row(table: Table, company: str) -> dict[str, Any]:
    """The charter as it is printed."""
    return table.sheet.rows("mine" if kind(table, company) == "mine" else "montan", "company")[company]


def linked(table: Table, company: str) -> bool:
    """Whether a small company has its connection marker; a corporation needs none (9.2)."""
    return kind(table, company) == "montan" or table.locations[row(table, company)["hex"]].linked


def boxes(table: Table, company: str) -> Counter[str]:
    """The development boxes that may be used now (9.1.1.2a)."""
    printed = row(table, company)
    usable = Counter(printed["boxes"])
    if kind(table, company) == "mine" and linked(table, company):
        usable += Counter(printed["boxes_with_link"])
    return usable


def placed(table: Table, company: str) -> Counter[str]:
    """The markers in boxes; what finds none lies in the treasury of a small company (9.1.2)."""
    usable = boxes(table, company)
    return Counter({stage: min(count, usable[stage]) for stage, count in table.charters[company].markers.items()})


def stored(table: Table, company: str) -> int:
    return table.charters[company].markers.total() - placed(table, company).total()


def active(table: Table, company: str, phase: int | None = None) -> list[int]:
    """What the active markers earn each, the best first."""
    stages = table.sheet.rows("stage", "stage")
    found = [
        stages[stage]["income"]
        for stage, count in placed(table, company).items()
        if not table.inactive(stage, phase)
        for _ in range(count)
    ]
    return sorted(found, reverse=True)


def income(table: Table, company: str) -> int:
    """7.2: all active markers, and for each engine the next best of them."""
    values = active(table, company)
    return sum(values) + sum(values[: len(table.charters[company].engines)])


# ---------------------------------------------------------------------- development


def sets(table: Table, company: str, card: str) -> list[str]:
    """Which markers may be taken with a card (9.1.1), written in order."""
    printed = row(table, company)
    small = kind(table, company) == "mine"
    found = _holding(
        card,
        small,
        tuple(table.charters[company].markers.items()),
        tuple(table.supply[printed["industry"]].items()),
        () if small else tuple(printed["boxes"].items()),
    )
    if small or not found:
        return found
    # 9.1.1.3b, R-15: as many as can be placed: with an active one where it would have none
    phase = table.phase_with(card)
    if not active(table, company, phase):
        found = [markers for markers in found if any(not table.inactive(stage, phase) for stage in markers)] or found
    most = max(len(markers) for markers in found)
    return [markers for markers in found if len(markers) == most]


#: Counts of markers by stage.
Counts = tuple[tuple[str, int], ...]


@lru_cache(maxsize=4_096)
def _holding(card: str, small: bool, owned: Counts, supply: Counts, boxes: Counts) -> list[str]:
    """Supply, at most five A, the stairs A to E, and for a corporation a box for each (9.1.1.1)."""
    printed, stages = sheet().rows("capex", "card")[card], sheet().rows("stage", "stage")
    rules, left, room = sheet().raw["development"], dict(supply), dict(boxes)
    usable = [stage for stage in printed["stages"] if stages[stage]["small"] or not small]

    def holds(taken: Counter[str]) -> bool:
        after = Counter(dict(owned)) + taken
        if any(count > left.get(stage, 0) for stage, count in taken.items()):
            return False
        if taken["A"] and after["A"] > rules["most_a"]:
            return False
        if any(after[high] > after[low] for low, high in pairwise(rules["stairs"]) if taken[high]):
            return False
        return small or all(after[stage] <= room.get(stage, 0) for stage in taken)

    return [
        "".join(markers)
        for number in range(1, printed["squares"] + 1)
        for markers in combinations_with_replacement(usable, number)
        if holds(Counter(markers))
    ]


def gives_active(table: Table, company: str, card: str) -> bool:
    """Whether a card lets a corporation place an active marker."""
    phase = table.phase_with(card)
    return any(not table.inactive(stage, phase) for markers in sets(table, company, card) for stage in markers)


def must_develop(table: Table, company: str) -> bool:
    """9.1.1.3e: a corporation without an active marker has to buy a card that gives one, if there is such a card."""
    return kind(table, company) == "montan" and not active(table, company)


def useful(table: Table, company: str) -> list[str]:
    """The cards that fulfil the duty."""
    return [card for card in table.on_sale() if gives_active(table, company, card)]


def development_price(table: Table, card: str) -> int:
    return int(table.sheet.rows("capex", "card")[card]["development_price"])


def judge_develop(table: Table, company: str, card: str, markers: str) -> None:
    """A card for markers, but for the money."""
    need(card in table.on_sale(), "this card is not on sale [RUHR-8-i]")
    if kind(table, company) == "mine":
        need(not stored(table, company), "markers in the treasury [RUHR-9.1.1.2-g]")
    need(markers in sets(table, company, card), "these markers cannot be taken [RUHR-9.1.1.1-d]")


def develop(table: Table, company: str, card: str, markers: str) -> None:
    """Pay, let the phase begin, take the markers (R-72); the card is out of the game."""
    table.pay(company, BANK, development_price(table, card))
    take(table, card)
    table.gone.append(card)
    charter = table.charters[company]
    for stage in markers:
        table.supply[row(table, company)["industry"]][stage] -= 1
        charter.markers[stage] += 1


# ---------------------------------------------------------------------- engines


def engine_of(table: Table, card: str) -> str:
    return str(table.sheet.rows("capex", "card")[card]["engine"])


def engine_price(table: Table, card: str) -> int:
    return int(table.sheet.rows("capex", "card")[card]["engine_price"])


def engine_boxes(table: Table, company: str) -> int:
    """9.3: a second engine needs two locations."""
    printed = int(row(table, company)["engine_boxes"])
    if kind(table, company) == "mine":
        return printed
    places = len(table.charters[company].locations)
    return printed if places >= table.sheet.raw["switching"]["second_engine_locations"] else min(printed, 1)


def judge_engine(table: Table, company: str, card: str, instead: str, new: bool) -> None:
    """Room and a marker for the engine of a card; the phase that a new card begins comes first (R-72)."""
    need(linked(table, company), "no railway link [RUHR-9.2-k]")
    engine = engine_of(table, card)
    need(table.engines[engine] > 0, "no engine marker is left [RUHR-9.3-c]")
    begins = new and table.sold[card] == 0
    gone = {row["type"] for row in table.sheet.raw["engine"] if begins and row.get("scrapped_on") == card}
    own = [engine for engine in table.charters[company].engines if engine not in gone]
    if len(own) >= engine_boxes(table, company):
        need(instead in own, "an engine must be given up [RUHR-9.3-d]")
    else:
        need(instead == "" or instead in own, "it does not own that engine then [RUHR-9.3-d]")


def scrap(table: Table, company: str, engine: str) -> None:
    """Given up: back to the supply (R-58)."""
    table.charters[company].engines.remove(engine)
    table.engines[engine] += 1


def add_engine(table: Table, company: str, card: str, instead: str) -> None:
    """The marker of the card's type on the charter; it may have gone with the phase that the card began."""
    if instead and instead in table.charters[company].engines:
        scrap(table, company, instead)
    engine = engine_of(table, card)
    table.engines[engine] -= 1
    table.charters[company].engines.append(engine)


# ---------------------------------------------------------------------- links


def connected(table: Table, at: str) -> bool:
    """9.2: track from the stop of the hex to a station of a floated railway (R-19, R-20)."""
    return any(
        (at, "a") in table.board.reach(name)[0]
        for name, company in table.companies.items()
        if company.floated and not company.closed and company.active
    )


def may_link(table: Table, at: str) -> None:
    need(at in table.locations, "no Montan location [RUHR-9.2-b]")
    here = table.locations[at]
    need(here.state in SMALL and not here.linked, "no link is needed there [RUHR-9.2-a]")


def link(table: Table, at: str) -> None:
    """The marker shows 10; stored markers are in their boxes at once (9.1.2)."""
    table.locations[at].linked = True


def values(table: Table) -> Worth:
    """What location markers add to routes (10.6.1)."""
    sums = table.sheet.raw["links"]
    markers: dict[str, int] = {}
    industries = {**table.sheet.rows("mine", "hex")}
    for at, here in table.locations.items():
        if here.state == "founded":
            high = any(table.charters[here.company].markers[stage] for stage in sums["developed_with"])
            markers[at] = sums["developed"] if high else sums["corporation"]
        elif here.state in SMALL and here.linked:
            markers[at] = sums["linked"]
    coal = frozenset(at for at, printed in industries.items() if printed["industry"] == "coal")
    return Worth(table.colour, markers, coal, table.sheet.raw["destinations"])


# ---------------------------------------------------------------------- becoming passive, merging, closing


def absorb(table: Table, mine: str, corporation: str) -> None:
    """Everything of a small company goes to a corporation; what finds no box goes back (12.1.1f, 12.2c, R-40)."""
    charter, into = table.charters.pop(mine), table.charters[corporation]
    industry = row(table, corporation)["industry"]
    for stage, count in charter.markers.items():
        room = row(table, corporation)["boxes"].get(stage, 0) - into.markers[stage]
        into.markers[stage] += min(count, room)
        table.supply[industry][stage] += count - min(count, room)
    into.engines += charter.engines
    into.locations += charter.locations
    table.pay(mine, corporation, table.cash[mine])
    here = table.companies[mine]
    here.holders = [GONE]
    here.director = ""
    here.closed, here.floated = True, False


def transform(table: Table, mine: str) -> None:
    """12.3: an active company becomes passive; its money goes to the bank, its markers out of the game."""
    table.pay(mine, BANK, table.cash[mine])
    charter = table.charters.pop(mine)
    industry = row(table, mine)["industry"]
    table.removed[industry] += charter.markers
    for engine in charter.engines:
        table.engines[engine] += 1
    here = table.companies[mine]
    here.holders = [GONE]
    here.director = ""
    here.closed, here.floated = True, False
    location = table.locations[row(table, mine)["hex"]]
    location.state, location.company = "passive", ""


def close(table: Table, corporation: str) -> None:
    """9.1.1.3e, R-62: certificates, markers and charter leave the game without compensation."""
    here = table.companies[corporation]
    table.pay(corporation, BANK, table.cash[corporation])
    charter = table.charters.pop(corporation)
    table.removed[row(table, corporation)["industry"]] += charter.markers
    for engine in charter.engines:
        table.scrapped[engine] += 1
    here.holders = [GONE] * len(here.holders)
    here.director = ""
    here.closed, here.floated = True, False
    assert here.box is not None
    table.stacks[here.box].remove(corporation)
    here.box = None
    for at, location in table.locations.items():
        if location.company == corporation:
            if location.state == "founded":
                location.state = "empty"
                for names in table.board.spaces[at]:
                    if MARKER in names:
                        names[names.index(MARKER)] = ""
                table.board.changed()
            else:
                location.state = "passive"
            location.company = ""


def charter_of(table: Table, mine: str) -> Charter:
    """The charter of a small company that is bought: its pictured markers from the supply (3.1)."""
    printed = row(table, mine)
    table.supply[printed["industry"]] -= Counter(printed["start_markers"])
    return Charter(Counter(printed["start_markers"]), [], [printed["hex"]])


def offers(table: Table, company: str) -> Iterator[tuple[str, str]]:
    """All cards and markers that the rules of 9.1 allow."""
    if kind(table, company) == "mine" and stored(table, company):
        return
    for card in table.on_sale():
        for markers in sets(table, company, card):
            yield card, markers
