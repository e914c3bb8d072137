"""Pictures drawn off the event loop. A picture that fails or takes too long is missing, and nothing else is."""

from __future__ import annotations

import asyncio
import io
import logging
from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from typing import TypeVar

import discord

from bot.limits import ALT_TEXT, cut
from engine.changes import View
from engine.game import Game
from engine.routes.model import Route
from engine.steps.track import LayTileChoice
from renderers.kit.picture import Picture
from renderers.pages.auction import draw_auction
from renderers.pages.charter import draw_charter
from renderers.pages.chooser import draw_tiles
from renderers.pages.crop import draw_crop, draw_overview
from renderers.pages.final import draw_final
from renderers.pages.map import draw_map
from renderers.pages.market import draw_market
from renderers.pages.own import draw_pages
from renderers.pages.sheet import draw_sheets
from renderers.pages.supply import draw_supply

_log = logging.getLogger(__name__)

#: An answer waits no longer than this for a picture.
PATIENCE_SECONDS = 8.0
#: A person with a panel open waits no longer than this: its buttons say everything without the picture too.
PANEL_PATIENCE_SECONDS = 3.0

Drawn = TypeVar("Drawn")


class Pictures:
    """Draws in a thread of its own: Pillow holds the interpreter only in short pieces, so the bot stays awake."""

    def __init__(self, workers: int = 1) -> None:
        self._pool: Executor = ThreadPoolExecutor(workers, thread_name_prefix="pictures")
        self._wanted: dict[object, int] = {}

    def close(self) -> None:
        self._pool.shutdown(wait=False, cancel_futures=True)

    async def draw(
        self, make: Callable[[], Drawn], *, instead_of: object = None, patience: float = PATIENCE_SECONDS
    ) -> Drawn | None:
        """What is drawn, or None if it failed. `instead_of` names a series in which only the newest is drawn."""
        number = 0
        if instead_of is not None:
            number = self._wanted[instead_of] = self._wanted.get(instead_of, 0) + 1

        def work() -> Drawn | None:
            if instead_of is not None and self._wanted.get(instead_of) != number:
                return None
            return make()

        try:
            future = asyncio.get_running_loop().run_in_executor(self._pool, work)
            return await asyncio.wait_for(future, patience)
        except TimeoutError:
            _log.warning("a picture took longer than %.0f s", patience)
        except Exception:
            _log.exception("a picture could not be drawn")
        return None

    async def map(
        self,
        game: Game,
        *,
        language: str = "en",
        since: View | None = None,
        around: Collection[str] = (),
        routes: Sequence[Route] = (),
        instead_of: object = None,
        patience: float = PATIENCE_SECONDS,
    ) -> Picture | None:
        return await self.draw(
            lambda: draw_map(
                game,
                language=language,
                since=since,
                around=around,
                routes=routes,
            ),
            instead_of=instead_of,
            patience=patience,
        )

    async def crop(
        self,
        game: Game,
        hexes: Sequence[str],
        *,
        language: str = "en",
        numbers: Mapping[str, int] | None = None,
        stops: Collection[tuple[str, int]] = (),
        since: View | None = None,
        routes: Sequence[Route] = (),
        tallest: float = 1.0,
        instead_of: object = None,
        patience: float = PANEL_PATIENCE_SECONDS,
    ) -> Picture | None:
        return await self.draw(
            lambda: draw_crop(
                game,
                hexes,
                language=language,
                numbers=numbers,
                stops=stops,
                since=since,
                routes=routes,
                tallest=tallest,
            ),
            instead_of=instead_of,
            patience=patience,
        )

    async def overview(
        self, game: Game, parts: Sequence[tuple[str, Sequence[str]]], *, language: str = "en"
    ) -> Picture | None:
        return await self.draw(lambda: draw_overview(game, parts, language=language), patience=PANEL_PATIENCE_SECONDS)

    async def market(
        self,
        game: Game,
        *,
        language: str = "en",
        since: View | None = None,
        part: bool = False,
        instead_of: object = None,
        patience: float = PATIENCE_SECONDS,
    ) -> Picture | None:
        return await self.draw(
            lambda: draw_market(game, language=language, since=since, part=part),
            instead_of=instead_of,
            patience=patience,
        )

    async def auction(self, game: Game, *, language: str = "en", instead_of: object = None) -> Picture | None:
        return await self.draw(lambda: draw_auction(game, language=language), instead_of=instead_of)

    async def pages(self, game: Game, *, language: str = "en", instead_of: object = None) -> Picture | None:
        return await self.draw(lambda: draw_pages(game, language=language), instead_of=instead_of)

    async def final(self, game: Game, *, language: str = "en") -> Picture | None:
        return await self.draw(lambda: draw_final(game, language=language))

    async def sheet(self, game: Game, *, language: str = "en") -> list[Picture]:
        return await self.draw(lambda: draw_sheets(game, language=language)) or []

    async def supply(self, game: Game, *, language: str = "en") -> list[Picture]:
        return await self.draw(lambda: draw_supply(game, language=language)) or []

    async def charter(self, game: Game, company: str, *, language: str = "en") -> Picture | None:
        return await self.draw(lambda: draw_charter(game, company, language=language))

    async def tiles(
        self, game: Game, choice: LayTileChoice, at: str, *, page: int, language: str = "en"
    ) -> Picture | None:
        return await self.draw(
            lambda: draw_tiles(game, choice, at, page=page, language=language).picture,
            patience=PANEL_PATIENCE_SECONDS,
        )


def attach(
    pictures: Sequence[tuple[str, Picture | None]], language: str
) -> tuple[list[discord.File], list[discord.MediaGalleryItem]]:
    """Files and gallery items for pictures that were drawn; the others are left out."""
    files, items = [], []
    for name, picture in pictures:
        if picture is None:
            continue
        alt = cut(picture.alt.get(language) or picture.alt["en"], ALT_TEXT)
        files.append(discord.File(io.BytesIO(picture.png), f"{name}.png", description=alt))
        items.append(discord.MediaGalleryItem(f"attachment://{name}.png", description=alt))
    return files, items
