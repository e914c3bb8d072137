"""Takes pictures of the bot at the local table: those of the README, or every card.

Without a folder those of the README are taken into docs/pictures; with one, every card at both widths.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image
from playwright.async_api import Browser, Page

import titles
from bot.games.service import Live
from bot.picking.effects import passing
from bot.picking.entries import Entry, entries
from bot.picking.walk import walk
from bot.texts import Say, speaker
from engine.game import Game
from engine.house.players import TitleGreedy
from engine.offer import Number, Options
from table.model import Message
from table.people import Outcome, text_of
from workshop import ROOT
from workshop.evening.browser import PHONE, chromium
from workshop.evening.guests import Evening, Guest, buttons, evening, menu, presses
from workshop.evening.house import running_table
from workshop.evening.positions import put, search, sources

PEOPLE = ("ann", "bo", "cy")
SEED = 18
README = frozenset(
    f"{name}-{size}"
    for name in (
        "package",
        "stock",
        "turn",
        "hex",
        "tile",
        "confirm",
        "routes",
        "trains",
        "proposal",
        "answered",
        "final",
    )
    for size in ("phone", "desktop")
)
#: High enough for a whole card.
SIZES = {"desktop": (1280, 980), "phone": PHONE}
#: Where the pictures are taken: in an operating round, as soon as this many tiles have been laid.
TILES = 24


async def play_until(evening: Evening, chance: random.Random, there: Callable[[Game], bool]) -> Live:
    """Play by house players' judgement up to a position; its card is posted as if people had played."""
    record = await evening.record()
    users = {seat.name: seat.user for seat in record.seats}
    while not there((live := await evening.bot.service.live(record.id)).game):
        player = live.game.offer().deciders[0]
        move = TitleGreedy().choose(live.game, player, chance)
        if len(live.game.moves) % 7 == 0:
            await evening.settled()
        await evening.bot.service.play(record.id, users[player], move, interaction=None, expected=live.length)
    await evening.settled()
    return live


async def play_on(evening: Evening, chance: random.Random) -> int:
    """Play by house players' judgement until the board looks alive and somebody may lay track."""
    record = await evening.record()
    users = {seat.name: seat.user for seat in record.seats}
    for _ in range(2000):
        live = await evening.bot.service.live(record.id)
        names = [choice.name for choice in live.game.offer().choices]
        tiles = len(live.game.state.board.tiles)
        if tiles >= TILES:
            # From here on as people play: every card is posted, so that the last one tells of the last turn alone.
            await evening.settled()
            if "lay_tile" in names and tiles > TILES + 1:
                break
        player = live.game.offer().deciders[0]
        move = TitleGreedy().choose(live.game, player, chance)
        await evening.bot.service.play(record.id, users[player], move, interaction=None, expected=live.length)
    return record.id


class Camera:
    """Takes pictures of what somebody sees, wide and narrow."""

    def __init__(self, browser: Browser, url: str, folder: Path, wanted: frozenset[str]) -> None:
        self.browser, self.url, self.folder, self.wanted = browser, url, folder, wanted

    async def shoot(self, name: str, who: str) -> None:
        for size, (width, height) in SIZES.items():
            path = self.folder / f"{name}-{size}.png"
            if self.wanted and path.stem not in self.wanted:
                continue
            context = await self.browser.new_context(
                viewport={"width": width, "height": height},
                color_scheme="dark",
                locale="en-GB",
                timezone_id="Europe/Berlin",
                has_touch=size == "phone",
                device_scale_factor=2 if size == "phone" else 1,
            )
            page = await context.new_page()
            await page.goto(f"{self.url}/#as={who}")
            await page.wait_for_selector("#box")
            await self._settle(page)
            await page.screenshot(path=path)
            if not self.wanted:
                # High enough for the longest card, which is then in one piece.
                await page.set_viewport_size({"width": width, "height": 2600})
                await page.locator(".message").last.screenshot(path=path.with_stem(f"{path.stem}-whole"))
            await context.close()
            # 256 colours are enough for a flat page, and a third of the bytes; k-means keeps the rare ones true.
            Image.open(path).convert("RGB").quantize(256, kmeans=8, dither=Image.Dither.NONE).save(path, optimize=True)

    async def _settle(self, page: Page) -> None:
        # Twice: pictures far up are loaded only when they come near, and they push the rest down.
        for _ in range(2):
            await page.evaluate("document.getElementById('scroller').scrollTop = 1e6")
            await page.wait_for_timeout(700)


async def take(folder: Path, wanted: frozenset[str], title: str = "rhl", language: str = "en") -> None:
    """A game is chosen, one is played to its end, and at another table there is an offer for a train."""
    for play in (choosing_evening, game_evening, proposal_evening):
        patch = pytest.MonkeyPatch()
        with tempfile.TemporaryDirectory() as data:
            async with running_table(bot_name="Kursbuch") as table, chromium() as browser:
                table.rates.enforced = False
                table.interactions.first_answer_seconds = 60
                camera = Camera(browser, table.url, folder, wanted)
                async with evening(patch, Path(data), table=table) as at:
                    await play(at, camera, title, speaker(language, title))
        patch.undo()


async def speak(at: Evening, language: str) -> None:
    """The server and everybody on it speak a language from now on."""
    guild = (await at.record()).guild
    await at.bot.store.set_server(replace(await at.bot.store.server(guild), locale=language))
    for name in PEOPLE:
        at.person(name).user.locale = language


async def choosing_evening(at: Evening, camera: Camera, title: str, say: Say) -> None:
    """From the command to the lobby, by the private pages."""
    ann = at.person("ann")
    guild = int(next(iter(at.table.world.guilds)))
    await at.bot.store.set_server(replace(await at.bot.store.server(guild), locale=say.language))
    command = "game new"
    asked = await opened(await ann.slash("lobby", command, where="here"))
    for name in PEOPLE:
        at.person(name).user.locale = say.language

    async def turned(outcome: Outcome, name: str) -> Message:
        await outcome.settled()
        await at.settled()
        await camera.shoot(name, "ann")
        return ann.find(asked)

    await camera.shoot("choose", "ann")
    page = await turned(await ann.click(asked, "4"), "choose-games")
    [box] = [value for value, label in menu(page) if label == titles.find(title).name]
    page = await turned(await ann.select(page, box), "choose-forms")
    if say("choose.open") not in buttons(page):
        forms = [label for label in buttons(page) if label != say("choose.back")]
        page = await turned(await ann.click(page, forms[0]), "choose-form")
    await turned(await ann.click(page, say("choose.open")), "choose-lobby")


async def game_evening(at: Evening, camera: Camera, title: str, say: Say) -> None:
    """From the lobby to a company's turn, and to the end."""
    card = await at.lobby(*PEOPLE, title=title, seed=SEED)
    await speak(at, say.language)
    ann = at.person("ann")
    await at.person("cy").click(card, "Leave")
    await at.table.until(lambda: "*" in text_of(ann.find(card)))
    await at.person("cy").click(card, say("lobby.join"))
    await at.table.until(lambda: "*" not in text_of(ann.find(card)).replace("**", ""))
    await camera.shoot("lobby", "bo")
    await ann.click(card, say("lobby.start"))
    await at.table.until(lambda: any(presses(each) for each in ann.messages("lobby")))
    await at.settled()
    await bids(at)
    await camera.shoot("package", "ann")
    # In the third stock round, when two have acted.
    chance = random.Random(SEED)
    live = await play_until(
        at, chance, lambda game: game.state.round.kind == "stock" and game.state.round.stock_number >= 3
    )
    await camera.shoot("stock", live.game.offer().deciders[0].lower())
    game = await play_on(at, random.Random(SEED))
    live = await at.bot.service.live(game)
    who = live.game.offer().deciders[0].lower()
    person = at.person(who)
    turn = person.last("lobby")
    await camera.shoot("turn", who)
    guest = Guest(at, who, random.Random(SEED))
    # Where there are many hexes, there is a button for each band of the map.
    track = [label for label in buttons(turn) if label.startswith(say("move.lay_tile"))]
    panel = await opened(await person.click(turn, track[0]))

    def now() -> Message:
        return person.find(panel)

    async def skip() -> None:
        game_now = (await at.bot.service.live(game)).game
        await guest.press(now(), passing(say, game_now, game_now.offer().deciders[0]).label)
        await at.settled()

    await camera.shoot("hex", who)
    await busiest(at, game, guest, panel, say)
    await camera.shoot("tile", who)
    if say("panel.confirm") not in buttons(now()):
        await guest.press(now(), "1")
    await camera.shoot("confirm", who)
    await guest.press(now(), say("panel.confirm"))
    await at.settled()
    await camera.shoot("done", who)
    while not any(press.verb == "run" for press in presses(now())):
        await skip()
    await camera.shoot("routes", who)
    await guest.press(now(), next(press.label for press in presses(now()) if press.verb == "run"))
    await at.settled()
    await camera.shoot("trains", who)
    for what in ("sheet", "market", "map"):
        await opened(await person.click(turn, say(f"look.{what}")))
        await camera.shoot(what, who)
    await play_until(at, chance, lambda game: game.finished)
    await camera.shoot("final", "ann")


async def proposal_evening(at: Evening, camera: Camera, title: str, say: Say) -> None:
    """An offer for another company's train, and its answer."""

    def wanted(game: Game) -> bool:
        choice = game.offer().find("buy_train")
        return choice is not None and any(whose == "other" for _, whose in sources(choice))

    position = search(wanted)
    await put(at, position)
    await speak(at, say.language)
    game = position.game()
    choice = game.offer().find("buy_train")
    assert choice is not None
    buyer = at.person(choice.player.lower())
    seller = next(source for source, whose in sources(choice) if whose == "other")
    train = game.company(seller).trains[0]
    # The commands are English for everybody whose Discord is.
    buyer.user.locale = "en-GB"
    offer = await buyer.slash("lobby", "train buy", source=seller, train=train, price="40")
    panel = await opened(offer)
    await Guest(at, buyer.user.name, random.Random(1)).press(buyer.find(panel), "Confirm")
    await at.settled()
    asked = (await at.live()).game.offer().deciders[0].lower()
    await camera.shoot("proposal", asked)
    await opened(await at.person(asked).click(at.person(asked).last("lobby"), say("reply.accept")))
    await at.settled()
    await camera.shoot("answered", asked)


async def bids(at: Evening) -> None:
    """A few bids, so that the board of lots has something to show."""
    record = await at.record()
    for number in (2, 3, 2, -1):
        live = await at.bot.service.live(record.id)
        player = live.game.offer().deciders[0]
        choice = live.game.offer().find("bid", player)
        if choice is None:  # lots without an auction
            return
        lots = choice.ask({})
        assert isinstance(lots, Options)
        lot = lots.options[number].value
        least = choice.ask({"lot": lot})
        assert least is not None
        price = least.low if isinstance(least, Number) else least.options[0].value
        move = choice.move({"lot": lot, "price": price})
        await at.bot.service.play(record.id, live.seat(player).user, move, interaction=None)
        await at.settled()


async def opened(outcome: Outcome) -> Message:
    """The private panel that a press has opened."""
    await outcome.settled()
    assert outcome.message is not None
    return outcome.message


async def busiest(at: Evening, game: int, guest: Guest, panel: Message, say: Say) -> None:
    """Take the hex with the most candidates."""
    live = await at.bot.service.live(game)
    number = next(number for number, choice in enumerate(live.game.offer().choices) if choice.name == "lay_tile")

    def candidates(entry: Entry) -> int:
        step = walk(live.game, number, entry.code)
        return len(entries(say, step)) if isinstance(step.domain, Options) else 1

    shown_here = {press.code for press in presses(guest.person.find(panel)) if press.number == number}
    found = entries(say, walk(live.game, number, ""))
    best = max([entry for entry in found if entry.code in shown_here] or found, key=candidates)
    before = guest.person.find(panel).components
    if menu(guest.person.find(panel)):
        await guest.person.select(panel, best.code)
        await at.table.until(lambda: guest.person.find(panel).components != before)
    else:
        shown = buttons(guest.person.find(panel))
        await guest.press(guest.person.find(panel), next(label for label in shown if label.endswith(best.text)))


def main(arguments: list[str]) -> int:
    """Take them."""
    parser = argparse.ArgumentParser(prog="python -m workshop pictures", description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, help="for every card; without it docs/pictures is renewed")
    parser.add_argument("title", nargs="?", default="rhl")
    parser.add_argument("language", nargs="?", default="en")
    given = parser.parse_args(arguments)
    target: Path = given.folder or ROOT / "docs" / "pictures"
    target.mkdir(parents=True, exist_ok=True)
    asyncio.run(take(target, frozenset() if given.folder else README, given.title, given.language))
    return 0
