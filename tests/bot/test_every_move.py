"""Every kind of move of 18Rhl, from the panel and by slash command."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bot.picking.entries import banded
from bot.picking.walk import tag, walk
from engine.game import Game
from engine.offer import Choice
from storage.records import FINISHED, MoveRecord
from table.people import text_of
from workshop.evening.guests import Evening, Guest, NoPictures, Typist, buttons, evening
from workshop.evening.making import untold
from workshop.evening.positions import Position, offered, put, search, sources, two_discards


def by_private(choice: Choice[Any]) -> bool:
    return bool(choice.granted_by)


def granted(choice: Choice[Any]) -> bool:
    return hasattr(choice, "pause")


def forced(choice: Choice[Any]) -> bool:
    return hasattr(choice, "step")


def train_from(whose: str) -> Callable[[Choice[Any]], bool]:
    return lambda choice: any(found == whose for _, found in sources(choice))


def several_in_auction(game: Game) -> bool:
    return game.offer().find("bid") is not None and game.offer().find("buy_lot") is None


def any_choice(choice: Choice[Any]) -> bool:
    return True


#: Name, the kind of move, which choices of the kind are meant, what is preferred, and what else the position has.
KINDS: list[tuple[str, str, Callable[[Choice[Any]], bool], str]] = [
    ("pass", "pass", any_choice, ""),
    ("buy a lot", "buy_lot", any_choice, ""),
    ("bid in advance", "bid", any_choice, ""),
    ("bid in an auction", "bid", lambda choice: several_in_auction(choice.game), ""),
    ("found", "found", any_choice, ""),
    ("buy a share", "buy_share", any_choice, ""),
    ("sell shares", "sell_shares", lambda choice: not forced(choice), ""),
    ("lay a tile", "lay_tile", lambda choice: not by_private(choice), ""),
    ("lay a tile by a private", "lay_tile", by_private, ""),
    ("place a station", "place_station", lambda choice: not granted(choice), ""),
    ("place a granted station", "place_station", granted, ""),
    ("run", "run", any_choice, ""),
    ("pay out", "dividend", any_choice, "Pay"),
    ("withhold", "dividend", any_choice, "Withhold"),
    ("train from the bank", "buy_train", train_from("bank"), "bank"),
    ("train from the pool", "buy_train", train_from("pool"), "bank pool"),
    ("train of an own company", "buy_train", train_from("own"), "own"),
    ("discard", "discard_train", any_choice, ""),
    ("a company's own shares", "sell_own_shares", any_choice, ""),
    ("a director's shares", "sell_shares", forced, ""),
    ("loan", "take_loan", any_choice, ""),
]  # fmt: skip


class Wishing:
    """Prefers what has the wished word in it."""

    wish = ""
    chance: random.Random

    def _entry(self, entries: list[tuple[str, str]]) -> int:
        fitting = [index for index, (_, label) in enumerate(entries) if self.wish and self.wish in label]
        return fitting[0] if fitting else self.chance.randrange(len(entries))


class Presser(Wishing, Guest):
    """Presses and picks."""


class Writer(Wishing, Typist):
    """Types."""


async def first_move(home: Evening, game: int, position: Position) -> MoveRecord:
    """The first move after a position."""
    return (await home.bot.store.log(game))[len(position.moves)]


async def one_move(home: Evening, player: Guest, where: str, choice: Choice[Any]) -> None:
    """Make a move of a kind, in the player's own way."""
    await player.turn(where, lambda each: tag(each) == tag(choice) and each.name == choice.name)
    await home.settled()


@pytest.mark.parametrize("way", [Presser, Writer])
async def test_every_kind_of_move(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, way: type[Presser] | type[Writer]
) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        for number, (name, kind, meant, wish) in enumerate(KINDS):
            position = search(offered(kind, meant))
            where = f"table-{number}"
            record = await put(home, position, where)
            choice = next(c for c in position.game().offer().choices if c.name == kind and meant(c))
            player = way(home, choice.player.lower(), random.Random(number))
            player.generic = 0  # type: ignore[union-attr]
            player.wish = _own(choice) if wish == "own" else wish
            await one_move(home, player, where, choice)
            made = await first_move(home, record.id, position)
            assert made.move["type"] == kind, name
            assert (made.player, made.user) == (choice.player, int(player.person.id)), name
            assert made.interaction is not None, name
            assert made.seq == len(position.moves) + 1, name
            if wish == "Withhold":
                assert made.move["kind"] == "withhold"
            if wish in ("bank", "bank pool"):
                assert made.move["source"] == wish.removeprefix("bank ")
            if by_private(choice):
                assert made.move["private"]


def _own(choice: Choice[Any]) -> str:
    return next(source for source, whose in sources(choice) if whose == "own")


@pytest.mark.parametrize("way", [Presser, Writer])
async def test_any_move_by_the_general_command_or_from_a_private_panel(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, way: type[Presser] | type[Writer]
) -> None:
    """`/turn` gives a private panel that works like the card; `/move` makes any move."""
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        for number, (name, kind, meant, _) in enumerate(KINDS[6:]):
            position = search(offered(kind, meant))
            where = f"table-{number}"
            record = await put(home, position, where)
            choice = next(c for c in position.game().offer().choices if c.name == kind and meant(c))
            player = way(home, choice.player.lower(), random.Random(number))
            if isinstance(player, Writer):
                player.generic = 1.0
                await one_move(home, player, where, choice)
            else:
                panel = await player.person.slash(where, "turn")
                await panel.settled()
                assert panel.message is not None
                assert panel.message.reader == player.person.id
                wanted = next(n for n, c in enumerate(position.game().offer().choices) if same(c, choice))
                await player.follow(await player.step(panel.message, wanted), wanted)
            assert (await first_move(home, record.id, position)).move["type"] == kind, name


def same(one: Choice[Any], other: Choice[Any]) -> bool:
    return (one.name, one.player, tag(one)) == (other.name, other.player, tag(other))


# ---------------------------------------------------------------------- proposals to other directors


async def propose(home: Evening, where: str, way: type[Presser] | type[Writer]) -> tuple[int, Guest, Guest]:
    """Somebody offers the least for another director's train; the game, who proposes and who must answer."""

    def wanted(game: Game) -> bool:
        choice = game.offer().find("buy_train")
        return choice is not None and train_from("other")(choice) and game.state.cash[choice.company] > 5

    position = search(wanted)
    record = await put(home, position, where)
    game = position.game()
    choice = game.offer().find("buy_train")
    assert choice is not None
    source = next(source for source, whose in sources(choice) if whose == "other")
    buyer = way(home, choice.player.lower(), random.Random(1))
    seller = way(home, game.company(source).director.lower(), random.Random(2))
    buyer.generic = seller.generic = 0  # type: ignore[union-attr]
    buyer.wish = source
    await one_move(home, buyer, where, choice)
    assert "must answer" in text_of(home.cards(where)[-1]) or seller.card(where) is not None
    assert buyer.card(where) is None
    return record.id, buyer, seller


async def answer(home: Evening, player: Guest) -> None:
    await player.turn("lobby", lambda choice: choice.name == "answer")
    await home.settled()


@pytest.mark.parametrize("way", [Presser, Writer])
@pytest.mark.parametrize("reply", ["Accept", "Decline"])
async def test_proposal_is_answered(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, way: type[Presser] | type[Writer], reply: str
) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        game, _, seller = await propose(home, "lobby", way)
        seller.wish = reply  # type: ignore[attr-defined]
        await answer(home, seller)
        made = (await home.bot.store.log(game))[-1]
        assert (made.move["type"], made.move["reply"]) == ("answer", reply.lower())
        bought = "TrainBought" in str(await untold(home.bot.store))
        assert not bought, "everything has been told"
        live = await home.bot.service.live(game)
        assert not live.game.state.pauses


@pytest.mark.parametrize("way", [Presser, Writer])
async def test_proposal_is_countered_and_the_counter_accepted(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, way: type[Presser] | type[Writer]
) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        game, buyer, seller = await propose(home, "lobby", way)
        seller.wish = "ounter"  # type: ignore[attr-defined]
        await answer(home, seller)
        assert (await home.bot.store.log(game))[-1].move["reply"] == "counter"
        buyer.wish = "Accept"  # type: ignore[attr-defined]
        await answer(home, buyer)
        log = await home.bot.store.log(game)
        assert log[-1].move["reply"] == "accept"
        live = await home.bot.service.live(game)
        bought = log[-3].move
        assert live.game.company(bought["company"]).trains.count(bought["train"]) >= 1


# ---------------------------------------------------------------------- several people at once


@pytest.mark.parametrize("way", [Presser, Writer])
async def test_two_directors_discard_one_after_the_other(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, way: type[Presser] | type[Writer]
) -> None:
    position = search(two_discards)
    names = [pause.players[0] for pause in position.game().state.pauses]
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        record = await put(home, position)
        card = home.cards()[-1]
        directors = [way(home, name.lower(), random.Random(1)) for name in names]
        for director in directors:
            director.generic = 0  # type: ignore[union-attr]
        assert directors[0].person.mention in text_of(card)
        assert [row.player for row in await home.bot.store.waiting(game=record.id)] == names[:1]
        await directors[0].turn("lobby")
        await home.settled()
        assert [row.player for row in await home.bot.store.waiting(game=record.id)] == names[1:]
        assert directors[0].card("lobby") is None
        await directors[1].turn("lobby")
        await home.settled()
        log = await home.bot.store.log(record.id)
        assert [entry.player for entry in log[-2:]] == names


# ---------------------------------------------------------------------- routes by hand, and the end by bankruptcy


def best_routes(game: Game) -> str:
    choice = game.offer().find("run")
    assert choice is not None
    return "\n".join(f"{r.train}: {' '.join(r.path)}" for r in game.best_routes(choice.company).routes)


async def test_routes_by_hand_in_the_form(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    position = search(offered("run"))
    async with evening(monkeypatch, tmp_path) as home:
        record = await put(home, position)
        guest = Guest(home, position.game().offer().deciders[0].lower(), random.Random(1))
        card = guest.card("lobby")
        assert card is not None
        effect = await (await guest.person.click(card, "Run trains")).settled()
        assert effect.message is not None
        assert [a.filename for a in effect.message.attachments] == ["choices.png"]
        assert "Best routes" in effect.text

        async def by_hand(button: str, text: str, said: str, typed: str = "") -> None:
            assert effect.message is not None
            form = await guest.person.click(effect.message, button)
            assert form.modal is not None
            assert typed in str(form.modal), "the form comes back with what was typed"
            label = next(each["label"] for each in form.modal["components"])
            told = await guest.person.submit(form, {label: text})
            await home.table.until(lambda: said in told.text)

        await by_hand("By hand", "nonsense", "is not a train, a colon and its path")
        await by_hand("Correct it", "99: A1 B2", "cannot run 99", "nonsense")
        assert len(await home.bot.store.log(record.id)) == len(position.moves)
        worse = best_routes(position.game()).splitlines()
        await by_hand("Correct it", "\n".join(worse), "Routes by hand", "99: A1 B2")
        assert len(await home.bot.store.log(record.id)) == len(position.moves), "nothing counts before it is confirmed"
        # What was typed is in the panel, so that it can be confirmed after a restart too.
        home.bot.service.forget(record.id)
        withhold = next(label for label in buttons(effect.message) if label.startswith("Withhold"))
        await guest.press(guest.person.find(effect.message), withhold)
        run, dividend = (await home.bot.store.log(record.id))[len(position.moves) :]
        assert [f"{r['train']}: {' '.join(r['path'])}" for r in run.move["routes"]] == worse
        assert dividend.move["kind"] == "withhold"


async def test_routes_by_hand_in_the_command(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    position = search(offered("run"))
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        record = await put(home, position)
        person = home.person(position.game().offer().deciders[0].lower())
        wrong = await (await person.slash("lobby", "run", routes="2: Z99:a Z98:a")).settled()
        assert "Routes by hand" not in wrong.text
        assert wrong.message is not None
        assert wrong.message.reader == person.id
        typed = best_routes(position.game()).replace("\n", "; ")
        shown = await (await person.slash("lobby", "run", routes=typed)).settled()
        assert "Routes by hand" in shown.text
        assert len(await home.bot.store.log(record.id)) == len(position.moves), "nothing counts before it is confirmed"
        guest = Guest(home, person.user.name, random.Random(1))
        assert shown.message is not None
        await guest.press(shown.message, buttons(shown.message)[0])
        assert (await first_move(home, record.id, position)).move["type"] == "run"


@pytest.mark.parametrize("way", [Presser, Writer])
async def test_bankruptcy_ends_the_game_where_the_option_says_so(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, way: type[Presser] | type[Writer]
) -> None:
    position = search(offered("go_bankrupt"), bankruptcy_end=True)
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        record = await put(home, position)
        player = way(home, position.game().offer().deciders[0].lower(), random.Random(1))
        await player.turn("lobby", lambda choice: choice.name == "go_bankrupt")
        await home.settled()
        assert (await home.bot.store.log(record.id))[-1].move["type"] == "go_bankrupt"
        ended = await home.bot.store.game(record.id)
        assert ended is not None
        assert ended.status == FINISHED
        card = text_of(home.cards()[-1])
        assert "The game is over" in card
        assert "bankrupt" in card


async def test_track_is_laid_in_stages_with_pictures(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Hex, then tile and rotation numbered in a picture, then the map with the tile drawn in, then Confirm."""

    def wanted(game: Game) -> bool:
        choice = game.offer().find("lay_tile")
        if choice is None or by_private(choice):
            return False
        domain = choice.ask({})
        several = domain is not None and len(getattr(domain, "options", ())) > 2
        # On the hex that is taken more than one tile fits.
        several = several and len(choice.fits(domain.options[0].value)) > 1  # type: ignore[attr-defined, union-attr]
        return several and not banded(walk(game, game.offer().choices.index(choice), ""))

    position = search(wanted)
    async with evening(monkeypatch, tmp_path) as home:
        await put(home, position)
        guest = Guest(home, position.game().offer().deciders[0].lower(), random.Random(1))
        card = guest.card("lobby")
        assert card is not None
        panel = await (await guest.person.click(card, "Lay track")).settled()
        assert panel.message is not None
        seen = []
        while "Confirm" not in buttons(guest.person.find(panel.message)):
            message = guest.person.find(panel.message)
            seen.append(([a.filename for a in message.attachments], buttons(message)))
            assert message.reader == guest.person.id
            await guest.press(message, buttons(message)[0])
        (first, hexes), (second, tiles) = seen
        assert first == second == ["choices.png"]
        assert "Skip track" in hexes
        assert tiles[-1] == "Back"
        assert tiles[:2] == ["1", "2"], "the candidates are numbered under their picture"
        message = guest.person.find(panel.message)
        assert [a.filename for a in message.attachments] == ["effect.png"]
        assert "If you confirm" in text_of(message)
        # Back goes to what was shown: the tiles, the hexes.
        for shown in (tiles, hexes):
            await guest.press(guest.person.find(message), "Back")
            assert buttons(guest.person.find(message)) == shown
