"""The route search agrees with brute force on small random boards, and says when it was cut short."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import combinations
from random import Random

import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st

from engine.board.hexes import POINTY
from engine.errors import Refused
from engine.routes.model import RouteSet
from tests.engine.boards import (
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
from tests.engine.brute import Run, TooManyError, affordable, best_sets, runs, trails


def all_runs(scene: Scene) -> dict[str, list[Run]]:
    """What brute force finds on a board that is not too big for it."""
    try:
        return runs(scene, trails(scene))
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
        assert (len(found.routes), found.value) <= (len(whole.routes), whole.value)
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
    lying = {at: ("216", number % 6) for number, at in enumerate(spiral(POINTY))}
    board = tiled(POINTY, lying)
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
    plain_ways = Counter(word for run in legal[scene.trains[0]] for word in run.words if ":" not in word)
    if any(board.lying(at) and board.lying(at)[0] in ("16", "18", "19", "20") for at in plain_ways):
        result.add("crossovers")
    for at, stops in board.state.stations.items():
        for stop, tokens in enumerate(stops):
            word = f"{at}:{'abc'[stop]}"
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
        "ferries", "links between stops", "closed red fields", "trains in each other's way",
    }  # fmt: skip
    assert not wanted - set(seen), seen
