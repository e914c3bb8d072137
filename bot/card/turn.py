"""The cards and panels: what a message shows and which buttons it carries, made from the offer."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Self

import discord
from discord import ui

from bot.card.final import end_lines, end_row
from bot.card.offering import choice_rows
from bot.games.service import Live
from bot.limits import TEXT_IN_MESSAGE, cut
from bot.names import shown
from bot.picking import screen
from bot.picking.buttons import LookButton
from bot.texts import Say
from bot.words.briefing import Around, decider_facts, waiting_line, your_place
from bot.words.decks import free_lines
from bot.words.wording import company_of, lesson, round_text, step_text, vehicle, words
from engine.finance.depot import on_sale, price
from storage.records import ENDED, PAUSED, PLAYING

ACCENT = discord.Colour(0xF2B035)
LOOKS = ("map", "market", "sheet")
HAND = "hand"
#: Where nothing has a price there is no market to look at.
FREE_LOOKS = ("map", "sheet")

#: Characters kept free in a card for its head and foot.
_FRAME = 900
#: Kinds of moves that a card names; all of them have buttons.
_KINDS = 3
#: Lines of what happened that a card tells: with them, the question still fits on a phone's screen.
_LINES = 15
#: So many of them are tried one after the other, until the card fits.
_FEWER = (_LINES, 10, 7, 5, 3, 2, 1)
#: Then the question is made shorter: lines of what happened, whether it is brief, has few buttons, and is terse.
_BRIEFER = ((1, True, False, False), (1, True, True, False), (0, True, True, True))
#: Small lines of the question that stay where a card is too high all the same.
_BRIEF = 2
#: As much of each as takes two lines.
_BRIEF_LINE = 72
#: Lines of what happened last on a final card.
_LAST = 6


#: Between a number and its unit.
_UNIT = re.compile(r"(?<=\d) (?=(?:M|%)(?!\w))")


def unbroken(text: str) -> str:
    """A text whose amounts stay in one piece at the end of a line."""
    return _UNIT.sub("\N{NO-BREAK SPACE}", text)


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
        #: Whether its words or buttons mean nothing without the picture.
        self.explained = False
        self._box: ui.Container[Card] = ui.Container(accent_colour=ACCENT)
        box = self._box
        text, foot = unbroken(text), unbroken(foot)
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

    def without_pictures(self) -> Self:
        """This card with nothing drawn on it."""
        for item in [each for each in self._box.children if isinstance(each, ui.MediaGallery)]:
            self._box.remove_item(item)
        return self


def noted(card: Card, note: str) -> Card:
    """A card with a note above its text."""
    text = next(item for item in card.walk_children() if isinstance(item, ui.TextDisplay))
    text.content = cut(f"{note}\n{text.content}", TEXT_IN_MESSAGE)
    return card


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
    earlier: Sequence[str] = (),
    most: int = _LINES,
    brief: bool = False,
    terse: bool = False,
    standing: str = "",
) -> tuple[str, str]:
    """The words of a turn card: where the game is and what happened; who decides what, or who has won.

    What happened `earlier`, before the turn, stands above its own lines. A `brief` question has few small lines;
    `terse` words leave the trains for sale to the sheet, and all that may be done but the first to the buttons.
    """
    game = live.game
    say = say.of(game.definition.id)
    title = game.definition.name
    if game.finished or live.record.status == ENDED:
        head = say("card.over", title=title, reason=words(say, "reason", game.state.finished or "ended"))
        # Who has won comes first; what happened last can be read below.
        news = "\n".join(f"- {line}" for line in lines[-_LAST:])
        more = [say("card.more", count=len(lines) - _LAST)] if len(lines) > _LAST else []
        return "\n".join([head, *end_lines(live, say)]), "\n".join([*more, news])
    else:
        facts = [say("card.phase", phase=game.phase.name, colour=words(say, "colour", game.phase.colour))]
        sale = on_sale(game)
        if game.definition.priced:
            facts.append(say("card.bank", amount=game.state.cash["bank"]))
            trains = [say("card.train", train=vehicle(say, "the", train), price=price(game, train)) for train in sale]
            facts += [say("card.on_sale", trains=", ".join(trains))] if sale and not terse else []
        elif sale:
            facts.append(say("card.next_train", train=vehicle(say, "the", sale[0])))
        head = say("card.turn", title=title, round=round_text(say, game), who=" · ".join(facts))
        names = who(live, say, ping=ping)
        company = company_of(game.offer().choices)
        for_company = say("card.for_company", company=company) if company else ""
        key = "card.turn_of" if len(names) == 1 else "card.turn_of_many"
        if not ping:
            key = "card.turn_yours" if asker in game.offer().deciders else "card.turn_others"
        foot = say(
            key,
            mention=names[0],
            mentions=", ".join(names),
            company=for_company,
            what=step_text(say, game, most=1 if terse else _KINDS),
        )
        small = [*free_lines(say, game), *decider_facts(say, game)]
        small += [waiting_line(say, live, known), your_place(say, game, asker)]
        if brief:
            small = [cut(line, _BRIEF_LINE) for line in small[:_BRIEF]]
        goal = f"goal.{game.rules.setup.form}"
        aim = " ".join(filter(None, [say(goal) if say.known(goal) else "", standing]))
        told = [say("facts.small", text=aim) if aim else "", "" if brief else lesson(say, game)]
        foot = "\n".join(filter(None, [foot, *told, *small]))
        if live.record.status == PAUSED:
            foot = say("card.paused")
    top = [
        head,
        _history(say, [*(f"> {text}" for text in earlier), *(f"- {text}" for text in lines)], most),
        say("card.again") if again else "",
    ]
    return "\n".join(filter(None, top)), foot


def _history(say: Say, lines: Sequence[str], most: int) -> str:
    """The newest lines that fit, so many at the most."""
    kept: list[str] = []
    room = TEXT_IN_MESSAGE - _FRAME
    for line in reversed(lines[-most:] if most else []):
        room -= len(line) + 1
        if room < 0:
            break
        kept.insert(0, line)
    left_out = len(lines) - len(kept)
    if left_out:
        kept.insert(0, say("card.more", count=left_out))
    return "\n".join(kept)


def look_row(live: Live, say: Say) -> ui.ActionRow[Any]:
    """Buttons to look things up; one's own cards only while they are hidden."""
    looks = list(LOOKS if live.game.definition.priced else FREE_LOOKS)
    if live.game.rules.secret and not live.game.finished:
        looks.append(HAND)
    return ui.ActionRow(*(LookButton.make(live.record.id, what, say(f"look.{what}")) for what in looks))


def _rows(live: Live, say: Say, rest: str, *, few: bool) -> list[ui.ActionRow[Any]]:
    """The buttons of a turn card, of a final card, and those to look things up."""
    rows: list[ui.ActionRow[Any]] = []
    if live.record.status == PLAYING and not live.game.finished:
        rows = choice_rows(live, say, again=rest, few=few)
    if live.game.finished or live.record.status == ENDED:
        rows.append(end_row(live, say))
    return [*rows, look_row(live, say)]


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
    earlier: Sequence[str] = (),
    rest: str = "",
    tall: float = 0.0,
    standing: str = "",
) -> Card:
    """The one message of a turn; `rest` is what its end is called, if nothing new need be done in it.

    Who has to decide stands right above the buttons: that is what a phone shows when the channel is opened. What the
    round is about comes first in the gallery and is shown large, so `tall` for its width; the next picture is small
    beside it. Of what happened there is as much as leaves the card on one screen of a phone; the log has it all.
    `standing` is what everybody would have if the game ended now.
    """
    over = live.game.finished
    aside = gallery[1] if len(gallery) > 1 and not over else None
    for most, brief, few, terse in (*((fewer, False, False, False) for fewer in _FEWER), *_BRIEFER):
        top, foot = turn_texts(
            live,
            say,
            lines,
            ping=ping,
            again=again,
            known=known,
            earlier=earlier,
            most=most,
            brief=brief,
            terse=terse,
            standing=standing,
        )
        rows = _rows(live, say, rest, few=few) if buttons else []
        card = Card(top, gallery if over else gallery[:1], rows, foot=foot, aside=aside)
        if screen.height(card) + tall * screen.WIDTH <= screen.WHOLE:
            break
    return card
