"""Which certificates are handed over: a new director and a seller choose, where theirs are of different sizes.

Where there is only one way nobody is asked. A mix of certificates is written by their sizes: `20+10+10`.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Any

from engine.finance import prices, shares
from engine.finance.shares import Mixes, mixes, swaps
from engine.moves import HandOver
from engine.offer import Choice, Domain, Option, Options, Picked
from engine.remembered import Raised
from engine.state import Pause

if TYPE_CHECKING:
    from engine.game import Game

#: The kind of the question.
HAND_OVER = "hand_over"


def sold_parts(game: Game, company: str, seller: str, percent: int, swapped: tuple[int, ...]) -> Mixes:
    """What a seller can give into the pool, with what a new director has handed over; never the director's."""
    own = [number for number in shares.numbers(game, company, seller) if number]
    return mixes(game, company, [*own, *swapped], percent)


def settle_director(game: Game, company: str) -> None:
    """After a purchase: whoever holds more than the director takes over."""
    new = shares.rightful_director(game, company)
    if new == game.company(company).director:
        return
    found = swaps(game, company, new)
    if len(found) > 1:
        game.ask(HAND_OVER, [new], company=company, seller="", percent=0, swap="")
    else:
        shares.change_director(game, company, new, next(iter(found.values())))


def hand_over_and_sell(
    game: Game, seller: str, company: str, percent: int, swap: str = "", among: Collection[str] = ()
) -> None:
    """Sell shares into the pool; who has a choice of certificates is asked first, a new director before the seller.

    `among` are the mixes to which a seller is bound, if they are not free.
    """
    plan = shares.sale(game, company, seller, percent)
    assert plan is not None
    new = plan[1]
    swapped: tuple[int, ...] = ()
    bound = {"among": list(among)} if among else {}
    if new != game.company(company).director:
        found = possible_swaps(game, company, new, seller, percent)
        if len(found) > 1 and not swap:
            game.ask(HAND_OVER, [new], company=company, seller=seller, percent=percent, swap="", **bound)
            return
        swap = swap or next(iter(found))
        swapped = found[swap]
    parts = within(sold_parts(game, company, seller, percent, swapped), among)
    if len(parts) > 1:
        game.ask(HAND_OVER, [seller], company=company, seller=seller, percent=percent, swap=swap, **bound)
        return
    sell(game, seller, company, swapped, *next(iter(parts.items())))


def within(parts: Mixes, among: Collection[str]) -> Mixes:
    """Of the mixes of a sale those to which the seller is bound; all of them if none is possible."""
    return {mix: group for mix, group in parts.items() if mix in among} or parts


def sell(game: Game, seller: str, company: str, swapped: tuple[int, ...], mix: str, group: tuple[int, ...]) -> None:
    """Sell these certificates; while money is raised, the smallest of all that were sold for it is remembered."""
    raised = Raised.seen(game)
    if raised is not None and raised.begun:
        raised.least = min(raised.least, shares.worth(game, company, shares.smallest(mix)))
    percent = sum(shares.percent_of(game, company, number) for number in group)
    prices.sell(game, seller, company, percent, swapped or None, group)


class WholeCertificates:
    """How a player's sale is made up: of whole certificates."""

    def plan(self, game: Game, company: str, seller: str, percent: int) -> tuple[tuple[int, ...], str] | None:
        """The certificates that would go to the pool and the director afterwards, or None if impossible."""
        return shares.sale(game, company, seller, percent)

    def sell(self, game: Game, seller: str, company: str, percent: int) -> None:
        """Carry a sale out without asking anybody about certificates."""
        prices.sell(game, seller, company, percent)

    def ask_and_sell(self, game: Game, seller: str, company: str, percent: int) -> None:
        """Carry it out as people want it who have a choice of certificates."""
        hand_over_and_sell(game, seller, company, percent)


def possible_swaps(game: Game, company: str, new: str, seller: str, percent: int) -> Mixes:
    """What a new director can hand over so that the seller can sell what they have announced."""
    return {
        mix: group
        for mix, group in swaps(game, company, new).items()
        if sold_parts(game, company, seller, percent, group)
    }


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
        self.among: list[str] = pause.data.get("among", [])

    def mixes(self) -> Mixes:
        """The mixes to choose from."""
        if not self.seller:
            return swaps(self.game, self.company, self.player)
        if self.player != self.seller:
            return possible_swaps(self.game, self.company, self.player, self.seller, self.percent)
        parts = sold_parts(self.game, self.company, self.seller, self.percent, self._swapped())
        return within(parts, self.among)

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
            sell(game, self.seller, company, swapped, move.certificates, group)
        else:
            hand_over_and_sell(game, self.seller, company, self.percent, move.certificates, self.among)
