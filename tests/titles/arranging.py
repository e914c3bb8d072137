"""The language in which tests set up positions of any title: real games, with the board or the books set by hand.

A title's own `arrange.py` says what is its own: how its games begin, what its companies need, what its phases bring.
Whoever changes a position by hand says `take_offer` afterwards; everything here does so by itself, but for money.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from engine import events as ev
from engine.board.tiling import Tiling
from engine.errors import Refused
from engine.finance import shares
from engine.game import Game
from engine.moves import Move, Pass
from engine.offer import Number, Options
from engine.remembered import Acted
from engine.rounds.stock import StockRound
from engine.rounds.turns import OnceRound
from engine.state import BANK, OFFERING

#: Everybody who may sit at a table, in the order in which they sit there.
SEATS = ("ann", "bo", "cy", "di", "ed", "flo")


def seated(begin: Callable[[int], Game], meant: Callable[[Game], bool] = lambda game: True) -> Game:
    """The first game, by its seed, in which ann, bo, cy, … sit in this order, and which is as it is meant to be."""
    for seed in range(20_000):
        game = begin(seed)
        if game.state.seats == list(SEATS[: len(game.players)]) and meant(game):
            return game
    raise AssertionError("no seed seats the players in order")


def take_offer(game: Game) -> None:
    """Forget what was derived from the position before it was changed by hand."""
    game.state.board.track_version += 1
    game.state.board.token_version += 1
    game._attach(game.state)


# ---------------------------------------------------------------------- money and certificates


def give(game: Game, who: str, amount: int) -> None:
    """Put money into somebody's hands from the bank (or back into it)."""
    game.state.cash[BANK] -= amount
    game.state.cash[who] += amount


def cash(game: Game, who: str, amount: int) -> None:
    """Set somebody's cash; the bank takes the difference."""
    give(game, who, amount - game.state.cash[who])


def hand(game: Game, company: str, holder: str, percent: int, source: str = OFFERING) -> None:
    """Move certificates of a company worth `percent`, the top ones first, from the offering (or elsewhere)."""
    moved = 0
    for number in shares.numbers(game, company, source):
        if moved >= percent:
            break
        game.company(company).certificates[number] = holder
        moved += shares.percent_of(game, company, number)
    assert moved == percent, f"{moved} % instead of {percent} %"
    take_offer(game)


def own(game: Game, company: str, holder: str, percent: int, source: str = OFFERING) -> None:
    """Let somebody hold exactly so much of a company; the source gives or takes the difference, small ones first."""
    certificates = game.company(company).certificates
    for number in [n for n, owner in enumerate(certificates) if owner == holder and n]:
        certificates[number] = source
    missing = percent - shares.held(game, company, holder)
    free = {n: shares.percent_of(game, company, n) for n, owner in enumerate(certificates) if owner == source and n}
    group = shares.subset(free, missing) if missing else ()
    assert group is not None, f"no certificates of {company} make up {missing}"
    for number in group:
        certificates[number] = holder
    take_offer(game)


def certificates(game: Game, player: str, count: int, *, but: tuple[str, ...] = (), most: int = 100) -> None:
    """Somebody holds so many certificates: what is missing are ordinary ones from the display.

    None is of the companies named, and no company gives more than `most` percent.
    """
    for company in game.state.companies:
        for number in shares.numbers(game, company, OFFERING):
            room = shares.held(game, company, player) < most and shares.certificates(game, player) < count
            if number and company not in but and room:
                game.company(company).certificates[number] = player
    assert shares.certificates(game, player) == count
    take_offer(game)


def private(game: Game, name: str, owner: str) -> None:
    """Give a private company to somebody."""
    game.state.privates[name] = owner
    take_offer(game)


# ---------------------------------------------------------------------- companies


def founded(game: Game, company: str, director: str, par: int = 80) -> None:
    """Found a company for a director without payment, at the space of this starting price."""
    market, state = game.definition.market, game.company(company)
    state.certificates[0] = director
    state.director, state.par = director, par
    game.prices.put(company, next(cell for cell in market.cells("p") if market.rows[cell[0]][cell[1]] == par))
    take_offer(game)


def floats(game: Game, company: str, treasury: int, *, operated: bool) -> None:
    """A company floats, with this much money."""
    state = game.company(company)
    state.floated = state.active = True
    state.operated = operated
    cash(game, company, treasury)
    take_offer(game)


def price_at(game: Game, company: str, value: int) -> None:
    """Put a company's token on the first space of this value that it may stand on, below the others there."""
    market = game.definition.market
    rows = [market.row_of(game.definition.corporations[company].kind)] if market.kinds else range(len(market.rows))
    cells = ((row, column) for row in rows for column, each in enumerate(market.rows[row]) if each == value)
    game.prices.put(company, next(cell for cell in cells if market.has(*cell)))
    take_offer(game)


# ---------------------------------------------------------------------- trains and phases


def trains(game: Game, company: str, *kinds: str) -> None:
    """Give a company trains out of the depot, without a phase change."""
    for kind in kinds:
        taken(game, kind)
        game.company(company).trains.append(kind)
    take_offer(game)


def only_train(game: Game, company: str, kind: str) -> None:
    """A company's only train is one of this type, from the depot."""
    state = game.company(company)
    game.state.depot.gone.extend(state.trains)
    taken(game, kind)
    state.trains = [kind]
    take_offer(game)


def taken(game: Game, kind: str) -> None:
    """A train of a type is taken off the depot."""
    game.state.depot.left[kind] -= 1
    game.state.depot.sold[kind] += 1


def keep(game: Game, kind: str, left: int = 0, *, sold: bool = True) -> None:
    """So many trains of a type are left in the depot; the others are out of the game, and were sold or not."""
    depot = game.state.depot
    out = depot.left[kind] - left
    depot.left[kind] = left
    depot.gone.extend([kind] * out)
    if sold:
        depot.sold[kind] += out


def sell_out(game: Game, *kinds: str) -> None:
    """All trains of these types have been sold and are out of the game."""
    for kind in kinds:
        keep(game, kind)
    take_offer(game)


def first_sold(game: Game, kind: str) -> None:
    """The first train of a type has been sold, and is out of the game."""
    if not game.state.depot.sold[kind]:
        taken(game, kind)
        game.state.depot.gone.append(kind)


def firsts_sold(game: Game, name: str) -> int:
    """The first train of each type up to that of a phase has been sold, and is out of the game; the phase's number."""
    phases = game.definition.phases
    index = next(number for number, phase in enumerate(phases) if phase.name == name)
    for phase in phases[: index + 1]:
        for kind in (game.definition.trains[0].name,) if phase.on == ("start",) else phase.on:
            first_sold(game, kind)
    return index


def phases_begin(game: Game, index: int) -> None:
    """The phases up to this one begin, each with all that its beginning brings."""
    for number in range(game.state.phase + 1, index + 1):
        game.state.phase = number
        game.notify(ev.PhaseChanged(game.phase.name, game.phase.colour))
    take_offer(game)


# ---------------------------------------------------------------------- the map


def lay(game: Game, at: str, tile: str, rotation: int = 0) -> None:
    """Put a tile on the map without asking the rules, with tokens moved along."""
    tiling: Tiling = game.rules.tiling
    fit = tiling.placed(at, game.board.cover(at), game.definition.tiles[tile], rotation)
    game.board.lay(at, fit)
    take_offer(game)


def turned(game: Game, tile: str, *sides: str) -> int:
    """The rotation in which a tile's track leads to exactly these sides."""
    edges = game.definition.map.layout.edges
    wanted = sum(1 << edges.index(side) for side in sides)
    return next(r for r in range(6) if game.definition.tiles[tile].faces[r].exits == wanted)


def put(game: Game, at: str, tile: str, *sides: str) -> None:
    """Lay a tile so that its track leads to these sides, whatever the rules say."""
    lay(game, at, tile, turned(game, tile, *sides))


def station(game: Game, company: str, at: str, stop: int = 0) -> None:
    """Put one of a company's tokens on the map."""
    game.company(company).tokens_left.pop(0)
    game.board.place_station(company, at, stop)
    take_offer(game)


# ---------------------------------------------------------------------- whose turn it is


def turn_of(
    game: Game,
    actor: str,
    step: str = "",
    *begun: int,
    kind: str = "operating",
    paid: bool = True,
    after: Iterable[str] | None = None,
) -> None:
    """A round of this kind begins, and it is somebody's turn, at a step of it; those named have had theirs.

    What follows the step is what the round is told at its beginning. Unless `paid`, nobody keeps what it pays then.
    """
    rules = game.rules.rounds[kind]
    assert isinstance(rules, OnceRound)
    before = dict(game.state.cash)
    rules.begin(game, *begun)
    if not paid:
        game.state.cash.update(before)
    if after is not None:
        Acted.of(game).acted = list(after)
    rules.begin_turn(game, actor)
    if step:
        game.state.round.step = step
    take_offer(game)


def operating(game: Game, company: str, step: str = "track", number: int = 1, total: int = 1) -> None:
    """It is the turn of a company in an operating round, at a step of its turn."""
    turn_of(game, company, step, number, total)


def stock(game: Game, player: str, number: int = 2) -> None:
    """It is a player's turn in a stock round."""
    game.state.round.stock_number = number
    game.state.priority = player
    begin_stock(game, player)


def begin_stock(game: Game, first: str = "") -> None:
    """A stock round begins with the turn of a player."""
    rules = game.rules.rounds["stock"]
    assert isinstance(rules, StockRound)
    rules.begin(game, first)
    rules.begin_turn(game, rules.next_actor(game))
    take_offer(game)


# ---------------------------------------------------------------------- what is on offer, and what happens


def refused(game: Game, move: Move) -> Refused:
    """The refusal of a move, which must leave the position as it was."""
    before = game.state.digest()
    try:
        game.apply(move)
    except Refused as refusal:
        assert game.state.digest() == before, "a refused move changed the position"
        return refusal
    raise AssertionError(f"{move} was accepted")


def names(game: Game, player: str = "") -> set[str]:
    """The kinds of moves on offer (to a player)."""
    return {choice.name for choice in game.offer().choices if player in ("", choice.player)}


def asked(game: Game) -> str:
    """The one player who has to decide."""
    (player,) = game.offer().deciders
    return player


def offered(game: Game, kind: str, **picked: Any) -> list[Any]:
    """The values of the next parameter of a kind of move on offer; the bounds if it is a number."""
    choice = game.offer().find(kind)
    assert choice is not None, f"{kind} is not on offer but {names(game)}"
    domain = choice.ask(picked)
    if isinstance(domain, Number):
        return [domain.low, domain.high, domain.step]
    assert isinstance(domain, Options)
    return [option.value for option in domain.options]


def walk(game: Game, *moves: Move) -> list[ev.Event]:
    """Make moves one after the other; all that happened."""
    return [event for move in moves for event in game.apply(move)]


def passing(game: Game, *players: str) -> list[ev.Event]:
    """These players pass in this order; all that happened."""
    return walk(game, *map(Pass, players))


def seen(game: Game, move: Move, kind: type[ev.Event]) -> list[Any]:
    """The events of a kind that a move brings."""
    return [event for event in game.apply(move) if isinstance(event, kind)]


def told(events: Iterable[ev.Event], kind: str) -> list[dict[str, Any]]:
    """The events of a kind, as data."""
    return [event.data() for event in events if type(event).__name__ == kind]
