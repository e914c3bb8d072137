"""The stock round: sell, found, buy or pass in turn until all have passed in succession."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine import events as ev
from engine.errors import Refused
from engine.finance import shares
from engine.moves import BuyShare, Found, Move, Pass, SellShares
from engine.offer import Choice, Domain, Option, Options, PassChoice, Picked
from engine.rules import RoundRules
from engine.state import BANK, OFFERING, POOL, Cell

if TYPE_CHECKING:
    from engine.game import Game


class FoundChoice(Choice[Found]):
    """Buy a director's certificate from the offering at a starting price."""

    kind = Found

    def __init__(self, game: Game, player: str, rules: StockRound) -> None:
        super().__init__(game, player)
        self.rules = rules

    def ask(self, picked: Picked) -> Domain | None:
        game, rules = self.game, self.rules
        if "company" not in picked:
            return Options("company", [Option(company) for company in rules.foundable(game, self.player)])
        if "par" not in picked:
            percent = shares.percent_of(game, picked["company"], 0)
            cash = game.state.cash[self.player]
            pars = [rules.par_value(game, cell) for cell in rules.par_cells(game, picked["company"])]
            return Options(
                "par",
                [Option(par, {"price": par * percent // 10}) for par in pars if par * percent // 10 <= cash],
            )
        return None

    def move(self, picked: Picked) -> Found:
        return Found(self.player, picked["company"], picked["par"])

    def check(self, move: Found) -> None:
        game, rules = self.game, self.rules
        if move.company not in game.state.companies:
            raise game.refuse("", f"there is no company {move.company!r:.20}")
        if move.company not in rules.unfounded(game):
            raise game.refuse("stock.founded", f"{move.company} cannot be founded (again)")
        rules.check_may_buy(game, self.player, move.company)
        pars = {rules.par_value(game, cell) for cell in rules.par_cells(game, move.company)}
        if move.par not in pars:
            known = ", ".join(map(str, sorted(pars)))
            raise game.refuse("stock.par", f"{move.par} is no starting price; possible are {known}")
        price = move.par * shares.percent_of(game, move.company, 0) // 10
        if price > game.state.cash[self.player]:
            raise game.refuse("", f"the director's certificate costs {price}")

    def perform(self, move: Found) -> None:
        self.rules.found(self.game, self.player, move.company, move.par)


class BuyShareChoice(Choice[BuyShare]):
    """Buy one certificate of a founded company."""

    kind = BuyShare

    def __init__(self, game: Game, player: str, rules: StockRound) -> None:
        super().__init__(game, player)
        self.rules = rules

    def ask(self, picked: Picked) -> Domain | None:
        offers = self.rules.purchases(self.game, self.player)
        if "company" not in picked:
            companies = dict.fromkeys(company for company, _, _ in offers)
            return Options("company", [Option(c, {"price": self.game.prices.value(c)}) for c in companies])
        if "source" not in picked:
            company = picked["company"]
            sources = dict.fromkeys(source for c, source, _ in offers if c == company)
            return Options(
                "source",
                [Option(source, {"price": self.rules.share_price(self.game, company, source)}) for source in sources],
            )
        if "percent" not in picked:
            value = self.rules.share_price(self.game, picked["company"], picked["source"])
            return Options(
                "percent",
                [
                    Option(percent, {"price": value * percent // 10})
                    for c, source, percent in offers
                    if (c, source) == (picked["company"], picked["source"])
                ],
            )
        return None

    def move(self, picked: Picked) -> BuyShare:
        return BuyShare(self.player, picked["company"], picked["source"], picked["percent"])

    def check(self, move: BuyShare) -> None:
        game, rules = self.game, self.rules
        if move.company not in game.state.companies:
            raise game.refuse("", f"there is no company {move.company!r:.20}")
        company = game.company(move.company)
        if company.price is None or not company.director:
            raise game.refuse("stock.order", f"{move.company} must be founded first")
        rules.check_may_buy(game, self.player, move.company)
        if move.source not in rules.sources(game, move.company):
            raise game.refuse("stock.order", f"certificates are not bought from {move.source!r:.20}")
        rules.check_source(game, move.company, move.source)
        number = rules.certificate(game, move.company, move.source, move.percent)
        if number is None:
            raise game.refuse("stock.order", f"no such certificate of {move.company} is on sale there")
        if not rules.within_share_limit(game, self.player, move.company, move.source, move.percent):
            raise game.refuse("stock.share_limit", f"{self.player} may not hold so much of {move.company}")
        price = rules.share_price(game, move.company, move.source) * move.percent // 10
        if price > game.state.cash[self.player]:
            raise game.refuse("", f"the certificate costs {price}")

    def perform(self, move: BuyShare) -> None:
        self.rules.buy(self.game, self.player, move.company, move.source, move.percent)


class SellSharesChoice(Choice[SellShares]):
    """Sell shares of one company into the pool."""

    kind = SellShares

    def __init__(self, game: Game, player: str, rules: StockRound) -> None:
        super().__init__(game, player)
        self.rules = rules

    def ask(self, picked: Picked) -> Domain | None:
        game, rules = self.game, self.rules
        if "company" not in picked:
            return Options(
                "company",
                [
                    Option(company, {"price": game.prices.value(company)})
                    for company in game.state.companies
                    if rules.sellable(game, self.player, company)
                ],
            )
        if "percent" not in picked:
            value = game.prices.value(picked["company"])
            return Options(
                "percent",
                [
                    Option(
                        percent,
                        {
                            "amount": value * percent // 10,
                            "director": (shares.sale(game, picked["company"], self.player, percent) or ((), ""))[1],
                        },
                    )
                    for percent in rules.sellable(game, self.player, picked["company"])
                ],
            )
        return None

    def move(self, picked: Picked) -> SellShares:
        return SellShares(self.player, picked["company"], picked["percent"])

    def check(self, move: SellShares) -> None:
        if move.company not in self.game.state.companies:
            raise self.game.refuse("", f"there is no company {move.company!r:.20}")
        self.rules.check_sale(self.game, self.player, move.company, move.percent)

    def perform(self, move: SellShares) -> None:
        self.rules.sell(self.game, self.player, move.company, move.percent)


class StockRound(RoundRules):
    """Turns of players. A title says what may be bought and sold when, and how prices move."""

    #: Whether a player sells shares of a company at most once in a turn.
    one_sale = True

    # ------------------------------------------------------------------ hooks

    def selling_allowed(self, game: Game) -> bool:
        """Whether anything may be sold in this round."""
        return True

    def check_source(self, game: Game, company: str, source: str) -> None:
        """Refuse a place from which certificates may not be bought now."""

    def check_company_sale(self, game: Game, player: str, company: str) -> None:
        """Refuse the sale of a company's shares at this time."""

    def share_price(self, game: Game, company: str, source: str) -> int:
        """What a share of 10 % costs there."""
        return game.prices.value(company)

    def payee(self, game: Game, company: str, source: str) -> str:
        """Who gets the money for a certificate."""
        return company if source == company else BANK

    def within_share_limit(self, game: Game, player: str, company: str, source: str, percent: int) -> bool:
        """Whether a player may hold so much more of a company."""
        return True

    def besides(self, game: Game, player: str) -> list[Choice[Any]]:
        """What a player may do in his turn besides the normal action, before or after it."""
        return []

    def float_if_due(self, game: Game, company: str) -> None:
        """Float a company that has sold enough."""
        raise NotImplementedError

    def round_ends(self, game: Game) -> None:
        """Priority deal, price rises and whatever else ends a stock round."""
        raise NotImplementedError

    def par_cells(self, game: Game, company: str) -> tuple[Cell, ...]:
        return game.definition.market.cells("p")

    def unfounded(self, game: Game) -> list[str]:
        """Companies whose director's certificate lies in the offering."""
        return [name for name, company in game.state.companies.items() if company.certificates[0] == OFFERING]

    # ------------------------------------------------------------------ rules

    def par_value(self, game: Game, cell: Cell) -> int:
        return game.definition.market.rows[cell[0]][cell[1]]

    def begin(self, game: Game, kind: str = "stock", first: str = "") -> None:
        state = game.state
        state.round.kind = kind
        state.round.operating_number = 0
        state.round.actor = first or state.priority
        state.round.memory = {"passes": 0, "sold": {}}
        state.round.turn = {"sold": []}
        game.emit(ev.RoundBegan("stock", state.round.stock_number, 0))

    def excess(self, game: Game, player: str) -> list[str]:
        """The companies by whose sale a player over a limit can comply again; none while he keeps the limits."""
        if shares.certificates(game, player) <= game.rules.certificate_limit(game):
            return []
        return [company for company in game.state.companies if game.rules.counts_for_limit(game, company)]

    def must_sell(self, game: Game, player: str) -> bool:
        """Whether a player is over a limit and can do something about it now."""
        return any(self.sellable(game, player, company) for company in self.excess(game, player))

    def check_may_buy(self, game: Game, player: str, company: str) -> None:
        if game.rules.counts_for_limit(game, company) and self.full(game, player):
            limit = game.rules.certificate_limit(game)
            raise game.refuse("stock.limit", f"the certificate limit is {limit}")
        if company in game.state.round.memory["sold"].get(player, ()):
            raise game.refuse("stock.sold", f"{player} has sold {company} in this stock round")

    def full(self, game: Game, player: str) -> bool:
        """Whether a player has no room for another certificate."""
        return shares.certificates(game, player) >= game.rules.certificate_limit(game)

    def may_buy(self, game: Game, player: str, company: str) -> bool:
        return company not in game.state.round.memory["sold"].get(player, ())

    def foundable(self, game: Game, player: str) -> list[str]:
        """Companies that a player may found and can pay for."""
        if self.full(game, player):
            return []
        result = []
        for company in self.unfounded(game):
            if not self.may_buy(game, player, company):
                continue
            cells = self.par_cells(game, company)
            percent = shares.percent_of(game, company, 0)
            if cells and self.par_value(game, cells[-1]) * percent // 10 <= game.state.cash[player]:
                result.append(company)
        return result

    def certificate(self, game: Game, company: str, source: str, percent: int) -> int | None:
        """The certificate that would be bought: from the pool any, elsewhere only the next in order."""
        if source == POOL:
            return shares.top(game, company, POOL, percent)
        number = shares.top(game, company, source)
        if number is None or number == 0 or shares.percent_of(game, company, number) != percent:
            return None
        return number

    def sources(self, game: Game, company: str) -> list[str]:
        return [OFFERING, company, POOL]

    def purchases(self, game: Game, player: str) -> list[tuple[str, str, int]]:
        """Company, source and share of every certificate that a player may buy and can pay for."""
        full = self.full(game, player)
        result = []
        cash = game.state.cash[player]
        for name, company in game.state.companies.items():
            if company.price is None or not company.director or not self.may_buy(game, player, name):
                continue
            if full and game.rules.counts_for_limit(game, name):
                continue
            for source in self.sources(game, name):
                value = self.share_price(game, name, source)
                if value > cash:
                    continue
                try:
                    self.check_source(game, name, source)
                except Refused:
                    continue
                for percent in shares.sizes(game, name, source):
                    if value * percent // 10 > cash:
                        continue
                    if self.certificate(game, name, source, percent) is None:
                        continue
                    if self.within_share_limit(game, player, name, source, percent):
                        result.append((name, source, percent))
        return result

    def check_sale(self, game: Game, player: str, company: str, percent: int) -> None:
        if not self.selling_allowed(game):
            raise game.refuse("stock.first", "nothing may be sold in the first stock round")
        self.check_company_sale(game, player, company)
        if self.one_sale and company in game.state.round.turn["sold"]:
            raise game.refuse("stock.one_sale", f"shares of {company} were sold in this turn already, in one sale")
        if percent <= 0 or percent > shares.held(game, company, player):
            raise game.refuse("", f"{player} does not hold {percent} % of {company}")
        limit = game.definition.pool_limit
        if shares.held(game, company, POOL) + percent > limit:
            raise game.refuse("stock.pool", f"at most {limit} % of {company} may lie in the bank pool")
        if shares.sale(game, company, player, percent) is None:
            raise game.refuse(
                "stock.director",
                f"{percent} % cannot be sold: the certificates do not allow it, or nobody can take over {company}",
            )

    def sellable(self, game: Game, player: str, company: str) -> list[int]:
        """The shares of a company that a player may sell now."""
        holding = shares.held(game, company, player)
        result = []
        for percent in range(10, holding + 1, 10):
            try:
                self.check_sale(game, player, company, percent)
            except Refused:
                continue
            result.append(percent)
        return result

    # ------------------------------------------------------------------ what is on offer

    def choices(self, game: Game) -> list[Choice[Any]]:
        player = game.state.round.actor
        result: list[Choice[Any]] = []
        if game.state.round.turn.get("acted"):
            return [*self.besides(game, player), PassChoice(game, player, "", lambda: self.passed(game))]
        if any(self.sellable(game, player, company) for company in game.state.companies):
            result.append(SellSharesChoice(game, player, self))
            if self.must_sell(game, player):
                return result
        if self.foundable(game, player):
            result.append(FoundChoice(game, player, self))
        if self.purchases(game, player):
            result.append(BuyShareChoice(game, player, self))
        result += self.besides(game, player)
        return [*result, PassChoice(game, player, "", lambda: self.passed(game))]

    def explain(self, game: Game, move: Move) -> None:
        player = move.player
        kinds: tuple[Choice[Any], ...] = (
            SellSharesChoice(game, player, self),
            FoundChoice(game, player, self),
            BuyShareChoice(game, player, self),
        )
        for choice in kinds:
            if choice.matches(move):
                choice.check(move)
        if isinstance(move, Pass | Found | BuyShare) and self.must_sell(game, player):
            raise game.refuse("stock.over", "certificates beyond the limit must be sold first")

    def something_to_do(self, game: Game, player: str) -> bool:
        """The same question as whether there is more than passing, answered quickly."""
        if self.besides(game, player):
            return True
        if game.state.round.turn.get("acted"):
            return False
        if self.selling_allowed(game) and any(self.sellable(game, player, company) for company in game.state.companies):
            return True
        return bool(self.purchases(game, player)) or bool(self.foundable(game, player))

    def settle(self, game: Game) -> bool:
        state = game.state
        if state.round.memory["passes"] >= len(state.seats):
            self.round_ends(game)
            return False
        if self.something_to_do(game, state.round.actor):
            return True
        self.passed(game)
        return False

    # ------------------------------------------------------------------ what happens

    def passed(self, game: Game) -> None:
        round_ = game.state.round
        if not round_.turn.get("acted"):
            game.emit(ev.Passed(round_.actor, "", "stock"))
        if round_.turn["sold"] or round_.turn.get("acted"):
            round_.memory["passes"] = 0
        else:
            round_.memory["passes"] += 1
        self._next_player(game)

    def _next_player(self, game: Game) -> None:
        game.state.round.actor = game.after(game.state.round.actor)
        game.state.round.turn = {"sold": []}

    def acted(self, game: Game, player: str) -> None:
        """A player has bought; the turn is over unless he may do something besides."""
        game.state.round.memory["passes"] = 0
        if self.besides(game, player):
            game.state.round.turn["acted"] = True
        else:
            self._next_player(game)

    def found(self, game: Game, player: str, company: str, par: int) -> None:
        cell = next(cell for cell in self.par_cells(game, company) if self.par_value(game, cell) == par)
        state = game.company(company)
        state.par = par
        state.director = player
        game.prices.put(company, cell)
        game.emit(ev.CompanyFounded(player, company, par))
        game.pay(player, BANK, par * shares.percent_of(game, company, 0) // 10, f"director's certificate {company}")
        shares.move(game, company, 0, player)
        shares.settle_director(game, company)
        self.float_if_due(game, company)
        self.acted(game, player)

    def buy(self, game: Game, player: str, company: str, source: str, percent: int) -> None:
        number = self.certificate(game, company, source, percent)
        assert number is not None
        price = self.share_price(game, company, source) * percent // 10
        game.pay(player, self.payee(game, company, source), price, f"share of {company}")
        shares.move(game, company, number, player)
        shares.settle_director(game, company)
        self.float_if_due(game, company)
        self.acted(game, player)

    def sell(self, game: Game, player: str, company: str, percent: int) -> None:
        amount = game.prices.value(company) * percent // 10
        shares.sell_to_pool(game, company, player, percent)
        game.emit(ev.SharesSold(player, company, percent, amount))
        game.pay(BANK, player, amount, f"sale of {company}")
        game.rules.sale_moves_price(game, company, percent)
        memory = game.state.round
        memory.turn["sold"].append(company)
        memory.memory["sold"].setdefault(player, []).append(company)
