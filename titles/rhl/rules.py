"""18Rhl: set-up, the sequence of rounds, RhE's link, and what closes when."""

from __future__ import annotations

import random
from collections.abc import Iterable
from typing import Any

from engine import events as ev
from engine.board.links import joined_via
from engine.definition import TrainType
from engine.finance import shares
from engine.game import Game
from engine.offer import Choice
from engine.rounds.operating import OperatingRound
from engine.routes.legs import Node
from engine.routes.model import TrainRules
from engine.rules import RoundRules, Rules
from engine.state import ASIDE, BANK, OFFERING, POOL, Pause, State
from engine.steps.run import DividendStep, RunStep
from engine.steps.stations import StationStep
from engine.steps.trains import TrainStep
from titles.rhl.package import FoundRheChoice, Package
from titles.rhl.running import RhlTrain
from titles.rhl.stock import Stock
from titles.rhl.tables import Tables
from titles.rhl.track import GrantedStationChoice, RhlTrackStep, decline_grant
from titles.rhl.trains import RhlTrainStep


class Rhl(Rules):
    """18Rhl by the rulebook of 2024."""

    #: A new company's price rises when it floats (else at the end of the stock round).
    rise_at_float = True
    #: Home stations are active from the float on (else from the first turn).
    active_at_float = True
    #: A town may be the end of a route.
    town_ends = True
    train_step: type[TrainStep] = RhlTrainStep
    dividend_step: type[DividendStep] = DividendStep
    track_step: type[RhlTrackStep] = RhlTrackStep
    train_kind: type[RhlTrain] = RhlTrain

    def make_rounds(self) -> dict[str, RoundRules]:
        trains = self.train_step()
        trains.credit = not self.options["bankruptcy_end"]
        self.trains = trains
        self.stations = StationStep()
        self.operating = OperatingRound([self.track_step(), self.stations, RunStep(), self.dividend_step(), trains])
        self.package = Package()
        self.stock = Stock()
        return {"package": self.package, "stock": self.stock, "operating": self.operating}

    # ------------------------------------------------------------------ set-up

    @property
    def tables(self) -> Tables:
        tables: Tables = self.definition.tables
        return tables

    def seating(self, players: tuple[str, ...], chance: random.Random) -> tuple[list[str], dict[str, Any]]:
        """One card for the locations, then one for each player: the lowest begins, seats ascend."""
        numbers = [card.number for card in self.tables.order_card]
        location = chance.choice(numbers)
        deal = dict(zip(players, chance.sample(numbers, len(players)), strict=True))
        seats = sorted(players, key=lambda player: deal[player])
        return seats, {"location_card": location, "order_cards": deal}

    def set_up(self, state: State, chance: random.Random) -> None:
        card = next(card for card in self.tables.order_card if card.number == state.facts["location_card"])
        for kind, at in (("coal", card.coal), ("steel", card.steel)):
            state.board.markers.setdefault(at, []).append(kind)
        given = self.tables.lot_certificate
        state.companies[given.corporation].certificates[given.certificate] = ASIDE
        rhe = self.tables.link_company
        company = state.companies[rhe.corporation]
        company.certificates[0] = ASIDE
        for number in rhe.pool_certificates:
            company.certificates[number] = POOL
        self.set_up_rhe(state)
        state.round.stock_number = 1

    def set_up_rhe(self, state: State) -> None:
        """RhE's token stands on its starting price, and the money for its pool shares lies aside."""
        rhe = self.tables.link_company
        cell = next(
            cell
            for cell in self.definition.market.cells("p")
            if self.definition.market.rows[cell[0]][cell[1]] == rhe.par
        )
        company = state.companies[rhe.corporation]
        company.price, company.par = cell, rhe.par
        state.stacks[cell] = [rhe.corporation]
        state.cash[BANK] -= rhe.amount
        state.cash[ASIDE] = rhe.amount
        state.facts["link_money"] = rhe.amount

    # ------------------------------------------------------------------ rounds

    def begin(self, game: Game) -> None:
        self.package.begin(game)

    def round_over(self, game: Game) -> None:
        round_ = game.state.round
        if round_.kind == "package":
            self.stock.begin(game)
        elif round_.kind == "stock":
            self.operating.begin(game, 1, game.phase.operating_rounds)
        elif round_.operating_number < round_.operating_total:
            self.operating.begin(game, round_.operating_number + 1, round_.operating_total)
        elif game.state.bank_broken:
            game.finish("bank")
        else:
            round_.stock_number += 1
            self.stock.begin(game)

    def first_priority(self, game: Game, last_buyer: str) -> str:
        """Who begins after the package."""
        return game.after(last_buyer)

    def pause_choices(self, game: Game, pause: Pause) -> list[Choice[Any]]:
        if pause.kind == "granted_station":
            return GrantedStationChoice.offer(game, pause, self.stations, decline_grant)
        if pause.kind == "found_rhe":
            return [FoundRheChoice(game, player, self.package) for player in pause.players]
        return self.trains.pause_choices(game, pause)

    # ------------------------------------------------------------------ RhE

    def sell_rhe(self, game: Game, player: str, price: int) -> None:
        """Lot 6: RhE gets the printed price, floats from its par at once, and rises."""
        rhe = self.tables.link_company
        game.pay(BANK, rhe.corporation, rhe.capital, "director's certificate RhE")
        self.float_rhe(game, player)

    def float_rhe(self, game: Game, player: str) -> None:
        name = self.tables.link_company.corporation
        company = game.company(name)
        company.director = player
        shares.move(game, name, 0, player)
        game.emit(ev.CompanyFounded(player, name, company.par))
        self.float(game, name, capital=0)

    def float(self, game: Game, name: str, capital: int | None = None) -> None:
        """Capital, certificates, stations and price of a company that floats."""
        company = game.company(name)
        value = game.prices.value(name)
        full = game.phase.colour in ("brown", "grey")
        if capital is None:
            capital = value * 10 if full else value * shares.player_share(game, name) // 10
            game.pay(BANK, name, capital, f"{name} floats")
        for number in shares.numbers(game, name, OFFERING):
            shares.move(game, name, number, POOL if full else name)
        company.floated = True
        game.emit(ev.CompanyFloated(name, capital))
        if self.active_at_float:
            self.activate(game, name)
        if not full:
            if self.rise_at_float:
                self.rise(game, name, "float")
            else:
                game.state.facts.setdefault("to_rise", []).append(name)

    def rise(self, game: Game, name: str, reason: str) -> None:
        cell = game.company(name).price
        assert cell is not None
        self.move_price(game, name, game.prices.up(cell), reason)

    def activate(self, game: Game, name: str) -> None:
        """Turn the home stations over: from now on they block."""
        game.company(name).active = True
        game.state.board.token_version += 1

    def tile_laid(self, game: Game, at: str) -> None:
        """RhE's money is paid as soon as track joins Köln and Aachen through Düren."""
        amount = game.state.facts.get("link_money", 0)
        if not amount:
            return
        rhe = self.tables.link_company
        köln, düren, aachen = rhe.link
        if joined_via(game.book(), self._left_bank(game, köln, rhe.start_stops), [(düren, 0)], [(aachen, 0)]):
            game.state.facts["link_money"] = 0
            self.pay_link(game, rhe.corporation, amount)
            game.emit(ev.LinkBuilt(rhe.corporation, "–".join(rhe.link), amount))

    def pay_link(self, game: Game, company: str, amount: int) -> None:
        game.pay(ASIDE, company, amount, "link Köln–Aachen")

    def _left_bank(self, game: Game, at: str, printed: Iterable[int]) -> list[Node]:
        """The circles on the left bank: two on the printed hex, one on every tile."""
        return [(at, stop) for stop in (sorted(printed) if at not in game.state.board.tiles else [0])]

    # ------------------------------------------------------------------ phases and trains

    def phase_began(self, game: Game) -> None:
        if game.phase.colour == "brown":
            for private, owner in game.state.privates.items():
                if owner in game.state.seats:
                    self.close_private(game, private)

    def train_rules(self, game: Game, company: str, train: TrainType, colour: str) -> TrainRules:
        return self.train_kind(game, company, train, colour, town_ends=self.town_ends)

    def eastern_ruhr_links(self, game: Game) -> int:
        """How many of the four links to the Eastern Ruhr have track."""
        layout = self.definition.map.layout
        return sum(
            bool(game.board.faces[at].exits & 1 << layout.edge(compass))
            for at, compass in self.tables.eastern_ruhr.links
        )
