"""A house player for the Expert game: buys small investments that pay, takes events and uses them when it can."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from engine import moves as mv
from engine.finance.depot import on_sale, price
from engine.game import Game
from engine.house.players import fill
from engine.offer import Choice, Options
from engine.state import BANK
from titles.do.brewery import breweries
from titles.do.brewery.house import HsbGreedy
from titles.do.expert import markers
from titles.do.expert.tables import expert, reached

Choices = Mapping[str, Choice[Any]]


class ExpGreedy(HsbGreedy):
    """The judgement of the game without markers, and its own for them."""

    def choose(self, game: Game, player: str, chance: random.Random) -> mv.Move:
        choices = {choice.name: choice for choice in reversed(game.offer().of(player))}
        pauses = game.state.pauses
        if pauses and pauses[0].kind in ("special_event", "surplus_markers", "marker_sale"):
            return self.about_markers(pauses[0].kind, choices, chance)
        if pauses:
            return super().choose(game, player, chance)
        kind, step = game.state.round.kind, game.state.round.step
        if kind == "markers":
            return self.invest(game, choices, chance, 0.5)
        if step == "trains" and "move_wagon" in choices and chance.random() < 0.7:
            return fill(choices["move_wagon"], chance)
        if step == "trains" and "buy_marker" in choices and chance.random() < 0.3:
            return self.invest(game, choices, chance, 1.0)
        if kind == "operating" and step != "trains":
            choices = {name: choice for name, choice in choices.items() if name != "move_wagon"}
            if set(choices) == {"pass"}:
                return fill(choices["pass"], chance)
        return super().choose(game, player, chance)

    def about_markers(self, kind: str, choices: Choices, chance: random.Random) -> mv.Move:
        """Uses what it has; sells if it is paid well."""
        if kind == "special_event":
            return fill(choices["use_event"], chance)
        if kind == "surplus_markers":
            return fill(choices["return_marker"], chance)
        return fill(choices["answer"], chance, {"reply": "accept" if chance.random() < 0.6 else "decline"})

    def brewing(self, game: Game, player: str, choices: Choices, chance: random.Random) -> mv.Move:
        if "rest_equipment" in choices and chance.random() < 0.3:
            lowest = breweries.equipment(game, choices["rest_equipment"].company)[-1]
            return fill(choices["rest_equipment"], chance, {"equipment": lowest})
        if "use_event" in choices and chance.random() < 0.9:
            return fill(choices["use_event"], chance)
        if "take_event" in choices:
            return fill(choices["take_event"] if chance.random() < 0.9 else choices["pass"], chance)
        wants = "buy_marker" in choices and "pass" in choices and chance.random() < 0.4
        if wants and self.spares(game, choices["buy_marker"].company):
            return self.invest(game, choices, chance, 1.0)
        return super().brewing(game, player, choices, chance)

    def spares(self, game: Game, company: str) -> bool:
        """Whether a brewery does without the next piece of equipment for now."""
        room = len(breweries.equipment(game, company)) < breweries.limit(game, company)
        cheapest = min((price(game, card) for card in on_sale(game)), default=0)
        return not room or game.state.cash[company] < cheapest

    def invest(self, game: Game, choices: Choices, chance: random.Random, liking: float) -> mv.Move:
        """What works soonest, and of that the dearest; with full boxes only something better."""
        choice = choices.get("buy_marker")
        if choice is None or chance.random() > liking:
            return fill(choices["pass"], chance)
        rows = expert(game).investments
        domain = choice.ask({})
        assert isinstance(domain, Options)
        source = BANK if any(option.value == BANK for option in domain.options) and chance.random() < 0.7 else ""
        source = source or chance.choice(domain.options).value
        listed = choice.ask({"source": source})
        assert isinstance(listed, Options)
        codes = [option.value for option in listed.options if reached(game, rows[option.value].phase)]
        if not codes and "pass" in choices:
            return fill(choices["pass"], chance)  # nothing of it can be used yet
        codes = codes or [option.value for option in listed.options]
        code = max(codes, key=lambda code: (reached(game, rows[code].phase), rows[code].income, chance.random()))
        if chance.random() < 0.3:
            code = chance.choice(codes)
        own = markers.owned(game, choice.company)
        if markers.full(game, choice.company) and min(rows[other].price for other in own) >= rows[code].price:
            return fill(choices["pass"], chance)
        return fill(choice, chance, {"source": source, "marker": code})
