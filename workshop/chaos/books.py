"""What the database says, read by somebody else, and what the channels say: the two are compared."""

from __future__ import annotations

import json
import re
import sqlite3
from collections import Counter
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import titles
from bot.texts import speaker
from bot.words.wording import event_lines
from engine.game import Game
from engine.moves import from_json

SAY = speaker("en")
AGAIN = "made again"
LEFT_OUT = re.compile(r"… and (\d+) earlier lines?")


class Books:
    """Reads the bot's database while it is in use."""

    def __init__(self, path: Path) -> None:
        self.path = path
        #: The announcements that were to be made, kept here because the bot forgets them after a week of its clock.
        self.notices: dict[int, tuple[int, str, Any]] = {}

    def ask(self, query: str, *values: Any) -> list[Any]:
        with closing(sqlite3.connect(self.path, timeout=60)) as db:
            return db.execute(query, values).fetchall()

    def look(self) -> None:
        for number, game, kind, data in self.ask("SELECT id, game, kind, data FROM notices"):
            self.notices[number] = (game, kind, json.loads(data))

    def pending(self) -> int:
        return int(self.ask("SELECT count(*) FROM notices WHERE done IS NULL")[0][0])

    def reminders_under_way(self) -> int:
        return int(self.ask("SELECT count(*) FROM waiting WHERE begun IS NOT NULL OR host_begun IS NOT NULL")[0][0])

    def games(self) -> dict[int, int]:
        """The channel of each game."""
        return dict(self.ask("SELECT id, channel FROM games"))

    def steps(self) -> dict[int, int]:
        """How many reminders the bot says to have sent in each game since its turn began."""
        return dict(self.ask("SELECT game, max(steps_sent) FROM waiting GROUP BY game"))

    def begun(self, game: int) -> Game:
        """A game as it was before its first move."""
        title, form, options, seed = self.ask("SELECT title, form, options, seed FROM games WHERE id = ?", game)[0]
        names = [row[0] for row in self.ask("SELECT name FROM seats WHERE game = ? ORDER BY position", game)]
        return titles.new_game(title, names, json.loads(options), seed, form)

    def replayed(self, game: int) -> Game:
        made = self.begun(game)
        for (body,) in self.ask("SELECT body FROM log WHERE game = ? AND kind = 'move' ORDER BY seq", game):
            made.apply(from_json(json.loads(body)))
        return made

    def expected(self, game: int) -> Counter[str]:
        """Every line that was to be told of a game."""
        found: Counter[str] = Counter()
        begun = self.begun(game)
        for _, (of, kind, data) in sorted(self.notices.items()):
            if of == game and kind == "moved":
                for part in data["parts"]:
                    found.update(event_lines(SAY.of(begun.definition.id), part["events"], begun))
        return found


@dataclass
class Told:
    """The lines of one card, gathered from everything that it has ever said: it shrinks when its turn is over."""

    lines: Counter[str] = field(default_factory=Counter)
    #: How many lines it has ever had, by its own word.
    claimed: int = 0
    again: bool = False

    @property
    def left_out(self) -> int:
        """Lines of which it only ever said how many there are."""
        return self.claimed - self.lines.total()

    def hear(self, text: str) -> None:
        """The card, as it is from now on."""
        found = Counter(line.removeprefix("- ") for line in text.splitlines() if line.startswith("- "))
        self.lines |= found
        self.again = self.again or AGAIN in text
        more = LEFT_OUT.search(text)
        self.claimed = max(self.claimed, found.total() + (int(more[1]) if more else 0), self.lines.total())


@dataclass
class Figures:
    """What came of it. All but the first group must be nought."""

    faults: Counter[str] = field(default_factory=Counter)
    tried: int = 0
    unanswered: int = 0
    acknowledged: int = 0
    logged: int = 0
    cards: int = 0
    cards_again: int = 0
    lines_left_out: int = 0
    reminders: int = 0
    reminders_again: int = 0
    second_bots: int = 0

    moves_lost: int = 0
    moves_doubled: int = 0
    games_broken: int = 0
    announcements_missing: int = 0
    announcements_doubled: int = 0
    announcements_stuck: int = 0
    reminders_missing: int = 0
    reminders_doubled: int = 0
    second_bots_let_in: int = 0
    bots_dead: int = 0
    faults_of_the_file: int = 0
    table_troubles: int = 0

    def wrong(self) -> dict[str, int]:
        names = list(self.__dataclass_fields__)
        return {name: getattr(self, name) for name in names[names.index("moves_lost") :] if getattr(self, name)}

    def lines(self) -> list[str]:
        result = [f"  {name.replace('_', ' '):<24} {getattr(self, name)}" for name in self.__dataclass_fields__
                  if name != "faults"]  # fmt: skip
        return [f"  {sum(self.faults.values())} faults: " + ", ".join(
            f"{count} {name}" for name, count in sorted(self.faults.items())), *result]  # fmt: skip
