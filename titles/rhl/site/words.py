"""What 18xx.games calls what we call otherwise: private companies, sides and rotations, its chance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.definition import Definition
from engine.game import Game
from titles.rhineland.tables import LocationCard
from titles.rhl.tables import Tables

#: The title's name on that site.
TITLE = "18Rhl"
#: Our private companies by its symbols; ATB belongs to a variant.
PRIVATES: Mapping[str, str] = {
    "PWB": "PWB",
    "KEO": "KEO",
    "Szl": "THS",
    "Tjt": "TF",
    "NLK": "NLK",
    "RhE": "RHE-DIR",
}
SYMBOLS = {ours: symbol for symbol, ours in PRIVATES.items()}
KINDS: Mapping[str, str] = {"payout": "pay", "withhold": "withhold"}
#: Tiles with a space of their own are drawn as they lie there; all others are turned by half, as are the site's sides.
_AS_PRINTED = frozenset({"921", "922", "923", "924", "925", "926", "927", "928", "929", "930", "931"})
#: Tile 935 is drawn for another space.
_TURNED: Mapping[str, int] = {**dict.fromkeys(_AS_PRINTED, 0), "935": 5}
_HALF = 3
#: Tiles that have a letter before their number there.
_LETTERED = frozenset({"921", "922", "923", "924", "925", "926"})
#: Its generator of chance: the next number is FACTOR * number + TERM, as a remainder of NUMBERS.
_FACTOR, _TERM, _NUMBERS = 1103515245, 12345, 1 << 31
_OURS = "Kursbuch, seed "
#: Our seeds have no more digits.
_DIGITS = 20


def tile_of(name: str) -> str:
    """Our number of a tile, without the copy: `X921-0` is 921."""
    return name.rpartition("-")[0].removeprefix("X")


def tile_name(tile: str) -> str:
    """The site's name of one of our tiles."""
    return f"X{tile}" if tile in _LETTERED else tile


def rotation_of(definition: Definition, tile: str, turns: int) -> int:
    """Our rotation of a tile: of those that look alike the one that is on offer."""
    wanted = (turns + _TURNED.get(tile, _HALF)) % 6
    kind = definition.tiles[tile]
    face = kind.faces[wanted]
    return next((each for each in kind.rotations if kind.faces[each] == face), wanted)


def turns_of(tile: str, rotation: int) -> int:
    """The site's rotation of a tile that lies so."""
    return (rotation - _TURNED.get(tile, _HALF)) % 6


def location_card(seed: int, cards: int) -> int:
    """The number of the order card that a seed of the site draws for the locations."""
    drawn = (_FACTOR * (seed % _NUMBERS) + _TERM) % _NUMBERS
    return drawn % cards + 1


def seed_for(card: int, cards: int) -> int:
    """The least seed of the site that draws this card."""
    return next(seed for seed in range(_NUMBERS) if location_card(seed, cards) == card)


def description(seed: int) -> str:
    """What a file of ours says of itself: with our seed the same cards are dealt to the seats again."""
    return f"{_OURS}{seed}"


def our_seed(text: Any) -> int | None:
    """Our seed in the description of a file, if it is one of ours."""
    digits = text.removeprefix(_OURS) if isinstance(text, str) and text.startswith(_OURS) else ""
    return int(digits) if digits.isdecimal() and digits.isascii() and len(digits) <= _DIGITS else None


def cards_of(definition: Definition) -> Sequence[LocationCard]:
    """The order cards, each with the places of the location tokens."""
    tables: Tables = definition.tables
    return tables.order_card


def drawn_card(game: Game) -> int:
    """The number of the order card by which the location tokens of a game lie."""
    lie = game.state.board.markers
    return next(
        card.number
        for card in cards_of(game.definition)
        if "coal" in lie.get(card.coal, ()) and "steel" in lie.get(card.steel, ())
    )
