"""18BL: set-up, the sequence of rounds, zones of the stock value table, closing, bankruptcy, phases."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from engine import events as ev
from engine.board.faces import TOWN
from engine.definition import TrainType
from engine.finance.depot import counting
from engine.finance.forced import sell
from engine.game import Game
from engine.moves import Move
from engine.offer import Choice
from engine.rounds.operating import OperatingRound
from engine.rounds.proposals import AnswerChoice
from engine.routes.model import Route, TrainRules
from engine.rules import RoundRules, Rules
from engine.state import BANK, POOL, Pause, State
from engine.steps.run import RunStep
from engine.steps.stations import StationStep
from titles import loading
from titles.bl import privates as pv
from titles.bl.house import BlGreedy
from titles.bl.package import Package
from titles.bl.running import RAILBUS, TRAILER, WITH_TRAILER, BlDividendStep, BlTrain
from titles.bl.stock import Stock
from titles.bl.tables import Tables
from titles.bl.track import BlTrackStep, TileDeal
from titles.bl.vehicles import VehicleStep

PACKAGE = "titles.bl"
FILES = ("game.toml", "map.toml", "tiles.toml")


def make_rules(options: Mapping[str, Any]) -> Bl:
    return Bl(loading.load(loading.sheets(PACKAGE, *FILES), Tables), options)


class BlOperating(OperatingRound):
    """The home token is placed at the first turn; privates and access tokens can be bought at any time."""

    def turn_begins(self, game: Game, company: str) -> None:
        if not game.company(company).active:
            game.company(company).active = True
            game.state.board.token_version += 1

    def at_any_time(self, game: Game, company: str) -> list[Choice[Any]]:
        if game.state.round.turn.get("raising"):
            return []
        return pv.BuyPrivateChoice.offer(game, company) + pv.BuyAccessChoice.offer(game, company)

    def explain(self, game: Game, move: Move) -> None:
        company = game.state.round.actor
        for kind in (pv.BuyPrivateChoice, pv.BuyAccessChoice):
            choice = kind(game, move.player, company)
            if choice.matches(move):
                choice.check(move)  # type: ignore[arg-type]
        super().explain(game, move)


class Bl(Rules):
    """18BL by the rulebook of August 2018."""

    must_run_all_trains = False

    def make_rounds(self) -> dict[str, RoundRules]:
        self.track = BlTrackStep()
        self.trains = VehicleStep()
        self.operating = BlOperating([self.track, StationStep(), RunStep(), BlDividendStep(), self.trains])
        self.package = Package()
        self.stock = Stock()
        trains = self.definition.trains
        trailers = [train.name for train in trains if train.kind == TRAILER]
        self._vehicles = tuple(train for train in trains if train.kind != TRAILER) + tuple(
            replace(bus, name=f"{bus.name}+{trailer}", kind=WITH_TRAILER)
            for bus in trains
            if bus.kind == RAILBUS
            for trailer in trailers
        )
        self._closed = frozenset({self.definition.tables.access.hex})
        return {"package": self.package, "stock": self.stock, "operating": self.operating}

    # ------------------------------------------------------------------ set-up

    def seating(self, players: tuple[str, ...], chance: random.Random) -> tuple[list[str], dict[str, Any]]:
        """A card from 1 to 6 for each player: the lowest begins, seats ascend."""
        cards = range(1, self.definition.players[1] + 1)
        deal = dict(zip(players, chance.sample(cards, len(players)), strict=True))
        return sorted(players, key=lambda player: deal[player]), {"player_cards": deal}

    def set_up(self, state: State, chance: random.Random) -> None:
        tokens = self.definition.tables.access.tokens
        state.facts["access"] = {"private": tokens, "box": 0, "pool": 0, "charters": []}
        for private in self.definition.privates.values():
            trailer = self.definition.tables.powers[private.id].trailer
            if trailer:
                state.depot.left[trailer] -= 1
                state.depot.sold[trailer] += 1
                state.depot.aside.append(trailer)
        state.round.stock_number = 1

    # ------------------------------------------------------------------ rounds

    def begin(self, game: Game) -> None:
        self.package.begin(game)

    def round_over(self, game: Game) -> None:
        state = game.state
        round_ = state.round
        if round_.kind == "package":
            # The richest begins, of several the next in order from the priority deal (R05).
            richest = max(game.from_seat(state.priority), key=lambda player: state.cash[player])
            self.stock.begin(game, first=richest)
        elif round_.kind == "stock":
            last = self.definition.tables.end.operating_rounds_after_stock_round
            self.operating.begin(game, 1, last if state.bank_broken else game.phase.operating_rounds)
        elif round_.operating_number < round_.operating_total:
            self.operating.begin(game, round_.operating_number + 1, round_.operating_total)
        elif state.bank_broken:
            game.finish("bank")
        elif self.nothing_moves(game):
            game.finish("standstill")
        else:
            round_.stock_number += 1
            self.stock.begin(game)

    def nothing_moves(self, game: Game) -> bool:
        """Whether a stock round and its operating rounds went by without a decision, a payment or a move of a price.

        Then nothing will ever happen again: the corporations are gone, and nobody can pay for another.
        """
        state = game.state
        prices = {name: company.price for name, company in state.companies.items()}
        now = [len(game.moves), dict(state.cash), {n: list(cell) for n, cell in prices.items() if cell}]
        before = state.facts.get("last_set")
        state.facts["last_set"] = now
        return before == now

    def bank_short(self, game: Game) -> None:
        """In a stock round all players give the bank the same amount (BL-10.1-c, R24)."""
        state = game.state
        if state.round.kind != "stock":
            return
        share = -(state.cash[BANK] // len(state.seats))
        share = min(share, *(state.cash[player] for player in state.seats))
        if share:
            game.emit(ev.BankRelieved(share))
        for player in state.seats:
            game.pay(player, BANK, share, "contribution to the bank")

    def pause_choices(self, game: Game, pause: Pause) -> list[Choice[Any]]:
        if pause.kind == "private_sale":
            return [AnswerChoice(game, player, pause, pv.PrivateDeal()) for player in pause.players]
        if pause.kind == "tile_consent":
            return [AnswerChoice(game, player, pause, TileDeal(self.track)) for player in pause.players]
        if pause.kind == "discard" and pause is not game.state.pauses[0]:
            return []  # one corporation after the other (R22)
        return self.trains.pause_choices(game, pause)

    # ------------------------------------------------------------------ stock values

    def counts_for_limit(self, game: Game, company: str) -> bool:
        market, cell = self.definition.market, game.state.companies[company].price
        return not (market.marked(cell, "y") or market.marked(cell, "b"))

    def move_price(self, game: Game, company: str, cell: tuple[int, int], reason: str) -> None:
        super().move_price(game, company, cell, reason)
        if self.definition.market.marked(game.company(company).price, "x"):
            self.close_company(game, company, reason)

    def sale_moves_price(self, game: Game, company: str, percent: int) -> None:
        """One space down for each 10 %; in the red area it ends (BL-7.5-a)."""
        cell = game.company(company).price
        assert cell is not None
        for _ in range(percent // 10):
            if not self.definition.market.marked(cell, "x"):
                cell = game.prices.down(cell)
        self.move_price(game, company, cell, "sale")

    # ------------------------------------------------------------------ what leaves the game

    def possessions(self, game: Game, holder: str) -> dict[str, int]:
        """Private companies, the access token on the charter, and tokens for sale (BL-5.2-4b)."""
        tokens = pv.access(game)
        owner = game.state.privates[self.definition.tables.access.private]
        for_sale = tokens["pool"] if holder == POOL else tokens["box"] if holder == owner else 0
        owned = super().possessions(game, holder)
        if holder in tokens["charters"]:
            owned["access_token"] = 1
        if for_sale:
            owned["access_token_for_sale"] = for_sale
        return owned

    def company_closed(self, game: Game, company: str) -> None:
        """Access tokens go to the pool, private companies leave the game (BL-7.5-g)."""
        tokens = pv.access(game)
        if company in tokens["charters"]:
            tokens["charters"].remove(company)
            tokens["pool"] += 1
        for private, owner in game.state.privates.items():
            if owner == company:
                self.close_private(game, private)

    def close_private(self, game: Game, private: str) -> None:
        super().close_private(game, private)
        if private == self.definition.tables.access.private:
            pv.tokens_to_pool(game, "private", "box")
        trailer = self.definition.tables.powers[private].trailer
        if trailer in game.state.depot.aside:
            game.state.depot.aside.remove(trailer)
            game.state.depot.gone.append(trailer)

    def bankrupt(self, game: Game, player: str, company: str) -> None:
        """All legal sales are made, then the player leaves with what is left (BL-8.8.5, R25)."""
        most: dict[str, int] = {}
        for name, percent, _ in self.trains.saleable(game, company):
            most[name] = max(most.get(name, 0), percent)
        for name in [name for name in game.prices.order() if name in most]:
            sell(game, player, name, most[name])
        state = game.state
        if state.priority == player:
            state.priority = game.after(player)
            game.emit(ev.PriorityMoved(state.priority))
        state.seats.remove(player)
        state.retired.append(player)
        game.emit(ev.PlayerRetired(player))
        for name, corporation in state.companies.items():
            if corporation.director == player:
                self.close_company(game, name, "bankruptcy")
        for private, owner in state.privates.items():
            if owner == player:
                self.close_private(game, private)
        if len(state.seats) == 1:
            game.finish("bankruptcy")

    # ------------------------------------------------------------------ vehicles and routes

    def phase_began(self, game: Game) -> None:
        if game.phase.colour == "brown":
            for private, owner in game.state.privates.items():
                if owner in game.state.cash:
                    self.close_private(game, private)

    def discard_order(self, game: Game) -> list[str]:
        order = game.prices.order()
        actor = game.state.round.actor
        start = order.index(actor) if actor in order else 0
        return order[start:] + order[:start]

    def counts_as_train(self, train: str) -> bool:
        return self.definition.train(train).kind != TRAILER

    def vehicles(self) -> tuple[TrainType, ...]:
        return self._vehicles

    def fleets(self, game: Game, company: str) -> list[tuple[str, ...]]:
        """All without the trailer, or one of the rail buses with it."""
        trains = counting(game, company)
        result = [tuple(trains)]
        trailers = [train for train in game.company(company).trains if not self.counts_as_train(train)]
        for bus in dict.fromkeys(train for train in trains if self.definition.train(train).kind == RAILBUS):
            for trailer in trailers:
                rest = list(trains)
                rest[rest.index(bus)] = f"{bus}+{trailer}"
                result.append(tuple(rest))
        return result

    def closed_hexes(self, game: Game, company: str) -> frozenset[str]:
        return frozenset() if company in pv.access(game)["charters"] else self._closed

    def train_rules(self, game: Game, company: str, train: TrainType, colour: str) -> TrainRules:
        return BlTrain(game, company, train, colour)

    def revenue(self, routes: Sequence[Route]) -> int:
        """Rounded down to full 10 Mark for the whole corporation (BL-8.6.1-g)."""
        step: int = self.definition.tables.dividend.rounding
        return super().revenue(routes) // step * step

    def trains_ran(self, game: Game, company: str, routes: list[Route]) -> None:
        """Private 5 closes when its trailer has earned something (BL-5.2-5d)."""
        for private in self.definition.privates.values():
            trailer = self.definition.tables.powers[private.id].trailer
            if trailer and game.state.privates[private.id] == company:
                used = [route for route in routes if route.train.endswith(f"+{trailer}")]
                if any(self._trailer_earned(game, route) for route in used):
                    self.close_private(game, private.id)

    def _trailer_earned(self, game: Game, route: Route) -> bool:
        for part in route.parts:
            at, _, letter = part.what.partition(":")
            if at not in self._closed and game.board.faces[at].stops[ord(letter) - ord("a")].kind == TOWN:
                return True
        return False

    # ------------------------------------------------------------------ the rest

    def house(self, name: str) -> Any:
        return BlGreedy() if name == "greedy" else None

    def broken(self, game: Game) -> list[str]:
        tokens = pv.access(game)
        count = tokens["private"] + tokens["box"] + tokens["pool"] + len(tokens["charters"])
        total = self.definition.tables.access.tokens
        result = [] if count == total else [f"there are {count} access tokens instead of {total}"]
        for name in game.state.companies:
            trailers = len(game.company(name).trains) - len(counting(game, name))
            if trailers > self.definition.tables.vehicles.trailer_limit:
                result.append(f"{name} has {trailers} trailers")
        return result
