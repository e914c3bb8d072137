"""Walking through a choice: parameters picked one after the other, kept in a few characters of a button's id."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

from bot.numbers import whole
from engine.board.faces import stop_letter
from engine.game import Game
from engine.moves import Move, TrainPath
from engine.offer import Choice, Domain, Number, Options

#: Signs of a check: none that a code uses for something else (`n` begins a number).
_SIGNS = "0123456789abcdefghijklmopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
#: So many of them tell one meaning from another: a wrong one fits once in more than 800 million cases.
_CHECK = 5


class NoSuchChoice(Exception):
    """The picks do not fit the offer; the panel they come from is of another position."""


def check(*meaning: object) -> str:
    """A few signs that stand for a meaning, the same in every process: a value, a choice, a list of moves."""
    number = int.from_bytes(blake2b(repr(meaning).encode(), digest_size=8).digest(), "big")
    signs = []
    for _ in range(_CHECK):
        number, rest = divmod(number, len(_SIGNS))
        signs.append(_SIGNS[rest])
    return "".join(signs)


def meaning(choice: Choice[Any]) -> str:
    """The check of a choice: what kind of move it is, whose, for which company, and what grants it."""
    return check(choice.name, choice.player, choice.company, choice.granted_by, sorted(choice.tells.items()))


def moves_check(moves: Sequence[Move]) -> str:
    """The check of whole moves, in their order."""
    return check(*moves)


def number_of(game: Game, number: int, key: str) -> int:
    """Where the choice of a check stands in the offer now; where it stood (`number`) tells nothing by itself."""
    fitting = [index for index, choice in enumerate(game.offer().choices) if meaning(choice) == key]
    if len(fitting) != 1:
        raise NoSuchChoice(f"{len(fitting)} choices are {key}, which stood at {number}")
    return fitting[0]


@dataclass(frozen=True)
class Walk:
    """A choice with some parameters picked; `domain` is what is asked next, None when the move is complete.

    A `code` is what a person picked: the check of a value, or `n` and a number, for each parameter. It means the same
    in whatever order the values are on offer, and nothing where they are not. A parameter with one possible value is
    picked by itself and leaves no trace. What was picked with one tap is joined with dots, and what was picked with
    different ones with dashes, so that Back knows what was shown before.
    """

    number: int
    choice: Choice[Any]
    code: str
    picked: dict[str, Any]
    domain: Domain | None

    @property
    def complete(self) -> bool:
        return self.domain is None

    def move(self) -> Move:
        move: Move = self.choice.move(self.picked)
        return move

    @property
    def back(self) -> str:
        """The code of what was shown before the last tap."""
        return self.code.rpartition("-")[0]

    def then(self, tokens: str) -> str:
        """The code after one more tap."""
        return f"{self.code}-{tokens}" if self.code else tokens


def walk(game: Game, number: int, code: str) -> Walk:
    """The `number`-th choice of the offer with the picks of a code."""
    choices = game.offer().choices
    if not 0 <= number < len(choices):
        raise NoSuchChoice(f"there is no choice {number}")
    choice = choices[number]
    picked: dict[str, Any] = {}
    rest = code.replace("-", ".").split(".") if code else []
    while (domain := choice.asked(picked)) is not None:
        if isinstance(domain, Options) and len(domain.options) == 1 and not domain.open:
            picked[domain.name] = domain.options[0].value
            continue
        if not rest:
            break
        picked[domain.name] = _value(domain, rest.pop(0))
    if rest:
        raise NoSuchChoice("more picks than parameters")
    return Walk(number, choice, code, picked, domain)


def _value(domain: Domain, token: str) -> Any:
    if isinstance(domain, Number):
        value = whole(token[1:]) if token[:1] == "n" else None
        if value is None:
            raise NoSuchChoice(f"{token!r} is no number")
        if value not in range(domain.low, domain.high + 1, domain.step):
            raise NoSuchChoice(f"{value} is out of range")
        return value
    fitting = [option.value for option in domain.options if value_token(domain, option.value) == token]
    if len(fitting) != 1:
        raise NoSuchChoice(f"{token!r} is no option")
    return fitting[0]


def value_token(domain: Domain, value: Any) -> str:
    """What stands for a value in a code."""
    return f"n{value}" if isinstance(domain, Number) else check(domain.name, value)


def tag(choice: Choice[Any]) -> str:
    """What tells a choice from others of its kind: the private company that grants it, else the company it is for."""
    return choice.granted_by or choice.company


def of_kind(game: Game, player: str, name: str, tagged: str | None = None) -> list[tuple[int, Choice[Any]]]:
    """The choices of a name that a player has, with their numbers.

    Without a tag, what a private company grants is left out: it must be asked for.
    """
    result = []
    for number, choice in enumerate(game.offer().choices):
        if choice.name != name or choice.player != player:
            continue
        if tagged is None:
            fits = not choice.granted_by
        else:
            fits = tag(choice).lower() == tagged.lower()
        if fits:
            result.append((number, choice))
    return result


def find(game: Game, player: str, name: str, words: dict[str, str], tagged: str | None = None) -> tuple[Walk, str]:
    """The choice of a name that takes these words as parameters, and the first parameter that does not fit (or "").

    Words are what somebody typed or took from a list; several choices of one name are tried in turn.
    """
    best: tuple[Walk, str] | None = None
    for number, choice in of_kind(game, player, name, tagged):
        picked: dict[str, Any] = {}
        tokens: list[str] = []
        wrong = ""
        while (domain := choice.asked(picked)) is not None:
            value = match(domain, words.get(domain.name))
            if value is None:
                wrong = domain.name
                break
            picked[domain.name] = value[0]
            tokens += tokens_of(domain, value[0])
        found = Walk(number, choice, ".".join(tokens), picked, domain), wrong
        if not wrong:
            return found
        if best is None or len(picked) > len(best[0].picked):
            best = found
    if best is None:
        raise NoSuchChoice(name)
    return best


def tokens_of(domain: Domain, value: Any) -> list[str]:
    """What a value leaves in a code: nothing where there is no other."""
    if isinstance(domain, Options) and len(domain.options) == 1 and not domain.open:
        return []
    return [value_token(domain, value)]


def named(choice: Choice[Any], words: list[str]) -> tuple[dict[str, str], dict[str, Any], Domain | None]:
    """Words given by their place: their names, the values they stand for, and what is asked for after them.

    Parameters with one possible value take no word.
    """
    fields: dict[str, str] = {}
    picked: dict[str, Any] = {}
    rest = list(words)
    while (domain := choice.asked(picked)) is not None:
        if isinstance(domain, Options) and len(domain.options) == 1:
            picked[domain.name] = domain.options[0].value
            continue
        if not rest:
            break
        fields[domain.name] = rest.pop(0)
        value = match(domain, fields[domain.name])
        if value is None:
            break
        picked[domain.name] = value[0]
    return fields, picked, domain


def match(domain: Domain, word: str | None) -> tuple[Any] | None:
    """The value that a word stands for, in a tuple; None if there is none."""
    if isinstance(domain, Number):
        value = whole(word)
        return None if value is None or value not in range(domain.low, domain.high + 1, domain.step) else (value,)
    if word is None:
        return (domain.options[0].value,) if len(domain.options) == 1 else None
    wanted = word.strip().lower().rstrip("% ")
    for option in domain.options:
        if wanted in (str(option.value).lower(), typed(domain, option.value).lower()):
            return (option.value,)
    return None


def typed(domain: Options, value: Any) -> str:
    """How a value is typed: a stop is a letter, routes are the best ones."""
    if domain.name == "stop" and isinstance(value, int):
        return stop_letter(value)
    if isinstance(value, tuple) and value and isinstance(value[0], TrainPath):
        return "best"
    return str(value)
