"""When the bank is empty, and how the game ends."""

from __future__ import annotations

from dataclasses import dataclass

from engine import events as ev
from engine.finance import shares
from engine.finance.closing import close_private
from engine.game import Game
from engine.state import BANK
from titles.ruhr import works
from titles.ruhr.remembered import Ending


@dataclass(frozen=True, slots=True)
class BankRefilled(ev.Event):
    """The players together pay into the bank."""

    amount: int


@dataclass(frozen=True, slots=True)
class LastSet(ev.Event):
    """One more stock round and its operating rounds, then the game is over."""

    rounds: int


def paid(game: Game, event: ev.Paid) -> None:
    """The bank has paid its last Mark: in a brown operating round the game ends after the set, else it is filled."""
    state = game.state
    if event.source != BANK or state.cash[BANK] > 0:
        return
    if state.round.kind != "operating":
        refill(game)
        return
    if not state.bank_broken:
        state.bank_broken = state.round.kind
        game.emit(ev.BankBroke(-state.cash[BANK]))
    if game.phase.colour == "brown":
        Ending.of(game).ends = True


def refill(game: Game) -> None:
    """All pay the same; who cannot gives what they have, and the others share the rest."""
    state = game.state
    while state.cash[BANK] <= 0:
        due = works.tables(game).bank.refill
        given = dict.fromkeys(state.seats, 0)
        while due:
            able = [player for player in state.seats if state.cash[player] > given[player]]
            if not able:
                break
            share = max(due // len(able), 1)
            for player in able:
                part = min(share, state.cash[player] - given[player], due)
                given[player] += part
                due -= part
        total = sum(given.values())
        if not total:
            return
        for player, amount in given.items():
            game.pay(player, BANK, amount, "help")
        game.emit(BankRefilled(total))
        state.bank_broken = ""


def card_gone(game: Game, event: ev.PhaseChanged) -> None:
    """Private companies close with their cards; the first card of the last type announces the end."""
    t = works.tables(game)
    for private, power in t.powers.items():
        if works.happened(game, power.closes_on) and game.state.privates[private] in game.state.seats:
            close_private(game, private)
    if works.happened(game, t.last.card) and not Ending.of(game).ends and not Ending.of(game).last:
        Ending.of(game).last = "due"
        game.emit(LastSet(t.last.operating_rounds))


def score(game: Game) -> dict[str, int]:
    """Cash, certificates at their value, small companies at their printed price; bankrupt players come last."""
    state, t = game.state, works.tables(game)
    result = {}
    for player in [*state.seats, *reversed(state.retired)]:
        total = state.cash[player]
        for name in state.companies:
            held = shares.held(game, name, player)
            if held:
                total += t.mines[name].price if name in t.mines else shares.worth(game, name, held)
        result[player] = total
    return result
