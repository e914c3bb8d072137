"""Which certificates are handed over: a new director and a seller choose, where theirs are of different sizes.

Where there is only one way nobody is asked. A mix of certificates is written by their sizes: `20+10+10`.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Any

from engine.finance import shares
from engine.finance.prices import sell
from engine.moves import HandOver
from engine.offer import Choice, Domain, Option, Options, Picked
from engine.state import Pause

if TYPE_CHECKING:
    from engine.game import Game

#: The kind of the question.
HAND_OVER = "hand_over"

#: Certificates by their mix; as many small ones as possible come first.
Mixes = dict[str, tuple[int, ...]]


def mixes(game: Game, company: str, numbers: list[int], percent: int) -> Mixes:
    """The different mixes of some certificates that make up a share exactly, each with certificates for it."""
    percents = {number: shares.percent_of(game, company, number) for number in numbers}
    if len(set(percents.values())) < 2:
        plain = shares.subset(percents, percent)
        return {} if plain is None else {_written(game, company, plain): plain}
    ordered = sorted(percents, key=lambda number: (percents[number], -number))
    found: Mixes = {}
    for size in range(len(ordered), 0, -1):
        for group in combinations(ordered, size):
            if sum(percents[number] for number in group) == percent:
                found.setdefault(_written(game, company, group), group)
    return found


def _written(game: Game, company: str, numbers: tuple[int, ...]) -> str:
    sizes = sorted((shares.percent_of(game, company, number) for number in numbers), reverse=True)
    return "+".join(map(str, sizes))


def swaps(game: Game, company: str, new: str) -> Mixes:
    """What a new director can hand over for the director's certificate."""
    return mixes(game, company, shares.numbers(game, company, new), shares.percent_of(game, company, 0))


def sold_parts(game: Game, company: str, seller: str, percent: int, swapped: tuple[int, ...]) -> Mixes:
    """What a seller can give into the pool, with what a new director has handed over; never the director's."""
    own = [number for number in shares.numbers(game, company, seller) if number]
    return mixes(game, company, [*own, *swapped], percent)


def settle_director(game: Game, company: str) -> None:
    """After a purchase: whoever holds more than the director takes over."""
    new = shares.rightful_director(game, company)
    if new == game.company(company).director:
        return
    found = game.rules.handed(swaps(game, company, new))
    if len(found) > 1:
        game.ask(HAND_OVER, [new], company=company, seller="", percent=0, swap="")
    else:
        shares.change_director(game, company, new, next(iter(found.values())))


def hand_over_and_sell(game: Game, seller: str, company: str, percent: int, swap: str = "") -> None:
    """Sell shares into the pool; who has a choice of certificates is asked first, a new director before the seller."""
    plan = shares.sale(game, company, seller, percent)
    assert plan is not None
    new = plan[1]
    swapped: tuple[int, ...] = ()
    if new != game.company(company).director:
        found = possible_swaps(game, company, new, seller, percent)
        if len(found) > 1 and not swap:
            game.ask(HAND_OVER, [new], company=company, seller=seller, percent=percent, swap="")
            return
        swap = swap or next(iter(found))
        swapped = found[swap]
    parts = sold_parts(game, company, seller, percent, swapped)
    if len(parts) > 1:
        game.ask(HAND_OVER, [seller], company=company, seller=seller, percent=percent, swap=swap)
        return
    sell(game, seller, company, percent, swapped or None, next(iter(parts.values())))


class WholeCertificates:
    """How a player's sale is made up: of whole certificates."""

    def plan(self, game: Game, company: str, seller: str, percent: int) -> tuple[tuple[int, ...], str] | None:
        """The certificates that would go to the pool and the director afterwards, or None if impossible."""
        return shares.sale(game, company, seller, percent)

    def sell(self, game: Game, seller: str, company: str, percent: int) -> None:
        """Carry a sale out without asking anybody about certificates."""
        sell(game, seller, company, percent)

    def ask_and_sell(self, game: Game, seller: str, company: str, percent: int) -> None:
        """Carry it out as people want it who have a choice of certificates."""
        hand_over_and_sell(game, seller, company, percent)


def possible_swaps(game: Game, company: str, new: str, seller: str, percent: int) -> Mixes:
    """What a new director can hand over so that the seller can sell what they have announced."""
    found = {
        mix: group
        for mix, group in swaps(game, company, new).items()
        if sold_parts(game, company, seller, percent, group)
    }
    return dict(game.rules.handed(found))


def hand_over_choices(game: Game, pause: Pause) -> list[Choice[Any]]:
    """What a new director or a seller may do about their certificates."""
    return [HandOverChoice(game, pause)]


class HandOverChoice(Choice[HandOver]):
    """Choose the certificates that change hands."""

    kind = HandOver

    def __init__(self, game: Game, pause: Pause) -> None:
        super().__init__(game, pause.players[0], pause.data["company"])
        self.pause = pause
        self.seller: str = pause.data["seller"]
        self.percent: int = pause.data["percent"]
        self.swap: str = pause.data["swap"]

    def mixes(self) -> Mixes:
        """The mixes to choose from."""
        if not self.seller:
            return dict(self.game.rules.handed(swaps(self.game, self.company, self.player)))
        if self.player != self.seller:
            return possible_swaps(self.game, self.company, self.player, self.seller, self.percent)
        return sold_parts(self.game, self.company, self.seller, self.percent, self._swapped())

    def _swapped(self) -> tuple[int, ...]:
        """What the new director hands over, if the sale makes one."""
        if not self.swap:
            return ()
        plan = shares.sale(self.game, self.company, self.seller, self.percent)
        assert plan is not None
        return swaps(self.game, self.company, plan[1])[self.swap]

    def ask(self, picked: Picked) -> Domain | None:
        if "certificates" in picked:
            return None
        facts = {"company": self.company}
        return Options("certificates", [Option(mix, facts) for mix in self.mixes()])

    def move(self, picked: Picked) -> HandOver:
        return HandOver(self.player, self.company, picked["certificates"])

    def check(self, move: HandOver) -> None:
        if move.company != self.company:
            raise self.game.refuse("turn.order.handing", company=self.company)
        found = self.mixes()
        if move.certificates not in found:
            raise self.game.refuse("director.swap", mixes=tuple(found), chosen=move.certificates)

    def perform(self, move: HandOver) -> None:
        game, company = self.game, self.company
        group = self.mixes()[move.certificates]
        swapped = self._swapped() if self.player == self.seller else ()
        game.answered(self.pause)
        if not self.seller:
            shares.change_director(game, company, self.player, group)
        elif self.player == self.seller:
            sell(game, self.seller, company, self.percent, swapped or None, group)
        else:
            hand_over_and_sell(game, self.seller, company, self.percent, move.certificates)
