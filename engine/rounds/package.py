"""The starting package: lots sold in order, bids in advance, an auction among those who have bid."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from engine import events as ev
from engine.errors import Refused
from engine.moves import Bid, BuyLot, BuyShare, Found, Move, SellShares
from engine.offer import Choice, Domain, Number, Option, Options, PassChoice, Picked
from engine.records import Keeps, OfRound, record
from engine.rounds.sale import AUCTION, BID, BUY, SOLD, WAIT, Lot, Sale
from engine.rounds.turns import RoundRules, fresh
from engine.state import BANK

if TYPE_CHECKING:
    from typing import Self

    from engine.game import Game

#: Players and prices, in the order in which they were bid.
Bids = list[tuple[str, int]]


@dataclass(slots=True)
class OpenAuction:
    """A lot for which several have bid: who is still in, and whose turn it is afterwards."""

    lot: str
    bidders: list[str]
    resume: str


@record("package")
@dataclass(slots=True)
class PackageSale(OfRound):
    """How far the sale of the lots has come."""

    bids: dict[str, Bids] = field(default_factory=dict)
    #: How many have passed in succession.
    passes: int = 0
    #: The prices of lots that have become cheaper.
    price: dict[str, int] = field(default_factory=dict)
    auction: OpenAuction | None = None
    #: Whether the first lot has become cheaper and nobody has bought since.
    falling: bool = False
    first_asked: str = ""
    last_buyer: str = ""

    @classmethod
    def taken(cls, bag: dict[str, Any]) -> Self:
        auction = bag.get("auction")
        if auction is not None:
            bag["auction"] = {"lot": auction["lot"], "bidders": auction["in"], "resume": auction["resume"]}
        return super(PackageSale, cls).taken(bag)


class BuyLotChoice(Choice[BuyLot]):
    """Buy the lowest lot at its price."""

    kind = BuyLot

    def __init__(self, game: Game, player: str, rules: Auction) -> None:
        super().__init__(game, player)
        self.rules = rules

    def ask(self, picked: Picked) -> Domain | None:
        if "lot" in picked:
            return None
        lot = self.rules.lowest(self.game)
        return Options("lot", [Option(lot, {"price": self.rules.price(self.game, lot)})])

    def move(self, picked: Picked) -> BuyLot:
        return BuyLot(self.player, picked["lot"])

    def check(self, move: BuyLot) -> None:
        game, rules = self.game, self.rules
        lowest = rules.lowest(game)
        if move.lot not in rules.unsold(game):
            raise game.refuse("package.order.sold", lot=move.lot)
        if move.lot != lowest:
            raise game.refuse("package.order.lowest", lowest=lowest, lot=move.lot)
        price = rules.price(game, lowest)
        if rules.free_cash(game, self.player) < price:
            raise game.refuse("package.bound.lot", lot=lowest, price=price)

    def perform(self, move: BuyLot) -> None:
        self.rules.buy(self.game, self.player, move.lot)


class BidChoice(Choice[Bid]):
    """Bid on a lot: on any but the lowest in a turn, on its own lot in an auction."""

    kind = Bid

    def __init__(self, game: Game, player: str, rules: Auction, lots: list[str]) -> None:
        super().__init__(game, player)
        self.rules = rules
        self.lots = lots

    def ask(self, picked: Picked) -> Domain | None:
        rules, game = self.rules, self.game
        if "lot" not in picked:
            lots = [lot for lot in self.lots if rules.can_bid(game, self.player, lot)]
            return Options("lot", [Option(lot, {"least": rules.least_bid(game, lot)}) for lot in lots])
        if "price" not in picked:
            least = rules.least_bid(game, picked["lot"])
            most = rules.most_bid(game, self.player, picked["lot"])
            return Number("price", least, most - (most - least) % rules.bid_step, rules.bid_step)
        return None

    def move(self, picked: Picked) -> Bid:
        return Bid(self.player, picked["lot"], picked["price"])

    def check(self, move: Bid) -> None:
        game, rules = self.game, self.rules
        if move.lot not in rules.unsold(game):
            raise game.refuse("package.order.sold", lot=move.lot)
        if move.lot not in self.lots:
            if move.lot == rules.lowest(game):
                raise game.refuse("package.order.bid", lot=move.lot)
            raise game.refuse("package.auction", lot=self.lots[0])
        least = rules.least_bid(game, move.lot)
        if PackageSale.of(game).auction:
            kind = "package.bid.raise"
        else:
            kind = "package.bid.later" if rules.bids(game, move.lot) else "package.bid"
        if move.price < least:
            raise Refused(kind, "package.bid.least", lot=move.lot, least=least)
        if (move.price - least) % rules.bid_step:
            raise Refused(kind, "package.bid.step", step=rules.bid_step)
        if move.price > rules.most_bid(game, self.player, move.lot):
            raise game.refuse("package.bound.bid")

    def perform(self, move: Bid) -> None:
        self.rules.bid(self.game, self.player, move.lot, move.price)


def lowest_bidder(game: Game, bids: Bids) -> str:
    """Whoever has bid least is asked first."""
    player: str = min(bids, key=lambda entry: entry[1])[0]
    return player


def first_asked(game: Game) -> str:
    """Whoever was asked first when the first lot cost least."""
    player: str = PackageSale.of(game).first_asked
    return player


def clockwise(game: Game, player: str, bidders: list[str], bids: Bids) -> str:
    """The next one clockwise who is still in and is not the highest bidder."""
    highest = max(bids, key=lambda entry: entry[1])[0]
    return next(seat for seat in game.from_seat(player)[1:] if seat in bidders and seat != highest)


class Auction(RoundRules):
    """Sells the lots of a starting package. A title says what comes with a lot and what happens when all pass."""

    def __init__(
        self,
        *,
        sold: Callable[[Game, str, str, int], None],
        all_passed: Callable[[Game], None],
        all_sold: Callable[[Game, str], None],
        opens: Callable[[Game, Bids], str] = lowest_bidder,
        follows: Callable[[Game, str, list[str], Bids], str] = clockwise,
        must_take: Callable[[Game], str] = first_asked,
        raise_by: int = 5,
        bid_step: int = 5,
        fall: int = 5,
    ) -> None:
        #: The buyer (second) of a lot has paid the bank; give them what the lot brings.
        self.sold = sold
        #: Everybody has passed while lots other than the first are unsold.
        self.all_passed = all_passed
        #: The last lot is sold, to somebody.
        self.all_sold = all_sold
        #: Who is asked first in an auction, and who after somebody.
        self.opens = opens
        self.follows = follows
        #: Who gets the first lot for nothing.
        self.must_take = must_take
        #: Bids rise by at least `raise_by`, in multiples of `bid_step`.
        self.raise_by = raise_by
        self.bid_step = bid_step
        #: The first lot becomes cheaper by this much each time all have passed.
        self.fall = fall

    # ------------------------------------------------------------------ the state of the sale

    def begin(self, game: Game) -> None:
        state = game.state
        state.round.kind = "package"
        state.round.actor = state.priority
        state.round.own, state.round.turn = fresh(self.keeps(), OfRound), {}
        game.emit(ev.RoundBegan("package", state.round.stock_number, 0))

    def keeps(self) -> Keeps:
        return (PackageSale,)

    def lots(self, game: Game) -> list[str]:
        """All lots in their order."""
        privates = game.definition.privates
        return sorted(privates, key=lambda lot: privates[lot].number)

    def unsold(self, game: Game) -> list[str]:
        return [lot for lot in self.lots(game) if game.state.privates[lot] == ""]

    def lowest(self, game: Game) -> str:
        return self.unsold(game)[0]

    def price(self, game: Game, lot: str) -> int:
        price: int = PackageSale.of(game).price.get(lot, game.definition.privates[lot].price)
        return price

    def bids(self, game: Game, lot: str) -> Bids:
        bids: Bids = PackageSale.of(game).bids.get(lot, [])
        return bids

    def bound(self, game: Game, player: str) -> int:
        """Cash that a player has laid beside lots."""
        return sum(price for bids in PackageSale.of(game).bids.values() for bidder, price in bids if bidder == player)

    def free_cash(self, game: Game, player: str) -> int:
        return game.state.cash[player] - self.bound(game, player)

    def least_bid(self, game: Game, lot: str) -> int:
        highest = max((price for _, price in self.bids(game, lot)), default=self.price(game, lot))
        return highest + self.raise_by

    def most_bid(self, game: Game, player: str, lot: str) -> int:
        own: int = sum(price for bidder, price in self.bids(game, lot) if bidder == player)
        return self.free_cash(game, player) + own

    def can_bid(self, game: Game, player: str, lot: str) -> bool:
        return self.most_bid(game, player, lot) >= self.least_bid(game, lot)

    def upcoming(self, game: Game) -> list[str]:
        auction = PackageSale.of(game).auction
        if auction:
            return [player for player in game.from_seat(game.state.round.actor)[1:] if player in auction.bidders]
        return game.from_seat(game.state.round.actor)[1:]

    def sale(self, game: Game) -> Sale:
        auction = PackageSale.of(game).auction
        free = {player: self.free_cash(game, player) for player in game.state.seats}
        return Sale(
            tuple(self._shown(game, lot) for lot in self.lots(game)), free, tuple(auction.bidders) if auction else ()
        )

    def _shown(self, game: Game, lot: str) -> Lot:
        memory, private = PackageSale.of(game), game.definition.privates[lot]
        owner = game.state.privates[lot]
        bids = tuple((player, price) for player, price in self.bids(game, lot))
        if owner:
            state, price = SOLD, private.price
        elif memory.auction and memory.auction.lot == lot:
            state, price = AUCTION, self.least_bid(game, lot)
        elif memory.auction or (memory.falling and lot != self.lowest(game)):
            state, price = WAIT, self.price(game, lot)
        elif lot == self.lowest(game):
            state, price = BUY, self.price(game, lot)
        else:
            state, price = BID, self.least_bid(game, lot)
        return Lot(lot, private.number, private.name, state, price, private.revenue, bids, owner)

    # ------------------------------------------------------------------ what is on offer

    def choices(self, game: Game) -> list[Choice[Any]]:
        memory = PackageSale.of(game)
        player = game.state.round.actor
        auction = memory.auction
        if auction:
            lot = auction.lot
            result: list[Choice[Any]] = []
            if self.can_bid(game, player, lot):
                result.append(BidChoice(game, player, self, [lot]))
            return [*result, PassChoice(game, player, "", lambda: self.leave(game, player))]
        result = []
        lowest = self.lowest(game)
        if self.free_cash(game, player) >= self.price(game, lowest):
            result.append(BuyLotChoice(game, player, self))
        if not memory.falling:
            lots = self.unsold(game)[1:]
            if any(self.can_bid(game, player, lot) for lot in lots):
                result.append(BidChoice(game, player, self, lots))
        return [*result, PassChoice(game, player, "", lambda: self.passed(game, player))]

    def explain(self, game: Game, move: Move) -> None:
        memory = PackageSale.of(game)
        if isinstance(move, SellShares):
            raise game.refuse("stock.first.package")
        if isinstance(move, Found | BuyShare):
            raise game.refuse("package.first")
        if memory.auction and isinstance(move, Bid | BuyLot):
            raise game.refuse("package.auction", lot=memory.auction.lot)
        if memory.falling and isinstance(move, Bid):
            raise game.refuse("package.falling", lot=self.lowest(game))
        if isinstance(move, BuyLot):
            BuyLotChoice(game, move.player, self).check(move)
        if isinstance(move, Bid):
            BidChoice(game, move.player, self, self.unsold(game)[1:]).check(move)

    def settle(self, game: Game) -> bool:
        memory = PackageSale.of(game)
        if not memory.auction and self._resolve(game):
            return False
        if len(self.choices(game)) > 1:
            return True
        if memory.auction:
            self.leave(game, game.state.round.actor)
        else:
            self.passed(game, game.state.round.actor)
        return False

    # ------------------------------------------------------------------ what happens

    def _sell(self, game: Game, player: str, lot: str, price: int) -> None:
        memory = PackageSale.of(game)
        memory.bids.pop(lot, None)
        memory.last_buyer = player
        game.pay(player, BANK, price, "lot", lot)
        game.state.privates[lot] = player
        game.emit(ev.LotSold(player, lot, price))
        self.sold(game, player, lot, price)

    def buy(self, game: Game, player: str, lot: str) -> None:
        self._sell(game, player, lot, self.price(game, lot))
        self._turn_done(game, player)

    def _turn_done(self, game: Game, player: str) -> None:
        memory = PackageSale.of(game)
        memory.passes = 0
        memory.falling = False
        game.state.round.actor = game.after(player)

    def bid(self, game: Game, player: str, lot: str, price: int) -> None:
        memory = PackageSale.of(game)
        bids = [entry for entry in self.bids(game, lot) if entry[0] != player]
        memory.bids[lot] = [*bids, (player, price)]
        game.emit(ev.BidMade(player, lot, price))
        if memory.auction:
            self._next_bidder(game, player)
        else:
            self._turn_done(game, player)

    def passed(self, game: Game, player: str) -> None:
        memory = PackageSale.of(game)
        game.emit(ev.Passed(player, "", "package"))
        memory.passes += 1
        game.state.round.actor = game.after(player)
        if memory.passes < len(game.state.seats):
            return
        memory.passes = 0
        lowest = self.lowest(game)
        if lowest != self.lots(game)[0]:
            self.all_passed(game)
            return
        price = self.price(game, lowest) - self.fall
        memory.price[lowest] = price
        memory.falling = True
        if price <= 0:
            self.buy(game, self.must_take(game), lowest)
        else:
            game.emit(ev.LotReduced(lowest, price))
            memory.first_asked = game.state.round.actor

    def _resolve(self, game: Game) -> bool:
        """Settle the lowest lot if there are bids on it, or end the sale; True if something happened."""
        memory = PackageSale.of(game)
        unsold = self.unsold(game)
        if not unsold:
            self.all_sold(game, memory.last_buyer)
            return True
        lot = unsold[0]
        bids = self.bids(game, lot)
        if not bids:
            return False
        if len(bids) == 1:
            player, price = bids[0]
            self._sell(game, player, lot, price)
            return True
        bidders = [player for player in game.state.seats if any(player == who for who, _ in bids)]
        memory.auction = OpenAuction(lot, bidders, game.state.round.actor)
        game.emit(ev.AuctionOpened(lot, tuple(bidders)))
        game.state.round.actor = self.opens(game, bids)
        return True

    def _next_bidder(self, game: Game, player: str) -> None:
        auction = PackageSale.of(game).auction
        assert auction is not None
        game.state.round.actor = self.follows(game, player, auction.bidders, self.bids(game, auction.lot))

    def leave(self, game: Game, player: str) -> None:
        memory = PackageSale.of(game)
        auction = memory.auction
        assert auction is not None
        lot = auction.lot
        auction.bidders.remove(player)
        memory.bids[lot] = [entry for entry in self.bids(game, lot) if entry[0] != player]
        game.emit(ev.AuctionLeft(player, lot))
        if len(auction.bidders) > 1:
            self._next_bidder(game, player)
            return
        winner, price = self.bids(game, lot)[0]
        memory.auction = None
        game.state.round.actor = auction.resume
        self._sell(game, winner, lot, price)
