"""`kursbuch replay`: replay a saved game, show where it stands and, if asked, what happened, also as a film."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import titles
from bot.card.film import round_exists, scenes
from bot.cli import files
from bot.cli.numbers import whole
from bot.cli.progress import counted
from bot.cli.text import describe, event_line
from bot.texts import speaker
from engine.errors import BadGame
from engine.game import Game
from engine.moves import from_json, to_json
from engine.proof import comparable, first_difference
from renderers.kit.words import LANGUAGES
from renderers.pages.film import draw_scene, film, numbered


def add_parser(subparsers: Any) -> None:
    parser = subparsers.add_parser("replay", help="replay a saved game")
    parser.add_argument("game", help="a saved game (see docs/formats.md)")
    parser.add_argument("--until", type=whole(0, 1_000_000), metavar="N", help="stop after move N")
    parser.add_argument("--verify", action="store_true", help="compare every position with the proof in the file")
    parser.add_argument("--log", action="store_true", help="print every move and what happened")
    parser.add_argument("--film", type=Path, metavar="FILE", help="an animated picture (WebP), a scene for each turn")
    parser.add_argument("--frames", type=Path, metavar="FOLDER", help="the scenes as numbered pictures (PNG)")
    parser.add_argument("--round", default="", metavar="ROUND", help="of a film only this round (SR2, OR3.1)")
    parser.add_argument("--company", default="", help="of a film only the turns in which this company is named")
    parser.add_argument("--language", choices=LANGUAGES, default="en", help="of a film")
    parser.set_defaults(func=run)


def run(arguments: argparse.Namespace) -> int:
    game = files.load(arguments.game, arguments.until)
    if arguments.verify:
        _verified(game, files.proof(arguments.game)[: len(game.moves)])
    if arguments.film or arguments.frames:
        _filmed(game, arguments)
        return 0
    if arguments.log:
        _logged(game)
    print(describe(game))
    return 0


def _verified(game: Game, told: Sequence[str]) -> None:
    """Say that every position is the one that the file tells; BadGame names the first that is not."""
    known = sum(comparable(each) for each in told)
    if not known:
        raise BadGame("the file has no proof that this program can read")
    different = first_difference(game, told)
    if different:
        raise BadGame(f"after move {different} the position is another than the file tells")
    print(f"{known} of {len(game.moves)} positions are told by the file, and all of them are the same.")


def _logged(game: Game) -> None:
    again = titles.new_game(
        game.definition.id, game.players, game.rules.setup.options, game.seed, game.rules.setup.form
    )
    for line in filter(None, map(event_line, again.opening)):
        print(f"      {line}")
    for number, move in enumerate(game.moves, start=1):
        data = to_json(move)
        details = " ".join(str(value) for key, value in data.items() if key not in ("type", "player"))
        print(f"{number:>5} {move.player}: {data['type']} {details}".rstrip())
        for line in filter(None, map(event_line, again.apply(from_json(data)))):
            print(f"      {line}")
    print()


def _filmed(game: Game, arguments: argparse.Namespace) -> None:
    """Draw the scenes, and write them as a film or one by one."""
    company = next((name for name in game.state.companies if name.lower() == arguments.company.lower()), "")
    if arguments.company and not company:
        raise BadGame(f"there is no company {arguments.company!r}; there is {', '.join(game.state.companies)}")
    if arguments.round and not round_exists(arguments.round):
        raise BadGame(f"{arguments.round!r} is no round; SR2 is one, or OR3.1")
    found = scenes(game, speaker(arguments.language), company=company, round_code=arguments.round)
    drawn = (draw_scene(scene, language=arguments.language) for scene in found)
    # How many turns there are is known when they have been played: about every second move begins one.
    frames = list(counted(drawn, max(len(game.moves) // 2, 1), "scenes"))
    if not frames:
        raise BadGame("nothing of that kind has happened in this game")
    if arguments.frames:
        arguments.frames.mkdir(parents=True, exist_ok=True)
        for name, content in numbered(frames):
            arguments.frames.joinpath(name).write_bytes(content)
        print(f"{arguments.frames}: {len(frames)} pictures")
    if arguments.film:
        content = film(frames)
        arguments.film.write_bytes(content)
        print(f"{arguments.film}: {len(frames)} scenes, {len(content)} bytes")
