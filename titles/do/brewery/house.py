"""A house player for the games with breweries: delivers for the most money, buys equipment, trades its brewery in."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from engine import moves as mv
from engine.finance import shares
from engine.finance.depot import on_sale, price
from engine.game import Game
from engine.house.players import fill
from engine.offer import Choice, Options
from engine.remembered import Earned
from titles.do.board.house import DoGreedy
from titles.do.brewery import beer as market
from titles.do.brewery import breweries, delivering
from titles.do.brewery.breweries import BREWERY, MINOR
from titles.do.brewery.data import tables

Choices = Mapping[str, Choice[Any]]


class HsbGreedy(DoGreedy):
    """The judgement of every form for railways, and its own for beer."""

    def choose(self, game: Game, player: str, chance: random.Random) -> mv.Move:
        choices = {choice.name: choice for choice in reversed(game.offer().of(player))}
        pauses = game.state.pauses
        if pauses and pauses[0].kind in ("surplus_equipment", "order_place", "float_sale", "export_consent"):
            return self.asked(game, pauses[0].kind, choices, chance)
        if "bid" in choices:
            return self.package(game, player, choices, chance)
        if game.state.round.kind == "brewing":
            return self.brewing(game, player, choices, chance)
        if "link_location" in choices and chance.random() < self.wants_link(game, player):
            return fill(choices["link_location"], chance)
        if game.state.round.kind == "stock" and "trade_in" in choices and chance.random() < 0.35:
            return self.trade_in(game, choices["trade_in"], chance)
        return super().choose(game, player, chance)

    # ------------------------------------------------------------------ questions

    def asked(self, game: Game, kind: str, choices: Choices, chance: random.Random) -> mv.Move:
        if kind == "surplus_equipment":
            choice = choices["give_up_equipment"]
            move: mv.Move = choice.move({"equipment": breweries.equipment(game, choice.company)[-1]})
            return move
        if kind == "export_consent":
            return fill(choices["answer"], chance, {"reply": self.consent(game, chance)})
        if kind == "order_place":
            return fill(choices["order_place"], chance, {"place": "take"})
        choice = choices["sell_own_shares"] if game.state.cash[choices["pass"].company] < 500 else choices["pass"]
        return fill(choice, chance)

    def consent(self, game: Game, chance: random.Random) -> str:
        """Beer brings the railway money and binds its train; now and then a rival's brewery is refused."""
        pause = game.state.pauses[0]
        rival = not shares.held(game, pause.data["company"], pause.players[0])
        return "decline" if rival and chance.random() < 0.15 else "accept"

    # ------------------------------------------------------------------ stock

    def package(self, game: Game, player: str, choices: Choices, chance: random.Random) -> mv.Move:
        """The cheapest bid, for any brewery."""
        domain = choices["bid"].ask({})
        assert isinstance(domain, Options)
        least = min(option.facts["least"] for option in domain.options)
        lots = [option.value for option in domain.options if option.facts["least"] == least]
        move: mv.Move = choices["bid"].move({"lot": chance.choice(lots), "price": least})
        return move

    def stock(self, game: Game, player: str, choices: Choices, chance: random.Random) -> mv.Move:
        """Where a certificate can be sold in part it takes the money for one share now and then."""
        if {"sell_shares", "pass"} <= choices.keys():
            for sale in self.in_part(game, player, choices["sell_shares"]):
                if chance.random() < 0.5:
                    return sale
        return super().stock(game, player, choices, chance)

    def in_part(self, game: Game, player: str, choice: Choice[Any]) -> list[mv.Move]:
        """Sales of one share by somebody who is not the director and has no single one."""
        domain = choice.ask({})
        assert isinstance(domain, Options)
        result = []
        for company in [option.value for option in domain.options]:
            unit, own = shares.unit(game, company), shares.numbers(game, company, player)
            single = any(shares.percent_of(game, company, number) == unit for number in own)
            if not single and game.company(company).director != player:
                parts = choice.ask({"company": company})
                assert isinstance(parts, Options)
                if any(option.value == unit for option in parts.options):
                    result.append(choice.move({"company": company, "percent": unit}))
        return result

    def trade_in(self, game: Game, choice: Choice[Any], chance: random.Random) -> mv.Move:
        return fill(choice, chance)

    def _worth(self, game: Game, player: str, name: str) -> float:
        """A brewery is worth what its equipment earns; it has no trains."""
        if breweries.kind(game, name) != BREWERY or not game.company(name).floated:
            return super()._worth(game, player, name)
        yearly = (game.company(name).last_revenue or 0) * shares.unit(game, name) / 100 / game.prices.value(name)
        return 0.1 + yearly + (0.05 if game.company(name).director == player else 0)

    def wants_link(self, game: Game, player: str) -> float:
        """Links bring demand; who has a brewery likes them more."""
        own = any(game.company(name).director == player for name in breweries.order(game))
        return 0.6 if own else 0.4

    # ------------------------------------------------------------------ breweries

    def brewing(self, game: Game, player: str, choices: Choices, chance: random.Random) -> mv.Move:
        if "load_export" in choices:
            return fill(choices["load_export"], chance)
        if "deliver_best" in choices:
            return fill(choices["deliver_best"], chance)
        if "dividend" in choices:
            return self.beer_dividend(game, choices["dividend"], chance)
        if "buy_equipment" in choices and self.wants_equipment(game, choices, chance):
            return self.buy_equipment(choices["buy_equipment"])
        must = "pass" not in choices
        for name in ("sell_own_shares", "sell_shares", "take_loan") if must else ():
            if name in choices:
                return fill(choices[name], chance)
        return fill(next(iter(choices.values())) if must else choices["pass"], chance)

    def beer_dividend(self, game: Game, choice: Choice[Any], chance: random.Random) -> mv.Move:
        """A brewery with room for more equipment saves for it now and then, a small one mostly."""
        company = choice.company
        domain = choice.ask({})
        assert isinstance(domain, Options)
        kinds = [option.value for option in domain.options]
        cheapest = min((price(game, card) for card in on_sale(game)), default=0)
        cash, income = game.state.cash[company], (Earned.of(game).revenue or 0)
        room = len(breweries.equipment(game, company)) < breweries.limit(game, company)
        near = room and cash < cheapest <= cash + 2 * income
        lean = not self.useful(game, company)
        small = breweries.kind(game, company) == MINOR
        keep = lean or (near and chance.random() < (0.7 if small else 0.35))
        move: mv.Move = choice.move({"kind": kinds[-1] if keep else kinds[0]})
        return move

    def useful(self, game: Game, company: str) -> bool:
        """Whether a brewery has equipment of the newest two types."""
        newest = [int(card) for card in on_sale(game)][:1] or [0]
        return any(int(type_) >= newest[0] - 1 for type_ in breweries.equipment(game, company))

    def wants_equipment(self, game: Game, choices: Choices, chance: random.Random) -> bool:
        if "pass" not in choices:
            return True
        company = choices["buy_equipment"].company
        beer, owned = breweries.beer(game), breweries.equipment(game, company)
        t = tables(game)
        new = next(iter(on_sale(game)), "")
        if not new or sum(market.wanted(beer).values()) == 0:
            return chance.random() < 0.5
        now = delivering.earned(t, delivering.best(t, beer, delivering.units(t, owned)))
        then = delivering.earned(t, delivering.best(t, beer, delivering.units(t, [*owned, new])))
        return then > now or chance.random() < 0.6

    def buy_equipment(self, choice: Choice[Any]) -> mv.Move:
        domain = choice.ask({})
        assert isinstance(domain, Options)
        move: mv.Move = choice.move({"equipment": domain.options[-1].value})
        return move
