"""What everybody needs who answers people or tells channels; who asks Discord itself has the client besides."""

from __future__ import annotations

from dataclasses import dataclass

from bot.card.pictures import Pictures
from bot.fair_queue import FairQueue
from bot.games.searching import Searches
from bot.games.service import GameService
from bot.people import People
from bot.problems import Problems
from bot.scheduler import Scheduler
from storage.sqlite import SqliteStore


@dataclass(frozen=True)
class Services:
    """Made once when the client starts, and handed to cogs, panels, announcements and reminders."""

    games: GameService
    store: SqliteStore
    people: People
    pictures: Pictures
    searches: Searches
    problems: Problems
    fair_queue: FairQueue
    scheduler: Scheduler
