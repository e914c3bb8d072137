"""The cards of the private panel: the step with its picks, a question, what a move would do, a form that went wrong."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import discord
from discord import ui

from bot.card.offering import entry_buttons, pass_button
from bot.card.turn import HAND, Card
from bot.games.service import Live
from bot.limits import BUTTONS_IN_ROW, OPTION_TEXT, OPTIONS, PLACEHOLDER, cut
from bot.names import shown
from bot.picking.bands import IN_ROW
from bot.picking.buttons import LookButton, MoveButton, MoveSelect, PageButton, rows_of
from bot.picking.effects import Passing, Rest, Way, way_line
from bot.picking.entries import (
    MOST_BUTTONS,
    MOST_SHORT,
    PLACES,
    Entry,
    Spread,
    asks_tile,
    band_entries,
    band_of,
    banded,
    entries,
    in_band,
    preset,
    spread,
)
from bot.picking.screen import fits
from bot.picking.walk import Walk, moves_check, tokens_of, walk
from bot.texts import Say
from bot.words.decks import card_line
from bot.words.wording import choice_text, company_of, lesson, round_text, step_text, value_text, words
from engine.game import Game
from engine.moves import Dividend
from engine.offer import Number, Options
from renderers.pages.chooser import PER_PAGE

_STYLES = discord.ButtonStyle
#: Labels so short that their buttons are as narrow as can be: a fifth would stand alone in a second line on a phone.
_SHORT = 4
#: Kinds of moves that the head of a panel names: all have buttons below it. Where a picture shows the first, only that.
_KINDS = 3
Gallery = Sequence[discord.MediaGalleryItem]


def head(say: Say, game: Game, step: Walk) -> str:
    """The kind of move, and in one line what has been picked so far."""
    company = step.choice.company
    text = say(
        "panel.question",
        move=choice_text(say, step.choice),
        company=say("card.for_company", company=company) if company else "",
    )
    own = say.of(game.definition.id)
    picked = [
        own(
            next(filter(own.known, (f"picked.{name}.{value}", f"picked.{name}")), "picked.other"),
            value=shown(value_text(say, game, name, value)),
        )
        for name, value in step.picked.items()
        if name != "routes" and (name, value) != ("rotation", 0)
    ]
    return "\n".join(filter(None, [text, " · ".join(picked)]))


def text_of(*parts: str) -> str:
    return "\n".join(filter(None, parts))


def back_button(live: Live, say: Say, step: Walk) -> ui.Item[Any]:
    """To what was shown before: an earlier question of the choice, or the step itself.

    A question that answers itself at once with a sensible value was never shown.
    """
    asked_before = "-" in step.code or (step.code and not at_home(live, say, step))
    asked_before = asked_before and not preset(say, walk(live.game, step.number, step.back))
    if not step.back and (band := band_of(live.game, step)):
        return PageButton.make(live, step.number, "", band, say("panel.back"))
    if page := page_of(live.game, say, step):
        return PageButton.make(live, step.number, step.back, page, say("panel.back"))
    verb = "open" if asked_before else "home"
    return MoveButton.make(live, step.number, step.back, verb, say("panel.back"), _STYLES.secondary)


def page_of(game: Game, say: Say, step: Walk) -> int:
    """The page, from 0, on which the last pick of a code was shown."""
    before = walk(game, step.number, step.back) if step.code else step
    if not isinstance(before.domain, Options) or before.domain.open or preset(say, before):
        return 0
    found = entries(say, before)
    size = PER_PAGE if asks_tile(before) else OPTIONS
    if len(found) <= size:
        return 0
    # A preview may begin with a sensible value that belongs to the same tap.
    picked = (n for n, entry in enumerate(found) if step.code == entry.code or step.code.startswith(f"{entry.code}."))
    return next(picked, 0) // size


def at_home(live: Live, say: Say, step: Walk) -> bool:
    """Whether the first picks of a choice stand in the step itself."""
    found = spread(say, live.game, step.choice.player, panel=True)
    return step.number in found.shown or step.number == found.menu


# ---------------------------------------------------------------------- the step


@dataclass(frozen=True)
class Running:
    """The trains of a company and the ways of using what they earn."""

    number: int
    ways: Sequence[Way]
    #: The routes with their sums; empty where the trains have run.
    note: str = ""
    #: What was typed by hand, if the routes are not the best ones.
    typed: str = ""


def shows_place(game: Game, found: Spread) -> bool:
    """Whether the step is shown by a map with places to pick from."""
    shown = [found.menu] if found.menu is not None else list(found.shown)
    return len(shown) == 1 and game.offer().choices[shown[0]].name in PLACES


def run_buttons(live: Live, say: Say, running: Running) -> list[ui.Item[Any]]:
    """Each way of using the revenue is a last word; other routes can be typed instead."""
    buttons: list[ui.Item[Any]] = []
    for index, way in enumerate(running.ways):
        # Where the trains have run, only the way is left to be picked.
        verb = ("typed" if running.typed else "run") if running.note else "ok"
        style = _STYLES.primary if index else _STYLES.success
        code = moves_check(way.moves) if running.note else _way_code(live.game, running, way)
        buttons.append(MoveButton.make(live, running.number, code, verb, way.text, style))
    if running.note:
        buttons.append(MoveButton.make(live, running.number, "", "hand", say("panel.by_hand"), _STYLES.secondary))
    if running.typed:
        buttons.append(MoveButton.make(live, None, "", "home", say("panel.back"), _STYLES.secondary))
    return buttons


def _way_code(game: Game, running: Running, way: Way) -> str:
    """What stands for a way of using a revenue where the trains have run."""
    domain = walk(game, running.number, "").choice.asked({})
    (move,) = way.moves
    return ".".join(tokens_of(domain, move.kind)) if domain is not None and isinstance(move, Dividend) else ""


def run_lines(live: Live, say: Say, running: Running, player: str) -> str:
    company = live.game.offer().choices[running.number].company
    return "\n".join(f"- {way_line(say, way, player, company)}" for way in running.ways)


def home_card(
    live: Live,
    say: Say,
    player: str,
    found: Spread,
    gallery: Gallery,
    *,
    told: str = "",
    running: Running | None = None,
    passing: Passing | None = None,
    rest: Rest | None = None,
    take_back: ui.Item[Any] | None = None,
) -> Card:
    """The step that somebody is at: what was done, what is to be decided, and everything they may do."""
    game = live.game
    company = company_of(game.offer().of(player))
    account = company if company in game.state.cash else player
    # Where nothing has a price there is no money to decide by.
    top = say(
        "panel.home" if game.definition.priced else "panel.home_free",
        who=shown(company or player),
        round=round_text(say, game),
        cash=game.state.cash.get(account, 0),
        what=_sentence(step_text(say, game, player, 1 if shows_place(game, found) else _KINDS)),
    )
    rows: list[ui.ActionRow[Any]] = []
    asked, banded_home, explained = "", False, False
    if found.menu is not None:
        step = walk(game, found.menu, "")
        banded_home = bool(banded(step))
        picks = entries(say, step)
        asked = question(say, step, picks)
        rows += pick_rows(live, band_entries(say, step)) if banded_home else menu_rows(live, say, step, picks, 0)
    elif len(found.shown) == 1 and not found.kinds and running is None:
        step = walk(game, found.shown[0], "")
        asked = question(say, step, found.entries)
    lines = run_lines(live, say, running, player) if running is not None else ""
    if running is not None:
        rows += rows_of(run_buttons(live, say, running))
    taken = {running.number} if running is not None else set()
    spread_out = [entry for entry in found.entries if entry.number not in taken]
    for number in found.shown:
        if gallery and asks_tile(walk(game, number, "")):
            asked = say("panel.candidates")
            spread_out = _numbered(spread_out, number)
            explained = True
    kinds = [entry for entry in found.kinds if entry.number not in taken]
    # Places and numbers stand for themselves; other kinds of moves begin a new line below them.
    apart = len(found.shown) == 1 and all(len(entry.text) <= _SHORT for entry in spread_out)
    rows += [*pick_rows(live, spread_out), *pick_rows(live, kinds)] if apart else pick_rows(live, [*spread_out, *kinds])
    last: list[ui.Item[Any]] = []
    if rest is not None:
        last.append(MoveButton.make(live, None, "", "again", rest.text(say), _STYLES.secondary))
    if found.passing is not None and passing is not None:
        last.append(pass_button(live, found.passing, passing))
    if game.hidden(player):
        last.append(LookButton.make(live.record.id, HAND, say(f"look.{HAND}")))
    if take_back is not None:
        last.append(take_back)
    rows += rows_of(last)
    note = running.note if running is not None else ""
    line = passing.line if passing is not None else ""
    # A lesson says what is asked in more words, where a screen has room for them.
    taught = lesson(say, game)
    card = Card(text_of(told, top, taught, note, lines, "" if taught else asked), gallery, rows, foot=line)
    if taught and banded_home and not fits(card):
        card = Card(text_of(told, top, note, lines, asked), gallery, rows, foot=line)
    card.explained = explained
    return card


def _sentence(text: str) -> str:
    """What stands in a line of its own begins with a capital."""
    return text[:1].upper() + text[1:]


def _numbered(found: Sequence[Entry], choice: int) -> list[Entry]:
    """The picks of a choice as numbers, which a picture explains."""
    numbers = itertools.count(1)
    return [replace(entry, text=str(next(numbers))) if entry.number == choice else entry for entry in found]


# ---------------------------------------------------------------------- a question


def pick_rows(live: Live, found: Sequence[Entry]) -> list[ui.ActionRow[Any]]:
    """Buttons for picks; those with short labels in rows that a phone does not break."""
    short = all(len(entry.text) <= _SHORT for entry in found)
    return rows_of(entry_buttons(live, found), IN_ROW if short else BUTTONS_IN_ROW)


def menu_rows(live: Live, say: Say, step: Walk, found: Sequence[Entry], page: int) -> list[ui.ActionRow[Any]]:
    """A menu for what is too much for buttons, page by page."""
    size = OPTIONS
    pages = (len(found) + size - 1) // size
    page = min(page, pages - 1)
    what = choice_text(say, step.choice)
    key = "panel.choose" if pages == 1 else "panel.choose_page"
    placeholder = say(key, what=what, page=page + 1, pages=pages)
    options = [
        discord.SelectOption(label=cut(entry.text, OPTION_TEXT), value=entry.code)
        for entry in found[page * size : (page + 1) * size]
    ]
    select = MoveSelect.make(live, step.number, step.code, options, cut(placeholder, PLACEHOLDER))
    return [ui.ActionRow(select), *rows_of(page_buttons(live, say, step, page, pages))]


def page_buttons(live: Live, say: Say, step: Walk, page: int, pages: int) -> list[ui.Item[Any]]:
    buttons: list[ui.Item[Any]] = []
    if pages > 2:
        buttons.append(PageButton.make(live, step.number, step.code, (page - 1) % pages, say("panel.previous")))
    if pages > 1:
        buttons.append(PageButton.make(live, step.number, step.code, (page + 1) % pages, say("panel.next")))
    return buttons


def question_card(live: Live, say: Say, step: Walk, gallery: Gallery, page: int = 0) -> Card:
    """Ask for the next parameter: numbered buttons under a picture of tiles, buttons for a few picks, else a menu.

    Places that are too many are shown band by band, whose numbers are those of the pages.
    """
    assert step.domain is not None
    found = entries(say, step)
    rows: list[ui.ActionRow[Any]]
    more: list[ui.Item[Any]] = []
    note = ""
    if asks_tile(step):
        # A page of tiles is what one picture shows.
        pages = (len(found) + PER_PAGE - 1) // PER_PAGE
        page = min(page, pages - 1)
        buttons: list[ui.Item[Any]] = [
            MoveButton.make(
                live, entry.number, entry.code, "open", str(number) if gallery else entry.text, _STYLES.primary
            )
            for number, entry in enumerate(found, start=1)
        ]
        rows = rows_of(buttons[page * PER_PAGE : (page + 1) * PER_PAGE], IN_ROW if gallery else BUTTONS_IN_ROW)
        more = page_buttons(live, say, step, page, pages)
        note = say("panel.candidates") if gallery else ""
    elif banded(step):
        chosen = band_entries(say, step)
        rows = pick_rows(live, in_band(step, found, page)) if page else pick_rows(live, chosen)
        # One band can be left for another without going back, where there is room for that.
        more = entry_buttons(live, [*chosen[: page - 1], *chosen[page:]]) if page else []
    elif len(found) > (MOST_SHORT if all(len(entry.text) <= _SHORT for entry in found) else MOST_BUTTONS):
        rows = menu_rows(live, say, step, found, page)
    else:
        rows = pick_rows(live, found)
    text = text_of(head(say, live.game, step), question(say, step, found), note)
    card = Card(text, gallery, [*rows, *rows_of([*more, back_button(live, say, step)])])
    if banded(step) and not fits(card):
        card = Card(text, gallery, [*rows, *rows_of([back_button(live, say, step)])])
    card.explained = asks_tile(step) and bool(gallery)
    return card


def question(say: Say, step: Walk, found: Sequence[Entry]) -> str:
    """What is asked; nothing where one tap answers several questions, and the kind of move says enough."""
    if step.domain is None or step.domain.name == "source":
        return ""
    game = step.choice.game
    if isinstance(step.domain, Options) and all(option.value in game.rules.cards for option in step.domain.options):
        return "\n".join([words(say, "field", "card"), *(card_line(say, game, o.value) for o in step.domain.options)])
    several = any("." in entry.code.rpartition("-")[2] for entry in found)
    own = say.of(game.definition.id)
    return "" if several and not asks_tile(step) else words(own, "field", step.domain.name)


# ---------------------------------------------------------------------- the last word


def confirm_card(
    live: Live,
    say: Say,
    step: Walk,
    lines: Sequence[str],
    gallery: Gallery,
    *,
    before: Walk | None = None,
    money: str = "",
    line: str = "",
) -> Card:
    """Show what a move would do, and ask for the last word; `before` is where other values can be picked instead."""
    rows: list[ui.ActionRow[Any]] = []
    if before is not None:
        rows += rows_of(other_values(live, say, step, before))
    rows += rows_of(
        [
            MoveButton.make(live, step.number, step.code, "ok", say("panel.confirm"), _STYLES.success),
            back_button(live, say, step),
        ]
    )
    effects = "\n".join(f"- {each}" for each in lines)
    promise = say("panel.effect") if effects else ""
    return Card(text_of(head(say, live.game, step), promise, effects, money, line), gallery, rows)


def other_values(live: Live, say: Say, step: Walk, before: Walk) -> list[ui.Item[Any]]:
    """The values beside the one that is previewed, and a form for any number."""
    found = [entry for entry in preset(say, before) if entry.code != step.code]
    buttons = [MoveButton.make(live, entry.number, entry.code, "open", entry.text, _STYLES.primary) for entry in found]
    if isinstance(before.domain, Number):
        label = say("panel.other_number")
        buttons.append(MoveButton.make(live, before.number, before.code, "form", label, _STYLES.secondary))
    return list(buttons)


def rest_card(live: Live, say: Say, rest: Rest, lines: Sequence[str], money: str, gallery: Gallery) -> Card:
    """The rest of a turn in one go."""
    buttons: list[ui.Item[Any]] = [
        MoveButton.make(live, None, moves_check(rest.moves), "rest", say("panel.confirm"), _STYLES.success),
        MoveButton.make(live, None, "", "home", say("panel.back"), _STYLES.secondary),
    ]
    proof = "" if rest.proved else say("panel.not_proved").strip()
    text = text_of(f"**{rest.text(say)}**", proof, say("panel.effect"), "\n".join(f"- {line}" for line in lines), money)
    return Card(text, gallery, rows_of(buttons))


def wrong_card(live: Live, say: Say, number: int, code: str, verb: str, why: str, typed: str) -> Card:
    """A form that went wrong: why, what was typed, and the way back into the form, which has it still."""
    buttons: list[ui.Item[Any]] = [
        MoveButton.make(live, number, code, verb, say("panel.correct"), _STYLES.primary),
        MoveButton.make(live, number, code, "open", say("panel.back"), _STYLES.secondary),
    ]
    return Card(text_of(why, typed), rows=rows_of(buttons))
