"""The starting package: certificates in two columns; who takes one from further down pays for those above it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine import events as ev
from engine.finance import shares
from engine.game import Game
from engine.moves import BuyLot, BuyShare, Found, Move, SellShares
from engine.offer import Choice, Domain, Option, Options, Picked
from engine.records import Keeps, put
from engine.remembered import Going, Trading
from engine.rounds.sale import BUY, SOLD, WAIT, Lot, Sale
from engine.rounds.turns import PassRound, Step, Steps, Turn
from engine.rules import PLAYER
from engine.state import ASIDE, BANK, CLOSED, POOL, State
from titles.ruhr import works
from titles.ruhr.remembered import Columns, LastTrader, LineMoney
from titles.ruhr.tables import Tables


def lay_out(t: Tables, state: State, players: int, active: tuple[int, ...]) -> None:
    """All lots by price, a private company before a small one, dealt to two columns in turn."""
    privates = t.package.privates[players]
    lots = [(row.price, 0, row.number, row.id) for row in t.private if row.id in privates]
    lots += [(mine.price, 1, mine.number, mine.company) for mine in t.mine if mine.number in active]
    ordered = [lot for *_, lot in sorted(lots)]
    put(state, Columns([ordered[::2], ordered[1::2]]))
    for private in state.privates:
        if private not in privates:
            state.privates[private] = CLOSED


def columns(game: Game) -> list[list[str]]:
    """The lots that are left."""
    return Columns.of(game).package


def unsold(game: Game) -> list[str]:
    return [lot for column in columns(game) for lot in column]


def printed(game: Game, lot: str) -> int:
    t = works.tables(game)
    return t.mines[lot].price if lot in t.mines else game.definition.privates[lot].price


def price(game: Game, lot: str) -> int:
    """What a lot costs now: its price, and something for each that lies above it."""
    above = next(column.index(lot) for column in columns(game) if lot in column)
    return printed(game, lot) + above * works.tables(game).package.surcharge


class LotChoice(Choice[BuyLot]):
    """Buy a lot of either column."""

    kind = BuyLot

    def ask(self, picked: Picked) -> Domain | None:
        if "lot" in picked:
            return None
        cash = self.game.state.cash[self.player]
        prices = {lot: price(self.game, lot) for lot in unsold(self.game)}
        return Options("lot", [Option(lot, {"price": cost}) for lot, cost in prices.items() if cost <= cash])

    def move(self, picked: Picked) -> BuyLot:
        return BuyLot(self.player, picked["lot"])

    def check(self, move: BuyLot) -> None:
        game = self.game
        if move.lot not in unsold(game):
            raise game.refuse("package.order.sold", lot=move.lot)
        cost = price(game, move.lot)
        if cost > game.state.cash[self.player]:
            raise game.refuse("package.bound.lot", lot=move.lot, price=cost)

    def perform(self, move: BuyLot) -> None:
        game, lot, player = self.game, move.lot, self.player
        cost = price(game, lot)
        for column in columns(game):
            if lot in column:
                column.remove(lot)
        game.pay(player, BANK, cost, "lot", lot)
        game.emit(ev.LotSold(player, lot, cost))
        LastTrader.of(game).last_buyer = player
        Going.of(game).acted = True
        t = works.tables(game)
        if lot in t.mines:
            mine_sold(game, player, lot)
        else:
            game.state.privates[lot] = player
            if lot == t.aside.private:
                game.ask("par", [player], company=t.aside.corporation)
        game.turn.advance()


def mine_sold(game: Game, player: str, lot: str) -> None:
    """The buyer of a small company gets its markers, and its treasury the printed money."""
    mine = works.tables(game).mines[lot]
    company = game.company(lot)
    shares.move(game, lot, 0, player)
    company.director = player
    company.floated = True
    works.start(game, mine)
    game.pay(BANK, lot, mine.start_treasury, "start", lot)


class ParChoice(Choice[Found]):
    """The buyer of the private company that comes with a director's certificate chooses the starting value."""

    kind = Found

    def pars(self) -> list[int]:
        low, high = works.tables(self.game).aside.pars
        return [value for value in self.game.definition.market.rows[0] if low <= value <= high]

    def ask(self, picked: Picked) -> Domain | None:
        if "company" not in picked:
            return Options("company", [Option(self.company)])
        if "par" not in picked:
            return Options("par", [Option(par) for par in self.pars()])
        return None

    def move(self, picked: Picked) -> Found:
        return Found(self.player, picked["company"], picked["par"])

    def check(self, move: Found) -> None:
        if move.company != self.company or move.par not in self.pars():
            raise self.game.refuse("package.par", company=self.company, pars=tuple(self.pars()))

    def perform(self, move: Found) -> None:
        game, name, table = self.game, self.company, works.tables(self.game).aside
        game.answered(game.state.pauses[0])
        company = game.company(name)
        company.par, company.director = move.par, self.player
        row = game.definition.market.rows[0]
        game.prices.put(name, (0, row.index(move.par)))
        game.emit(ev.CompanyFounded(self.player, name, move.par))
        shares.move(game, name, 0, self.player)
        for number in range(1, table.certificates + 1):
            shares.move(game, name, number, POOL)
        amount = shares.worth(
            game, name, sum(shares.percent_of(game, name, n) for n in range(1, 1 + table.certificates))
        )
        game.pay(BANK, ASIDE, amount, "aside", name)
        LineMoney.of(game).aside = amount


def par_asked(game: Game, pause: Any) -> list[Choice[Any]]:
    return [ParChoice(game, player, pause.data["company"]) for player in pause.players]


class LotStep(Step):
    """Buy one lot or pass."""

    name = "lot"

    def choices(self, turn: Turn) -> list[Choice[Any]]:
        return [*([LotChoice(turn.game, turn.decider)] if self.waiting(turn) else []), turn.passing()]

    def waiting(self, turn: Turn) -> bool:
        game = turn.game
        cash = game.state.cash[turn.decider]
        return not self.done(turn) and any(price(game, lot) <= cash for lot in unsold(game))

    def done(self, turn: Turn) -> bool:
        return bool(Going.of(turn.game).acted)

    def skipped(self, turn: Turn) -> None:
        turn.game.emit(ev.Passed(turn.decider, "", "package"))

    def explain(self, turn: Turn, move: Move) -> None:
        if isinstance(move, BuyLot):
            LotChoice(turn.game, move.player).check(move)
        if isinstance(move, Found | BuyShare):
            raise turn.game.refuse("package.first")
        if isinstance(move, SellShares):
            raise turn.game.refuse("stock.first")


class PackageRound(PassRound):
    """Turns until everything is sold; if all pass before that the round is interrupted."""

    def __init__(self, then: Callable[[Game], None]) -> None:
        super().__init__("package", {PLAYER: Steps(LotStep())})
        self.over = then

    def keeps(self) -> Keeps:
        return (*super().keeps(), Trading)

    def next_actor(self, game: Game) -> str:
        return super().next_actor(game) if unsold(game) else ""

    def end(self, game: Game) -> None:
        self.over(game)

    def sale(self, game: Game) -> Sale | None:
        t = works.tables(game)
        lots = []
        # The two columns from the top, then what has been sold.
        all_lots = [*(row.id for row in t.private if game.state.privates[row.id] != CLOSED), *t.mines]
        known = [*unsold(game), *(lot for lot in all_lots if lot not in unsold(game))]
        open_lots = unsold(game)
        cash = game.state.cash.get(game.state.round.actor, 0)
        for lot in known:
            mine = t.mines.get(lot)
            if mine is not None and game.company(lot).closed:
                continue
            owner = game.company(lot).director if mine else game.state.privates[lot]
            private = game.definition.privates.get(lot)
            lots.append(
                Lot(
                    id=lot,
                    number=private.number if private else self.printed_number(game, lot),
                    name=game.definition.corporations[lot].name if mine else private.name if private else "",
                    state=SOLD if lot not in open_lots else BUY if price(game, lot) <= cash else WAIT,
                    price=price(game, lot) if lot in open_lots else printed(game, lot),
                    revenue=private.revenue if private else works_income(game, lot),
                    owner=owner,
                    pile=next((n for n, pile in enumerate(Columns.of(game).package) if lot in pile), 0),
                )
            )
        return Sale(tuple(lots), {player: game.state.cash[player] for player in game.state.seats})

    def printed_number(self, game: Game, lot: str) -> int:
        mine = works.tables(game).mines.get(lot)
        return mine.number if mine else 0


def works_income(game: Game, lot: str) -> int:
    """What a small company earns with the markers that it begins with."""
    t = works.tables(game)
    return sum(t.stages[stage].income * count for stage, count in t.mines[lot].start_markers.items())
