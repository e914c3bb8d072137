"""Montan companies: their development markers and switch engines, what they earn, and where the supply stands."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations_with_replacement, pairwise

from engine import events as ev
from engine.errors import Refused
from engine.finance.depot import leaves, take
from engine.game import Game
from engine.records import put
from engine.state import State
from titles.ruhr.remembered import Charter, Locations, Works
from titles.ruhr.tables import STAGES, Mine, Tables

MINE, MONTAN = "mine", "montan"
INDUSTRIES = ("coal", "steel")


@dataclass(frozen=True, slots=True)
class MarkersTaken(ev.Event):
    """A Montan company takes development markers; `stored` are those that find no box."""

    company: str
    card: str
    markers: str
    stored: str


@dataclass(frozen=True, slots=True)
class EngineTaken(ev.Event):
    company: str
    engine: str
    card: str


@dataclass(frozen=True, slots=True)
class EngineGone(ev.Event):
    """A switch engine leaves a charter."""

    company: str
    engine: str
    reason: str


@dataclass(frozen=True, slots=True)
class StageEnded(ev.Event):
    """Markers of a stage earn no more."""

    stage: str


def tables(game: Game) -> Tables:
    found: Tables = game.definition.tables
    return found


def charter(game: Game, company: str) -> Charter:
    """What lies on a Montan company's charter."""
    return Works.of(game).charters[company]


def kind(game: Game, company: str) -> str:
    return game.definition.corporations[company].kind


def industry(game: Game, company: str) -> str:
    t = tables(game)
    return (t.mines.get(company) or t.corporations[company]).industry


def lay_out(t: Tables, state: State) -> None:
    """Full supplies."""
    supply = {one: {row.stage: row.count for row in t.stage} for one in INDUSTRIES}
    engines: dict[str, int] = {row.type: row.count for row in t.engine}
    put(state, Works(supply=supply, engines=engines, removed={one: {} for one in INDUSTRIES}))


def happened(game: Game, card: str, also: str = "") -> bool:
    """Whether a card of this type has been bought, or would be by now."""
    return card == also or game.state.depot.sold[card] > 0


# ---------------------------------------------------------------------- markers


def linked(game: Game, company: str) -> bool:
    """Whether a small company has its railway link; others need none."""
    mine = tables(game).mines.get(company)
    return mine is None or bool(Locations.of(game).locations[mine.hex].linked)


def boxes(game: Game, company: str) -> Mapping[str, int]:
    """How many boxes of each stage a company may use now."""
    t = tables(game)
    mine = t.mines.get(company)
    if mine is None:
        return t.corporations[company].boxes
    if not linked(game, company):
        return mine.boxes
    return {stage: mine.boxes.get(stage, 0) + mine.boxes_with_link.get(stage, 0) for stage in STAGES}


def placed(game: Game, company: str) -> dict[str, int]:
    """The markers that lie in boxes."""
    free = boxes(game, company)
    return {s: min(n, free.get(s, 0)) for s, n in charter(game, company).markers.items() if min(n, free.get(s, 0))}


def stored(game: Game, company: str) -> dict[str, int]:
    """The markers in a company's treasury, which find no box."""
    free = boxes(game, company)
    found = {s: n - min(n, free.get(s, 0)) for s, n in charter(game, company).markers.items()}
    return {stage: count for stage, count in found.items() if count}


def is_active(game: Game, stage: str, also: str = "") -> bool:
    """Whether markers of a stage earn, now or once a card has been bought."""
    ends = tables(game).stages[stage].inactive_on
    return not (ends and happened(game, ends, also))


def active(game: Game, company: str, also: str = "") -> dict[str, int]:
    """The markers in boxes that earn."""
    return {stage: count for stage, count in placed(game, company).items() if is_active(game, stage, also)}


def income(game: Game, company: str) -> int:
    """What all active markers earn, and an engine as much as the best of them, a second as the next."""
    rows = tables(game).stages
    found = sorted(
        (rows[stage].income for stage, count in active(game, company).items() for _ in range(count)), reverse=True
    )
    return sum(found) + sum(found[: len(charter(game, company).engines)])


def counted(game: Game, company: str) -> int:
    """Markers of a small company, active or not, stored too, and its connection marker."""
    markers: dict[str, int] = charter(game, company).markers
    return sum(markers.values()) + linked(game, company)


def add(game: Game, company: str, markers: Mapping[str, int]) -> None:
    """Markers come from the supply; what is not there stays away."""
    heap = Works.of(game).supply[industry(game, company)]
    own = charter(game, company).markers
    for stage, count in markers.items():
        found = min(count, heap[stage])
        if found:
            heap[stage] -= found
            own[stage] = own.get(stage, 0) + found


def give_back(game: Game, company: str, stage: str, count: int) -> None:
    """Markers go back to the supply."""
    own = charter(game, company).markers
    own[stage] -= count
    if not own[stage]:
        del own[stage]
    Works.of(game).supply[industry(game, company)][stage] += count


def remove(game: Game, company: str) -> None:
    """All markers of a company leave the game."""
    heap = Works.of(game).removed[industry(game, company)]
    for stage, count in charter(game, company).markers.items():
        heap[stage] = heap.get(stage, 0) + count
    charter(game, company).markers = {}


# ---------------------------------------------------------------------- which markers may be taken


def misfit(game: Game, company: str, markers: Mapping[str, int], card: str) -> Refused | None:
    """The rule that markers taken with a card break, None if they keep all."""
    t = tables(game)
    own = charter(game, company).markers
    heap = Works.of(game).supply[industry(game, company)]
    total = {stage: own.get(stage, 0) + markers.get(stage, 0) for stage in STAGES}
    small = kind(game, company) == MINE
    for stage, count in markers.items():
        row = t.stages[stage]
        if stage not in t.cards[card].stages or not happened(game, row.available_on, card):
            return game.refuse("develop.stage", card=card, markers=written(markers))
        if small and not row.small:
            return game.refuse("develop.small", company=company, markers=written(markers))
        if count > heap[stage]:
            return game.refuse("develop.supply", markers=written(markers))
    if markers.get("A") and total["A"] > t.development.most_a:
        return game.refuse("develop.most", company=company)
    stairs = t.development.stairs
    for lower, higher in pairwise(stairs):
        if markers.get(higher) and total[higher] > total[lower]:
            return game.refuse("develop.stairs", markers=written(markers))
    if not small:
        free = t.corporations[company].boxes
        if any(total[stage] > free.get(stage, 0) for stage in markers):
            return game.refuse("develop.box", company=company, markers=written(markers))
    return None


#: What not even one marker of a stage may break; stairs and boxes judge several together.
_ALONE = ("develop.stage", "develop.small", "develop.supply", "develop.most")


def _choices(game: Game, company: str, card: str) -> Iterator[dict[str, int]]:
    row = tables(game).cards[card]
    alone = {stage: misfit(game, company, {stage: 1}, card) for stage in row.stages}
    stages = [stage for stage, wrong in alone.items() if wrong is None or wrong.key not in _ALONE]
    for size in range(row.squares, 0, -1):
        for group in combinations_with_replacement(stages, size):
            markers = {stage: group.count(stage) for stage in dict.fromkeys(group)}
            if misfit(game, company, markers, card) is None:
                yield markers


def selections(game: Game, company: str, card: str) -> list[str]:
    """The markers that a company may take with a card, as texts like `AAB`; none if it may buy no markers.

    A small company takes as few as it likes, but none while it has some stored. A corporation takes as many as it
    can place, and keeps or gets an active one if that can be.
    """
    if kind(game, company) == MINE:
        if stored(game, company):
            return []
        return [written(markers) for markers in _choices(game, company, card)]
    found = list(_choices(game, company, card))
    if not active(game, company, card):
        with_active = [markers for markers in found if any(is_active(game, stage, card) for stage in markers)]
        if with_active or not active(game, company):
            found = with_active
    most = max((sum(markers.values()) for markers in found), default=0)
    return [written(markers) for markers in found if sum(markers.values()) == most]


def written(markers: Mapping[str, int]) -> str:
    return "".join(stage * markers.get(stage, 0) for stage in STAGES)


def parsed(text: str) -> dict[str, int]:
    """Markers from a text like `AAB`; letters that are no stage are kept, so that they are refused."""
    return {stage: text.count(stage) for stage in dict.fromkeys(text)}


def use_card(game: Game, card: str, source_is_pool: bool = False) -> None:
    """A card that a Montan company uses leaves the game; a new one may begin a phase."""
    if source_is_pool:
        game.state.depot.pool.remove(card)
        game.state.depot.gone.append(card)
        return
    take(game, card)
    game.state.depot.gone.append(card)
    leaves(game, card)


# ---------------------------------------------------------------------- engines


def engine_boxes(game: Game, company: str) -> int:
    """How many engines a company may own: a small one with a link, a second only with two locations."""
    t = tables(game)
    if kind(game, company) == MINE:
        return t.mines[company].engine_boxes if linked(game, company) else 0
    printed = t.corporations[company].engine_boxes
    return printed if len(charter(game, company).locations) >= t.switching.second_engine_locations else 1


def is_scrapped(game: Game, engine: str, also: str = "") -> bool:
    row = next(row for row in tables(game).engine if row.type == engine)
    return bool(row.scrapped_on) and happened(game, row.scrapped_on, also)


def engines_after(game: Game, company: str, card: str) -> list[str]:
    """The engines that a company still has once a card has been bought."""
    return [engine for engine in charter(game, company).engines if not is_scrapped(game, engine, card)]


def add_engine(game: Game, company: str, engine: str, card: str) -> None:
    Works.of(game).engines[engine] -= 1
    charter(game, company).engines.append(engine)
    game.emit(EngineTaken(company, engine, card))


def give_up_engine(game: Game, company: str, engine: str, reason: str = "given_up") -> None:
    """An engine goes back to the supply."""
    charter(game, company).engines.remove(engine)
    Works.of(game).engines[engine] += 1
    game.emit(EngineGone(company, engine, reason))


def scrap_engine(game: Game, company: str, engine: str) -> None:
    """An engine is out of the game."""
    charter(game, company).engines.remove(engine)
    heap = Works.of(game).scrapped
    heap[engine] = heap.get(engine, 0) + 1
    game.emit(EngineGone(company, engine, "scrapped"))


def phase_began(game: Game, event: ev.PhaseChanged) -> None:
    """Engines of a type that a phase ends leave the game, from charters and from the supply; a stage turns over."""
    t = tables(game)
    for row in t.engine:
        if row.scrapped_on and happened(game, row.scrapped_on):
            for company, data in Works.of(game).charters.items():
                for engine in [engine for engine in data.engines if engine == row.type]:
                    scrap_engine(game, company, engine)
            left = Works.of(game).engines[row.type]
            if left:
                Works.of(game).engines[row.type] = 0
                heap = Works.of(game).scrapped
                heap[row.type] = heap.get(row.type, 0) + left
    began = game.definition.phases[game.state.phase].on
    for stage in t.stage:
        if stage.inactive_on in began:
            game.emit(StageEnded(stage.stage))


# ---------------------------------------------------------------------- what must always hold


def faults(game: Game) -> list[str]:
    """Markers and engines are neither made nor lost, and every charter keeps its limits."""
    t, works = tables(game), Works.of(game)
    result = []
    for one in INDUSTRIES:
        for row in t.stage:
            owned = sum(
                data.markers.get(row.stage, 0)
                for company, data in works.charters.items()
                if industry(game, company) == one
            )
            count = owned + works.supply[one][row.stage] + works.removed[one].get(row.stage, 0)
            if count != row.count:
                result.append(f"there are {count} markers {row.stage} of {one} instead of {row.count}")
    for engine in t.engine:
        owned = sum(data.engines.count(engine.type) for data in works.charters.values())
        count = owned + works.engines[engine.type] + works.scrapped.get(engine.type, 0)
        if count != engine.count:
            result.append(f"there are {count} engines {engine.type} instead of {engine.count}")
    for company, data in works.charters.items():
        if kind(game, company) == MONTAN and stored(game, company):
            result.append(f"{company} stores markers")
        if data.markers.get("A", 0) > t.development.most_a:
            result.append(f"{company} has {data.markers['A']} markers A")
        if not game.state.pauses and len(data.engines) > engine_boxes(game, company):
            result.append(f"{company} has {len(data.engines)} engines")
    return result


def new_charter(game: Game, company: str, locations: list[str]) -> None:
    Works.of(game).charters[company] = Charter(locations=locations)


def start(game: Game, mine: Mine) -> None:
    """The buyer of a small company gets its first markers."""
    new_charter(game, mine.company, [mine.hex])
    add(game, mine.company, mine.start_markers)
