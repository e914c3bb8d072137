"""Buttons and menus that survive a restart: everything they need is in their id, and the engine knows the rest."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Protocol, Self

import discord
from discord import ui

from bot.limits import BUTTON_LABEL, BUTTONS_IN_ROW, CUSTOM_ID, cut
from bot.picking.entries import band_check
from bot.picking.walk import meaning, moves_check, walk

if TYPE_CHECKING:
    from bot.games.service import Live

#: Game, position, the choice (where it stood in the offer, and the check of what it is) and what was picked in it.
_KEY = r"(?P<game>\d+):(?P<seq>\d+):(?P<choice>\d+)~(?P<key>[0-9A-Za-z]*):(?P<code>[0-9A-Za-z.\-]*)"
#: The same as it was until version 0.2: by numbers in the offer alone, which another program may order otherwise.
_FORMER = r"(?P<game>\d+):(?P<seq>\d+):\d+:[0-9n.\-]*(?::\w+)?"


class Answering(Protocol):
    """Whoever answers what is pressed, each for their own buttons: the client has them by these names."""

    services: Any
    turns: Any
    looks: Any
    lobby: Any
    undo: Any
    hosting: Any
    settling: Any
    ending: Any

    async def failed(self, interaction: discord.Interaction[Any], error: BaseException) -> None:
        """Something went wrong while it was answered."""


def _id(*parts: object) -> str:
    text = ":".join(map(str, parts))
    if len(text) > CUSTOM_ID:
        raise ValueError(f"the id {text} is too long for Discord")
    return text


def rows_of(buttons: Sequence[ui.Item[Any]], most: int = BUTTONS_IN_ROW) -> list[ui.ActionRow[Any]]:
    """Buttons in rows of about the same length, so that none stands alone below many."""
    rows = -(-len(buttons) // most)
    size = -(-len(buttons) // rows) if rows else most
    return [ui.ActionRow(*buttons[start : start + size]) for start in range(0, len(buttons), size)]


def _bot(interaction: discord.Interaction[Any]) -> Answering:
    bot: Answering = interaction.client
    return bot


def place_id(sign: str, live: Live, number: int | None, code: str, *more: object) -> str:
    """The id of something that leads to a move: it carries what it means, not only where that stood."""
    choice = f"{number}~{meaning(live.game.offer().choices[number])}" if number is not None else "0~"
    return _id(sign, live.record.id, live.length, choice, code, *more)


def _place(found: re.Match[str]) -> dict[str, Any]:
    """Game, position, choice and picks of a component's id."""
    return {
        "game": int(found["game"]),
        "seq": int(found["seq"]),
        "number": int(found["choice"]),
        "key": found["key"],
        "code": found["code"],
    }


class _Kept:
    """What all of them share: the parts of the id that the template found."""

    match: re.Match[str]

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction[Any], item: ui.Item[Any], match: re.Match[str]
    ) -> Any:
        made = cls(item)  # type: ignore[call-arg]
        made.match = match
        return made

    async def act(self, interaction: discord.Interaction[Any]) -> None:
        """What happens when it is used."""
        raise NotImplementedError

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """discord.py only logs what goes wrong in here; the person is to be told as well."""
        try:
            await self.act(interaction)
        except Exception as error:
            await _bot(interaction).failed(interaction, error)


class MoveButton(
    _Kept,
    ui.DynamicItem[ui.Button[Any]],
    template=rf"m:{_KEY}:(?P<verb>open|ok|home|run|typed|hand|form|again|rest)(?:~(?P<whole>[0-9A-Za-z]+))?",
):
    """A step on the way to a move: open a choice, pick something, go back, confirm.

    `run` and `typed` confirm a run with a way of using its revenue, of the best routes or of those that were typed;
    `hand` and `form` open forms; `again` shows the rest of a turn and `rest` plays it; `home` shows the step anew. For
    `run`, `typed` and `rest` the code is the check of all their moves, and `ok` has that of its move besides what was
    picked: what is picked by itself, being the only one, is meant as well. Where no choice is meant, `number` is None.
    """

    @classmethod
    def make(cls, live: Live, number: int | None, code: str, verb: str, label: str, style: discord.ButtonStyle) -> Self:
        if verb == "ok" and number is not None:
            verb = f"ok~{moves_check([walk(live.game, number, code).move()])}"
        custom_id = place_id("m", live, number, code, verb)
        return cls(ui.Button(label=cut(label, BUTTON_LABEL), style=style, custom_id=custom_id))

    async def act(self, interaction: discord.Interaction[Any]) -> None:
        verb, whole = self.match["verb"], self.match["whole"] or ""
        await _bot(interaction).turns.pressed(interaction, **_place(self.match), verb=verb, whole=whole)


class PageButton(_Kept, ui.DynamicItem[ui.Button[Any]], template=rf"p:{_KEY}:(?P<page>\d+)~(?P<band>[0-9A-Za-z]*)"):
    """Another page of a long menu, or a band of the map, with the check of what it shows."""

    @classmethod
    def make(
        cls,
        live: Live,
        number: int,
        code: str,
        page: int,
        label: str,
        style: discord.ButtonStyle = discord.ButtonStyle.secondary,
    ) -> Self:
        band = band_check(walk(live.game, number, code), page)
        custom_id = place_id("p", live, number, code, f"{page}~{band}")
        return cls(ui.Button(label=cut(label, BUTTON_LABEL), style=style, custom_id=custom_id))

    async def act(self, interaction: discord.Interaction[Any]) -> None:
        await _bot(interaction).turns.pressed(
            interaction, **_place(self.match), verb="open", page=int(self.match["page"]), band=self.match["band"]
        )


class MoveSelect(_Kept, ui.DynamicItem[ui.Select[Any]], template=rf"s:{_KEY}"):
    """A menu for the next parameter of a move; the value of an entry is the code that it leads to."""

    @classmethod
    def make(cls, live: Live, number: int, code: str, options: list[discord.SelectOption], placeholder: str) -> Self:
        return cls(
            ui.Select(
                custom_id=place_id("s", live, number, code),
                placeholder=placeholder,
                options=options,
            )
        )

    async def act(self, interaction: discord.Interaction[Any]) -> None:
        place = {**_place(self.match), "code": self.item.values[0]}
        await _bot(interaction).turns.pressed(interaction, **place, verb="open")


class FormerButton(_Kept, ui.DynamicItem[ui.Button[Any]], template=rf"[mp]:{_FORMER}"):
    """A button from before its id said what it means: it does nothing, and says so."""

    async def act(self, interaction: discord.Interaction[Any]) -> None:
        await _bot(interaction).turns.outdated(interaction, int(self.match["game"]), int(self.match["seq"]))


class FormerSelect(_Kept, ui.DynamicItem[ui.Select[Any]], template=rf"s:{_FORMER}"):
    """A menu from before its entries said what they mean."""

    async def act(self, interaction: discord.Interaction[Any]) -> None:
        await _bot(interaction).turns.outdated(interaction, int(self.match["game"]), int(self.match["seq"]))


class LookButton(_Kept, ui.DynamicItem[ui.Button[Any]], template=r"l:(?P<game>\d+):(?P<what>[a-z_]+)"):
    """Look something up, for one's own eyes."""

    @classmethod
    def make(cls, game: int, what: str, label: str) -> Self:
        return cls(ui.Button(label=label, style=discord.ButtonStyle.secondary, custom_id=_id("l", game, what)))

    async def act(self, interaction: discord.Interaction[Any]) -> None:
        await _bot(interaction).looks.show(interaction, int(self.match["game"]), self.match["what"])


class LobbyButton(
    _Kept, ui.DynamicItem[ui.Button[Any]], template=r"g:(?P<game>\d+):(?P<verb>join|leave|start|house|level)"
):
    """Join, leave or start a game in its lobby; seat the house, and say how well it plays."""

    @classmethod
    def make(cls, game: int, verb: str, label: str, style: discord.ButtonStyle) -> Self:
        return cls(ui.Button(label=label, style=style, custom_id=_id("g", game, verb)))

    async def act(self, interaction: discord.Interaction[Any]) -> None:
        await _bot(interaction).lobby.pressed(interaction, int(self.match["game"]), self.match["verb"])


class UndoButton(
    _Kept,
    ui.DynamicItem[ui.Button[Any]],
    template=r"u:(?P<game>\d+):(?P<seq>\d+):(?P<count>\d+):(?P<asker>\d+):(?P<agreed>[0-9a-f]+)"
    r"(?:~(?P<seats>[0-9A-Za-z]+))?:(?P<verb>agree|decline)",
):
    """Agree to an undo or decline it; who has agreed so far is in the id, with the check of who sits where."""

    @classmethod
    def make(
        cls,
        game: int,
        seq: int,
        count: int,
        asker: int,
        agreed: int,
        seats: str,
        verb: str,
        label: str,
        style: discord.ButtonStyle,
    ) -> Self:
        custom_id = _id("u", game, seq, count, asker, f"{agreed:x}~{seats}", verb)
        return cls(ui.Button(label=label, style=style, custom_id=custom_id))

    async def act(self, interaction: discord.Interaction[Any]) -> None:
        found = self.match
        await _bot(interaction).undo.pressed(
            interaction,
            game=int(found["game"]),
            seq=int(found["seq"]),
            count=int(found["count"]),
            asker=int(found["asker"]),
            agreed=int(found["agreed"], 16),
            seats=found["seats"] or "",
            verb=found["verb"],
        )


class TakeBackButton(_Kept, ui.DynamicItem[ui.Button[Any]], template=r"b:(?P<game>\d+):(?P<seq>\d+):(?P<count>\d+)"):
    """Take back one's own last move, with those of the house since."""

    @classmethod
    def make(cls, live: Live, count: int, label: str) -> Self:
        custom_id = _id("b", live.record.id, live.length, count)
        style = discord.ButtonStyle.secondary
        return cls(ui.Button(label=cut(label, BUTTON_LABEL), style=style, custom_id=custom_id))

    async def act(self, interaction: discord.Interaction[Any]) -> None:
        found = self.match
        await _bot(interaction).turns.take_back(interaction, int(found["game"]), int(found["seq"]), int(found["count"]))


class WishButton(_Kept, ui.DynamicItem[ui.Button[Any]], template=r"n:(?P<page>[A-Za-z0-9]+):(?P<wish>[\w.:-]+)"):
    """A step on the way to a lobby; what has been chosen so far is in the id."""

    @classmethod
    def make(cls, page: str, wish: str, label: str, style: discord.ButtonStyle) -> Self:
        return cls(ui.Button(label=cut(label, BUTTON_LABEL), style=style, custom_id=_id("n", page, wish)))

    async def act(self, interaction: discord.Interaction[Any]) -> None:
        await _bot(interaction).lobby.wished(interaction, self.match["page"], self.match["wish"])


class WishSelect(_Kept, ui.DynamicItem[ui.Select[Any]], template=r"ns"):
    """A menu on the way to a lobby; the value of an entry is the page that it leads to, with what has been chosen."""

    @classmethod
    def make(cls, options: list[discord.SelectOption], placeholder: str) -> Self:
        return cls(ui.Select(custom_id="ns", placeholder=placeholder, options=options))

    async def act(self, interaction: discord.Interaction[Any]) -> None:
        page, _, wish = self.item.values[0].partition(":")
        await _bot(interaction).lobby.wished(interaction, page, wish)


#: The id of a form: a form that was open over a restart is read by it as well.
FORM = re.compile(rf"f:{_KEY}")


async def form_given(interaction: discord.Interaction[Any]) -> None:
    """A form was sent: what it asked for stands in its id, and what was typed in what it sends."""
    data: Any = interaction.data
    found = FORM.fullmatch(str(data.get("custom_id", "")))
    if found is None:
        return
    bot = _bot(interaction)
    try:
        await bot.turns.form_given(interaction, **_place(found), text=next(_typed(data.get("components", ())), ""))
    except Exception as error:
        await bot.failed(interaction, error)


def _typed(parts: Sequence[Any]) -> Iterator[str]:
    """What was typed into the fields of a form, in their order."""
    for part in parts:
        if "value" in part:
            yield str(part["value"])
        yield from _typed([part["component"]] if "component" in part else part.get("components", ()))


ITEMS = (
    MoveButton,
    PageButton,
    MoveSelect,
    FormerButton,
    FormerSelect,
    LookButton,
    LobbyButton,
    UndoButton,
    TakeBackButton,
    WishButton,
    WishSelect,
)
