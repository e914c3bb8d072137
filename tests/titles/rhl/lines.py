"""Lines of 18Rhl for tests: track laid by compass points, trains run by paths, what is on offer for a hex."""

from __future__ import annotations

from engine import events as ev
from engine import moves as mv
from engine.board.faces import FIRST_STOP, Face
from engine.board.tiling import Misfit
from engine.errors import Refused
from engine.game import Game
from tests.titles.rhl import arrange

#: Who directs the companies of a test: cy owns no private company that lays tiles.
DIRECTOR = "cy"


def board(*companies: str, treasury: int = 1000, phase: str = "2", **options: object) -> Game:
    """A game after the package with these companies floated under one director, without location tokens."""
    game = arrange.after_package(**options)
    if game.state.pauses:  # earlier edition: RhE's starting price
        game.apply(mv.Found(DIRECTOR, "RhE", 70))
    game.state.board.markers.clear()
    for company in companies:
        arrange.floated(game, company, DIRECTOR, treasury=treasury)
    if phase != "2":
        arrange.phase(game, phase)
    arrange.take_offer(game)
    return game


def _edge(game: Game, compass: str) -> int:
    return game.definition.map.layout.edge(compass)


def _joins(face: Face, one: int, other: int) -> bool:
    """Whether the face leads from one edge to another, straight or through one stop."""
    ends = face.links[one]
    return other in ends or any(end >= FIRST_STOP and other in face.links[end] for end in ends)


def turns(game: Game, tile: str, *ways: str) -> list[int]:
    """The rotations in which a tile has all these ways, each like `NW-SE` or a single exit like `NW`."""
    piece = game.definition.tiles[tile]
    edges = [[_edge(game, compass) for compass in way.split("-")] for way in ways]
    found = [
        rotation
        for rotation in piece.rotations
        if all(
            piece.faces[rotation].exits >> ends[0] & 1
            if len(ends) == 1
            else _joins(piece.faces[rotation], ends[0], ends[1])
            for ends in edges
        )
    ]
    assert found, f"tile {tile} has no rotation with {ways}"
    return found


def build(game: Game, at: str, tile: str, *ways: str) -> None:
    """Put a tile on the map so that it has these ways, without asking for routes, phases or money."""
    for rotation in turns(game, tile, *ways):
        try:
            arrange.lay(game, at, tile, rotation)
        except Misfit:
            continue
        return
    raise AssertionError(f"tile {tile} does not fit on {at} with {ways}")


def token(game: Game, company: str, at: str, stop: int = 0) -> None:
    """A station of a floated company on the map, whatever it has left on its charter."""
    game.board.place_station(company, at, stop)
    arrange.take_offer(game)


def lays(game: Game, at: str) -> set[tuple[str, int]]:
    """Tiles and rotations that the ordinary lay offers on a hex."""
    choice = game.offer().find("lay_tile")
    if choice is None:
        return set()
    hexes = choice.ask({})
    if at not in {option.value for option in hexes.options}:  # type: ignore[union-attr]
        return set()
    tiles = choice.ask({"hex": at})
    return {
        (tile.value, rotation.value)
        for tile in tiles.options  # type: ignore[union-attr]
        for rotation in choice.ask({"hex": at, "tile": tile.value}).options  # type: ignore[union-attr]
    }


def hexes(game: Game) -> set[str]:
    """Hexes on which the ordinary lay offers a tile."""
    choice = game.offer().find("lay_tile")
    return set() if choice is None else {option.value for option in choice.ask({}).options}  # type: ignore[union-attr]


def lay(game: Game, company: str, at: str, tile: str, *ways: str) -> mv.LayTile:
    """The move that lays a tile so that it has these ways."""
    return mv.LayTile(game.company(company).director, company, at, tile, turns(game, tile, *ways)[0])


def station(game: Game, company: str, at: str, stop: int = 0) -> mv.PlaceStation:
    """The move that places a station."""
    return mv.PlaceStation(game.company(company).director, company, at, stop)


def places(game: Game) -> set[tuple[str, int]]:
    """Stops on which a station is on offer."""
    choice = game.offer().find("place_station")
    if choice is None:
        return set()
    return {
        (at.value, stop.value)
        for at in choice.ask({}).options  # type: ignore[union-attr]
        for stop in choice.ask({"hex": at.value}).options  # type: ignore[union-attr]
    }


def run(game: Game, company: str, *routes: tuple[str, str]) -> mv.Run:
    """The move that runs trains, each given by its name and its path in one string."""
    paths = tuple(mv.TrainPath(train, tuple(path.split())) for train, path in routes)
    return mv.Run(game.company(company).director, company, paths)


def earns(game: Game, company: str, *routes: tuple[str, str]) -> int:
    """What a company's trains earn on these routes; the game itself does not go on."""
    copy = game.copy()
    events = copy.apply(run(copy, company, *routes))
    return next(event.revenue for event in events if isinstance(event, ev.TrainsRun))


def suggested(game: Game) -> int:
    """The revenue of the best routes as the offer suggests them."""
    choice = game.offer().find("run")
    assert choice is not None
    domain = choice.ask({})
    option = domain.options[0]  # type: ignore[union-attr]
    assert option.facts["proved"]
    return int(option.facts["revenue"])


def ready(game: Game, company: str, *trains: str) -> Game:
    """The company has these trains and is about to run them."""
    arrange.trains(game, company, *trains)
    arrange.operating(game, company, "run")
    return game


def refused_run(game: Game, company: str, *routes: tuple[str, str]) -> Refused:
    """The refusal of a run."""
    return arrange.refused(game, run(game, company, *routes))
