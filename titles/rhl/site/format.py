"""18xx.games' own JSON, as the shelf of titles knows it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.game import Game
from titles.registry import FileFormat, Foreign
from titles.rhl.site import words
from titles.rhl.site.reading import read
from titles.rhl.site.writing import write


class SiteFormat(FileFormat):
    """Games of 18Rhl's earlier edition, which is the one that the site plays."""

    name = "18xx"
    about = "18xx.games, of 18Rhl's earlier edition"

    def fits(self, data: Mapping[str, Any]) -> bool:
        return data.get("title") == words.TITLE and "actions" in data

    def read(self, data: Mapping[str, Any]) -> Foreign:
        return read(data)

    def write(self, game: Game) -> dict[str, Any]:
        return write(game)


FORMAT = SiteFormat()
