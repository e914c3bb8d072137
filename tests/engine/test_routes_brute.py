"""The route search agrees with brute force on small random boards, and says when it was cut short."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, product
from random import Random

import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st

from engine.board.hexes import POINTY
from engine.errors import Refused
from engine.routes.best import total
from engine.routes.model import Route, RouteSet
from engine.routes.search import Effort, path_of
from engine.state import BLANK, MARKER
from tests.engine.boards import (
    CUBE,
    EXAMPLES,
    OWN,
    RIVAL,
    DrawnBoard,
    Scene,
    TrainKind,
    boards_tried,
    scenes,
    spiral,
    tiled,
)
from tests.engine.brute import Run, TooManyError, affordable, best_sets, runs

pytestmark = pytest.mark.slow


def all_runs(scene: Scene) -> dict[str, list[Run]]:
    """What brute force finds on a board that is not too big for it."""
    try:
        return runs(scene)
    except TooManyError:
        reject()
        raise


def check_set(found: RouteSet, legal: dict[str, list[Run]], trains: tuple[str, ...]) -> None:
    """The routes of a set are legal, worth what they say, on different track, and for different trains."""
    assert not Counter(route.train for route in found.routes) - Counter(trains)
    used = []
    for route in found.routes:
        same = [run for run in legal[route.train] if run.words == route.path]
        assert [run.value for run in same] == [route.value]
        assert sum(part.amount for part in route.parts) == route.value
        used.append((same[0].used, route.mask))
    for (one, one_mask), (other, other_mask) in combinations(used, 2):
        assert one.isdisjoint(other)
        assert not one_mask & other_mask


# ------------------------------------------------------------------ the best set


@boards_tried()
@given(scenes())
def test_best_set_earns_what_trying_every_combination_earns(scene: Scene) -> None:
    legal = all_runs(scene)
    trains = affordable(scene, legal)
    richest, _, _ = best_sets(legal, trains)
    found = scene.router().best(trains, as_many_as_possible=False)
    assert found.value == richest
    assert found.proved
    check_set(found, legal, trains)


@boards_tried()
@given(scenes())
def test_with_all_trains_to_run_the_best_set_has_the_most_trains_then_the_most_income(scene: Scene) -> None:
    legal = all_runs(scene)
    trains = affordable(scene, legal)
    _, most, income = best_sets(legal, trains)
    found = scene.router().best(trains, as_many_as_possible=True)
    assert (len(found.routes), found.value) == (most, income)
    assert found.proved
    check_set(found, legal, trains)


@boards_tried(0.5)
@given(scenes())
def test_any_route_says_whether_a_train_can_run_at_all(scene: Scene) -> None:
    legal = all_runs(scene)
    router = scene.router()
    for train, found in legal.items():
        assert router.any_route(train) == bool(found)


@boards_tried(0.5)
@given(scenes())
def test_the_most_trains_that_can_run_is_what_trying_every_combination_gives(scene: Scene) -> None:
    legal = all_runs(scene)
    trains = affordable(scene, legal)
    _, most, _ = best_sets(legal, trains)
    assert scene.router().most([trains]) == most
    assert scene.router().most([trains[:1], trains]) == most


# ------------------------------------------------------------------ fleets


@dataclass
class Loaded:
    """A scene with beer: `cubes` of it, a room for each train, and a vehicle for each load of a type."""

    scene: Scene
    cubes: int
    room: dict[str, int]

    def vehicles(self, loads: tuple[int, ...]) -> tuple[str, ...]:
        return tuple(f"{train}+{load}" if load else train for train, load in zip(self.scene.trains, loads, strict=True))

    def loadings(self) -> list[tuple[str, ...]]:
        """Every way of loading cubes, however few."""
        rooms = [range(self.room[train] + 1) for train in self.scene.trains]
        return [self.vehicles(loads) for loads in product(*rooms) if sum(loads) <= self.cubes]

    def fleets(self) -> list[tuple[str, ...]]:
        """The ways of loading to which no cube can be added, each set of vehicles once."""
        rooms = [range(self.room[train] + 1) for train in self.scene.trains]
        full = min(self.cubes, sum(self.room[train] for train in self.scene.trains))
        ways = {tuple(sorted(self.vehicles(loads))) for loads in product(*rooms) if sum(loads) == full}
        return sorted(ways)


@st.composite
def loaded_scenes(draw: st.DrawFn) -> Loaded:
    """Two or three trains at most, and so much beer that they get in each other's way."""
    scene = draw(scenes(most=7, longest=5))
    scene.trains = scene.trains[:3]
    room = {name: draw(st.integers(0, 2)) for name in scene.kinds}
    for name, kind in list(scene.kinds.items()):
        for load in range(1, room[name] + 1):
            scene.kinds[f"{name}+{load}"] = replace(kind, name=f"{name}+{load}", cubes=load)
    return Loaded(scene, draw(st.integers(0, 4)), room)


def rounded(routes: Sequence[Route]) -> int:
    """A revenue that is paid in whole fifties."""
    return total(routes) // 50 * 50


@boards_tried(0.7)
@given(loaded_scenes(), st.booleans())
def test_full_loadings_as_fleets_earn_what_every_loading_with_every_combination_earns(
    loaded: Loaded, every: bool
) -> None:
    legal = all_runs(loaded.scene)
    trains = loaded.scene.trains = affordable(loaded.scene, legal, most=4000)
    found = loaded.scene.router().best_of(loaded.fleets(), as_many_as_possible=every, revenue=rounded)
    sets = [best_sets(legal, loading) for loading in loaded.loadings()]
    richest = max(value for value, _, _ in sets)
    most = max((count, value) for _, count, value in sets)
    assert (len(found.routes), found.value) == most if every else found.value == richest
    assert found.proved
    assert any(Counter(route.train for route in found.routes) <= Counter(fleet) for fleet in loaded.fleets())
    check_set(found, legal, tuple(route.train for route in found.routes))
    assert len(found.routes) <= len(trains)


@boards_tried(0.5)
@given(loaded_scenes(), st.booleans())
def test_fleets_asked_one_by_one_or_together_give_the_same_routes(loaded: Loaded, every: bool) -> None:
    together = loaded.scene.router().best_of(loaded.fleets(), as_many_as_possible=every)
    alone = [loaded.scene.router().best(fleet, as_many_as_possible=every) for fleet in loaded.fleets()]
    assert together.routes == max(alone, key=lambda s: (len(s.routes) if every else 0, s.value)).routes


def test_a_fleet_that_leaves_a_train_standing_earns_more_and_yet_is_not_run() -> None:
    """The rich trains must end on E11, to which one track leads: one of two runs. Of the poor both do."""
    tiles = {"F10": ("57", 0), "E11": ("57", 0), "G9": ("57", 0)}
    board = tiled(POINTY, tiles, {"F10": [[OWN]]})
    scene = plain_scene(board, TrainKind("T", 2))
    scene.kinds["rich"] = TrainKind("rich", 3, needs=frozenset({"E11"}), cubes=5)
    scene.east, scene.rhine = frozenset({"E11"}), frozenset({"F10"})
    router = scene.router()
    fleets = [("rich", "rich"), ("T", "T")]
    rich = router.best_of(fleets, as_many_as_possible=False)
    assert [(route.train, route.value) for route in rich.routes] == [("rich", 3 * 20 + 5 * CUBE)]
    both = router.best_of(fleets, as_many_as_possible=True)
    assert [(route.train, route.value) for route in both.routes] == [("T", 40), ("T", 40)]


def test_revenue_decides_between_fleets_and_not_the_sum_of_the_routes() -> None:
    tiles = {"F10": ("57", 0), "E11": ("57", 0), "G9": ("57", 0)}
    scene = plain_scene(tiled(POINTY, tiles, {"F10": [[OWN]]}), TrainKind("T", 2))
    scene.kinds["fee"] = TrainKind("fee", 3)

    def less_fees(routes: Sequence[Route]) -> int:
        return total(routes) - 30 * sum(route.train == "fee" for route in routes)

    found = scene.router().best_of([("fee",), ("T",)], as_many_as_possible=False, revenue=less_fees)
    assert [(route.train, route.value) for route in found.routes] == [("T", 40)]


# ------------------------------------------------------------------ single routes


@boards_tried()
@given(scenes())
def test_every_route_of_brute_force_is_accepted_with_the_same_income(scene: Scene) -> None:
    router = scene.router()
    for train, found in all_runs(scene).items():
        traced = [(run, router.trace(train, run.words)) for run in found]
        assert [route.value for _, route in traced] == [run.value for run in found]
        for (one, first), (other, second) in combinations(traced[:40], 2):
            assert one.used.isdisjoint(other.used) == (not first.mask & second.mask)


@boards_tried()
@given(scenes())
def test_every_route_of_the_search_is_worth_what_its_trace_says(scene: Scene) -> None:
    all_runs(scene)
    router = scene.router()
    for train in scene.kinds:
        for value, mask, chain in router.search(train).run(Effort(None), 0, -1, keep=True):
            route = router.trace(train, path_of(scene.board, chain))
            assert (route.value, route.mask) == (value, mask)


def walk(scene: Scene, random: Random) -> list[str]:
    """A walk over the drawn track that minds no rule, in the words of a path."""
    board = scene.board
    at = random.choice(list(board.faces))
    ends = [end for piece in board.faces[at].track for end in piece]
    end, words = (random.choice(ends) if ends else 0), []
    for _ in range(random.randrange(2, 14)):
        if end < 6:
            other = board.map.neighbours[at][end]
            if other is None:
                break
            at, entered = other, (end + 3) % 6
        else:
            words.append(f"{at}:{'abc'[end - 6]}")
            entered = end
        onward = [one + two - entered for one, two in board.faces[at].track if entered in (one, two)]
        if not onward:
            break
        end = random.choice(onward)
        if entered < 6 and end < 6:
            words.append(at)
    while words and ":" not in words[-1]:
        words.pop()
    while words and ":" not in words[0]:
        words.pop(0)
    return words


def spoil(words: list[str], every: list[str], random: Random) -> list[str]:
    """A path with one thing changed."""
    place = random.randrange(len(words)) if words else 0
    word = random.choice(every)
    changes: list[Callable[[], list[str]]] = [
        lambda: words[:place] + words[place + 1 :],
        lambda: [*words[:place], word, *words[place:]],
        lambda: [*words[:place], word, *words[place + 1 :]],
        lambda: words[:place] + words[place : place + 1] * 2 + words[place + 1 :],
        lambda: words[: place + 1],
        lambda: words[place:],
        lambda: words[:place] + words[place:][::-1],
        lambda: words + words[:place][::-1],
        lambda: [each.partition(":")[0] if number == place else each for number, each in enumerate(words)],
    ]
    return random.choice(changes)()


def doubtful_paths(scene: Scene, legal: list[Run], random: Random) -> list[list[str]]:
    """Paths that are often illegal by a little: wild walks, and legal routes changed or put together."""
    faces = scene.board.faces
    every = [f"{at}:{letter}" for at, face in faces.items() for letter in "abc"[: len(face.stops)]]
    every += [*faces, "Z9", "F10:", "F10:é", "F10:z"]
    paths = [walk(scene, random) for _ in range(30)]
    paths += [spoil(walk(scene, random), every, random) for _ in range(10)]
    for _ in range(20 if legal else 0):
        one, other = random.choice(legal), random.choice(legal)
        paths.append(spoil(list(one.words), every, random))
        if one.words[-1] == other.words[0]:
            paths.append([*one.words, *other.words[1:]])
    return paths


@boards_tried()
@given(scenes(), st.integers(0, 2**32))
def test_a_path_is_refused_exactly_if_brute_force_does_not_find_it(scene: Scene, seed: int) -> None:
    random = Random(seed)
    router = scene.router()
    for train, found in all_runs(scene).items():
        legal = {run.words: run.value for run in found}
        for path in doubtful_paths(scene, found, random):
            try:
                value = router.trace(train, path).value
            except Refused:
                value = None
            assert value == legal.get(tuple(path)), path


# ------------------------------------------------------------------ a limit of time


class Patience:
    """Says that it is enough when it is asked for the n-th time."""

    def __init__(self, asked: int) -> None:
        self.left = asked

    def __call__(self) -> bool:
        self.left -= 1
        return self.left <= 0

    @property
    def lost(self) -> bool:
        return self.left <= 0


@boards_tried()
@given(scenes(most=10, longest=7), st.integers(1, 4), st.booleans())
def test_a_search_cut_short_gives_a_legal_set_and_says_so(scene: Scene, asked: int, every: bool) -> None:
    router = scene.router()
    patience = Patience(asked)
    found = router.best(scene.trains, as_many_as_possible=every, enough=patience)
    assert found.proved == (not patience.lost)
    for route in found.routes:
        assert router.trace(route.train, route.path) == route
    for one, other in combinations(found.routes, 2):
        assert not one.mask & other.mask
    whole = router.best(scene.trains, as_many_as_possible=every)
    assert whole.proved
    if every:
        assert len(found.routes) == len(whole.routes), "what is found can be run"
        assert found.value <= whole.value
    else:
        assert found.value <= whole.value
    if found.proved:
        assert found.routes == whole.routes


@boards_tried(0.3)
@given(scenes(), st.booleans())
def test_the_same_question_has_the_same_answer(scene: Scene, every: bool) -> None:
    def ask(enough: Callable[[], bool] | None) -> RouteSet:
        return scene.router().best(scene.trains, as_many_as_possible=every, enough=enough)

    assert ask(None) == ask(None) == ask(lambda: False)
    assert ask(Patience(2)) == ask(Patience(2))


def plain_scene(board: DrawnBoard, kind: TrainKind, trains: int = 1) -> Scene:
    """A board without bonuses, and so many trains of one type."""
    none: frozenset[str] = frozenset()
    kinds, names = {kind.name: kind}, (kind.name,) * trains
    return Scene(board, "green", frozenset(), frozenset(), none, none, none, kinds, names)


def crowded_scene(reach: int, trains: int) -> Scene:
    """Ten cities with five exits each, all open: far more routes than a short search can look at."""
    cover = {at: ("216", number % 6) for number, at in enumerate(spiral(POINTY))}
    board = tiled(POINTY, cover)
    board.place_station(OWN, "F10", 0)
    return plain_scene(board, TrainKind("T", reach), trains)


@pytest.mark.parametrize("asked", [1, 2, 5, 20])
def test_a_crowded_board_is_left_unproved_when_time_is_up(asked: int) -> None:
    scene = crowded_scene(reach=7, trains=4)
    router = scene.router()
    patience = Patience(asked)
    found = router.best(scene.trains, as_many_as_possible=True, enough=patience)
    assert patience.left == 0, "the search asks no more after it was told to stop"
    assert not found.proved
    assert found.routes
    assert all(router.trace(route.train, route.path) == route for route in found.routes)
    assert sum(route.mask for route in found.routes).bit_count() == sum(
        route.mask.bit_count() for route in found.routes
    )


@pytest.mark.parametrize("asked", [1, 3, 30])
def test_fleets_of_a_crowded_board_are_left_unproved_when_time_is_up(asked: int) -> None:
    """The limit holds for all fleets together, and a set that can be run is found all the same."""
    scene = crowded_scene(reach=7, trains=3)
    scene.kinds["slow"] = TrainKind("slow", 2)
    fleets = [("slow", "slow"), scene.trains, (*scene.trains, "slow")]
    patience = Patience(asked)
    found = scene.router().best_of(fleets, as_many_as_possible=True, enough=patience)
    assert patience.left == 0, "the search asks no more after it was told to stop"
    assert not found.proved
    assert found.nodes < 128 * (asked + 1)
    assert len(found.routes) == scene.router().most(fleets) == 4


# ------------------------------------------------------------------ single cases


def test_a_way_round_from_one_bank_to_the_other_visits_the_city_twice() -> None:
    """Out of bank a to the south-west, round over G9 and G11, and into bank b: no ferry was used."""
    tiles = {"F10": ("922", 0), "G9": ("7", 0), "G11": ("7", 4), "F12": ("57", 1)}
    router = plain_scene(tiled(POINTY, tiles, {"F10": [[OWN], ["", ""]]}), TrainKind("T", 5)).router()
    path = ["F10:a", "G9", "G11", "F10:b", "F12:a"]
    for way in (path, path[::-1]):
        with pytest.raises(Refused, match="twice"):
            router.trace("T", way)
    assert router.trace("T", ["F10:a", "F10:b", "F12:a"]).value == 30 + 20


def test_a_train_may_begin_over_the_ferry_of_a_city_that_it_may_not_run_through() -> None:
    board = tiled(POINTY, {"F10": ("922", 0), "F12": ("57", 1)}, {"F10": [[OWN], ["", ""]]})
    scene = plain_scene(board, TrainKind("T", 2, closed=frozenset({"F10"})))
    found = scene.router().best(["T"], as_many_as_possible=False)
    assert [route.path for route in found.routes] == [("F10:a", "F10:b", "F12:a")]
    assert found.value == 30 + 20


# ------------------------------------------------------------------ what the random boards hold


def lands(board: DrawnBoard, route: Route, what: str) -> bool:
    """Whether a route brings the value of a ferry that leads to an edge."""
    at, stop = what[:-2], "abc".index(what[-1])
    face = board.faces[at]
    amount = next(part.amount for part in route.parts if part.what == what)
    return bool(face.ferry_edges) and amount == face.ferry_value != face.stops[stop].value("grey")


def features(scene: Scene, legal: dict[str, list[Run]], found: RouteSet) -> set[str]:
    """Which of the hard things a board and its best set show."""
    board = scene.board
    result = set()
    hexes = [[word.partition(":")[0] for word in route.path] for route in found.routes]
    if len(found.routes) > 1:
        result.add("several trains")
    if any(set(one) & set(other) for one, other in combinations(hexes, 2)):
        result.add("shared hexes")
    if any(at in row[number + 2 :] for row in hexes for number, at in enumerate(row)):
        result.add("loops over one hex")
    for route in found.routes:
        visited = [part for part in route.parts if part.what != "bonus"]
        if len(visited) < len(route.parts):
            result.add("bonuses")
        if sum(":" in word for word in route.path) > len(visited):
            result.add("ferries")
        for one, other in zip(route.path, route.path[1:], strict=False):
            at = one.partition(":")[0]
            if at == other.partition(":")[0] and not board.faces[at].ferry:
                result.add("links between stops")
        if any(part.what[:-2] in board.faces and lands(board, route, part.what) for part in visited):
            result.add("landings")
        ways = [word.partition(":")[0] for word in route.path]
        stops = {word for word in route.path[1:-1] if ":" in word}
        for word in stops:
            at, stop = word[:-2], "abc".index(word[-1])
            if board.state.stations[at][stop] and BLANK in board.state.stations[at][stop]:
                result.add("blank tokens on the way")
        if any(OWN in board.state.beside.get(at, ()) for at in ways):
            result.add("stations beside the spaces")
    for kind in (scene.kinds[name] for name in scene.trains):
        between = {word for run in legal[kind.name] for word in run.words[1:-1] if word[:-2] in kind.opens}
        if any(not board.open_for(OWN, word[:-2], "abc".index(word[-1])) for word in between):
            result.add("full cities that are open to one type")
        twice = replace(kind, hex_once=False)
        if kind.hex_once and len(runs(replace(scene, kinds={"T": twice}))["T"]) > len(legal[kind.name]):
            result.add("hexes only once")
    plain_ways = Counter(word for run in legal[scene.trains[0]] for word in run.words if ":" not in word)
    if any(board.cover(at) and board.cover(at)[0] in ("16", "18", "19", "20") for at in plain_ways):
        result.add("crossovers")
    for at, stops in board.state.stations.items():
        for stop, tokens in enumerate(stops):
            word = f"{at}:{'abc'[stop]}"
            if MARKER in tokens and not board.open_for(OWN, at, stop) and RIVAL not in tokens:
                result.add("cities that markers block")
            if tokens and all(token == RIVAL for token in tokens):
                if any(word in run.words for run in legal[scene.trains[0]]):
                    result.add("blocked cities")
                if board.faces[at].stops[stop].kind == "offboard":
                    result.add("closed red fields")
    if found.value < sum(max((run.value for run in legal[train]), default=0) for train in scene.trains):
        result.add("trains in each other's way")
    return result


def test_random_boards_show_everything_that_makes_routes_hard() -> None:
    seen: Counter[str] = Counter()

    @settings(boards_tried(), max_examples=max(EXAMPLES, 400), derandomize=True, database=None)
    @given(scenes())
    def collect(scene: Scene) -> None:
        legal = all_runs(scene)
        seen.update(features(scene, legal, scene.router().best(scene.trains, as_many_as_possible=False)))

    collect()
    wanted = {
        "several trains", "shared hexes", "loops over one hex", "blocked cities", "crossovers", "bonuses",
        "ferries", "links between stops", "closed red fields", "trains in each other's way", "landings",
        "full cities that are open to one type", "blank tokens on the way", "stations beside the spaces",
        "hexes only once", "cities that markers block",
    }  # fmt: skip
    assert not wanted - set(seen), seen
