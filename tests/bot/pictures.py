"""Pictures of the bot at the local table: python -m tests.bot.pictures [DIR].

Without a folder those of the README are taken into docs/pictures; with one, every card at both widths.
"""

from __future__ import annotations

import asyncio
import random
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image
from playwright.async_api import Browser, Page

from bot.cards.entries import Entry, entries
from bot.cards.picks import walk
from bot.games.service import Live
from bot.texts import speaker
from engine.game import Game
from engine.house.players import Greedy
from engine.offer import Number, Options
from table.model import Message
from table.people import Outcome
from tests.bot.guests import Evening, Guest, buttons, evening, menu, pass_of
from tests.table.browser import PHONE, chromium
from tests.table.house import running_table

PEOPLE = ("ann", "bo", "cy")
SEED = 18
README = frozenset(
    {
        *("turn-desktop", "turn-phone", "tile-phone", "routes-phone"),
        *(f"{name}-{size}" for name in ("package", "stock", "final") for size in ("phone", "desktop")),
    }
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
        move = Greedy().choose(live.game, player, chance)
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
        move = Greedy().choose(live.game, player, chance)
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


async def main(folder: Path, wanted: frozenset[str]) -> None:
    """A lobby, a turn card, a question with tiles, the last word, routes, and the sheet."""
    patch = pytest.MonkeyPatch()
    with tempfile.TemporaryDirectory() as data:
        async with running_table(bot_name="Kursbuch") as table, chromium() as browser:
            table.rates.enforced = False
            table.interactions.first_answer_seconds = 60
            camera = Camera(browser, table.url, folder, wanted)
            async with evening(patch, Path(data), table=table) as at:
                await game_evening(at, camera)
    patch.undo()


async def game_evening(at: Evening, camera: Camera) -> None:
    """From the lobby to a company's turn."""
    card = await at.lobby(*PEOPLE, seed=SEED)
    await camera.shoot("lobby", "bo")
    await at.person("ann").click(card, "Start")
    await at.person("ann").sees("your turn", "lobby")
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
    panel = await opened(await person.click(turn, "Lay track"))

    async def tap(label: str) -> None:
        found = next(each for each in buttons(person.find(panel)) if each.startswith(label))
        await guest.press(person.find(panel), found)

    await camera.shoot("hex", who)
    await busiest(at, game, guest, panel)
    await camera.shoot("tile", who)
    if "Confirm" not in buttons(person.find(panel)):
        await tap("1")
    await camera.shoot("confirm", who)
    await tap("Confirm")
    await at.settled()
    await camera.shoot("done", who)
    while not any(label.startswith("Withhold") for label in buttons(person.find(panel))):
        await tap(pass_of(person.find(panel)))
    await camera.shoot("routes", who)
    await tap("Pay out")
    await at.settled()
    await camera.shoot("trains", who)
    for label in ("Sheet", "Market", "Map"):
        await opened(await person.click(turn, label))
        await camera.shoot(label.lower(), who)
    await play_until(at, chance, lambda game: game.finished)
    await camera.shoot("final", "ann")


async def bids(at: Evening) -> None:
    """A few bids, so that the board of lots has something to show."""
    record = await at.record()
    for lots in ("TF", "NLK", "TF", "RHE-DIR"):
        live = await at.bot.service.live(record.id)
        player = live.game.offer().deciders[0]
        choice = live.game.offer().find("bid", player)
        assert choice is not None
        least = choice.ask({"lot": lots})
        assert isinstance(least, Number)
        move = choice.move({"lot": lots, "price": least.low})
        await at.bot.service.play(record.id, live.seat(player).user, move, interaction=None)
        await at.settled()


async def opened(outcome: Outcome) -> Message:
    """The private panel that a press has opened."""
    await outcome.settled()
    assert outcome.message is not None
    return outcome.message


async def busiest(at: Evening, game: int, guest: Guest, panel: Message) -> None:
    """Take the hex with the most candidates."""
    live = await at.bot.service.live(game)
    say = speaker("en")
    number = next(number for number, choice in enumerate(live.game.offer().choices) if choice.name == "lay_tile")

    def candidates(entry: Entry) -> int:
        step = walk(live.game, number, entry.code)
        return len(entries(say, step)) if isinstance(step.domain, Options) else 1

    best = max(entries(say, walk(live.game, number, "")), key=candidates)
    before = guest.person.find(panel).components
    if menu(guest.person.find(panel)):
        await guest.person.select(panel, best.code)
        await at.table.until(lambda: guest.person.find(panel).components != before)
    elif best.text in buttons(guest.person.find(panel)):
        await guest.press(guest.person.find(panel), best.text)
    else:
        await guest.press(guest.person.find(panel), f"Track on {best.text}")


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parents[2] / "docs" / "pictures"
    target.mkdir(parents=True, exist_ok=True)
    asyncio.run(main(target, frozenset() if len(sys.argv) > 1 else README))
