"""The cards and panels: what a message shows and which buttons it carries, made from the offer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import discord
from discord import ui

from bot.cards.buttons import LookButton
from bot.cards.offering import choice_rows
from bot.cards.wording import round_text, step_text, words
from bot.ceilings import TEXT_IN_MESSAGE, cut
from bot.games.service import Live
from bot.names import shown
from bot.texts import Say
from engine.finance.depot import on_sale, price
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


# ---------------------------------------------------------------------- the turn card


def who(live: Live, say: Say, *, ping: bool) -> list[str]:
    """The people who have to decide: mentions, or names."""
    result = []
    for name in live.game.offer().deciders:
        seat = live.seat(name)
        if seat.house:
            result.append(say("card.house", name=shown(name)))
        else:
            result.append(f"<@{seat.user}>" if ping else f"**{shown(name)}**")
    return result


def turn_text(live: Live, say: Say, lines: Sequence[str], *, ping: bool) -> str:
    """The words of a turn in one piece."""
    return "\n".join(turn_texts(live, say, lines, ping=ping))


def turn_texts(live: Live, say: Say, lines: Sequence[str], *, ping: bool, again: bool = False) -> tuple[str, str]:
    """The words of a turn card: where the game is and what happened; who decides what, or who has won."""
    game = live.game
    say = say.of(game.definition.id)
    title = game.definition.name
    if game.finished or live.record.status == ENDED:
        head = say("card.over", title=title, reason=words(say, "reason", game.state.finished or "ended"))
        scores = sorted(game.rules.score(game).items(), key=lambda item: -item[1])
        places = [1 + sum(other > score for _, other in scores) for _, score in scores]
        foot = "\n".join(
            say("card.score", place=place, name=shown(name), score=score)
            for place, (name, score) in zip(places, scores, strict=True)
        )
    else:
        facts = [say("card.phase", phase=game.phase.name, colour=words(say, "colour", game.phase.colour))]
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
        foot = say(key, mention=names[0], mentions=", ".join(names), company=for_company, what=step_text(say, game))
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
) -> Card:
    """The one message of a turn.

    Who has to decide stands right above the buttons: that is what a phone shows when the channel is opened. What the
    round is about is shown large, in stock rounds the market and else the map; the other picture is small beside it.
    """
    rows: list[ui.ActionRow[Any]] = []
    if buttons and live.record.status == PLAYING and not live.game.finished:
        rows = choice_rows(live, say)
    if buttons:
        rows.append(look_row(live, say))
    top, foot = turn_texts(live, say, lines, ping=ping, again=again)
    shown = list(gallery)
    if live.game.state.round.kind == "stock":
        shown.reverse()
    return Card(top, shown[:1], rows, foot=foot, aside=shown[1] if len(shown) > 1 else None)
