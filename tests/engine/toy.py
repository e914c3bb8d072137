"""A form of play that no title has, made from the engine's parts alone.

A mine belongs to one player, but whoever holds its card decides for it; it lays no track and runs no trains, takes
train cards as equipment and must own one. Beside a railway of ten shares there is a corporation of five shares of
20 % on a line of prices of its own. Nothing of this is known to the engine.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from engine.finance import shares
from engine.finance.depot import leaves, on_sale, price, take
from engine.finance.prices import ByRatio, PriceRules, down_a_share, if_director_sells
from engine.finance.raising import BankruptChoice, Cash, Loan, Need, Raising, Shares
from engine.game import Game
from engine.moves import Move, register
from engine.offer import Choice, Domain, Option, Options, Picked
from engine.reading import Reader
from engine.records import OfGame, put, record
from engine.rounds.operating import activate, by_price
from engine.rounds.stock import StockRound, richest
from engine.rounds.turns import Either, OnceRound, Step, Steps, Turn
from engine.routes.model import TrainRules
from engine.rules import Rules, Setup, Trains, owner_or_director
from engine.state import BANK, OFFERING, POOL, State
from engine.steps.run import DividendStep, HalfOrNothing, IncomeStep, RunStep
from engine.steps.stations import StationStep
from engine.steps.track import TrackStep
from engine.steps.trade import (
    TradeStep,
    at_price,
    certificate_limit,
    floated,
    from_round,
    marked_spaces,
    not_sold_before,
)
from engine.steps.trains import TrainStep, always

TABLES: dict[str, Any] = {
    "title": {
        "id": "toy", "name": "A railway, a mine and a corporation", "players": [2, 3], "bank": 4000,
        "layout": "pointy", "starting_cash": {"2": 300, "3": 300}, "cert_limit": {"2": 12, "3": 12},
    },
    "hex": [
        {"at": ["A2"], "name": "West", "color": "yellow", "stops": ["city 20 x2"], "track": ["E-a"]},
        {"at": ["A4"], "color": "plain"},
        {"at": ["A6"], "name": "East", "color": "yellow", "stops": ["city 30 x2"], "track": ["W-a"]},
    ],
    "tile": {"9": {"color": "yellow", "count": 2, "track": ["0-3"]}},
    "market": {
        "kind": "lines", "kinds": ["railway", "plant"], "legend": {"p": "pink"},
        "rows": [["20", "30", "40p", "50", "60", "80", "100"], ["10", "30", "50p", "70", "90"]],
    },
    "corporation": [
        {"id": "RR", "name": "Railway", "shares": [20, 10, 10, 10, 10, 10, 10, 10, 10], "tokens": [0, 20],
         "home": ["A2:a"], "color": "red", "float": 50},
        {"id": "CO", "name": "Corporation", "kind": "plant", "unit": 20, "shares": [20, 20, 20, 20, 20], "tokens": [],
         "home": [], "color": "blue", "float": 40},
        {"id": "MI", "name": "Mine", "kind": "mine", "unit": 100, "shares": [100], "tokens": [], "home": [],
         "color": "black", "float": 100},
    ],
    "train": [
        {"name": "2", "count": 3, "price": 60, "rusts_on": "4"},
        {"name": "3", "count": 2, "price": 120},
        {"name": "4", "count": 3, "price": 200},
    ],
    "phase": [
        {"name": "2", "color": "yellow", "on": "start", "tiles": ["yellow"], "train_limit": 2, "operating_rounds": 1},
        {"name": "3", "color": "green", "on": "3", "tiles": ["yellow"], "train_limit": 2, "operating_rounds": 2},
    ],
    "clauses": {"turn.order": "TOY-1"},
}  # fmt: skip

MINE, CORPORATION, RAILWAY = "MI", "CO", "RR"
SETS = 4


@record("toy.mine")
@dataclass(slots=True)
class Mine(OfGame):
    """Who holds the card of the mine, and the cards that it has taken as equipment."""

    cards: dict[str, str] = field(default_factory=dict)
    equipment: list[str] = field(default_factory=list)


@register("equip_mine")
@dataclass(frozen=True, slots=True)
class Equip(Move):
    """A mine takes a card as equipment."""

    company: str
    card: str


class EquipChoice(Choice[Equip]):
    kind = Equip

    def __init__(self, need: Need, step: EquipStep, cards: list[str]) -> None:
        super().__init__(need.game, need.decider, need.company)
        self.need = need
        self.step = step
        self.cards = cards

    def ask(self, picked: Picked) -> Domain | None:
        if "card" in picked:
            return None
        return Options("card", [Option(card, {"price": price(self.game, card)}) for card in self.cards])

    def move(self, picked: Picked) -> Equip:
        return Equip(self.player, self.company, picked["card"])

    def check(self, move: Equip) -> None:
        if move.company != self.company or move.card not in self.cards:
            raise self.game.refuse("equip", card=move.card)

    def perform(self, move: Equip) -> None:
        game = self.game
        cost = price(game, move.card)
        self.step.raising.pay(self.need, cost)
        game.pay(self.company, BANK, cost, "equipment")
        take(game, move.card)
        game.state.depot.gone.append(move.card)
        Mine.of(game).equipment.append(move.card)
        leaves(game, move.card)
        game.turn.advance()


class EquipStep(Step):
    """A mine must own equipment; its owner pays what it lacks, whoever decides."""

    name = "equip"

    def __init__(self, raising: Raising) -> None:
        self.raising = raising

    def choices(self, turn: Turn) -> list[Choice[Any]]:
        game = turn.game
        cards = on_sale(game)
        need = self.raising.need(game, turn.actor, [price(game, card) for card in cards])
        owned = bool(Mine.of(game).equipment)
        payable = self.raising.payable(need) if not owned else [p for p in need.prices if p <= need.treasury]
        found: list[Choice[Any]] = [] if owned else list(self.raising.choices(need))
        if affordable := [card for card in cards if price(game, card) in payable]:
            found.append(EquipChoice(need, self, affordable))
        if owned or not cards:
            return [*found, turn.passing()]
        return found or [BankruptChoice(need)]


class AtShare:
    """Floats when its share is sold, with what was paid for it; its home opens at once."""

    def payee(self, game: Game, company: str, source: str) -> str:
        return BANK

    def sold(self, game: Game, company: str) -> None:
        sold = 100 - shares.held(game, company, OFFERING)
        state = game.company(company)
        if not state.floated and sold >= game.definition.corporations[company].float_percent:
            state.floated = True
            game.pay(BANK, company, shares.worth(game, company, sold, state.par), "float")
            activate(game, company)

    def round_over(self, game: Game) -> None:
        """Nothing."""


def toy(players: int) -> Rules:
    definition = Reader({"toy": TABLES}).definition()
    trade = TradeStep(
        pars=marked_spaces,
        sources={OFFERING: at_price, POOL: at_price},
        buy=(certificate_limit, not_sold_before),
        sell=(from_round(2), floated),
    )
    stock = StockRound(Steps(trade), priority=richest)
    own = Raising(Cash(), (Shares(), Loan(2)))
    trains = TrainStep(own, must_own=always)
    operating = OnceRound(
        "operating",
        lambda game: [MINE, *by_price(game)],
        {
            "railway": Steps(Either("build", TrackStep(), StationStep()), RunStep(), DividendStep(), trains),
            "plant": Steps(IncomeStep(lambda turn: 40), DividendStep()),
            "mine": Steps(IncomeStep(mined), DividendStep(HalfOrNothing()), EquipStep(own)),
        },
    )

    def then(game: Game) -> None:
        round_ = game.state.round
        if round_.kind == "stock":
            operating.begin(game, 1, game.phase.operating_rounds)
        elif round_.operating_number < round_.operating_total:
            operating.begin(game, round_.operating_number + 1, round_.operating_total)
        elif round_.stock_number == SETS:
            game.finish("sets")
        else:
            round_.stock_number += 1
            stock.begin(game)

    line = PriceRules(sale=if_director_sells(down_a_share()), dividend=ByRatio(((200, 2), (100, 1))))
    return Rules(
        setup=Setup("toy", {}, players),
        definition=definition,
        rounds={"stock": stock, "operating": operating},
        first=stock.begin,
        then=then,
        lay_out=lay_out,
        decides=lambda game, actor: Mine.of(game).cards.get(actor) or owner_or_director(game, actor),
        prices={"railway": line, "plant": line},
        floating={"railway": AtShare(), "plant": AtShare()},
        trains=Trains(rules=lambda game, company, train, colour: TrainRules(
            game.board, company, train.name, train.reach, colour
        )),
    )  # fmt: skip


def lay_out(state: State, chance: Any) -> None:
    """The first player owns the mine, the second holds its card."""
    mine = state.companies[MINE]
    mine.certificates[0] = mine.director = state.seats[0]
    mine.floated = True
    put(state, Mine(cards={MINE: state.seats[1]}))


def mined(turn: Turn) -> int:
    return 20 * len(Mine.of(turn.game).equipment)


def new(players: int = 2, seed: int = 1) -> Game:
    return Game(toy(players), ("ann", "bo", "cy")[:players], seed)
