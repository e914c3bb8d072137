"""What is otherwise by today's rules, in sentences: a position as it stands beside that to which its moves lead now.

Of what not everybody may see nothing is told but that something of the kind is otherwise.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from bot.names import called, shown
from bot.texts import Say
from bot.words.wording import lot_text, words
from engine.game import Game
from engine.position import Difference

#: Sentences that a card tells; the rest are counted.
MOST = 12
#: What the engine calls certificates that nobody holds, as a title or the bot calls it.
_PLACES = ("offering", "pool", "aside", "removed", "bank")


def difference_lines(say: Say, game: Game, told: Sequence[Difference], most: int = MOST) -> list[str]:
    """A sentence for each difference, no more than `most`; the game knows its companies, hexes and people by name."""
    found = [line for each in told for line in _Telling(say, game).lines(each)]
    lines = list(dict.fromkeys(line[:1].upper() + line[1:] for line in found))
    if len(lines) > most:
        lines = [*lines[: most - 1], say("differs.more", count=len(lines) - most + 1)]
    return lines


def changed_tables(say: Say, tables: Sequence[str]) -> str:
    """Tables of a title by the names that people have for them."""
    return ", ".join(dict.fromkeys(words(say, "table", name) for name in tables))


class _Telling:
    def __init__(self, say: Say, game: Game) -> None:
        self.say = say.of(game.definition.id)
        self.game = game

    def lines(self, difference: Difference) -> Iterator[str]:
        what, about = difference.what, difference.about
        if what == "hidden" or (what == "fact" and self.game.rules.secret):
            yield self.say("differs.hidden")
        elif what == "fact":
            known = self.say.known(f"matter.{about}")
            yield self.say("differs.fact", what=self.say(f"matter.{about}")) if known else self.say("differs.other")
        elif what == "company":
            company, _, part = about.partition(".")
            yield from self._company(company, part, difference.before, difference.now)
        else:
            yield from self._table(what, about, difference.before, difference.now)

    def _two(self, key: str, before: Any, now: Any, tell: Callable[[Any], str], **values: Any) -> str:
        """A sentence with what stands and what would be."""
        return self.say(f"differs.{key}", before=tell(before), now=tell(now), **values)

    # ------------------------------------------------------------------ what the values are called

    def _who(self, name: Any) -> str:
        if not name:
            return self.say("differs.nobody")
        if name in _PLACES:
            return words(self.say, "differs", f"at_{name}")
        return called(self.say, str(name))

    def _list(self, names: Any) -> str:
        return ", ".join(self._who(name) for name in names or () if name) or self.say("differs.nothing")

    def _money(self, amount: Any) -> str:
        return self.say("entry.money", value=amount or 0)

    def _counted(self, things: Any) -> str:
        found = things.items() if isinstance(things, Mapping) else Counter(things or ()).items()
        return ", ".join(f"{count} × {shown(str(name))}" for name, count in found) or self.say("differs.nothing")

    def _tile(self, tile: Any) -> str:
        name = tile[0] if isinstance(tile, list | tuple) and tile else tile
        return shown(str(name)) if name else self.say("differs.nothing")

    def _price(self, cell: Any) -> str:
        rows = self.game.definition.market.rows
        try:
            row, column = cell
            return self._money(rows[row][column])
        except (TypeError, ValueError, IndexError):
            return self.say("differs.none")

    def _states(self, found: Any) -> str:
        return ", ".join(self.say(f"differs.is_{word}") for word in found or ()) or self.say("differs.is_nothing")

    def _tokens(self, stops: Any) -> str:
        return self._list([token for stop in stops or () for token in (stop if isinstance(stop, list) else [stop])])

    def _phase(self, number: Any) -> str:
        phases = self.game.definition.phases
        known = isinstance(number, int) and 0 <= number < len(phases)
        return shown(str(phases[number].name)) if known else self.say("differs.none")

    def _hex(self, at: str) -> str:
        found = self.game.definition.map.hexes.get(at)
        return f"{at} {found.name}" if found is not None and found.name else at

    # ------------------------------------------------------------------ kinds of differences

    def _company(self, company: str, part: str, before: Any, now: Any) -> Iterator[str]:
        values = {"company": called(self.say, company)}
        match part:
            case "certificates":
                yield from self._certificates(company, before or [], now or [])
            case "director":
                yield self._two(part, before, now, self._who, **values)
            case "price":
                yield self._two(part, before, now, self._price, **values)
            case "par" | "last_revenue":
                yield self._two(part, before, now, self._money, **values)
            case "trains":
                yield self._two(part, before, now, self._list, **values)
            case "tokens_left":
                yield self._two(part, before, now, lambda left: str(len(left or ())), **values)
            case "is":
                yield self._two(part, before, now, self._states, **values)
            case _:
                yield self.say("differs.company", **values)

    def _certificates(self, company: str, before: Sequence[str], now: Sequence[str]) -> Iterator[str]:
        """How much of it everybody holds."""
        row = self.game.definition.corporations.get(company)
        sizes = row.shares if row is not None else ()
        name = called(self.say, company)
        if len(sizes) != len(before) or len(sizes) != len(now):
            yield self.say("differs.company", company=name)
            return
        had, has = Counter[str](), Counter[str]()
        for size, old, new in zip(sizes, before, now, strict=True):
            had[old] += size
            has[new] += size
        lines = [
            self._two(
                "certificates", had[who], has[who], lambda percent: f"{percent} %", company=name, who=self._who(who)
            )
            for who in dict.fromkeys((*had, *has))
            if had[who] != has[who]
        ]
        # The same shares in other certificates.
        yield from lines or [self.say("differs.company", company=name)]

    def _table(self, what: str, about: str, before: Any, now: Any) -> Iterator[str]:
        match what:
            case "cash" | "loans":
                yield self._two(what, before, now, self._money, who=self._who(about))
            case "private":
                yield self._two(what, before, now, self._who, private=shown(lot_text(self.say, self.game, about)))
            case "seats" | "retired" | "used":
                yield self._two(what, before, now, self._list)
            case "priority":
                yield self._two(what, before, now, self._who)
            case "phase":
                yield self._two(what, before, now, self._phase)
            case "bank_broken" | "finished":
                yield self.say(f"differs.{what}" if now else f"differs.not_{what}")
            case "stack":
                cell = [int(part) for part in about.split(",") if part.isdecimal()]
                yield self._two(what, before, now, self._list, price=self._price(cell))
            case "tile":
                yield self._two(what, before, now, self._tile, hex=self._hex(about))
            case "stations" | "beside" | "markers":
                yield self._two(what, before, now, self._tokens, hex=self._hex(about))
            case "supply":
                yield self.say("differs.supply")
            case "depot":
                yield self._two(f"depot_{about}", before, now, self._counted)
            case "round":
                yield from self._round(about, before, now)
            case _:
                yield self.say("differs.other")

    def _round(self, about: str, before: Any, now: Any) -> Iterator[str]:
        match about:
            case "turn_of":
                yield self._two(about, before, now, self._who)
            case "step":
                yield self._two(about, before, now, lambda step: words(self.say, "step", step) if step else "–")
            case "asks":
                yield self.say("differs.asks")
            case _:
                yield self.say("differs.round")
