"""Which titles and forms there are, how a game of one is begun, and how a saved game is read."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import import_module
from itertools import product
from pathlib import Path
from pkgutil import ModuleInfo, iter_modules
from typing import Any, Protocol

import catalogue
from engine import codec, renames
from engine.errors import BadGame, Refused
from engine.game import Game
from engine.rules import Rules, Setup

#: The most that a form can ask of people.
HARDEST = 5


@dataclass(frozen=True)
class OptionSpec:
    """An option of a form: its values, the first being the default. Its name is `option.<id>` in the texts."""

    id: str
    values: tuple[Any, ...]
    clause: str = ""
    #: The value that stands for any of the others by lot, if there is one.
    by_lot: str = ""
    #: For how many players there is something to choose; for others the option does nothing.
    players: tuple[int, ...] = ()
    #: Values that make no game of their own: others, or other options, say the same.
    needless: tuple[Any, ...] = ()

    def kinds(self, players: int) -> tuple[Any, ...]:
        """The values that are games of their own for so many players."""
        if self.players and players not in self.players:
            return self.values[:1]
        return tuple(value for value in self.values if value != self.by_lot and value not in self.needless)

    def drawn(self, seed: int) -> Any:
        """One of the values that are not the lot itself; a seed always gives the same."""
        return random.Random(f"{self.id} {seed}").choice([value for value in self.values if value != self.by_lot])


@dataclass(frozen=True)
class Apart:
    """Values of options that cannot be chosen together, with the clause; `apart.<why>` in the texts gives a reason."""

    values: Mapping[str, Any]
    clause: str = ""
    why: str = ""

    def names(self, chosen: Mapping[str, Any]) -> bool:
        """Whether all of them have been chosen."""
        return all(chosen[option] == value for option, value in self.values.items())


def as_chosen(options: Mapping[str, Any], seed: int) -> Mapping[str, Any]:
    """Nothing is left to the lot."""
    return options


@dataclass(frozen=True)
class Form:
    """A way to play a title, with its own numbers of players and options.

    Its name is `form.<id>` in the texts, and `what.<id>` says in a sentence what it is.
    """

    id: str
    players: tuple[int, int]
    options: tuple[OptionSpec, ...]
    make: Callable[[Setup], Rules]
    #: How hard it is, from 1 for a first game of this kind to HARDEST.
    weight: int
    #: About how many moves everybody makes, by the number of players: what greedy house players need.
    moves: Mapping[int, int]
    #: Whether it is a good first game of this kind.
    newcomers: bool = False
    #: The form of which it is another edition: it is offered with that one, not among the forms of a box.
    edition_of: str = ""
    #: The ledger's clause that says for how many it is.
    clause: str = ""
    #: Which options do not go together; all others may be combined freely.
    apart: tuple[Apart, ...] = ()
    #: The options of a game that begins with a seed, where some of them leave others to the lot.
    by_lot: Callable[[Mapping[str, Any], int], Mapping[str, Any]] = as_chosen

    def fits(self, players: int) -> bool:
        """Whether so many can play it."""
        return self.players[0] <= players <= self.players[1]

    def full_options(self, chosen: Mapping[str, Any]) -> dict[str, Any]:
        """All options with their values; Refused for an unknown option or value, and for what does not go together."""
        result = {spec.id: spec.values[0] for spec in self.options}
        for key, value in chosen.items():
            spec = next((spec for spec in self.options if spec.id == key), None)
            if spec is None:
                raise Refused("", "unknown.option", option=key)
            if not any(value == known and type(value) is type(known) for known in spec.values):
                raise Refused("", "option.value", option=key, values=spec.values, value=value)
            result[key] = value
        for apart in self.apart:
            if apart.names(result):
                pairs = tuple(f"{option}={value}".lower() for option, value in apart.values.items())
                if apart.why:
                    raise Refused(apart.clause, "option.apart.why", options=pairs, apart=apart.why)
                raise Refused(apart.clause, "option.apart", options=pairs)
        return result

    def combinations(self) -> Iterator[dict[str, Any]]:
        """Every choice of options that there is."""
        return self._together([spec.values for spec in self.options])

    def games(self, players: int) -> Iterator[dict[str, Any]]:
        """Every game that so many can play: one choice of options where several mean the same, none by lot."""
        return self._together([spec.kinds(players) for spec in self.options])

    def _together(self, values: Sequence[Sequence[Any]]) -> Iterator[dict[str, Any]]:
        for picks in product(*values):
            chosen = {spec.id: pick for spec, pick in zip(self.options, picks, strict=True)}
            if not any(apart.names(chosen) for apart in self.apart):
                yield chosen

    def options_for(self, chosen: Mapping[str, Any], players: int) -> dict[str, Any]:
        """All options with their values for a number of players: what is nothing to them stands on its default."""
        result = self.full_options(chosen)
        for spec in self.options:
            if spec.players and players not in spec.players:
                result[spec.id] = spec.values[0]
        return result

    def draw(self, chosen: Mapping[str, Any], players: int, seed: int) -> dict[str, Any]:
        """All options of a game that begins, with what is left to the lot drawn."""
        result = self.options_for(chosen, players)
        for spec in self.options:
            if spec.by_lot and result[spec.id] == spec.by_lot and (not spec.players or players in spec.players):
                result[spec.id] = spec.drawn(seed)
        return dict(self.by_lot(result, seed))


@dataclass(frozen=True)
class Foreign:
    """A game out of another program's file, as far as it could be played again."""

    game: Game
    #: Our players by the numbers that they have there, in the order of their seats.
    players: Mapping[Any, str]
    #: What could not be translated, and why; "" if everything could be.
    stopped: str = ""
    why: Exception | None = None


class FileFormat(Protocol):
    """The form of another program's files of games of a title."""

    #: What people call it.
    name: str
    #: Whose files these are, and of which games, in English.
    about: str

    def fits(self, data: Mapping[str, Any]) -> bool:
        """Whether a file is of this form and this title."""
        ...

    def read(self, data: Mapping[str, Any]) -> Foreign:
        """The game of a file; BadGame if there is none in it."""
        ...

    def write(self, game: Game) -> dict[str, Any]:
        """A game of ours as such a file; BadGame says what that program has no word for."""
        ...


@dataclass(frozen=True)
class Title:
    """A box: a game with its forms of play, the first being the usual one; `what.title` says what it is about."""

    id: str
    name: str
    forms: tuple[Form, ...]
    #: Where it stands on the shelf, among those that people choose from; of equal ones in the order of their ids.
    place: int = 100
    #: What titles share their words: packages whose texts come before the title's own.
    family: tuple[str, ...] = ()
    #: Other programs' files that can be read and written.
    formats: tuple[FileFormat, ...] = ()

    def form(self, name: str = "") -> Form:
        """A form by its id, the first without one."""
        if not name:
            return self.forms[0]
        for form in self.forms:
            if form.id == name:
                return form
        raise Refused("", "unknown.form", title=self.name, form=name, forms=tuple(form.id for form in self.forms))

    def form_for(self, players: int) -> Form:
        """The usual form for so many; if there is none, the usual one."""
        return next((form for form in self.forms if form.fits(players)), self.forms[0])


def known() -> tuple[Title, ...]:
    """All titles: every package here that has a TITLE, in their places on the shelf."""
    packages = [import_module(f"titles.{each.name}") for each in _packages()]
    found = [package.TITLE for package in packages if hasattr(package, "TITLE")]
    return tuple(sorted(found, key=lambda title: (title.place, title.id)))


@cache
def _packages() -> tuple[ModuleInfo, ...]:
    return tuple(each for each in iter_modules([str(Path(__file__).parent)]) if each.ispkg)


def find(name: str) -> Title:
    for title in known():
        if title.id == name:
            return title
    raise Refused("", "unknown.title", title=name, titles=tuple(title.id for title in known()))


@lru_cache(maxsize=64)
def texts(title: str, language: str) -> Mapping[str, str]:
    """A title's own words, over those of its family; none for what is not a title."""
    box = next((box for box in known() if box.id == title), None)
    packages = () if box is None else (*box.family, f"titles.{title}")
    return {key: text for package in packages for key, text in catalogue.read(package, language).items()}


def find_form(name: str, players: int = 0) -> tuple[Title, Form]:
    """A title and one of its forms by `title:form`; a title alone means its usual form, for so many if it is said."""
    title, _, form = name.partition(":")
    found = find(title)
    return found, found.form(form) if form or not players else found.form_for(players)


def suggested(players: int = 0) -> list[tuple[Title, Form]]:
    """What so many can play, best for a first game first; then the titles' usual forms, then the others."""
    found = [(title, form) for title in known() for form in title.forms if not players or form.fits(players)]

    def last(each: tuple[Title, Form]) -> tuple[bool, bool, int]:
        title, form = each
        usual = form is (title.form_for(players) if players else title.forms[0])
        return not form.newcomers, not usual, form.weight

    return sorted(found, key=last)


def chosen(title: Title, form: Form, options: Mapping[str, Any]) -> dict[str, Any]:
    """All options of a form with their values; Refused, in the title's words, for what there is not."""
    try:
        return form.full_options(options)
    except Refused as refused:
        refused.title = title.id
        raise


@lru_cache(maxsize=64)
def _rules(title: str, form: str, options: tuple[tuple[str, Any], ...], players: int) -> Rules:
    return find(title).form(form).make(Setup(form, dict(options), players))


def rules(title: str, players: int, options: Mapping[str, Any] | None = None, form: str = "") -> Rules:
    """The rules of a form with options for a number of players; the same object for the same question."""
    box = find(title)
    wanted = box.form(form)
    full = wanted.options_for(chosen(box, wanted, options or {}), players)
    low, high = wanted.players
    if not low <= players <= high:
        raise Refused(wanted.clause, "players.count", title=box.name, low=low, high=high, count=players)
    return _rules(title, wanted.id, tuple(sorted(full.items())), players)


def rules_for(
    title: str, players: int, options: Mapping[str, Any] | None = None, seed: int = 0, form: str = ""
) -> Rules:
    """The rules of a game that begins with a seed: what options leave to the lot is drawn."""
    return rules(title, players, find(title).form(form).draw(options or {}, players, seed), form)


def new_game(
    title: str,
    players: Sequence[str],
    options: Mapping[str, Any] | None = None,
    seed: int = 0,
    form: str = "",
) -> Game:
    """Begin a game; without a form the title's first.

    >>> game = new_game("rhl", ["ann", "bo", "cy"], {"optional_2_train": True}, seed=18)
    >>> len(game.offer().deciders)
    1
    """
    return Game(rules_for(title, len(players), options, seed, form), tuple(players), seed)


def load_game(text: str, until: int | None = None) -> Game:
    """Replay a saved game, up to a move if asked; BadGame names the move that is at fault."""
    saved = codec.read(text)
    try:
        form, options = renames.form(saved.title, saved.form), renames.options(saved.title, saved.options)
        game = new_game(saved.title, saved.players, options, saved.seed, form)
    except Refused as error:
        raise BadGame("the game cannot be set up", error) from None
    return codec.replay(game, saved, until)


def formats() -> Iterator[FileFormat]:
    """The forms of other programs' files that can be read and written."""
    for title in known():
        yield from title.formats


def foreign_game(text: str) -> Foreign:
    """The game in another program's file; BadGame if it is of no form that is known."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadGame(f"this is no game: {error}") from None
    found = next((each for each in formats() if isinstance(data, dict) and each.fits(data)), None)
    if found is None:
        names = ", ".join(each.name for each in formats())
        raise BadGame(f"this is no game in a form that can be read ({codec.FORMAT}, {names})")
    return found.read(data)


def foreign_file(game: Game, name: str) -> dict[str, Any]:
    """A game as another program's file; BadGame if that program does not know its title or something in it."""
    found = next((each for each in find(game.definition.id).formats if each.name == name), None)
    if found is None:
        raise BadGame(f"{game.definition.name} cannot be written in the form {name}")
    return found.write(game)
