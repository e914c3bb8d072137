"""Trading shares in a player's turn: sell, found, buy. What passes all checks is on offer."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from engine import events as ev
from engine.board.faces import COLOURS
from engine.errors import Refused
from engine.finance import shares
from engine.finance.handing import WholeCertificates, settle_director
from engine.moves import BuyShare, Found, Move, Pass, SellShares
from engine.offer import Choice, Domain, Option, Options, PassChoice, Picked
from engine.records import Keeps
from engine.remembered import Going, Sales, Trading
from engine.rounds.turns import Step, Turn
from engine.state import OFFERING, POOL, Cell

if TYPE_CHECKING:
    from engine.game import Game

#: Where certificates are bought: a company sells those on its charter under its own name.
CHARTER = "charter"


@dataclass(frozen=True, slots=True)
class Trade:
    """A purchase or sale that checks judge; `percent` is 0 where any size is meant."""

    player: str
    company: str
    source: str
    percent: int


#: Why a trade is not possible, None if it is.
Check = Callable[["Game", Trade], Refused | None]
#: What one share costs at a place.
Price = Callable[["Game", str], int]
#: The starting prices of a company with their spaces, the highest first.
Pars = Callable[["Game", str], Mapping[int, Cell]]
#: The companies by whose sale a player over a limit can comply again; none while they keep it.
Over = Callable[["Game", str], list[str]]


# ---------------------------------------------------------------------- prices and starting prices


def at_price(game: Game, company: str) -> int:
    return game.prices.value(company)


def at_par(game: Game, company: str) -> int:
    return game.company(company).par


def marked_spaces(game: Game, company: str) -> Mapping[int, Cell]:
    """Every space that the market marks as a starting price, on the row of the company's kind if kinds have rows."""
    market = game.definition.market
    row = market.row_of(game.definition.corporations[company].kind) if market.kinds else None
    found: dict[int, Cell] = {}
    for cell in market.cells("p"):
        if row in (None, cell[0]):
            found.setdefault(market.rows[cell[0]][cell[1]], cell)
    return found


def marked_by_colour(game: Game, company: str) -> Mapping[int, Cell]:
    """The spaces that the market marks with a colour that has come: more with every colour, the highest first."""
    market = game.definition.market
    row = market.row_of(game.definition.corporations[company].kind) if market.kinds else None
    rank = COLOURS.index(game.phase.colour)
    found: dict[int, Cell] = {}
    for mark, colour in market.legend.items():
        if colour in COLOURS and COLOURS.index(colour) <= rank:
            cells = [cell for cell in market.cells(mark) if row in (None, cell[0])]
            found.update({market.rows[cell[0]][cell[1]]: cell for cell in cells})
    return dict(sorted(found.items(), reverse=True))


# ---------------------------------------------------------------------- checks


def certificate_limit(game: Game, trade: Trade) -> Refused | None:
    if full(game, trade.player) and game.rules.limits.counts(game, trade.company):
        limit = game.rules.limits.certificates(game, trade.player)
        return game.refuse("stock.limit", limit=limit)
    return None


def not_sold_before(game: Game, trade: Trade) -> Refused | None:
    if trade.company in Trading.of(game).sold.get(trade.player, ()):
        return game.refuse("stock.sold", player=trade.player, company=trade.company)
    return None


def pool_from_round(number: int) -> Check:
    def check(game: Game, trade: Trade) -> Refused | None:
        if trade.source == POOL and game.state.round.stock_number < number:
            return game.refuse("stock.first_pool")
        return None

    return check


def from_round(number: int) -> Check:
    def check(game: Game, trade: Trade) -> Refused | None:
        if game.state.round.stock_number < number:
            return game.refuse("stock.first")
        return None

    return check


def floated(game: Game, trade: Trade) -> Refused | None:
    if not game.company(trade.company).floated:
        return game.refuse("stock.floated", company=trade.company)
    return None


def operated(game: Game, trade: Trade) -> Refused | None:
    if not game.company(trade.company).operated:
        return game.refuse("stock.floated.operated", company=trade.company)
    return None


def once_a_turn(game: Game, trade: Trade) -> Refused | None:
    if trade.company in Sales.of(game).sold:
        return game.refuse("stock.one_sale", company=trade.company)
    return None


# ---------------------------------------------------------------------- limits


def full(game: Game, player: str) -> bool:
    """Whether a player has no room for another certificate."""
    return shares.certificates(game, player) >= game.rules.limits.certificates(game, player)


def certificates_over(game: Game, player: str) -> list[str]:
    if shares.certificates(game, player) <= game.rules.limits.certificates(game, player):
        return []
    return [company for company in game.state.companies if game.rules.limits.counts(game, company)]


# ---------------------------------------------------------------------- choices


class FoundChoice(Choice[Found]):
    """Buy a director's certificate from the offering at a starting price."""

    kind = Found

    def __init__(self, game: Game, player: str, step: TradeStep) -> None:
        super().__init__(game, player)
        self.step = step

    def price(self, company: str, par: int) -> int:
        return shares.worth(self.game, company, shares.percent_of(self.game, company, 0), par)

    def ask(self, picked: Picked) -> Domain | None:
        game, step = self.game, self.step
        if "company" not in picked:
            return Options("company", [Option(company) for company in step.foundable(game, self.player)])
        if "par" not in picked:
            company, cash = picked["company"], game.state.cash[self.player]
            prices = {par: self.price(company, par) for par in step.pars(game, company)}
            return Options("par", [Option(par, {"price": p}) for par, p in prices.items() if p <= cash])
        return None

    def move(self, picked: Picked) -> Found:
        return Found(self.player, picked["company"], picked["par"])

    def check(self, move: Found) -> None:
        game, step = self.game, self.step
        if move.company not in game.state.companies:
            raise game.refuse("unknown.company", company=move.company)
        if move.company not in step.unfounded(game):
            raise game.refuse("stock.founded", company=move.company)
        refusal = step.no_purchase(game, step.founding(game, self.player, move.company))
        if refusal:
            raise refusal
        pars = step.pars(game, move.company)
        if move.par not in pars:
            raise game.refuse("stock.par", par=move.par, pars=tuple(sorted(pars)))
        price = self.price(move.company, move.par)
        if price > game.state.cash[self.player]:
            raise game.refuse("money.director", price=price)

    def perform(self, move: Found) -> None:
        self.step.found(self.game, self.player, move.company, move.par)


class BuyShareChoice(Choice[BuyShare]):
    """Buy one certificate of a founded company."""

    kind = BuyShare

    def __init__(self, game: Game, player: str, step: TradeStep) -> None:
        super().__init__(game, player)
        self.step = step

    def ask(self, picked: Picked) -> Domain | None:
        game, step = self.game, self.step
        offers = step.purchases(game, self.player)
        if "company" not in picked:
            companies = dict.fromkeys(company for company, _, _ in offers)
            return Options("company", [Option(c, {"price": game.prices.value(c)}) for c in companies])
        company = picked["company"]
        if "source" not in picked:
            sources = dict.fromkeys(source for c, source, _ in offers if c == company)
            return Options(
                "source", [Option(source, {"price": step.price(game, company, source)}) for source in sources]
            )
        if "percent" not in picked:
            source = picked["source"]
            return Options(
                "percent",
                [
                    Option(percent, {"price": step.cost(game, company, source, percent)})
                    for c, place, percent in offers
                    if (c, place) == (company, source)
                ],
            )
        return None

    def move(self, picked: Picked) -> BuyShare:
        return BuyShare(self.player, picked["company"], picked["source"], picked["percent"])

    def check(self, move: BuyShare) -> None:
        game, step = self.game, self.step
        if move.company not in game.state.companies:
            raise game.refuse("unknown.company", company=move.company)
        if not step.traded(game, move.company):
            raise game.refuse("stock.order.founded", company=move.company)
        trade = Trade(self.player, move.company, move.source, move.percent)
        known = move.source in step.places(game, move.company)
        refusal = step.no_purchase(game, trade) if known else None
        if refusal:
            raise refusal
        if not known:
            raise game.refuse("stock.partner", source=move.source)
        if step.certificate(game, move.company, move.source, move.percent) is None:
            raise game.refuse("stock.order.none", company=move.company)
        price = step.cost(game, move.company, move.source, move.percent)
        if price > game.state.cash[self.player]:
            raise game.refuse("money.share", price=price)

    def perform(self, move: BuyShare) -> None:
        self.step.bought(self.game, self.player, move.company, move.source, move.percent)


class SellSharesChoice(Choice[SellShares]):
    """Sell shares of one company into the pool."""

    kind = SellShares

    def __init__(self, game: Game, player: str, step: TradeStep) -> None:
        super().__init__(game, player)
        self.step = step

    def ask(self, picked: Picked) -> Domain | None:
        game, step = self.game, self.step
        if "company" not in picked:
            return Options(
                "company",
                [
                    Option(company, {"price": game.prices.value(company)})
                    for company, percents in step.sales(game, self.player).items()
                    if percents
                ],
            )
        if "percent" not in picked:
            company = picked["company"]
            return Options(
                "percent",
                [
                    Option(
                        percent,
                        {
                            "amount": shares.worth(game, company, percent),
                            "director": (step.parts.plan(game, company, self.player, percent) or ((), ""))[1],
                        },
                    )
                    for percent in step.sales(game, self.player)[company]
                ],
            )
        return None

    def move(self, picked: Picked) -> SellShares:
        return SellShares(self.player, picked["company"], picked["percent"])

    def check(self, move: SellShares) -> None:
        if move.company not in self.game.state.companies:
            raise self.game.refuse("unknown.company", company=move.company)
        refusal = self.step.no_sale(self.game, Trade(self.player, move.company, POOL, move.percent))
        if refusal:
            raise refusal
        if move.percent not in self.step.sales(self.game, self.player)[move.company]:
            raise self.game.refuse("stock.over.sale", player=self.player)

    def perform(self, move: SellShares) -> None:
        self.step.sold(self.game, self.player, move.company, move.percent)


# ---------------------------------------------------------------------- the step


class TradeStep(Step):
    """A player's turn in a stock round. The title gives the places, prices and checks."""

    name = "trade"

    def __init__(
        self,
        *,
        pars: Pars,
        sources: Mapping[str, Price],
        buy: tuple[Check, ...],
        sell: tuple[Check, ...],
        over: tuple[Over, ...] = (certificates_over,),
        parts: WholeCertificates | None = None,
    ) -> None:
        self.pars = pars
        self.sources = sources
        self.buy = buy
        self.sell = sell
        self.over = over
        self.parts = parts or WholeCertificates()

    # ------------------------------------------------------------------ buying

    def places(self, game: Game, company: str) -> list[str]:
        """From whom certificates of a company are bought."""
        return [company if source == CHARTER else source for source in self.sources]

    def price(self, game: Game, company: str, source: str) -> int:
        """What one share costs there."""
        return self.sources[CHARTER if source == company else source](game, company)

    def cost(self, game: Game, company: str, source: str, percent: int) -> int:
        return shares.worth(game, company, percent, self.price(game, company, source))

    def no_purchase(self, game: Game, trade: Trade) -> Refused | None:
        """What the title's checks say about a purchase."""
        for check in self.buy:
            refusal = check(game, trade)
            if refusal is not None:
                return refusal
        return None

    def unfounded(self, game: Game) -> list[str]:
        """Companies whose director's certificate lies in the offering."""
        return [
            name
            for name, company in game.state.companies.items()
            if company.certificates and company.certificates[0] == OFFERING
        ]

    def founding(self, game: Game, player: str, company: str) -> Trade:
        return Trade(player, company, OFFERING, shares.percent_of(game, company, 0))

    def foundable(self, game: Game, player: str) -> list[str]:
        """Companies that a player may found and can pay for."""
        result = []
        for company in self.unfounded(game):
            pars = self.pars(game, company)
            percent = shares.percent_of(game, company, 0)
            if (
                pars
                and shares.worth(game, company, percent, min(pars)) <= game.state.cash[player]
                and self.no_purchase(game, self.founding(game, player, company)) is None
            ):
                result.append(company)
        return result

    def traded(self, game: Game, company: str) -> bool:
        """Whether certificates besides the director's can be bought: somebody has founded the company."""
        state = game.company(company)
        return state.price is not None and bool(state.director)

    def certificate(self, game: Game, company: str, source: str, percent: int) -> int | None:
        """The certificate that would be bought: from the pool any, elsewhere only the next in order."""
        if source == POOL:
            return shares.top(game, company, POOL, percent)
        number = shares.top(game, company, source)
        if number is None or number == 0 or shares.percent_of(game, company, number) != percent:
            return None
        return number

    def purchases(self, game: Game, player: str) -> list[tuple[str, str, int]]:
        """Company, source and share of every certificate that a player may buy and can pay for."""
        result = []
        cash = game.state.cash[player]
        for name, company in game.state.companies.items():
            if not self.traded(game, name):
                continue
            unit = shares.unit(game, name)
            for place, price_of in self.sources.items():
                source = name if place == CHARTER else place
                if source not in company.certificates:
                    continue
                price = price_of(game, name)
                if price > cash:
                    continue
                for percent in shares.sizes(game, name, source):
                    if (
                        price * percent // unit <= cash
                        and self.certificate(game, name, source, percent) is not None
                        and self.no_purchase(game, Trade(player, name, source, percent)) is None
                    ):
                        result.append((name, source, percent))
        return result

    # ------------------------------------------------------------------ selling

    def not_now(self, game: Game, player: str, company: str) -> Refused | None:
        """What the title's checks say about any sale of a company's shares."""
        for check in self.sell:
            refusal = check(game, Trade(player, company, POOL, 0))
            if refusal is not None:
                return refusal
        return None

    def no_sale(self, game: Game, trade: Trade) -> Refused | None:
        refusal = self.not_now(game, trade.player, trade.company)
        return refusal if refusal is not None else self.not_so_much(game, trade)

    def not_so_much(self, game: Game, trade: Trade) -> Refused | None:
        """Why just this part of a company cannot be sold."""
        player, company, percent = trade.player, trade.company, trade.percent
        if percent <= 0 or percent > shares.held(game, company, player):
            return game.refuse("unknown.holding", player=player, percent=percent, company=company)
        limit = game.definition.pool_limit
        if shares.held(game, company, POOL) + percent > limit:
            return game.refuse("stock.pool", limit=limit, company=company)
        if self.parts.plan(game, company, player, percent) is None:
            heir = shares.successor(game, company, player, shares.held(game, company, player) - percent)
            if game.company(company).director == player and heir in game.state.seatless:
                return game.refuse("stock.director.seatless", percent=percent, company=company, holder=heir)
            if game.company(company).director != player:
                return game.refuse("stock.certificate", player=player, percent=percent)
            return game.refuse("stock.director", percent=percent, company=company)
        return None

    def sellable(self, game: Game, player: str, company: str) -> list[int]:
        """The parts of a company that a player may sell now."""
        return list(self._sellable(game, player, company))

    def _sellable(self, game: Game, player: str, company: str) -> Iterator[int]:
        holding = shares.held(game, company, player)
        if holding and self.not_now(game, player, company) is None:
            for percent in shares.steps(game, company, holding):
                if self.not_so_much(game, Trade(player, company, POOL, percent)) is None:
                    yield percent

    def can_sell(self, game: Game, player: str, companies: Iterable[str]) -> bool:
        """Whether a player may sell any part of one of these companies."""
        return any(any(self._sellable(game, player, company)) for company in companies)

    def excess(self, game: Game, player: str) -> list[str]:
        """The companies by whose sale a player over a limit can comply again; none while they keep all limits."""
        return [company for limit in self.over for company in limit(game, player)]

    def must_sell(self, game: Game, player: str) -> bool:
        """Whether a player is over a limit and can do something about it now."""
        return self.can_sell(game, player, self.excess(game, player))

    def sales(self, game: Game, player: str) -> dict[str, list[int]]:
        """By company the parts that a player may sell now.

        Who is over a limit sells so that they keep it then, or with further sales of the turn; if they cannot, what
        helps at all.
        """
        found = {company: self.sellable(game, player, company) for company in game.state.companies}
        excess = set(self.excess(game, player))
        if not any(found[company] for company in excess):
            return found
        enough = {
            company: [percent for percent in percents if self.enough(game, player, company, percent)]
            for company, percents in found.items()
        }
        if any(enough.values()):
            return enough
        return {company: percents if company in excess else [] for company, percents in found.items()}

    def enough(self, game: Game, player: str, company: str, percent: int) -> bool:
        """Whether a player over a limit keeps it after a sale and whatever else they can sell in this turn."""
        twin = game.copy()
        self.parts.sell(twin, player, company, percent)
        while True:
            excess = self.excess(twin, player)
            more = next((name for name in excess if self.sellable(twin, player, name)), None)
            if more is None:
                return not excess
            self.parts.sell(twin, player, more, self.sellable(twin, player, more)[-1])

    # ------------------------------------------------------------------ what is on offer

    def keeps(self) -> Keeps:
        return (Trading,)

    def choices(self, turn: Turn) -> list[Choice[Any]]:
        game, player = turn.game, turn.decider
        passing = PassChoice(game, player, "", lambda: self.passed(turn))
        if Going.of(turn.game).acted:
            return [passing]
        result: list[Choice[Any]] = []
        if self.can_sell(game, player, game.state.companies):
            result.append(SellSharesChoice(game, player, self))
            if self.must_sell(game, player):
                return result
        if self.foundable(game, player):
            result.append(FoundChoice(game, player, self))
        if self.purchases(game, player):
            result.append(BuyShareChoice(game, player, self))
        return [*result, passing]

    def explain(self, turn: Turn, move: Move) -> None:
        game, player = turn.game, move.player
        kinds: tuple[Choice[Any], ...] = (
            SellSharesChoice(game, player, self),
            FoundChoice(game, player, self),
            BuyShareChoice(game, player, self),
        )
        for choice in kinds:
            if choice.matches(move):
                choice.check(move)
        if isinstance(move, Pass | Found | BuyShare) and self.must_sell(game, player):
            raise game.refuse("stock.over")

    def waiting(self, turn: Turn) -> bool:
        """Whether there is more than passing: the same question as the choices answer, asked quickly."""
        game, player = turn.game, turn.decider
        if Going.of(turn.game).acted:
            return False
        return (
            self.can_sell(game, player, game.state.companies)
            or bool(self.purchases(game, player))
            or bool(self.foundable(game, player))
        )

    def skipped(self, turn: Turn) -> None:
        if not Going.of(turn.game).acted:
            turn.game.emit(ev.Passed(turn.decider, "", turn.game.state.round.kind))

    # ------------------------------------------------------------------ what happens

    def passed(self, turn: Turn) -> None:
        self.skipped(turn)
        turn.advance()

    def acted(self, game: Game, player: str) -> None:
        """A player has bought; the turn is over unless something may be done besides."""
        Going.of(game).acted = True
        Trading.of(game).last_buyer = player

    def found(self, game: Game, player: str, company: str, par: int, price: int | None = None) -> None:
        """A player founds a company at a starting price; they pay what the certificate is worth, or another `price`."""
        state = game.company(company)
        state.par = par
        state.director = player
        game.prices.put(company, self.pars(game, company)[par])
        game.emit(ev.CompanyFounded(player, company, par))
        floating = game.rules.floating[game.definition.corporations[company].kind]
        if price is None:
            price = shares.worth(game, company, shares.percent_of(game, company, 0), par)
        game.pay(player, floating.payee(game, company, OFFERING), price, "director", company)
        shares.move(game, company, 0, player)
        settle_director(game, company)
        floating.sold(game, company)
        self.acted(game, player)

    def bought(self, game: Game, player: str, company: str, source: str, percent: int) -> None:
        number = self.certificate(game, company, source, percent)
        assert number is not None
        floating = game.rules.floating[game.definition.corporations[company].kind]
        price = self.cost(game, company, source, percent)
        game.pay(player, floating.payee(game, company, source), price, "share", company)
        shares.move(game, company, number, player)
        settle_director(game, company)
        floating.sold(game, company)
        self.acted(game, player)

    def sold(self, game: Game, player: str, company: str, percent: int) -> None:
        Trading.of(game).sold.setdefault(player, []).append(company)
        self.parts.ask_and_sell(game, player, company, percent)
