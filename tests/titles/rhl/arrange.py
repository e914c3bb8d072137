"""Arranges positions of 18Rhl for tests: real games, with the board or the books set as a test needs."""

from __future__ import annotations

from typing import Any

import titles
from engine import events as ev
from engine import moves as mv
from engine.board.tiling import Tiling
from engine.errors import Refused
from engine.finance import shares
from engine.game import Game
from engine.moves import Move
from engine.offer import Number, Options
from engine.rounds.stock import StockRound
from engine.rounds.turns import OnceRound
from engine.state import BANK, OFFERING
from titles.rhl.targets import TakeTarget, TargetCards

SEATS = ("ann", "bo", "cy", "di", "ed")


def new(players: int = 3, **options: Any) -> Game:
    """A new game whose seats are ann, bo, cy, … in this order, with ann to begin."""
    for seed in range(10_000):
        game = titles.new_game("rhl", SEATS[:players], options, seed)
        if game.state.seats == list(SEATS[:players]):
            return game
    raise AssertionError("no seed seats the players in order")


def take_targets(game: Game, *cards: str) -> None:
    """The players take these target cards in turn; two others are left over."""
    others = [card.id for card in game.definition.tables.target_card if card.id not in cards]
    TargetCards.of(game).drawn = sorted([*cards, *others[:2]])
    for card in cards:
        (player,) = game.offer().deciders
        game.apply(TakeTarget(player, card))


def after_package(
    players: int = 3, buyers: dict[str, str] | None = None, targets: tuple[str, ...] = (), **options: Any
) -> Game:
    """A game in its first stock round, every lot sold at its printed price to the players named.

    With target cards, ann, bo, cy, … have taken those named; their seats follow from the numbers.
    """
    game = new(players, **options, **({"target_cards": True} if targets else {}))
    if targets:
        take_targets(game, *targets)
    by_number = dict(enumerate(("ann", "ann", "bo", "bo", "cy", "cy"), 1))
    owners = {lot.id: by_number[lot.number] for lot in game.definition.privates.values()} | (buyers or {})
    for lot in game.rules.rounds["package"].lots(game):  # type: ignore[attr-defined]
        game.state.round.actor = owners[lot]
        give(game, owners[lot], game.definition.privates[lot].price)
        take_offer(game)
        game.apply(mv.BuyLot(owners[lot], lot))
    return game


def give(game: Game, who: str, amount: int) -> None:
    """Put money into somebody's hands from the bank (or back into it)."""
    game.state.cash[BANK] -= amount
    game.state.cash[who] += amount


def cash(game: Game, who: str, amount: int) -> None:
    """Set somebody's cash; the bank takes the difference."""
    give(game, who, amount - game.state.cash[who])


def take_offer(game: Game) -> None:
    """Forget what was derived from the position before it was changed by hand."""
    game.state.board.track_version += 1
    game.state.board.token_version += 1
    game._attach(game.state)


def hand(game: Game, company: str, holder: str, percent: int, source: str = OFFERING) -> None:
    """Move certificates of a company worth `percent` from the offering (or elsewhere) to somebody."""
    moved = 0
    for number in shares.numbers(game, company, source):
        if moved >= percent:
            break
        game.state.companies[company].certificates[number] = holder
        moved += shares.percent_of(game, company, number)
    assert moved == percent, f"{moved} % instead of {percent} %"


def founded(game: Game, company: str, director: str, par: int = 80) -> None:
    """Found a company for a director without payment."""
    state = game.company(company)
    cell = next(c for c in game.definition.market.cells("p") if game.definition.market.rows[c[0]][c[1]] == par)
    state.certificates[0] = director
    state.director, state.par = director, par
    game.prices.put(company, cell)


def floated(game: Game, company: str, director: str, par: int = 80, treasury: int = 1000) -> None:
    """A company that floats with 50 (60) % in its director's hands, the rest on its charter."""
    if not game.company(company).director:
        founded(game, company, director, par)
    due = game.definition.corporations[company].float_percent
    missing = due - shares.player_share(game, company)
    if missing > 0:
        hand(game, company, director, missing)
    for number in shares.numbers(game, company, OFFERING):
        game.state.companies[company].certificates[number] = company
    state = game.company(company)
    state.floated = state.active = True
    cash(game, company, treasury)
    take_offer(game)


def lay(game: Game, at: str, tile: str, rotation: int = 0) -> None:
    """Put a tile on the map without asking the rules, with tokens moved along."""
    tiling: Tiling = game.rules.tiling
    fit = tiling.placed(at, game.board.cover(at), game.definition.tiles[tile], rotation)
    game.board.lay(at, fit)
    take_offer(game)


def station(game: Game, company: str, at: str, stop: int = 0) -> None:
    """Put one of a company's tokens on the map."""
    game.company(company).tokens_left.pop(0)
    game.board.place_station(company, at, stop)
    take_offer(game)


def trains(game: Game, company: str, *names: str) -> None:
    """Give a company trains out of the depot, without a phase change."""
    for name in names:
        game.state.depot.left[name] -= 1
        game.state.depot.sold[name] += 1
        game.company(company).trains.append(name)


def phase(game: Game, name: str) -> None:
    """Set the phase by its name; trains of earlier phases are gone from the depot."""
    index = next(n for n, p in enumerate(game.definition.phases) if p.name == name)
    game.state.phase = index
    for earlier in game.definition.phases[:index]:
        count = game.state.depot.left[earlier.name]
        game.state.depot.left[earlier.name] = 0
        game.state.depot.sold[earlier.name] += count
        game.state.depot.gone.extend([earlier.name] * count)
    if not game.state.depot.sold[name]:
        game.state.depot.left[name] -= 1
        game.state.depot.sold[name] += 1
        game.state.depot.gone.append(name)
    game.notify(ev.PhaseChanged(game.phase.name, game.phase.colour))
    take_offer(game)


def operating(game: Game, company: str, step: str = "track", number: int = 1, total: int = 1) -> None:
    """It is the turn of a company in an operating round, at a step of its turn."""
    rules = game.rules.rounds["operating"]
    assert isinstance(rules, OnceRound)
    rules.begin(game, number, total)
    rules.begin_turn(game, company)
    game.state.round.step = step
    take_offer(game)


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


def walk(game: Game, *moves: Move) -> None:
    for move in moves:
        game.apply(move)


def offered(game: Game, kind: str, **picked: Any) -> list[Any]:
    """The values of the next parameter of a kind of move on offer; the bounds if it is a number."""
    choice = game.offer().find(kind)
    assert choice is not None, f"{kind} is not on offer but {names(game)}"
    domain = choice.ask(picked)
    if isinstance(domain, Number):
        return [domain.low, domain.high, domain.step]
    assert isinstance(domain, Options)
    return [option.value for option in domain.options]


def asked(game: Game) -> str:
    """Who has to decide, if it is one person."""
    (player,) = game.offer().deciders
    return player
