"""A starting round in which everybody has one marker: bids go into boxes until all markers lie at different lots."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from engine import events as ev
from engine.game import Game
from engine.moves import Bid, Move, Pass
from engine.offer import Choice, Domain, Option, Options, Picked
from engine.records import Keeps
from engine.rounds.sale import BID, SOLD, WAIT, Lot, Sale
from engine.rounds.turns import Step, Steps, Turn, TurnRound
from engine.rules import PLAYER
from titles.do.board.remembered import Bidding

#: The lots, each with the values of its boxes in rising order.
Boxes = Callable[[Game], Mapping[str, tuple[int, ...]]]
#: What somebody must have to put their marker into a box: game, lot, value of the box.
Cost = Callable[[Game, str, int], int]
#: What becomes of the lots: for each that has a marker, whose it is and in which box.
Won = Callable[[Game, Mapping[str, tuple[str, int]]], None]


def bid_itself(game: Game, lot: str, bid: int) -> int:
    return bid


def leaders(game: Game) -> dict[str, tuple[str, int]]:
    """DO-4.2.2-b: for each lot with markers the highest: whose it is and in which box."""
    found: dict[str, tuple[str, int]] = {}
    for player, (lot, bid) in Bidding.of(game).bids.items():
        if lot not in found or bid > found[lot][1]:
            found[lot] = player, bid
    return found


def owner(game: Game, lot: str) -> str:
    """Who has a lot already."""
    return game.state.privates[lot] if lot in game.state.privates else game.company(lot).director


def homeless(game: Game) -> list[str]:
    """DO-4.2.2-b: who has no marker anywhere, or one that has been topped; clockwise from whoever bids next."""
    leading = {player for player, _ in leaders(game).values()}
    return [player for player in game.from_seat(Bidding.of(game).next) if player not in leading]


class BoxChoice(Choice[Bid]):
    """DO-4.2.2-a: put the marker into a box: any of a lot without a bid, otherwise a higher one."""

    kind = Bid

    def __init__(self, game: Game, player: str, step: BidStep) -> None:
        super().__init__(game, player)
        self.step = step

    def ask(self, picked: Picked) -> Domain | None:
        game, step = self.game, self.step
        if "lot" not in picked:
            free = {lot: step.free(game, self.player, lot) for lot in step.boxes(game)}
            return Options("lot", [Option(lot, {"least": min(bids)}) for lot, bids in free.items() if bids])
        if "price" not in picked:
            return Options("price", [Option(bid) for bid in step.free(game, self.player, picked["lot"])])
        return None

    def move(self, picked: Picked) -> Bid:
        return Bid(self.player, picked["lot"], picked["price"])

    def check(self, move: Bid) -> None:
        self.step.check(self.game, self.player, move.lot, move.price)

    def perform(self, move: Bid) -> None:
        game = self.game
        Bidding.of(game).bids[self.player] = (move.lot, move.price)
        game.emit(ev.BidMade(self.player, move.lot, move.price))
        game.turn.advance()


class BidStep(Step):
    """DO-4.2.2-a: one bid; there is no passing."""

    name = "bid"

    def __init__(self, boxes: Boxes, cost: Cost) -> None:
        self.boxes = boxes
        self.cost = cost

    def free(self, game: Game, player: str, lot: str) -> list[int]:
        """The boxes of a lot that a player may choose and could pay."""
        highest = leaders(game).get(lot, ("", -1))[1]
        cash = game.state.cash[player]
        return [bid for bid in self.boxes(game)[lot] if bid > highest and self.cost(game, lot, bid) <= cash]

    def check(self, game: Game, player: str, lot: str, bid: int) -> None:
        boxes = self.boxes(game)
        if lot not in boxes:
            raise game.refuse("bid.lot", lot=lot)
        if bid not in boxes[lot]:
            raise game.refuse("bid.box", lot=lot, boxes=boxes[lot])
        highest = leaders(game).get(lot, ("", -1))[1]
        if bid <= highest:
            raise game.refuse("bid.higher", lot=lot, bid=highest)
        cost = self.cost(game, lot, bid)
        if cost > game.state.cash[player]:
            raise game.refuse("bid.money", cost=cost, player=player)

    def choices(self, turn: Turn) -> list[Choice[Any]]:
        return [BoxChoice(turn.game, turn.decider, self)]

    def explain(self, turn: Turn, move: Move) -> None:
        if isinstance(move, Pass):
            raise turn.game.refuse("bid.must", player=move.player)


class BiddingRound(TurnRound):
    """DO-4.2.2-b: everybody bids in turn; whoever is topped moves on, whoever leads is skipped; at the end all pay."""

    def __init__(
        self,
        boxes: Boxes,
        won: Won,
        *,
        cost: Cost = bid_itself,
        numbers: Mapping[str, int] = MappingProxyType({}),
        name: str = "package",
    ) -> None:
        super().__init__(name, {PLAYER: Steps(BidStep(boxes, cost))})
        self.boxes = boxes
        self.cost = cost
        self.won = won
        #: The printed numbers of lots that are no private companies.
        self.numbers = numbers

    def begin(self, game: Game, first: str = "") -> None:
        self.start(game)
        Bidding.of(game).next = first or game.state.priority

    def keeps(self) -> Keeps:
        return (Bidding,)

    def next_actor(self, game: Game) -> str:
        return next(iter(homeless(game)), "")

    def upcoming(self, game: Game) -> list[str]:
        return [player for player in homeless(game) if player != game.state.round.actor]

    def turn_ends(self, turn: Turn) -> None:
        Bidding.of(turn.game).next = turn.game.after(turn.actor)

    def end(self, game: Game) -> None:
        self.won(game, leaders(game))
        game.rules.then(game)

    def sale(self, game: Game) -> Sale | None:
        """Every lot with its markers or its owner; its price is the lowest free box. Nothing once all are gone."""
        sold = {lot for lot in self.boxes(game) if owner(game, lot)}
        bids: dict[str, list[tuple[str, int]]] = {}
        for player, (lot, bid) in Bidding.of(game).bids.items():
            if lot not in sold:
                bids.setdefault(lot, []).append((player, bid))
        lots = []
        for lot, boxes in self.boxes(game).items():
            here = sorted(bids.get(lot, ()), key=lambda entry: entry[1])
            free = [box for box in boxes if box > (here[-1][1] if here else -1)]
            state = SOLD if lot in sold else BID if free else WAIT
            lots.append(self.lot(game, lot, state, min(free, default=boxes[-1]), tuple(here)))
        if not lots:
            return None
        leading = {lot: lead for lot, lead in leaders(game).items() if lot not in sold}
        bound = {player: self.cost(game, lot, bid) for lot, (player, bid) in leading.items()}
        return Sale(tuple(lots), {p: game.state.cash[p] - bound.get(p, 0) for p in game.state.seats})

    def printed_number(self, game: Game, lot: str) -> int:
        return self.numbers.get(lot, 0)

    def lot(self, game: Game, lot: str, state: str, price: int, bids: tuple[tuple[str, int], ...]) -> Lot:
        """A lot as it is shown; those that are no private companies are shown by their charters."""
        private = game.definition.privates.get(lot)
        if private is None:
            charter = game.definition.corporations[lot]
            return Lot(lot, self.numbers[lot], charter.name, state, price, 0, bids, owner(game, lot))
        return Lot(lot, private.number, private.name, state, price, private.revenue, bids, owner(game, lot))
