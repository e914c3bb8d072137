"""`kursbuch play`: a hot seat in the terminal; house players can take seats."""

from __future__ import annotations

import argparse
import random
import secrets
from pathlib import Path
from typing import Any

import titles
from bot.cli import files
from bot.cli.numbers import whole
from bot.cli.simulate import options
from bot.cli.text import choice_line, describe, event_line, number_line, told, where
from engine import codec
from engine.errors import BadGame, Refused
from engine.game import Game
from engine.house.levels import HOUSES
from engine.moves import Move, TrainPath
from engine.offer import Choice, Number


class Quit(Exception):
    """The person at the keyboard has had enough."""


def add_parser(subparsers: Any) -> None:
    parser = subparsers.add_parser("play", help="play at this terminal, taking turns at the keyboard")
    parser.add_argument("--title", default=titles.known()[0].id)
    parser.add_argument("--form", default="", help="a form of the title; its first if left out")
    parser.add_argument("--players", default="ann,bo,cy", help="names with commas; NAME:normal is a house player")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--seed", type=whole(-(2**63), 2**63 - 1))
    parser.add_argument("--load", metavar="FILE", help="go on with a saved game")
    parser.add_argument("--save", metavar="FILE", default="game.json", help="where the game is saved (game.json)")
    parser.set_defaults(func=run)


def run(arguments: argparse.Namespace) -> int:
    title = titles.find(arguments.title)
    form = title.form(arguments.form)
    seats = dict(name.strip().partition(":")[::2] for name in arguments.players.split(","))
    for house in filter(None, seats.values()):
        if house not in HOUSES:
            raise BadGame(f"there is no house player {house!r}; there is {', '.join(HOUSES)}")
    if arguments.load:
        game = files.load(arguments.load)
    else:
        seed = arguments.seed if arguments.seed is not None else secrets.randbelow(1_000_000)
        game = titles.new_game(title.id, list(seats), options(form, arguments.option), seed, form.id)
    chance = random.Random(game.seed)
    try:
        while not game.finished:
            turn(game, seats, chance)
    except (Quit, EOFError, KeyboardInterrupt):
        print()
    Path(arguments.save).write_text(codec.write(game), "utf-8")
    print(describe(game))
    print(f"saved in {arguments.save}; go on with: kursbuch play --load {arguments.save}")
    return 0


def turn(game: Game, seats: dict[str, str], chance: random.Random) -> None:
    """One move, by a house player or by the person at the keyboard."""
    player = game.offer().deciders[0]
    if seats.get(player):
        move = HOUSES[seats[player]]().choose(game, player, chance)
        print(f"{player} (house): {move.TYPE}")
    else:
        print("\n" + describe(game) + "\n")
        move = ask_move(game, player)
    try:
        events = game.apply(move)
    except Refused as refusal:
        print(f"Not possible: {told(refusal)}")
        return
    for line in filter(None, map(event_line, events)):
        print("  " + line)


def ask_move(game: Game, player: str) -> Move:
    """Let a person choose a kind of move and its parameters; an empty answer goes one step back."""
    choices = game.offer().of(player)
    while True:
        choice = choices[pick(f"{player}, {where(game)}", [choice_line(c) for c in choices], back=False)]
        try:
            return fill(choice)
        except LookupError:
            continue


def fill(choice: Choice[Any]) -> Move:
    picked: dict[str, Any] = {}
    while (domain := choice.ask(picked)) is not None:
        if isinstance(domain, Number):
            picked[domain.name] = number(domain)
            continue
        labels = []
        for option in domain.options:
            value = option.value
            if isinstance(value, tuple) and value and isinstance(value[0], TrainPath):
                value = "; ".join(f"{p.train}: {' '.join(p.path)}" for p in value)
            facts = ", ".join(f"{key} {fact}" for key, fact in option.facts.items())
            labels.append(f"{value}" + (f"  ({facts})" if facts else ""))
        index = 0 if len(labels) == 1 else pick(domain.name, labels, back=True)
        picked[domain.name] = domain.options[index].value
    move: Move = choice.move(picked)
    return move


def pick(title: str, labels: list[str], *, back: bool) -> int:
    print(title)
    for index, label in enumerate(labels, start=1):
        print(f"  {index:>3}  {label}")
    while True:
        answer = input("number, q to save and leave" + (", empty to go back" if back else "") + "> ").strip()
        if answer == "q":
            raise Quit
        if not answer and back:
            raise LookupError
        if answer.isdecimal() and 1 <= int(answer) <= len(labels):
            return int(answer) - 1
        print(f"a number from 1 to {len(labels)}, please")


def number(domain: Number) -> int:
    while True:
        answer = input(number_line(domain) + "> ").strip()
        if answer == "q":
            raise Quit
        if not answer:
            raise LookupError
        if answer.isdecimal() and int(answer) in range(domain.low, domain.high + 1, domain.step):
            return int(answer)
        print("not possible: " + number_line(domain))
