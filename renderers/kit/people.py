"""Names of players on pictures: signs that the project's fonts lack are left out, so that nobody is a row of boxes."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from functools import lru_cache

from PIL import Image, ImageDraw

from engine.game import Game
from renderers.kit.fonts import font, width
from renderers.kit.theme import Colour, Theme, ink_on, rgb
from renderers.kit.words import Words

#: Directions of Hebrew and Arabic: the basic layout writes from left to right, whatever it writes.
_RIGHT_TO_LEFT = ("R", "AL")


def drawn(game: Game, player: str, words: Words) -> str:
    """A player's name as it can be drawn; one of which nothing can be is the player's number."""
    if player in game.state.seatless:
        return words.own(game.definition, "seatless", player)
    if player not in game.players:
        return player
    name, number = legible(player), game.players.index(player) + 1
    if not name:
        return f"{words('player')} {number}"
    alike = [other for other in game.players if legible(other) == name]
    return name if alike == [player] else f"{name} {number}"


def distinct(names: Sequence[str], room: int, size: int, bold: bool = False) -> list[str]:
    """All names as they fit into a room: whole, or shortened so that no two of them look alike."""
    short = [_cut(name, room, size, bold) for name in names]
    for length in range(1, max(map(len, names), default=0) + 1):
        alike = [text for text in short if short.count(text) > 1]
        if not alike:
            break
        # What they begin with alike says nothing: the end of each does.
        short = [
            _cut_to(name, name[-length:], room, size, bold) if text in alike else text
            for name, text in zip(names, short, strict=True)
        ]
    if len(set(short)) < len(set(names)):
        short = [f"{number}" for number in range(1, len(names) + 1)]
    return short


def _cut(name: str, room: int, size: int, bold: bool) -> str:
    if width(name, size, bold) <= room:
        return name
    return _cut_to(name, "", room, size, bold)


def _cut_to(name: str, end: str, room: int, size: int, bold: bool) -> str:
    """As much of the beginning as there is room for beside an ellipsis and an end."""
    if width(name, size, bold) <= room:
        return name
    for length in range(len(name) - len(end), -1, -1):
        text = f"{name[:length].rstrip()}…{end}"
        if width(text, size, bold) <= room:
            return text
    return end or name[:1]


def initials(names: Sequence[str]) -> list[str]:
    """The fewest letters of each name by which all differ; a number at the end counts."""
    plain = [legible(name) or str(number) for number, name in enumerate(names, start=1)]
    for length in range(1, max(map(len, plain), default=1) + 1):
        found = []
        for name in plain:
            words, _, last = name.rpartition(" ")
            number = last if last.isdecimal() and words else ""
            found.append((words if number else name)[:length] + number)
        if len(set(found)) == len(found):
            return found
    return [str(number) for number in range(1, len(names) + 1)]


@lru_cache(maxsize=64)
def _badges(names: tuple[str, ...], size: int) -> list[Image.Image]:
    result = []
    for number, text in enumerate(initials(names)):
        colour = style(number)
        wide = max(width(text, size, True) + round(size * 0.4), round(size * 1.3))
        image = Image.new("RGB", (wide, round(size * 1.3)), colour)
        spot = (wide / 2, image.height / 2)
        ImageDraw.Draw(image).text(spot, text, font=font(size, True), fill=ink_on(colour), anchor="mm")
        result.append(image)
    return result


#: Colours of seats, the same as those of the players' lines in a chart.
SEATS = tuple(map(rgb, ("#d81b60", "#0b57d0", "#f57c00", "#00897b", "#6a1b9a", "#5d4037")))


def style(seat: int) -> Colour:
    return SEATS[seat % len(SEATS)]


def badge(game: Game, player: str, words: Words, size: int) -> Image.Image | None:
    """A square in the colour of a player's seat with the initial of what they are called; none without a seat."""
    if player not in game.players:
        return None
    names = tuple(drawn(game, each, words) for each in game.players)
    return _badges(names, size)[list(game.players).index(player)]


def person(
    game: Game, player: str, words: Words, theme: Theme, size: int, room: int, *, star: str = "", bold: bool = False
) -> Image.Image:
    """A player in a table: the badge of their seat, and as much of their name as tells them from all others."""
    sign = badge(game, player, words, round(size * 0.86))
    left = sign.width + round(size * 0.3) if sign is not None else 0
    seats = list(game.players)
    names = [drawn(game, each, words) for each in seats]
    free = room - left - width(star, size, bold)
    text = distinct(names, free, size, bold)[seats.index(player)] if player in seats else drawn(game, player, words)
    text = star + text
    image = Image.new("RGBA", (left + width(text, size, bold) + 1, round(size * 1.3)), (0, 0, 0, 0))
    if sign is not None:
        image.paste(sign, (0, (image.height - sign.height) // 2))
    spot = (left, image.height / 2)
    ImageDraw.Draw(image).text(spot, text, font=font(size, bold), fill=(*theme.ink, 255), anchor="lm")
    return image


def called(game: Game, player: str, words: Words) -> str:
    """A player's name as it is; whoever has no seat goes by the title's word."""
    return words.own(game.definition, "seatless", player) if player in game.state.seatless else player


@lru_cache(maxsize=1024)
def legible(name: str) -> str:
    """What the fonts have of a name: letters in fancy dress as plain ones, emoji and foreign scripts not at all."""
    kept = "".join(sign if _has(sign) else _plain(sign) for sign in unicodedata.normalize("NFC", name))
    kept = " ".join(kept.split())
    if any(unicodedata.bidirectional(sign) in _RIGHT_TO_LEFT for sign in kept):
        kept = kept[::-1]
    return kept if any(unicodedata.category(sign)[0] in "LNPS" for sign in kept) else ""


def _plain(sign: str) -> str:
    """The signs that one stands for, as far as the fonts have them."""
    return "".join(each for each in unicodedata.normalize("NFKD", sign) if _has(each))


@lru_cache(maxsize=4096)
def _has(sign: str) -> bool:
    if sign == " ":
        return True
    if unicodedata.category(sign)[0] in "CZ":
        return False
    return all(bytes(font(24, bold).getmask(sign)) != bytes(font(24, bold).getmask("\uffff")) for bold in (False, True))
