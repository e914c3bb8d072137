"""Names of players on pictures: signs that the project's fonts lack are left out, so that nobody is a row of boxes."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

from engine.game import Game
from renderers.kit.fonts import font
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
