"""How many taps a person needs for each kind of action, counted by really playing at the local table.

`python -m workshop taps` prints the table, and then for every form of every title what each kind of move in one of
its games takes. A button is a tap, a menu two (it is opened first), a form sent off one.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import re
import tempfile
from collections.abc import Awaitable, Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import titles
from bot.picking.bands import bands, numbering
from bot.picking.effects import same_again
from engine.game import Game
from engine.house.players import HOUSES
from engine.moves import Pass
from engine.offer import Choice, Options
from engine.steps.track import LayTileChoice
from table.model import Message
from table.people import text_of
from workshop.evening.guests import NAMES, PAGE, Evening, Guest, NoPictures, buttons, evening, made, menu, presses
from workshop.evening.positions import Position, offered, put, search, sources

#: Action and the most taps it may take.
MOST = {
    "buy a lot": 2,
    "bid": 3,
    "buy a share": 2,
    "sell shares": 3,
    "found a company": 4,
    "lay a tile (several hexes possible)": 4,
    "run and dividend": 2,
    "buy a train from the bank": 2,
    "buy a train from a company": 4,
    "answer a proposal": 1,
    "same again": 2,
    "undo": 1,
    "a pass from the panel": 1,
    "an operating turn with nothing new": 2,
    "a whole operating turn": 10,
}
#: What they take now, where that is less: no number may grow.
TODAY = {**MOST, "buy a train from a company": 2, "a whole operating turn": 8}


class Tapper(Guest):
    """Takes the first of what there is, or what has a word in it; counts the taps."""

    wish = ""
    #: Where nothing is wished for, which one is taken.
    place = 0
    #: The hex that they want to lay a tile on: as its button begins, and as the one of its region ends.
    at: tuple[str, str] = ("", "")

    def _entry(self, entries: list[tuple[str, str]]) -> int:
        wished = (index for index, (_, label) in enumerate(entries) if self._wishes(label))
        return next(wished, self.place % len(entries))

    def _wishes(self, label: str) -> bool:
        if self.at[0]:
            return label.startswith(self.at[0]) or (bool(self.at[1]) and label.endswith(self.at[1]))
        return bool(self.wish) and self.wish in label


def labels_of(choice: Choice[Any], hexes: list[str], at: str) -> tuple[str, str]:
    """How the button of a hex begins, and how that of its region ends, if there are several."""
    board = choice.game.definition.map
    found = bands(board, hexes)
    region = next(band for band in found if hexes.index(at) in band.numbers)
    return f"{numbering(board, hexes)[at]} ", region.name if len(found) > 1 else ""


def several_hexes(choice: Choice[Any]) -> bool:
    """Track that can be laid on several hexes, more than a row of buttons."""
    domain = choice.ask({})
    return not choice.granted_by and isinstance(domain, Options) and len(domain.options) > 5


def several(choice: Choice[Any]) -> bool:
    domain = choice.ask({})
    return isinstance(domain, Options) and len(domain.options) > 1


def from_another(choice: Choice[Any]) -> bool:
    return any(whose == "other" for _, whose in sources(choice))


def from_the_bank(choice: Choice[Any]) -> bool:
    return any(whose == "bank" for _, whose in sources(choice)) and choice.game.offer().find("pass") is not None


async def single(home: Evening, where: str, kind: str, meant: Callable[[Choice[Any]], bool], wish: str = "") -> int:
    """The taps for one move, from the card to where it is made."""
    position = search(offered(kind, meant))
    await put(home, position, where)
    choice = next(c for c in position.game().offer().choices if c.name == kind and meant(c))
    player = Tapper(home, choice.player.lower(), random.Random(1))
    player.wish = wish
    await player.turn(where, lambda each: each.name == kind and each.granted_by == choice.granted_by)
    await home.settled()
    return player.taps


async def answer(home: Evening, where: str) -> int:
    """The taps for accepting what somebody offers for a train."""
    position = search(offered("buy_train", from_another))
    await put(home, position, where)
    choice = position.game().offer().find("buy_train")
    assert choice is not None
    buyer = Tapper(home, choice.player.lower(), random.Random(1))
    buyer.wish = "with its director"
    await buyer.turn(where, lambda each: each.name == "buy_train")
    await home.settled()
    (asked,) = (await home.live(where)).game.offer().deciders
    seller = Tapper(home, asked.lower(), random.Random(1))
    seller.wish = "Accept"
    await seller.turn(where)
    await home.settled()
    return seller.taps


def whole_turn(game: Game) -> bool:
    """A company may lay track on several hexes, need not place a station, can run, and can buy one train."""
    choice = game.offer().find("lay_tile")
    if choice is None or game.offer().find("pass") is None or not several_hexes(choice):
        return False
    after = game.copy()
    for wanted in ("lay_tile", "place_station", "run"):
        found = after.offer().find(wanted, choice.player)
        if found is None or found.company != choice.company:
            return False
        if wanted != "run":
            after.apply(Pass(choice.player))
    trains = game.definition.phases[game.state.phase].train_limit - len(game.company(choice.company).trains)
    return trains > 0 and game.state.cash[choice.company] > 400


async def operating_turn(home: Evening, where: str, *, detours: int = 0) -> int:
    """A whole turn in the one panel: tile, no station, run, pay out, a train, and the end.

    On a detour something is picked and taken back, which makes two taps more.
    """
    position = search(whole_turn)
    record = await put(home, position, where)
    game = position.game()
    player = Tapper(home, game.offer().deciders[0].lower(), random.Random(1))
    company = game.state.round.actor
    card = player.card(where)
    assert card is not None
    # Of many hexes a region is chosen on the card already.
    track = next(label for label in buttons(card) if label.startswith("Lay track"))
    panel = (await (await player.click(card, track)).settled()).message
    assert panel is not None

    def now() -> Message:
        return player.person.find(panel)

    async def tap(label: str) -> None:
        await player.press(now(), next(each for each in buttons(now()) if each.startswith(label)))

    async def pick() -> None:
        entries = menu(now())
        if entries:
            before = now().components
            player.taps += 2
            await player.person.select(now(), entries[0][0])
            await home.table.until(lambda: now().components != before)
        else:
            await tap(next(press.label for press in presses(now()) if press.verb in ("open", PAGE)))

    for _ in range(detours):
        await pick()
        await tap("Back")
    while "Confirm" not in buttons(now()):
        await pick()
    await tap("Confirm")
    await tap("No station")
    await tap("Pay out")
    await tap(next(label for label in buttons(now()) if "-train" in label))
    await tap("Confirm")
    if any(label.startswith("No train") for label in buttons(now())):
        await tap("No train")
    await home.settled()
    log = (await home.bot.store.log(record.id))[len(position.moves) :]
    kinds = [entry.move["type"] for entry in log]
    assert kinds[:5] == ["lay_tile", "pass", "run", "dividend", "buy_train"], kinds
    assert (await home.live(where)).game.state.round.actor != company or "pass" in kinds[5:]
    # No scrolling: the card and the one panel under it are all there is.
    private = [each for each in player.person.messages(where) if each.reader == player.person.id]
    assert [each.id for each in private] == [panel.id]
    return player.taps


def nothing_new(game: Game) -> bool:
    """A company can end its turn at once, with a run that pays."""
    if game.offer().find("lay_tile") is None or game.state.pauses:
        return False
    rest = same_again(game, game.offer().deciders[0], lambda: False)
    return rest is not None and rest.revenue > 0


async def again(home: Evening, where: str, *, card: bool = False) -> int:
    """The rest of a turn at once, from the panel or from the card in the channel."""
    position = search(nothing_new)
    record = await put(home, position, where)
    game = position.game()
    company = game.state.round.actor
    player = Tapper(home, game.offer().deciders[0].lower(), random.Random(1))
    if card:
        shown = player.card(where)
        assert shown is not None
        label = next(each for each in buttons(shown) if each.startswith("Skip to the end"))
        panel = (await (await player.click(shown, label)).settled()).message
        assert panel is not None
    else:
        panel = (await (await player.person.slash(where, "turn")).settled()).message
        assert panel is not None
        label = next(each for each in buttons(panel) if each.startswith("Skip to the end"))
        await player.press(panel, label)
    assert "runs for" in text_of(player.person.find(panel)), "the preview tells all of it"
    assert len(await home.bot.store.log(record.id)) == len(position.moves)
    await player.press(player.person.find(panel), "Confirm")
    assert made(player.person.find(panel))
    await home.settled()
    log = (await home.bot.store.log(record.id))[len(position.moves) :]
    assert {entry.move["type"] for entry in log} == {"pass", "run", "dividend"}
    assert (await home.live(where)).game.state.round.actor != company
    return player.taps


async def passed(home: Evening, where: str, *, undone: bool = False) -> int:
    """A company does without track in the panel; or takes that back there."""
    position = search(offered("lay_tile", lambda choice: choice.game.offer().find("pass") is not None))
    record = await put(home, position, where)
    player = Tapper(home, position.game().offer().deciders[0].lower(), random.Random(1))
    panel = (await (await player.person.slash(where, "turn")).settled()).message
    assert panel is not None
    await player.press(panel, next(label for label in buttons(panel) if label.startswith("Skip track")))
    await home.settled()
    log = len(position.moves) + 1
    assert (await home.live(where)).length == log
    if not undone:
        return player.taps
    player.taps = 0
    await player.press(
        player.person.find(panel), next(each for each in buttons(player.person.find(panel)) if each.startswith("Undo:"))
    )
    await home.settled()
    live = await home.live(where)
    assert (live.length, live.seqs) == (log + 1, tuple(range(1, log)))
    assert "lay_tile" in {choice.name for choice in live.game.offer().choices}
    assert "Skip track" in " ".join(buttons(player.person.find(panel))), "the panel is at the step again"
    assert record.id == live.record.id
    return player.taps


# ---------------------------------------------------------------------- every form of every title

#: Kinds of moves by the action they are in the table above; all others may take as many taps as laying a tile.
KINDS = {
    "buy_lot": "buy a lot",
    "bid": "bid",
    "buy_share": "buy a share",
    "sell_shares": "sell shares",
    "found": "found a company",
    "run": "run and dividend",
    "answer": "answer a proposal",
    "pass": "buy a lot",
}
FORMS = [f"{box.id}:{form.id}" for box in titles.known() for form in box.forms]


def most(kind: str) -> int:
    """The most taps that a kind of move may take."""
    return MOST[KINDS.get(kind, "lay a tile (several hexes possible)")]


@cache
def first_positions(name: str) -> dict[str, Position]:
    """For every kind of move of a simulated game a position in which there is most to choose from for it."""
    title, _, form = name.partition(":")
    box = titles.find(title).form(form)
    people = NAMES[: max(2, min(len(NAMES), box.players[1]))]
    game = titles.new_game(title, [each.capitalize() for each in people], {}, 1, form)
    chance, found, sizes = random.Random(1), dict[str, Position](), dict[str, int]()
    while not game.finished and len(game.moves) < 450:
        for choice in game.offer().choices:
            domain = None if choice.name == "run" else choice.ask({})
            size = len(domain.options) if isinstance(domain, Options) else 0
            if not choice.granted_by and not choice.secret and size > sizes.get(choice.name, -1):
                sizes[choice.name] = size
                found[choice.name] = Position(1, tuple(game.moves), {}, title, form, people)
        game.apply(HOUSES["greedy"]().choose(game, game.offer().deciders[0], chance))
    return found


async def count_form(home: Evening, name: str) -> dict[str, int]:
    """The taps for one move of every kind of a form, where there is most to choose from; the last of it is taken.

    A tile is laid where most tiles fit.
    """
    result = {}
    for kind, position in first_positions(name).items():
        where = re.sub(r"\W|_", "-", f"{name}-{kind}")
        await put(home, position, where)
        choice = next(c for c in position.game().offer().choices if c.name == kind and not c.granted_by)
        player = Tapper(home, choice.player.lower(), random.Random(1))
        # A counter-offer is asked for its price.
        player.place = 0 if kind == "answer" else -1
        if isinstance(choice, LayTileChoice) and isinstance(domain := choice.ask({}), Options):
            hexes = [option.value for option in domain.options] if domain.name == "hex" else []
            if hexes:
                player.at = labels_of(choice, hexes, max(hexes, key=lambda at: len(choice.fits(at))))
        wanted = (choice.name, choice.company)
        await player.turn(where, lambda each, wanted=wanted: (each.name, each.company) == wanted)  # type: ignore[misc]
        await home.settled()
        result[kind] = player.taps
    return result


ACTIONS: dict[str, Callable[[Evening, str], Awaitable[int]]] = {
    "buy a lot": lambda home, where: single(home, where, "buy_lot", lambda choice: True),
    "bid": lambda home, where: single(home, where, "bid", several),
    "buy a share": lambda home, where: single(home, where, "buy_share", several),
    "sell shares": lambda home, where: single(
        home, where, "sell_shares", lambda c: several(c) and not hasattr(c, "step")
    ),
    "found a company": lambda home, where: single(home, where, "found", several),
    "lay a tile (several hexes possible)": lambda home, where: single(home, where, "lay_tile", several_hexes),
    "run and dividend": lambda home, where: single(home, where, "run", lambda choice: True),
    "buy a train from the bank": lambda home, where: single(home, where, "buy_train", from_the_bank, "-train "),
    "buy a train from a company": lambda home, where: single(
        home, where, "buy_train", from_another, "with its director"
    ),
    "answer a proposal": answer,
    "same again": again,
    "undo": lambda home, where: passed(home, where, undone=True),
    "a pass from the panel": passed,
    "an operating turn with nothing new": lambda home, where: again(home, where, card=True),
    "a whole operating turn": operating_turn,
}


async def count(patch: pytest.MonkeyPatch, data: Path) -> dict[str, int]:
    """Every action once."""
    async with evening(patch, data, pictures=NoPictures()) as home:
        return {name: await play(home, f"table-{index}") for index, (name, play) in enumerate(ACTIONS.items())}


def table(taps: dict[str, int]) -> str:
    width = max(map(len, taps))
    lines = [f"{'action':<{width}}  taps  at most"]
    lines += [f"{name:<{width}}  {number:>4}  {MOST[name]:>7}" for name, number in taps.items()]
    return "\n".join(lines)


async def count_all(patch: pytest.MonkeyPatch, data: Path) -> None:
    """Print what every form of every title takes."""
    async with evening(patch, data, pictures=NoPictures()) as home:
        for name in FORMS:
            found = await count_form(home, name)
            print(f"{name}: " + ", ".join(f"{kind} {taps} (at most {most(kind)})" for kind, taps in found.items()))


def main(arguments: list[str]) -> int:
    """Print the table, and then the taps of every form."""
    argparse.ArgumentParser(prog="python -m workshop taps", description=__doc__).parse_args(arguments)
    for counting in (lambda patch, data: count(patch, data), count_all):
        with tempfile.TemporaryDirectory() as folder:
            patching = pytest.MonkeyPatch()
            taken = asyncio.run(counting(patching, Path(folder)))
            if taken is not None:
                print(table(taken))
            patching.undo()
    return 0
