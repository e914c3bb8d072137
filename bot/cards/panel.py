"""The cards and panels: what a message shows and which buttons it carries, made from the offer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import discord
from discord import ui

from bot.cards.buttons import LookButton, MoveButton, MoveSelect, PageButton
from bot.cards.facts import Around, decider_facts, waiting_line, your_place
from bot.cards.final import end_lines, end_row
from bot.cards.picks import Walk, walk
from bot.cards.wording import choice_text, option_text, round_text, step_text, value_text, words
from bot.ceilings import (
    BUTTON_LABEL,
    BUTTONS_IN_ROW,
    OPTION_TEXT,
    OPTIONS,
    PLACEHOLDER,
    TEXT_IN_MESSAGE,
    cut,
)
from bot.games.service import Live
from bot.names import plain, shown
from bot.texts import Say
from bot.texts import known as has_text
from engine.finance.depot import on_sale, price
from engine.game import Game
from engine.offer import Number, Options
from renderers.pages.chooser import PER_PAGE
from storage.records import ENDED, PAUSED, PLAYING

ACCENT = discord.Colour(0xF2B035)
LOOKS = ("map", "market", "sheet")

#: Characters kept free in a card for its head and foot.
_FRAME = 900
#: Lines of what happened that a card tells: with them, the question still fits on a phone's screen.
_LINES = 15


class Card(ui.LayoutView):
    """A message made of a text, pictures and rows of buttons, in a frame.

    A `foot` stands under the pictures, beside a small one if there is an `aside`.
    """

    def __init__(
        self,
        text: str,
        gallery: Sequence[discord.MediaGalleryItem] = (),
        rows: Sequence[ui.ActionRow[Any]] = (),
        *,
        foot: str = "",
        aside: discord.MediaGalleryItem | None = None,
    ) -> None:
        super().__init__(timeout=None)
        box: ui.Container[Card] = ui.Container(accent_colour=ACCENT)
        box.add_item(ui.TextDisplay(cut(text, TEXT_IN_MESSAGE - len(foot))))
        for picture in gallery:
            # Several in one gallery would be cut to squares side by side, which nobody can read on a phone.
            box.add_item(ui.MediaGallery(picture))
        if foot and aside is not None:
            small: ui.Thumbnail[Any] = ui.Thumbnail(aside.media, description=aside.description)
            box.add_item(ui.Section(foot, accessory=small))
        elif foot:
            box.add_item(ui.TextDisplay(foot))
        for row in rows:
            box.add_item(row)
        self.add_item(box)


def rows_of(buttons: Sequence[ui.Item[Any]]) -> list[ui.ActionRow[Any]]:
    """Buttons in rows."""
    return [ui.ActionRow(*buttons[start : start + BUTTONS_IN_ROW]) for start in range(0, len(buttons), BUTTONS_IN_ROW)]


# ---------------------------------------------------------------------- the turn card


def who(live: Live, say: Say, *, ping: bool) -> list[str]:
    """The people who have to decide: mentions, or names."""
    result = []
    for name in live.game.offer().deciders:
        seat = live.seat(name)
        mention = ping and not seat.house
        result.append(f"<@{seat.user}>" if mention else name_of(live, say, name))
    return result


def name_of(live: Live, say: Say, name: str) -> str:
    """A player's name in a sentence; the house says that it is the house."""
    return say("card.house", name=shown(name)) if live.seat(name).house else f"**{shown(name)}**"


def turn_text(live: Live, say: Say, *, asker: str = "", known: Around | None = None) -> str:
    """The words of a turn in one piece, for somebody who asks (a player by their name in the game, or nobody)."""
    top, foot = turn_texts(live, say, [], ping=False, known=known, asker=asker)
    return f"{top}\n{foot}"


def turn_texts(
    live: Live,
    say: Say,
    lines: Sequence[str],
    *,
    ping: bool,
    again: bool = False,
    known: Around | None = None,
    asker: str = "",
) -> tuple[str, str]:
    """The words of a turn card: where the game is and what happened; who decides what, or who has won."""
    game = live.game
    title = game.definition.name
    if game.finished or live.record.status == ENDED:
        head = say("card.over", title=title, reason=words(say, "reason", game.state.finished or "ended"))
        foot = "\n".join(end_lines(live, say))
    else:
        facts = [say("card.phase", phase=game.phase.name, colour=game.phase.colour)]
        facts.append(say("card.bank", amount=game.state.cash["bank"]))
        sale = on_sale(game)
        if sale:
            trains = [say("card.train", train=train, price=price(game, train)) for train in sale]
            facts.append(say("card.on_sale", trains=", ".join(trains)))
        head = say("card.turn", title=title, round=round_text(say, game), who=" · ".join(facts))
        names = who(live, say, ping=ping)
        company = game.offer().choices[0].company
        for_company = say("card.for_company", company=company) if company else ""
        key = "card.turn_of" if len(names) == 1 else "card.turn_of_many"
        if not ping:
            key = "card.turn_yours" if asker in game.offer().deciders else "card.turn_others"
        foot = say(key, mention=names[0], mentions=", ".join(names), company=for_company, what=step_text(say, game))
        small = [*decider_facts(say, game), waiting_line(say, live, known), your_place(say, game, asker)]
        foot = "\n".join(filter(None, [foot, *small]))
        if live.record.status == PAUSED:
            foot = say("card.paused")
    top = [head, _history(say, lines), say("card.again") if again else ""]
    return "\n".join(filter(None, top)), foot


def _history(say: Say, lines: Sequence[str]) -> str:
    """The newest lines that fit."""
    kept: list[str] = []
    room = TEXT_IN_MESSAGE - _FRAME
    for line in reversed(lines[-_LINES:]):
        room -= len(line) + 3
        if room < 0:
            break
        kept.insert(0, f"- {line}")
    left_out = len(lines) - len(kept)
    if left_out:
        kept.insert(0, say("card.more", count=left_out))
    return "\n".join(kept)


def choice_rows(live: Live, say: Say, player: str = "") -> list[ui.ActionRow[Any]]:
    """A button for each choice on offer (to a player)."""
    buttons: list[ui.Item[Any]] = []
    several = len(live.game.offer().deciders) > 1
    kinds = Counter((choice.player, choice.name) for choice in live.game.offer().choices)
    for number, choice in enumerate(live.game.offer().choices):
        if (player and choice.player != player) or live.seat(choice.player).house:
            continue
        label = choice_text(say, choice, company=kinds[choice.player, choice.name] > 1)
        if several and not player:
            label = f"{plain(choice.player)}: {label}"
        style = discord.ButtonStyle.secondary if choice.name == "pass" else discord.ButtonStyle.primary
        buttons.append(MoveButton.make(live, number, "", "open", cut(label, BUTTON_LABEL), style))
    return rows_of(buttons[:20])


def look_row(live: Live, say: Say) -> ui.ActionRow[Any]:
    """Buttons to look things up."""
    return ui.ActionRow(*(LookButton.make(live.record.id, what, say(f"look.{what}")) for what in LOOKS))


def turn_card(
    live: Live,
    say: Say,
    lines: Sequence[str],
    gallery: Sequence[discord.MediaGalleryItem],
    *,
    ping: bool,
    again: bool = False,
    buttons: bool = True,
    known: Around | None = None,
) -> Card:
    """The one message of a turn.

    Who has to decide stands right above the buttons: that is what a phone shows when the channel is opened. What the
    round is about comes first in the gallery and is shown large; the next picture is small beside it.
    """
    rows: list[ui.ActionRow[Any]] = []
    if buttons and live.record.status == PLAYING and not live.game.finished:
        rows = choice_rows(live, say)
    if buttons and (live.game.finished or live.record.status == ENDED):
        rows.append(end_row(live, say))
    if buttons:
        rows.append(look_row(live, say))
    top, foot = turn_texts(live, say, lines, ping=ping, again=again, known=known)
    return Card(top, gallery[:1], rows, foot=foot, aside=gallery[1] if len(gallery) > 1 else None)


# ---------------------------------------------------------------------- the steps of a choice


def head(say: Say, game: Game, step: Walk) -> str:
    """The kind of move, and in one line what has been picked so far."""
    company = step.choice.company
    text = say(
        "panel.question",
        move=choice_text(say, step.choice),
        company=say("card.for_company", company=company) if company else "",
    )
    picked = [
        say(
            f"picked.{name}" if has_text(f"picked.{name}") else "picked.other",
            value=shown(value_text(say, game, name, value)),
        )
        for name, value in step.picked.items()
        if name != "routes"
    ]
    return "\n".join(filter(None, [text, " · ".join(picked)]))


def entries(live: Live, say: Say, step: Walk) -> list[tuple[str, str]]:
    """Code and text of everything that can be picked next; tile and rotation are one pick."""
    domain = step.domain
    assert isinstance(domain, Options)
    game = live.game
    result: list[tuple[str, str]] = []
    for index, option in enumerate(domain.options):
        code = ".".join([*step.tokens, str(index)])
        text = option_text(say, game, domain.name, option)
        if domain.name == "rotation":
            # Only one tile fits there, so that only its rotations are asked for.
            result.append((code, f"#{len(result) + 1} {value_text(say, game, 'tile', step.picked['tile'])}, {text}"))
            continue
        if domain.name != "tile":
            result.append((code, text))
            continue
        further = walk(game, step.number, code)
        if further.complete:
            result.append((code, f"#{len(result) + 1} {text}"))
            continue
        assert isinstance(further.domain, Options)
        for turn, rotation in enumerate(further.domain.options):
            turned = value_text(say, game, "rotation", rotation.value)
            result.append((f"{code}.{turn}", f"#{len(result) + 1} {text}, {turned}"))
    return result


def question_card(live: Live, say: Say, step: Walk, gallery: Sequence[discord.MediaGalleryItem], page: int = 0) -> Card:
    """Ask for the next parameter with a menu."""
    assert step.domain is not None
    found = entries(live, say, step)
    # A page of tiles is what one picture shows.
    numbered = step.domain.name in ("tile", "rotation")
    size = PER_PAGE if numbered else OPTIONS
    pages = (len(found) + size - 1) // size
    page = min(page, pages - 1)
    shown = found[page * size : (page + 1) * size]
    placeholder = say("panel.choose") if pages == 1 else say("panel.choose_page", page=page + 1, pages=pages)
    options = [
        discord.SelectOption(label=cut(text, OPTION_TEXT), value=str(page * size + number))
        for number, (_, text) in enumerate(shown)
    ]
    rows: list[ui.ActionRow[Any]] = [ui.ActionRow(MoveSelect.make(live, step, options, cut(placeholder, PLACEHOLDER)))]
    buttons: list[ui.Item[Any]] = []
    if pages > 2:
        buttons.append(PageButton.make(live, step, (page - 1) % pages, say("panel.previous")))
    if pages > 1:
        buttons.append(PageButton.make(live, step, (page + 1) % pages, say("panel.next")))
    if step.tokens:
        code = ".".join(step.tokens[:-1])
        buttons.append(
            MoveButton.make(live, step.number, code, "back", say("panel.back"), discord.ButtonStyle.secondary)
        )
    buttons.append(MoveButton.make(live, step.number, "", "cancel", say("panel.cancel"), discord.ButtonStyle.secondary))
    rows += rows_of(buttons)
    asked = words(say, "field", step.domain.name)
    note = say("panel.candidates") if numbered and gallery else ""
    return Card("\n".join(filter(None, [head(say, live.game, step), asked, note])), gallery, rows)


def number_card(live: Live, say: Say, step: Walk) -> Card:
    """A button that opens the form for a number, where the form itself could not be opened at once."""
    domain = step.domain
    assert isinstance(domain, Number)
    styles = discord.ButtonStyle
    label = cut(say("panel.enter", low=domain.low, high=domain.high), BUTTON_LABEL)
    buttons: list[ui.Item[Any]] = [
        MoveButton.make(live, step.number, step.code(), "back", label, styles.primary),
        MoveButton.make(live, step.number, "", "cancel", say("panel.cancel"), styles.secondary),
    ]
    return Card("\n".join([head(say, live.game, step), words(say, "field", domain.name)]), rows=rows_of(buttons))


def confirm_card(
    live: Live,
    say: Say,
    step: Walk,
    lines: Sequence[str],
    gallery: Sequence[discord.MediaGalleryItem],
    *,
    note: str = "",
    by_hand: bool = False,
) -> Card:
    """Show what a move would do, and ask for the last word."""
    code = step.code()
    buttons: list[ui.Item[Any]] = [
        MoveButton.make(live, step.number, code, "ok", say("panel.confirm"), discord.ButtonStyle.success)
    ]
    if by_hand:
        buttons.append(
            MoveButton.make(live, step.number, "", "hand", say("panel.by_hand"), discord.ButtonStyle.secondary)
        )
    if step.tokens and not by_hand:
        back = ".".join(step.tokens[:-1])
        buttons.append(
            MoveButton.make(live, step.number, back, "back", say("panel.back"), discord.ButtonStyle.secondary)
        )
    buttons.append(MoveButton.make(live, step.number, "", "cancel", say("panel.cancel"), discord.ButtonStyle.secondary))
    effects = "\n".join(f"- {line}" for line in lines)
    promise = say("panel.effect") if effects else ""
    text = "\n".join(filter(None, [head(say, live.game, step), note, promise, effects]))
    return Card(text, gallery, rows_of(buttons))
