"""18BL: corporations buy private companies from players, at any time of their turn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from engine import events as ev
from engine.board.faces import COLOURS
from engine.errors import Refused
from engine.finance.raising import raising
from engine.game import Game
from engine.moves import Move, register
from engine.offer import Choice, Domain, Number, Option, Options, Picked
from engine.rounds.proposals import Deal, declined
from engine.rounds.turns import Extra, Turn
from titles.bl.access import take_tokens
from titles.bl.tables import Power, Tables


@register("buy_private")
@dataclass(frozen=True, slots=True)
class BuyPrivate(Move):
    """A corporation buys a private company from a player (a proposal if they are not its director)."""

    company: str
    private: str
    price: int


@dataclass(frozen=True, slots=True)
class PrivateProposed(ev.Event):
    company: str
    private: str
    seller: str
    price: int


@dataclass(frozen=True, slots=True)
class PrivateBought(ev.Event):
    company: str
    private: str
    seller: str
    price: int


# ---------------------------------------------------------------------- private companies


def price_range(game: Game, private: str) -> tuple[int, int]:
    """The lowest and the highest price: 50 % and 200 % of what is printed, in whole Marks (R08)."""
    table = game.definition.tables.private_rules.corporation_price
    printed = game.definition.privates[private].price
    return -(-printed * table.min_percent // 100), printed * table.max_percent // 100


def check_private(game: Game, company: str, private: str) -> None:
    """Refuse the purchase of a private company at any price."""
    if private not in game.definition.privates:
        raise game.refuse("unknown.private", private=private)
    if game.state.privates[private] not in game.state.seats:
        raise game.refuse("private.phase.owner", private=private)
    power: Power = game.definition.tables.powers[private]
    colour = COLOURS.index(game.phase.colour)
    until = game.definition.tables.private_rules.until
    if not COLOURS.index(power.sold_from) <= colour <= COLOURS.index(until):
        raise game.refuse("private.phase", private=private, colour=game.phase.colour)
    if power.trailer and any(game.definition.train(t).kind == "trailer" for t in game.company(company).trains):
        raise game.refuse("private.trailer", company=company)


def least_price(game: Game, private: str) -> int:
    """50 %, and more than what the owner has declined in this turn."""
    return max(price_range(game, private)[0], declined(game, game.state.privates[private], private) + 1)


class BuyPrivateChoice(Choice[BuyPrivate]):
    """Buy a private company, or propose it to its owner."""

    kind = BuyPrivate

    def purchasable(self) -> list[str]:
        game = self.game
        result = []
        for private in game.state.privates:
            try:
                check_private(game, self.company, private)
            except Refused:
                continue
            if least_price(game, private) <= min(price_range(game, private)[1], game.state.cash[self.company]):
                result.append(private)
        return result

    def ask(self, picked: Picked) -> Domain | None:
        game = self.game
        if "private" not in picked:
            return Options(
                "private",
                [
                    Option(private, {"owner": game.state.privates[private], "least": least_price(game, private)})
                    for private in self.purchasable()
                ],
            )
        if "price" not in picked:
            most = min(price_range(game, picked["private"])[1], game.state.cash[self.company])
            return Number("price", least_price(game, picked["private"]), most)
        return None

    def move(self, picked: Picked) -> BuyPrivate:
        return BuyPrivate(self.player, self.company, picked["private"], picked["price"])

    def check(self, move: BuyPrivate) -> None:
        game = self.game
        if move.company != self.company:
            raise game.refuse("turn.order", company=self.company, other=move.company)
        check_private(game, self.company, move.private)
        low, high = price_range(game, move.private)
        if not low <= move.price <= high:
            raise game.refuse("private.price", private=move.private, low=low, high=high)
        if move.price > game.state.cash[self.company]:
            raise game.refuse("private.price.money", company=self.company, cash=game.state.cash[self.company])
        if move.price < least_price(game, move.private):
            raise game.refuse("private.price.declined", price=least_price(game, move.private) - 1)

    def perform(self, move: BuyPrivate) -> None:
        game = self.game
        owner = game.state.privates[move.private]
        data = {"company": self.company, "private": move.private, "seller": owner, "price": move.price}
        if owner == self.player:
            PrivateDeal(game.definition.tables).accept(game, data)
            return
        game.emit(PrivateProposed(self.company, move.private, owner, move.price))
        game.ask("private_sale", [owner], **data)


class PrivateDeal(Deal):
    """The sale of a private company to a corporation, agreed between its director and the owner."""

    what = "private"
    counter_key = "private.price.counter"

    def __init__(self, t: Tables) -> None:
        self.t = t

    def prices(self, game: Game, data: dict[str, Any]) -> tuple[int, int]:
        low, high = price_range(game, data["private"])
        return low, min(high, game.state.cash[data["company"]])

    def accept(self, game: Game, data: dict[str, Any]) -> None:
        company, private = data["company"], data["private"]
        game.pay(company, data["seller"], data["price"], "private_company", private)
        game.state.privates[private] = company
        game.emit(PrivateBought(company, private, data["seller"], data["price"]))
        if private == self.t.access.private:
            take_tokens(game, company)
        trailer = self.t.powers[private].trailer
        if trailer:
            game.state.depot.aside.remove(trailer)
            game.company(company).trains.append(trailer)


class PrivatePurchases(Extra):
    """A corporation may buy a private company in every step of its turn, but not while money is raised."""

    def __init__(self, t: Tables) -> None:
        self.t = t

    def choices(self, turn: Turn) -> list[Choice[Any]]:
        choice = BuyPrivateChoice(turn.game, turn.decider, turn.actor)
        return [choice] if not raising(turn.game) and choice.purchasable() else []

    def open(self, turn: Turn) -> bool:
        """Also while nothing but a declined price is in the way: the two may want to talk first."""
        return super().open(turn) or (not raising(turn.game) and self.barred(turn.game, turn.actor))

    def barred(self, game: Game, company: str) -> bool:
        for private, owner in game.state.privates.items():
            if declined(game, owner, private) and price_range(game, private)[0] <= game.state.cash[company]:
                try:
                    check_private(game, company, private)
                except Refused:
                    continue
                return True
        return False

    def explain(self, turn: Turn, move: Move) -> None:
        if isinstance(move, BuyPrivate):
            BuyPrivateChoice(turn.game, move.player, turn.actor).check(move)
