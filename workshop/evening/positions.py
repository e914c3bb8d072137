"""Positions to begin a test from, found in simulated games (of 18Rhl, if nothing else is asked for) and put in play."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import titles
from bot.games.replaying import replay, waiting_users
from engine.game import Game
from engine.house.players import HOUSES
from engine.moves import Move, to_json
from engine.offer import Choice, Options
from storage.records import PLAYING, GameRecord, NewNotice, Seat
from workshop.evening.guests import Evening
from workshop.evening.making import create

PEOPLE = ("ann", "bo", "cy")
#: Games to look through, in this order: house and seed. Those that are known to have the rare positions come first.
GAMES = (
    ("greedy", 1), ("random", 9), ("random", 7), ("greedy", 9), ("random", 6), ("random", 4), ("greedy", 6),
    *((house, seed) for seed in range(10, 60) for house in ("greedy", "random")),
)  # fmt: skip


@dataclass(frozen=True)
class Position:
    """A game up to where something is on offer."""

    seed: int
    moves: tuple[Move, ...]
    options: Mapping[str, Any] = field(default_factory=dict)
    title: str = "rhl"
    form: str = ""
    people: tuple[str, ...] = PEOPLE

    def game(self) -> Game:
        game = _new(self.title, self.form, self.people, self.options, self.seed)
        for move in self.moves:
            game.apply(move)
        return game


def _new(title: str, form: str, people: tuple[str, ...], options: Mapping[str, Any], seed: int) -> Game:
    return titles.new_game(title, [name.capitalize() for name in people], options, seed, form)


@cache
def _moves(
    house: str, seed: int, options: tuple[tuple[str, Any], ...], title: str, form: str, people: tuple[str, ...]
) -> list[Move]:
    """A whole simulated game, played once."""
    game = _new(title, form, people, dict(options), seed)
    chance = random.Random(seed)
    while not game.finished and len(game.moves) < 600:
        game.apply(HOUSES[house]().choose(game, chance.choice(game.offer().deciders), chance))
    return game.moves


def search(
    wanted: Callable[[Game], bool],
    *,
    title: str = "rhl",
    form: str = "",
    people: tuple[str, ...] = PEOPLE,
    games: Sequence[tuple[str, int]] = GAMES,
    **options: Any,
) -> Position:
    """The first position of a simulated game that has what is wanted."""
    for house, seed in games:
        moves = _moves(house, seed, tuple(sorted(options.items())), title, form, people)
        game = _new(title, form, people, options, seed)
        for number, move in enumerate([*moves, None]):
            if wanted(game):
                return Position(seed, tuple(moves[:number]), options, title, form, people)
            if move is not None:
                game.apply(move)
    raise AssertionError("no simulated game has such a position")


def offered(name: str, test: Callable[[Choice[Any]], bool] = lambda choice: True) -> Callable[[Game], bool]:
    """Whether a kind of move is on offer."""
    return lambda game: any(choice.name == name and test(choice) for choice in game.offer().choices)


def sources(choice: Choice[Any]) -> Iterator[tuple[str, str]]:
    """From whom a train can be bought, and whose it is: `bank`, `pool`, `own` or `other`."""
    domain = choice.ask({})
    assert isinstance(domain, Options)
    for option in domain.options:
        source = option.value
        if source in ("bank", "pool"):
            yield source, source
        else:
            yield source, "own" if choice.game.company(source).director == choice.player else "other"


async def put(home: Evening, position: Position, where: str = "lobby", people: tuple[str, ...] = ()) -> GameRecord:
    """A game in this position, in its channel (made if it is not there), with its card posted."""
    people = people or position.people
    world = home.table.world
    guild = next(iter(world.guilds.values()))
    if all(channel.name != where for channel in world.channels.values()):
        world.add_channel(guild, where)
    store, now = home.bot.store, home.bot.service.now()
    title = titles.find(position.title)
    form = title.form(position.form)
    record = await create(
        store,
        now,
        guild=int(guild.id),
        channel=int(home.person("ann").place(where).id),
        title=title.id,
        options=form.full_options(position.options),
        seed=position.seed,
        host=int(home.person(people[0]).id),
        seats_wanted=len(people),
        reminder_hours=(),
        form=form.id,
    )
    await store.set_seats(record.id, [Seat(name.capitalize(), int(home.person(name).id)) for name in people])
    record = await store.set_status(record.id, PLAYING, at=now)
    # Not the position's own game: its people may sit otherwise.
    waiting = waiting_users(record, replay(record, [to_json(move) for move in position.moves]))
    if position.moves:
        await store.append(
            record.id,
            0,
            [to_json(move) for move in position.moves],
            user=0,
            players=[move.player for move in position.moves],
            interaction=None,
            at=now,
            notices=[NewNotice("moved", {"events": []})],
            waiting=waiting,
        )
    else:
        await store.set_status(
            record.id, PLAYING, at=now, notices=[NewNotice("moved", {"events": []})], waiting=waiting
        )
    home.bot.service.changed(record.id)
    await home.settled()
    return record


def two_discards(game: Game) -> bool:
    """Two directors are to give up one train each."""
    asked = [pause for pause in game.state.pauses if pause.kind == "discard"]
    limit = game.phase.train_limit
    return len({pause.players[0] for pause in asked}) == 2 == len(asked) and all(
        len(game.company(pause.data["company"]).trains) == limit + 1 for pause in asked
    )
