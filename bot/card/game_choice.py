"""Choosing a game: what a form is, how hard and how long, and the private pages that lead to a lobby in a few taps."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Self

import discord
from discord import ui

import titles
from bot.card.turn import Card, noted
from bot.limits import OPTION_TEXT, OPTIONS, PLACEHOLDER, cut
from bot.picking.buttons import WishButton, WishSelect, rows_of
from bot.picking.walk import check
from bot.texts import Say
from bot.words.wording import reconstructed, words
from engine.errors import Refused

#: Values of options are numbered with these in an id.
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
#: Where a game may be played, and their letters in an id.
_PLACES = {"": "", "thread": "t", "here": "h"}


# ---------------------------------------------------------------------- what a form is


def form_name(say: Say, title: titles.Title, form: titles.Form) -> str:
    """The title's name, with the form where it has several."""
    if len(title.forms) == 1:
        return title.name
    return say("choose.name", title=title.name, form=say.of(title.id)(f"form.{form.id}"))


def weight_text(say: Say, form: titles.Form) -> str:
    """How hard it is, at a glance and in a word."""
    dots = "●" * form.weight + "○" * (titles.HARDEST - form.weight)
    return say("choose.weight", dots=dots, word=say(f"weight.{form.weight}"))


def facts_line(say: Say, form: titles.Form, players: int = 0) -> str:
    """How hard, how long and for how many; how long for so many, if it is said."""
    if players in form.moves:
        length = say("choose.moves", moves=form.moves[players])
    else:
        low, high = min(form.moves.values()), max(form.moves.values())
        length = say("choose.moves", moves=low) if low == high else say("choose.moves_between", low=low, high=high)
    low, high = form.players
    many = say("choose.exactly", count=low) if low == high else say("choose.players", low=low, high=high)
    return say("choose.facts", weight=weight_text(say, form), length=length, players=many)


def brief_line(say: Say, form: titles.Form, players: int) -> str:
    """How hard and how long it is for so many."""
    return say("choose.brief", weight=weight_text(say, form), length=say("choose.moves", moves=form.moves[players]))


def main_forms(title: titles.Title, players: int) -> list[titles.Form]:
    """The forms that so many can play, without other editions of them."""
    return [form for form in title.forms if form.fits(players) and not form.edition_of]


def about_form(
    say: Say,
    title: titles.Title,
    form: titles.Form,
    players: int,
    options: Mapping[str, Any] | None = None,
    *,
    whole: bool = False,
) -> list[str]:
    """What a form is, its facts, whom it is good for, and how much or, as a `whole`, what of it is reconstructed."""
    lines = [say.of(title.id)(f"what.{form.id}"), facts_line(say, form, players)]
    if form.newcomers:
        lines.append(say("choose.newcomers"))
    count = players if form.fits(players) else form.players[0]
    parts = titles.rules(title.id, count, options or {}, form.id).definition.reconstructed
    if parts and whole:
        lines.append(say("info.reconstructed", what=reconstructed(say, title.id, parts)))
    elif parts:
        lines.append(say("info.reconstructed_short", count=len(parts)))
    return lines


# ---------------------------------------------------------------------- what somebody wants


@dataclass(frozen=True)
class Wish:
    """What somebody wants to play, as far as they have said. All of it fits into the id of a button."""

    seats: int = 0
    title: str = ""
    form: str = ""
    #: A digit for each option of the form: which of its values. Without one, all are as usual.
    digits: str = ""
    where: str = ""
    hours: tuple[int, ...] = ()
    seed: int | None = None
    #: Whether it comes from an id that stood for something else than it would now.
    outdated: bool = field(default=False, compare=False)

    @property
    def code(self) -> str:
        """The wish as part of an id, with a check of what its digits mean."""
        seed = "" if self.seed is None else str(self.seed)
        hours = ".".join(map(str, self.hours))
        digits = f"{self.digits}-{self._check()}" if self.form else self.digits
        return ":".join([str(self.seats), self.title, self.form, digits, _PLACES[self.where], hours, seed])

    def _check(self) -> str:
        return check(sorted(self.options().items()))

    def _means(self, meant: str) -> bool:
        """Whether the digits stand for what they stood for."""
        try:
            return self._check() == meant
        except Refused:
            # By now they are options that do not go together.
            return False

    @classmethod
    def read(cls, code: str) -> Self:
        """The wish of an id; what is no longer on the shelf has not been chosen."""
        seats, title, form, options, place, hours, seed = code.split(":")
        digits, _, meant = options.partition("-")
        box = next((box for box in titles.known() if box.id == title), None)
        kept = next((each for each in box.forms if each.id == form), None) if box is not None else None
        wish = cls(
            seats=int(seats),
            title="" if box is None else title,
            form="" if kept is None else form,
            digits=digits if kept is not None and len(digits) == len(kept.options) else "",
            where=next(where for where, letter in _PLACES.items() if letter == place),
            hours=tuple(map(int, filter(None, hours.split(".")))),
            seed=int(seed) if seed else None,
        )
        as_meant = (wish.title, wish.form) == (title, form) and (not form or wish._means(meant))
        # What the digits stood for cannot be told any more: the usual game is shown instead, and that it is another.
        return wish if as_meant else replace(wish, digits="", outdated=True)

    def chosen(self) -> tuple[titles.Title, titles.Form]:
        """The form; the title's usual one for so many if none was named."""
        box = titles.find(self.title)
        return box, box.form(self.form) if self.form else box.form_for(self.seats)

    def options(self) -> dict[str, Any]:
        """All options of the form with their values."""
        _, form = self.chosen()
        wanted = {}
        for spec, digit in zip(form.options, self.digits, strict=False):
            wanted[spec.id] = spec.values[min(_DIGITS.index(digit), len(spec.values) - 1)]
        return form.full_options(wanted)

    def with_options(self, options: Mapping[str, Any]) -> Wish:
        """This wish with other values of the options."""
        _, form = self.chosen()
        digits = (_DIGITS[spec.values.index(options.get(spec.id, spec.values[0]))] for spec in form.options)
        return replace(self, digits="".join(digits))


# ---------------------------------------------------------------------- the pages


def page(say: Say, name: str, wish: Wish) -> Card:
    """A page of the way to a lobby, by its name."""
    if wish.outdated:
        return noted(page(say, name, replace(wish, outdated=False)), say("choose.outdated"))
    if not wish.seats:
        return _seats(say, wish)
    if name in ("games", "seats") or not wish.title:
        return _PAGES["seats" if name == "seats" else "games"](say, wish)
    if name.startswith("o") and name != "open":
        specs = wish.chosen()[1].options
        found = next((index for index, spec in enumerate(specs) if _option_page(spec) == name), None)
        return noted(_form(say, wish), say("choose.outdated")) if found is None else _values(say, wish, found)
    return _PAGES.get(name, _form)(say, wish)


def _option_page(spec: titles.OptionSpec) -> str:
    """The name of the page with the values of an option."""
    return f"o{check(spec.id)}"


def _button(
    wish: Wish, name: str, label: str, style: discord.ButtonStyle = discord.ButtonStyle.secondary
) -> WishButton:
    return WishButton.make(name, wish.code, label, style)


def _menu(entries: Sequence[tuple[str, str, str, Wish]], placeholder: str) -> list[ui.ActionRow[Any]]:
    """A menu of pages: label, small line, page and wish of each; none without entries."""
    if not entries:
        return []
    options = [
        discord.SelectOption(
            label=cut(label, OPTION_TEXT), description=cut(small, OPTION_TEXT) or None, value=f"{name}:{wish.code}"
        )
        for label, small, name, wish in entries[:OPTIONS]
    ]
    return [ui.ActionRow(WishSelect.make(options, cut(placeholder, PLACEHOLDER)))]


def _seats(say: Say, wish: Wish) -> Card:
    """How many will play?"""
    low = min(form.players[0] for box in titles.known() for form in box.forms)
    high = max(form.players[1] for box in titles.known() for form in box.forms)
    styles = discord.ButtonStyle.primary
    numbers = [_button(replace(wish, seats=n), "games", str(n), styles) for n in range(low, high + 1)]
    return Card(say("choose.seats"), rows=rows_of(numbers))


def _games(say: Say, wish: Wish) -> Card:
    """One game to begin with, and the boxes."""
    wish = replace(wish, title="", form="", digits="")
    fitting = titles.suggested(wish.seats)
    if not fitting:
        return Card(
            say("choose.nothing", count=wish.seats), rows=rows_of([_button(wish, "seats", say("choose.number"))])
        )
    title, form = fitting[0]
    text = [
        say("choose.games", count=wish.seats),
        say(
            "choose.first" if form.newcomers else "choose.simplest", name=form_name(say, title, form), count=wish.seats
        ),
        say.of(title.id)(f"what.{form.id}"),
        facts_line(say, form, wish.seats),
    ]
    taken = replace(wish, title=title.id, form=form.id)
    boxes = []
    for box in titles.known():
        forms = main_forms(box, wish.seats)
        if not forms:
            continue
        chosen = replace(wish, title=box.id, form=forms[0].id if len(forms) == 1 else "")
        boxes.append((box.name, say.of(box.id)("what.title"), "form" if chosen.form else "forms", chosen))
    buttons = [
        _button(taken, "form", say("choose.this"), discord.ButtonStyle.success),
        _button(taken, "alone", say("choose.alone")),
        _button(wish, "seats", say("choose.number")),
    ]
    return Card("\n".join(text), rows=[*rows_of(buttons), *_menu(boxes, say("choose.box"))])


def _forms(say: Say, wish: Wish) -> Card:
    """The forms of a box that so many can play."""
    box, own = titles.find(wish.title), say.of(wish.title)
    text = [say("choose.forms", title=box.name, about=own("what.title"))]
    buttons: list[ui.Item[Any]] = []
    for form in main_forms(box, wish.seats):
        name = own(f"form.{form.id}")
        text.append(
            say("choose.line", name=name, about=own(f"what.{form.id}"), facts=brief_line(say, form, wish.seats))
        )
        style = discord.ButtonStyle.secondary if buttons else discord.ButtonStyle.primary
        buttons.append(_button(replace(wish, form=form.id, digits=""), "form", name, style))
    return Card("\n".join(text), rows=[*rows_of(buttons, 3), *rows_of([_button(wish, "games", say("choose.back"))])])


def _details(say: Say, wish: Wish) -> Card:
    """All there is to know of a form before it is begun."""
    title, form = wish.chosen()
    text = [
        say("choose.form", name=form_name(say, title, form), count=wish.seats),
        *about_form(say, title, form, wish.seats, wish.options(), whole=True),
    ]
    return Card("\n".join(text), rows=rows_of([_button(wish, "form", say("choose.back"))]))


def _form(say: Say, wish: Wish) -> Card:
    """One form: what it is, its variants, and the button that opens the lobby."""
    title, form = wish.chosen()
    wish, own, now = replace(wish, form=form.id), say.of(title.id), wish.options()
    changed = [
        say("info.option", name=own(f"option.{spec.id}"), value=_value(own, now[spec.id]))
        for spec in form.options
        if now[spec.id] != spec.values[0]
    ]
    text = [
        say("choose.form", name=form_name(say, title, form), count=wish.seats),
        *about_form(say, title, form, wish.seats, now),
        *([say("info.options", options="; ".join(changed))] if changed else []),
    ]
    entries = []
    for spec in form.options:
        others = _others(form, spec, now, wish.seats)
        if len(others) == 1:
            entry = ("form", wish.with_options({**now, spec.id: others[0]}))
        elif others:
            entry = (_option_page(spec), wish)
        else:
            continue
        entries.append((own(f"option.{spec.id}"), _value(own, now[spec.id]), *entry))
    for each in title.forms:
        if each is not form and (each.edition_of or each.id) == (form.edition_of or form.id) and each.fits(wish.seats):
            other = replace(wish, form=each.id, digits="")
            entries.append((own(f"form.{each.id}"), own(f"what.{each.id}"), "form", other))
    several = len(main_forms(title, wish.seats)) > 1
    buttons = [
        _button(wish, "open", say("choose.open"), discord.ButtonStyle.success),
        _button(wish, "details", say("choose.details")),
        _button(wish, "alone", say("choose.alone")),
        _button(replace(wish, form="", digits=""), "forms" if several else "games", say("choose.back")),
    ]
    return Card("\n".join(text), rows=[*rows_of(buttons), *_menu(entries, say("choose.variant"))])


def _values(say: Say, wish: Wish, index: int) -> Card:
    """The values of one option."""
    title, form = wish.chosen()
    own, now = say.of(title.id), wish.options()
    spec = form.options[index]
    values = [now[spec.id], *_others(form, spec, now, wish.seats)]
    entries = [
        (_value(own, value), "", "form", wish.with_options({**now, spec.id: value}))
        for value in sorted(values, key=spec.values.index)
    ]
    name = own(f"option.{spec.id}")
    text = say("choose.value", form=form_name(say, title, form), name=name, value=_value(own, now[spec.id]))
    back = rows_of([_button(wish, "form", say("choose.back"))])
    return Card(text, rows=[*_menu(entries, name), *back])


_PAGES: Mapping[str, Callable[[Say, Wish], Card]] = {
    "seats": _seats, "games": _games, "forms": _forms, "form": _form, "details": _details,
}  # fmt: skip


def _others(form: titles.Form, spec: titles.OptionSpec, now: Mapping[str, Any], players: int) -> list[Any]:
    """The other values that an option may take beside what has been chosen."""
    if spec.players and players not in spec.players:
        return []
    return [
        value
        for value in spec.values
        if value != now[spec.id] and not any(apart.names({**now, spec.id: value}) for apart in form.apart)
    ]


def _value(own: Say, value: Any) -> str:
    return words(own, "value", str(value).lower())
