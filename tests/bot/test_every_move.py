"""Every kind of move of 18Rhl, from the panel and by slash command."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from engine.game import Game
from engine.offer import Choice, Offer
from storage.records import FINISHED, MoveRecord
from table.people import Outcome, text_of
from tests.bot.guests import Evening, Guest, NoPictures, Typist, buttons, evening, menu
from tests.bot.positions import offered, put, search, sources, two_discards


def by_private(choice: Choice[Any]) -> bool:
    return bool(choice.private)


def granted(choice: Choice[Any]) -> bool:
    return hasattr(choice, "pause")


def forced(choice: Choice[Any]) -> bool:
    return hasattr(choice, "step")


def train_from(whose: str) -> Callable[[Choice[Any]], bool]:
    return lambda choice: any(found == whose for _, found in sources(choice))


def several_in_auction(game: Game) -> bool:
    return game.offer().find("bid") is not None and game.offer().find("buy_lot") is None


#: Name, what must be on offer, the beginning of the button's label, what to prefer in menus, and the kind of move.
KINDS: list[tuple[str, Callable[[Game], bool], str, str, str]] = [
    ("pass", offered("pass"), "Pass", "", "pass"),
    ("buy a lot", offered("buy_lot"), "Buy", "", "buy_lot"),
    ("bid in advance", offered("bid"), "Bid", "", "bid"),
    ("bid in an auction", several_in_auction, "Bid", "", "bid"),
    ("found", offered("found"), "Found a company", "", "found"),
    ("buy a share", offered("buy_share"), "Buy a share", "", "buy_share"),
    ("sell shares", offered("sell_shares", lambda choice: not forced(choice)), "Sell shares", "", "sell_shares"),
    ("lay a tile", offered("lay_tile", lambda choice: not by_private(choice)), "Lay track", "", "lay_tile"),
    ("lay a tile by a private", offered("lay_tile", by_private), "Lay track (", "", "lay_tile"),
    ("place a station", offered("place_station", lambda c: not granted(c)), "Place a station", "", "place_station"),
    ("place a granted station", offered("place_station", granted), "Place a station", "", "place_station"),
    ("run", offered("run"), "Run trains", "", "run"),
    ("pay out", offered("dividend"), "Use the revenue", "Pay dividends", "dividend"),
    ("withhold", offered("dividend"), "Use the revenue", "Withhold", "dividend"),
    ("train from the bank", offered("buy_train", train_from("bank")), "Buy a train", "bank", "buy_train"),
    ("train from the pool", offered("buy_train", train_from("pool")), "Buy a train", "bank pool", "buy_train"),
    ("train of an own company", offered("buy_train", train_from("own")), "Buy a train", "own", "buy_train"),
    ("discard", offered("discard_train"), "Discard a train", "", "discard_train"),
    ("a company's own shares", offered("sell_own_shares"), "Sell own shares", "", "sell_own_shares"),
    ("a director's shares", offered("sell_shares", forced), "Sell shares", "", "sell_shares"),
    ("credit", offered("take_credit"), "Take a loan", "", "take_credit"),
]  # fmt: skip


class Wishing:
    """Prefers an entry of a menu whose label begins so."""

    wish = ""
    chance: random.Random

    def _entry(self, entries: list[tuple[str, str]]) -> str:
        fitting = [value for value, label in entries if self.wish and label.split(" (")[0] == self.wish]
        return fitting[0] if fitting else self.chance.choice(entries)[0]


class Presser(Wishing, Guest):
    """Presses and picks."""


class Writer(Wishing, Typist):
    """Types."""


async def last_move(home: Evening, game: int) -> MoveRecord:
    return (await home.bot.store.log(game))[-1]


async def one_move(home: Evening, player: Guest, where: str, label: str) -> None:
    """Make a move of a kind, in the player's own way."""

    def choose(labels: list[str]) -> str:
        exact = [each for each in labels if each == label]
        begins = [each for each in labels if each.startswith(label)]
        return (exact or begins)[0]

    player.choose = choose  # type: ignore[method-assign]
    await player.turn(where)
    await home.settled()


@pytest.mark.parametrize("way", [Presser, Writer])
async def test_every_kind_of_move(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, way: type[Presser] | type[Writer]
) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        for number, (name, wanted, label, wish, kind) in enumerate(KINDS):
            position = search(wanted)
            where = f"table-{number}"
            record = await put(home, position, where)
            game = position.game()
            choice = next(c for c in game.offer().choices if c.name == kind and wanted(_only(game, c)))
            player = way(home, choice.player.lower(), random.Random(number))
            player.generic = 0  # type: ignore[union-attr]
            player.wish = _own(choice) if wish == "own" else wish
            await one_move(home, player, where, label)
            made = await last_move(home, record.id)
            assert made.move["type"] == kind, name
            assert (made.player, made.user) == (choice.player, int(player.person.id)), name
            assert made.interaction is not None, name
            assert made.seq == len(position.moves) + 1, name
            if wish == "Withhold":
                assert made.move["kind"] == "withhold"
            if label == "Lay track (":
                assert made.move["private"]


def _only(game: Game, choice: Choice[Any]) -> Game:
    """The game with nothing but one choice on offer, to ask whether this one is meant."""
    twin = game.copy()
    twin._offer = Offer((choice,))
    return twin


def _own(choice: Choice[Any]) -> str:
    return next(source for source, whose in sources(choice) if whose == "own")


@pytest.mark.parametrize("way", [Presser, Writer])
async def test_any_move_by_the_general_command_or_from_a_private_panel(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, way: type[Presser] | type[Writer]
) -> None:
    """`/turn` gives a private panel that works like the card; `/move` makes any move."""
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        for number, (name, wanted, label, _, kind) in enumerate(KINDS[6:]):
            position = search(wanted)
            where = f"table-{number}"
            record = await put(home, position, where)
            choice = next(c for c in position.game().offer().choices if c.name == kind)
            player = way(home, choice.player.lower(), random.Random(number))
            if isinstance(player, Writer):
                player.generic = 1.0
                await one_move(home, player, where, label)
            else:
                panel = await player.person.slash(where, "turn")
                await panel.settled()
                assert panel.message is not None
                assert panel.message.reader == player.person.id
                exact = [each for each in buttons(panel.message) if each == label]
                button = (exact or [each for each in buttons(panel.message) if each.startswith(label)])[0]
                await player.follow(await player.press(panel.message, button))
            assert (await last_move(home, record.id)).move["type"] == kind, name


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
    await one_move(home, buyer, where, "Buy a train")
    assert "must answer" in text_of(home.cards(where)[-1]) or seller.card(where) is not None
    assert buyer.card(where) is None
    return record.id, buyer, seller


@pytest.mark.parametrize("way", [Presser, Writer])
@pytest.mark.parametrize("reply", ["Accept", "Decline"])
async def test_proposal_is_answered(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, way: type[Presser] | type[Writer], reply: str
) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        game, _, seller = await propose(home, "lobby", way)
        seller.wish = reply  # type: ignore[attr-defined]
        await one_move(home, seller, "lobby", "Answer")
        made = await last_move(home, game)
        assert (made.move["type"], made.move["reply"]) == ("answer", reply.lower())
        bought = "TrainBought" in str(await home.bot.store.pending(now=home.bot.service.now()))
        assert not bought, "everything has been told"
        live = await home.bot.service.live(game)
        assert not live.game.state.pauses


@pytest.mark.parametrize("way", [Presser, Writer])
async def test_proposal_is_countered_and_the_counter_accepted(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, way: type[Presser] | type[Writer]
) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        game, buyer, seller = await propose(home, "lobby", way)
        seller.wish = "Make a counter-offer"  # type: ignore[attr-defined]
        await one_move(home, seller, "lobby", "Answer")
        assert (await last_move(home, game)).move["reply"] == "counter"
        buyer.wish = "Accept"  # type: ignore[attr-defined]
        await one_move(home, buyer, "lobby", "Answer")
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
        await one_move(home, directors[0], "lobby", "Discard a train")
        assert [row.player for row in await home.bot.store.waiting(game=record.id)] == names[1:]
        assert directors[0].card("lobby") is None
        await one_move(home, directors[1], "lobby", "Discard a train")
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
        assert [a.filename for a in effect.message.attachments] == ["effect.png"]
        assert "Best routes" in effect.text
        effect_text = effect.text

        async def by_hand(text: str) -> Outcome:
            assert effect.message is not None
            form = await guest.person.click(effect.message, "By hand")
            assert form.modal is not None
            label = next(each["label"] for each in form.modal["components"])
            told = await guest.person.submit(form, {label: text})
            await home.table.until(lambda: told.text != effect_text)
            return told

        assert "is not a train, a colon and its path" in (await by_hand("nonsense")).text
        assert "cannot run 99" in (await by_hand("99: A1 B2")).text
        assert len(await home.bot.store.log(record.id)) == len(position.moves)
        assert "Done." in (await by_hand(best_routes(position.game()))).text
        assert (await last_move(home, record.id)).move["type"] == "run"


async def test_routes_by_hand_in_the_command(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    position = search(offered("run"))
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        record = await put(home, position)
        person = home.person(position.game().offer().deciders[0].lower())
        wrong = await (await person.slash("lobby", "run", routes="2: Z99:a Z98:a")).settled()
        assert "Done." not in wrong.text
        assert wrong.message is not None
        assert wrong.message.reader == person.id
        typed = best_routes(position.game()).replace("\n", "; ")
        assert "Done." in (await (await person.slash("lobby", "run", routes=typed)).settled()).text
        assert (await last_move(home, record.id)).move["type"] == "run"


@pytest.mark.parametrize("way", [Presser, Writer])
async def test_bankruptcy_ends_the_game_where_the_option_says_so(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, way: type[Presser] | type[Writer]
) -> None:
    position = search(offered("go_bankrupt"), bankruptcy_end=True)
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        record = await put(home, position)
        player = way(home, position.game().offer().deciders[0].lower(), random.Random(1))
        await one_move(home, player, "lobby", "Declare bankruptcy")
        assert (await last_move(home, record.id)).move["type"] == "go_bankrupt"
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
        return domain is not None and len(getattr(domain, "options", ())) > 2

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
            seen.append([a.filename for a in message.attachments])
            assert message.reader == guest.person.id
            entries = menu(message)
            await guest.person.select(message, entries[0][0])
            await guest._until_changed(message, entries)
        assert seen == [["choices.png"]] * 2
        message = guest.person.find(panel.message)
        assert [a.filename for a in message.attachments] == ["effect.png"]
        assert "If you confirm" in text_of(message)
        await guest.person.click(message, "Back")
        await home.table.until(lambda: "Confirm" not in buttons(guest.person.find(message)))
        cancelled = await guest.person.click(guest.person.find(message), "Cancel")
        assert not cancelled.failed
        assert "Nothing was done." in text_of(guest.person.find(message))
