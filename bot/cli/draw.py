"""`kursbuch draw`: a picture of a saved game as a PNG file."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from bot.cli import files
from bot.cli.numbers import whole
from engine.changes import View
from engine.errors import BadGame
from engine.game import Game
from engine.steps.track import LayTileChoice
from renderers import (
    THEMES,
    Picture,
    TilePage,
    draw_charter,
    draw_finances,
    draw_map,
    draw_market,
    draw_sheet,
    draw_tiles,
)
from renderers.kit.words import LANGUAGES


def add_parser(subparsers: Any) -> None:
    parser = subparsers.add_parser("draw", help="a picture of a saved game as a PNG file")
    parser.add_argument("game", help="a saved game (see docs/formats.md)")
    kinds = parser.add_subparsers(required=True, metavar="PICTURE")
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument("-o", "--output", metavar="FILE", help="where to write it; else GAME-PICTURE.png")
    common.add_argument("--until", type=whole(0, 1_000_000), metavar="N", help="the position after move N")
    common.add_argument("--theme", choices=sorted(THEMES), default="light")
    common.add_argument("--language", choices=LANGUAGES, default="en")

    def kind(name: str, text: str) -> argparse.ArgumentParser:
        sub: argparse.ArgumentParser = kinds.add_parser(name, help=text, parents=[common])
        sub.set_defaults(func=run, kind=name)
        return sub

    board = kind("map", "the map, or a part of it")
    board.add_argument("--around", nargs="+", default=[], metavar="HEX", help="only these hexes and their neighbours")
    board.add_argument("--rings", type=whole(0, 100), default=1, metavar="N", help="how many rings of neighbours")
    board.add_argument("--since", type=whole(0, 1_000_000), metavar="N", help="mark what is new since move N")
    board.add_argument("--routes", metavar="COMPANY", help="draw the best routes of a company")
    board.add_argument("--possible", action="store_true", help="mark the hexes on which a tile may be laid now")
    board.add_argument("--coordinates", action="store_true", help="write its coordinate into every hex")
    market = kind("market", "the share prices")
    market.add_argument("--since", type=whole(0, 1_000_000), metavar="N", help="mark what moved since move N")
    market.add_argument("--part", action="store_true", help="only the columns in use")
    kind("sheet", "all players and companies")
    kind("charter", "one company").add_argument("company", help="the company's code")
    tiles = kind("tiles", "the tiles that may be laid on a hex now")
    tiles.add_argument("hex", help="the hex, for example E8")
    tiles.add_argument("--page", type=whole(1, 1000), default=1, metavar="N")
    kind("finances", "worth of the players and dividends")


def run(arguments: argparse.Namespace) -> int:
    game = files.load(arguments.game, arguments.until)
    picture = _picture(game, arguments)
    output = Path(arguments.output or f"{Path(arguments.game).stem}-{arguments.kind}.png")
    try:
        output.write_bytes(picture.png)
    except OSError as error:
        raise BadGame(f"{output}: {error.strerror or error}") from None
    print(f"{output}: {picture.width} x {picture.height}, {len(picture.png)} bytes")
    print(picture.alt[arguments.language])
    return 0


def _picture(game: Game, arguments: argparse.Namespace) -> Picture:
    look: dict[str, Any] = {"theme": THEMES[arguments.theme], "language": arguments.language}
    match arguments.kind:
        case "map":
            return _map(game, arguments, look)
        case "market":
            if not game.definition.priced:
                raise BadGame("nothing has a price in this game")
            return draw_market(game, since=_earlier(arguments), part=arguments.part, **look)
        case "sheet":
            return draw_sheet(game, **look)
        case "charter":
            return draw_charter(game, _company(game, arguments.company), **look)
        case "tiles":
            return _tiles(game, arguments, look).picture
        case _:
            return draw_finances(game, **look)


def _map(game: Game, arguments: argparse.Namespace, look: dict[str, Any]) -> Picture:
    around = [_hex(game, at) for at in arguments.around]
    routes = game.best_routes(_company(game, arguments.routes)).routes if arguments.routes else ()
    marked: list[str] = []
    if arguments.possible:
        marked = [at for choice in _lays(game) for at in choice.hexes()]
    return draw_map(
        game,
        since=_earlier(arguments),
        around=around,
        rings=arguments.rings,
        routes=routes,
        marked=marked,
        coordinates=True if arguments.coordinates else None,
        **look,
    )


def _earlier(arguments: argparse.Namespace) -> View | None:
    return None if arguments.since is None else View.of(files.load(arguments.game, arguments.since))


def _lays(game: Game) -> list[LayTileChoice]:
    return [choice for choice in game.offer().choices if isinstance(choice, LayTileChoice)]


def _tiles(game: Game, arguments: argparse.Namespace, look: dict[str, Any]) -> TilePage:
    at = _hex(game, arguments.hex)
    choices = _lays(game)
    for choice in choices:
        if choice.fits(at):
            return draw_tiles(game, choice, at, page=arguments.page, **look)
    possible = sorted({at for choice in choices for at in choice.hexes()})
    if not possible:
        raise BadGame("no tile can be laid in this position")
    raise BadGame(f"no tile can be laid on {at} now; possible is {', '.join(possible)}")


def _hex(game: Game, name: str) -> str:
    at = name.upper()
    if at not in game.definition.map.hexes:
        raise BadGame(f"{name!r} is not on the map")
    return at


def _company(game: Game, name: str) -> str:
    for company in game.state.companies:
        if company.lower() == name.lower():
            return company
    raise BadGame(f"there is no company {name!r}; there is {', '.join(game.state.companies)}")
