"""What the digests say of a game, read by meaning: the only module here that knows how the engine is built.

When the engine's shape changes, change the functions below so that they give the same values as before. When moves or
events are renamed, say so in `engine.renames`; when they are split, extend `FIELDS` and `REWRITTEN`: they turn
what the engine tells today into what it told when the games were recorded. For example, if `Paid` becomes
`MoneyMoved` and its `source` becomes `payer`, `engine.renames.EVENTS` says `{"Paid": "MoneyMoved"}`, and here:

    FIELDS = {"Paid": {"payer": "source"}}

`REWRITTEN` is for all else: a function that gets the fields of an event under its old name and gives those that it
had, or None if the event is new and was not recorded.
"""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import titles
from engine import position, renames
from engine.errors import BadMove, Refused
from engine.events import Event
from engine.game import Game
from engine.house.players import HOUSES
from engine.moves import Move, from_json, to_json
from engine.offer import Choice, Number, Options

#: A game as the engine has it; the other modules here only hand it on.
Played = Game
#: A position: what is to be seen, by name (`company.RhE.price`), as JSON values.
View = dict[str, Any]
Fields = dict[str, Any]

#: What the engine tells of a position and the recordings have not, by the beginning of its name.
NOT_RECORDED = ("fact.", position.HIDDEN, "round.step", "round.asks", "beside.")
#: Facts of titles that were recorded: the location card and the money for a link of 18Rhl, the access tokens of 18BL.
FACTS = ("location_card", "link_money", "access")

#: Today's names of moves, and those under which they were recorded.
MOVES: Mapping[str, str] = {today: recorded for recorded, today in renames.MOVES.items()}
#: Today's names of events, and those under which they were recorded.
RENAMED: Mapping[str, str] = {
    **{today: recorded for recorded, today in renames.EVENTS.items()},
    "PlayersHelped": "BankRelieved",
}
#: By recorded name of an event: today's names of its fields, and those under which they were recorded.
FIELDS: Mapping[str, Mapping[str, str]] = {}
#: By recorded name of an event: its fields today to its fields as recorded, None for an event to leave out.
REWRITTEN: Mapping[str, Callable[[Fields], Fields | None]] = {
    "Paid": lambda seen: _payment(**seen),
    "BeerDelivered": lambda seen: {name: value for name, value in seen.items() if name != "equipment"},
    "SharePriceMoved": lambda seen: {**seen, "reason": seen["reason"].replace("_", " ")},
    "CompanyClosed": lambda seen: {**seen, "reason": seen["reason"].replace("_", " ")},
}
#: The reasons of payments were sentences when the games were recorded; the link was named in the program.
REASONS = {
    "own_shares": "sale of own shares",
    "loan": "bank credit",
    "forced": "forced purchase",
    "sale": "sale of {about}",
    "closed": "treasury of a closed company",
    "lot": "lot {about}",
    "private": "revenue of {about}",
    "train": "{about}-train",
    "station": "station on {about}",
    "director": "director's certificate {about}",
    "share": "share of {about}",
    "terrain": "terrain at {about}",
    "kept": "kept revenue",
    "withheld": "withheld revenue",
    "dividend": "dividend of {about}",
    "help": "contribution to the bank",
    "access": "access token",
    "float": "{about} floats",
    "private_company": "private company {about}",
    "link": "link Köln–Aachen",
    "card": "Investor's card",
}


def _payment(reason: str, about: str, **others: Any) -> Fields:
    return {**others, "reason": REASONS.get(reason, reason + " {about}").format(about=about)}


#: Choices whose first parameter is a long search.
DEAR = frozenset({"run"})


# ---------------------------------------------------------------------- a game


def begin(title: str, players: Sequence[str], options: Mapping[str, Any], seed: int) -> Game:
    """A new game of a title, or of another form than its first by `title:form`."""
    box, form = titles.find_form(title)
    return titles.new_game(box.id, players, options, seed, form.id)


def make(game: Game, move: Mapping[str, Any]) -> tuple[Sequence[Event], str]:
    """Make a move that is given in its JSON form: its events, or why it is refused."""
    try:
        return game.apply(from_json(move)), ""
    except (Refused, BadMove) as error:
        return (), f"refused: {error}"


def house_move(game: Game, house: str, chance: random.Random) -> dict[str, Any]:
    """What a house player of this kind does next, in JSON form; chance also says who of the deciders."""
    player = chance.choice(deciders(game))
    return _move(HOUSES[house]().choose(game, player, chance))


def moves(game: Game) -> list[dict[str, Any]]:
    return [_move(move) for move in game.moves]


def _move(move: Move) -> dict[str, Any]:
    data = to_json(move)
    return {**data, "type": MOVES.get(data["type"], data["type"])}


def origin(game: Game) -> tuple[str, tuple[str, ...], dict[str, Any], int]:
    """What a game was begun with."""
    return game.definition.id, tuple(game.players), dict(game.rules.setup.options), game.seed


def opening(game: Game) -> Sequence[Event]:
    """What happened before the first move."""
    return game.opening


def over(game: Game) -> bool:
    return game.finished


# ---------------------------------------------------------------------- the position


def view(game: Game) -> View:
    """The position by meaning, as the engine tells it, with the names of people and what was recorded of it."""
    seen = position.view(game.state.data(), ())
    recorded = {key: value for key, value in seen.items() if not key.startswith(NOT_RECORDED)}
    recorded |= {"phase": game.phase.name}
    recorded |= {f"title.{name}": seen[f"fact.{name}"] for name in FACTS if f"fact.{name}" in seen}
    if over(game):
        recorded["scores"] = sorted([name, score] for name, score in game.rules.score(game).items())
    return recorded


# ---------------------------------------------------------------------- events


def told(events: Iterable[Event]) -> list[list[Any]]:
    """Events as they were recorded: name and fields each, after the tables above."""
    result = []
    for event in events:
        name = type(event).__name__
        name = RENAMED.get(name, name)
        renamed = FIELDS.get(name, {})
        fields: Fields | None = {
            renamed.get(field.name, field.name): _plain(getattr(event, field.name))
            for field in dataclasses.fields(event)
        }
        if name in REWRITTEN:
            fields = REWRITTEN[name](fields or {})
        if fields is not None:
            result.append([name, fields])
    return result


# ---------------------------------------------------------------------- the offer


def deciders(game: Game) -> tuple[str, ...]:
    return game.offer().deciders


def offered(game: Game) -> list[list[Any]]:
    """Who decides, and what each may do: the kinds of choices, with the values of the first parameter of each."""
    offer = game.offer()
    return [[player, sorted(_choice(choice) for choice in offer.of(player))] for player in deciders(game)]


def _choice(choice: Choice[Any]) -> list[Any]:
    name = MOVES.get(choice.name, choice.name)
    if name in DEAR:
        return [name, []]
    match choice.ask({}):
        case Options(options=options):
            return [name, sorted(str(option.value) for option in options)]
        case Number(low=low, high=high, step=step):
            return [name, [f"{low} to {high} by {step}"]]
    return [name, []]


def _plain(value: Any) -> Any:
    """JSON values: tuples become lists."""
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, tuple | list):
        return [_plain(item) for item in value]
    return value
