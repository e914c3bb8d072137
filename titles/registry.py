"""Which titles there are, how a game of one is begun, and how a saved game is read."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from engine import codec
from engine.errors import BadGame, Refused
from engine.game import Game
from engine.rules import Rules


@dataclass(frozen=True)
class OptionSpec:
    """An option of a title: its values, the first being the default."""

    id: str
    name: str
    values: tuple[Any, ...]
    clause: str = ""


@dataclass(frozen=True)
class Title:
    """A game that can be played."""

    id: str
    name: str
    players: tuple[int, int]
    options: tuple[OptionSpec, ...]
    make_rules: Callable[[Mapping[str, Any]], Rules]
    #: Changes when a rule or a value changes so that older games would replay differently.
    version: int

    def full_options(self, chosen: Mapping[str, Any]) -> dict[str, Any]:
        """All options with their values; Refused for an unknown option or value."""
        result = {spec.id: spec.values[0] for spec in self.options}
        for key, value in chosen.items():
            spec = next((spec for spec in self.options if spec.id == key), None)
            if spec is None:
                raise Refused("", f"{self.name} has no option {key!r:.40}")
            if not any(value == known and type(value) is type(known) for known in spec.values):
                raise Refused("", f"option {key} takes {', '.join(map(str, spec.values))}, not {value!r:.40}")
            result[key] = value
        return result


def known() -> tuple[Title, ...]:
    """All titles."""
    from titles import bl, rhl

    return rhl.TITLE, bl.TITLE


def find(name: str) -> Title:
    for title in known():
        if title.id == name:
            return title
    raise Refused("", f"there is no title {name!r:.40}; there is {', '.join(t.id for t in known())}")


@lru_cache(maxsize=32)
def _rules(name: str, options: tuple[tuple[str, Any], ...]) -> Rules:
    return find(name).make_rules(dict(options))


def rules(name: str, options: Mapping[str, Any]) -> Rules:
    """The rules of a title with options; the same object for the same options."""
    full = find(name).full_options(options)
    return _rules(name, tuple(sorted(full.items())))


def new_game(title: str, players: Sequence[str], options: Mapping[str, Any] | None = None, seed: int = 0) -> Game:
    """Begin a game.

    >>> game = new_game("rhl", ["ann", "bo", "cy"], {"optional_2_train": True}, seed=18)
    >>> len(game.offer().deciders)
    1
    """
    return Game(rules(title, options or {}), tuple(players), seed)


def load_game(text: str, until: int | None = None) -> Game:
    """Replay a saved game, up to a move if asked; BadGame names the move that is at fault."""
    saved = codec.read(text)
    try:
        title = find(saved.title)
        if saved.title_version != title.version:
            raise BadGame(
                f"the game was begun under version {saved.title_version} of {title.name}; this is {title.version}"
            )
        game = new_game(saved.title, saved.players, saved.options, saved.seed)
    except Refused as error:
        raise BadGame(f"the game cannot be set up: {error}") from None
    return codec.replay(game, saved, until)
