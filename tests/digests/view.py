"""What the digests say of a game, read by meaning: the only module here that knows how the engine is built.

When the engine's shape changes, change the functions below so that they give the same values as before. When moves or
events are renamed or split, extend `MOVES`, `RENAMED`, `FIELDS` and `REWRITTEN`: they turn what the engine tells
today into what it told when the games were recorded. For example, if `Paid` becomes `MoneyMoved` and its `source`
becomes `payer`:

    RENAMED = {"MoneyMoved": "Paid"}
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

#: Today's names of moves, and those under which they were recorded.
MOVES: Mapping[str, str] = {"take_loan": "take_credit"}
#: The way back, for recorded moves.
NOW = {recorded: today for today, recorded in MOVES.items()}
#: Today's names of events, and those under which they were recorded.
RENAMED: Mapping[str, str] = {"LotReduced": "LotCheaper", "LoanTaken": "CreditTaken", "PlayersHelped": "BankRelieved"}
#: By recorded name of an event: today's names of its fields, and those under which they were recorded.
FIELDS: Mapping[str, Mapping[str, str]] = {}
#: By recorded name of an event: its fields today to its fields as recorded, None for an event to leave out.
REWRITTEN: Mapping[str, Callable[[Fields], Fields | None]] = {
    "Paid": lambda seen: _payment(**seen),
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
        return game.apply(from_json({**move, "type": NOW.get(move["type"], move["type"])})), ""
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
    """The position by meaning: nothing of how the engine remembers where in a turn it is."""
    seen: View = {}
    for part in (_table, _players, _companies, _privates, _market, _board, _depot, _round, _title):
        seen.update(part(game))
    return seen


def _table(game: Game) -> View:
    state = game.state
    seen: View = {
        "seats": list(state.seats),
        "retired": list(state.retired),
        "priority": state.priority,
        "phase": game.phase.name,
        "bank_broken": state.bank_broken,
        "finished": state.finished,
    }
    if over(game):
        seen["scores"] = sorted([name, score] for name, score in game.rules.score(game).items())
    return seen


def _players(game: Game) -> View:
    state = game.state
    cash = {f"cash.{name}": amount for name, amount in state.cash.items()}
    return {**cash, **{f"loans.{name}": amount for name, amount in state.loans.items() if amount}}


def _companies(game: Game) -> View:
    seen: View = {}
    for name, company in game.state.companies.items():
        seen |= {
            f"company.{name}.certificates": list(company.certificates),
            f"company.{name}.tokens_left": list(company.tokens_left),
            f"company.{name}.director": company.director,
            f"company.{name}.par": company.par,
            f"company.{name}.price": list(company.price) if company.price else None,
            f"company.{name}.is": [
                word for word in ("floated", "active", "operated", "closed") if getattr(company, word)
            ],
            f"company.{name}.trains": sorted(company.trains),
            f"company.{name}.last_revenue": company.last_revenue,
        }
    return seen


def _privates(game: Game) -> View:
    owners = {f"private.{name}": owner for name, owner in game.state.privates.items()}
    return {**owners, "used": sorted(game.state.used)}


def _market(game: Game) -> View:
    return {f"stack.{row},{column}": list(stack) for (row, column), stack in game.state.stacks.items() if stack}


def _board(game: Game) -> View:
    board = game.state.board
    tiles = {f"tile.{at}": list(tile) for at, tile in board.tiles.items()}
    stations = {
        f"stations.{at}": [list(spaces) for spaces in stops]
        for at, stops in board.stations.items()
        if any(token for spaces in stops for token in spaces)
    }
    markers = {f"markers.{at}": sorted(kinds) for at, kinds in board.markers.items() if kinds}
    return {**tiles, **stations, **markers, "supply": {tile: count for tile, count in board.supply.items() if count}}


def _depot(game: Game) -> View:
    depot = game.state.depot
    return {
        "depot.left": {train: count for train, count in depot.left.items() if count},
        "depot.sold": {train: count for train, count in depot.sold.items() if count},
        "depot.pool": sorted(depot.pool),
        "depot.gone": sorted(depot.gone),
        "depot.aside": sorted(depot.aside),
    }


def _round(game: Game) -> View:
    now = game.state.round
    numbers = [now.stock_number, now.operating_number, now.operating_total]
    return {"round.kind": now.kind, "round.numbers": numbers, "round.turn_of": now.actor}


def _title(game: Game) -> View:
    """What only some titles have: the location card and the money for a link of 18Rhl, the access tokens of 18BL."""
    facts = game.state.facts
    names = ("location_card", "link_money", "access")
    return {f"title.{name}": _plain(facts[name]) for name in names if name in facts}


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
