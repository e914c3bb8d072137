"""18Ruhr's greedy house player: what the common one does not know of mines, cards and Montan rounds."""

from __future__ import annotations

import random
from collections.abc import Mapping

from engine import moves as mv
from engine.finance.depot import counting, on_sale, price
from engine.game import Game
from engine.house.players import Greedy, fill
from engine.offer import Choice, Options
from titles.ruhr import works
from titles.ruhr.locations import location
from titles.ruhr.remembered import Ending
from titles.ruhr.tables import Tables

Choices = Mapping[str, Choice[mv.Move]]


class RuhrGreedy(Greedy):
    """Develops mines as soon as it pays, founds and merges when it can, links what its trains visit."""

    def choose(self, game: Game, player: str, chance: random.Random) -> mv.Move:
        choices = {choice.name: choice for choice in reversed(game.offer().of(player))}
        step = game.state.round.step
        if game.state.pauses:
            known = {"answer", "discard_train"} & choices.keys()
            return super().choose(game, player, chance) if known else self.other(choices, chance)
        if "make_link" in choices and step in ("run", "income", "trains") and chance.random() < 0.6:
            move = self.link(game, choices["make_link"], chance)
            if move is not None:
                return move
        if step == "spend":
            return self.spend(game, player, choices, chance)
        if step in ("found", "second", "merge"):
            return self.montan_round(game, choices, chance)
        if game.state.round.kind == "operating" and not {"run", "dividend", "lay_tile"} & choices.keys():
            if "sell_own_shares" in choices and self.short(game, game.state.round.actor) and chance.random() < 0.5:
                return fill(choices["sell_own_shares"], chance)
            if "pass" in choices and "buy_train" not in choices and "place_station" not in choices:
                return self.no(choices)
        return super().choose(game, player, chance)

    def package(self, game: Game, player: str, choices: Choices, chance: random.Random) -> mv.Move:
        """Anything that leaves enough for a part of a railway, dearer ones rather than cheap ones."""
        if "buy_lot" not in choices or chance.random() < 0.1:
            return choices["pass"].move({})
        domain = choices["buy_lot"].ask({})
        assert isinstance(domain, Options)
        lot = max(domain.options, key=lambda option: option.facts["price"] * chance.random())
        return choices["buy_lot"].move({"lot": lot.value})

    def stock(self, game: Game, player: str, choices: Choices, chance: random.Random) -> mv.Move:
        """In the last stock round it first sells what others direct: what earned nothing, and now and then more."""
        if Ending.of(game).last and "sell_shares" in choices:
            domain = choices["sell_shares"].ask({})
            assert isinstance(domain, Options)
            others = [option.value for option in domain.options if game.company(option.value).director != player]
            idle = [name for name in others if not game.company(name).last_revenue or chance.random() < 0.1]
            if idle:
                return fill(choices["sell_shares"], chance, {domain.name: chance.choice(idle)})
        return super().stock(game, player, choices, chance)

    def short(self, game: Game, company: str) -> bool:
        """Whether a company has too little for what it wants to buy next."""
        if works.kind(game, company) != "railway":
            return bool(not works.active(game, company))
        next_price = min((price(game, train) for train in on_sale(game)), default=0)
        return not counting(game, company) and game.state.cash[company] < next_price

    def link(self, game: Game, choice: Choice[mv.Move], chance: random.Random) -> mv.Move | None:
        """Own companies first; others' where a train of the company comes by."""
        domain = choice.ask({})
        assert isinstance(domain, Options)
        own = [
            option.value
            for option in domain.options
            if (name := location(game, option.value).company) and game.company(name).director == choice.player
        ]
        if own:
            return choice.move({"hex": chance.choice(own)})
        if game.state.companies[choice.company].trains or choice.granted_by:
            return fill(choice, chance)
        return None

    # ------------------------------------------------------------------ Montan companies

    def dividend(self, game: Game, player: str, choice: Choice[mv.Move], chance: random.Random) -> mv.Move:
        kind = works.kind(game, choice.company)
        if kind == "railway":
            return super().dividend(game, player, choice, chance)
        domain = choice.ask({})
        assert isinstance(domain, Options)
        kinds = [option.value for option in domain.options]
        t: Tables = works.tables(game)
        cheapest = min((t.cards[card].development_price for card in on_sale(game)), default=0)
        cash = game.state.cash[choice.company]
        able = any(works.selections(game, choice.company, card) for card in on_sale(game))
        saving = able and cash < cheapest <= cash + 2 * works.income(game, choice.company)
        lean = kind == works.MONTAN and not works.active(game, choice.company, self.next_card(game))
        keep = lean or (saving and chance.random() < (0.8 if kind == works.MINE else 0.25))
        return choice.move({"kind": kinds[-1] if keep else kinds[0]})

    def next_card(self, game: Game) -> str:
        return next(iter(on_sale(game)), "")

    def spend(self, game: Game, player: str, choices: Choices, chance: random.Random) -> mv.Move:
        must = "pass" not in choices
        company = game.state.round.actor
        if "develop" in choices and (must or chance.random() < 0.85):
            move = self.develop(game, company, choices["develop"])
            if move is not None:
                return move
        for name in ("sell_own_shares", "sell_shares", "go_bankrupt") if must else ():
            if name in choices:
                return fill(choices[name], chance)
        if "make_link" in choices and chance.random() < 0.7:
            return fill(choices["make_link"], chance)
        if "buy_engine" in choices and chance.random() < 0.6:
            return (
                fill(choices["buy_engine"], chance, {"instead": ""}) if self.room(game, company) else self.no(choices)
            )
        if "buy_train_as_engine" in choices and self.room(game, company) and chance.random() < 0.2:
            return fill(choices["buy_train_as_engine"], chance)
        return self.no(choices) if not must else fill(next(iter(choices.values())), chance)

    @staticmethod
    def no(choices: Choices) -> mv.Move:
        return choices["pass"].move({})

    def room(self, game: Game, company: str) -> bool:
        return len(works.charter(game, company).engines) < works.engine_boxes(game, company)

    def develop(self, game: Game, company: str, choice: Choice[mv.Move]) -> mv.Move | None:
        """The markers that earn most at once; stored ones count a little, for the link to come."""
        best: tuple[float, mv.Move] | None = None
        cards = choice.ask({})
        assert isinstance(cards, Options)
        rows = works.tables(game).stages
        for card in cards.options:
            markers = choice.ask({"card": card.value})
            assert isinstance(markers, Options)
            free = works.boxes(game, company)
            owned = works.charter(game, company).markers
            for option in markers.options:
                gain = 0.0
                for stage, count in works.parsed(option.value).items():
                    if works.is_active(game, stage, card.value):
                        placed = min(count, max(free.get(stage, 0) - owned.get(stage, 0), 0))
                        gain += rows[stage].income * (placed + 0.3 * (count - placed))
                    gain += 0.1 * count
                score = gain / card.facts["price"]
                if best is None or score > best[0]:
                    best = score, choice.move({"card": card.value, "markers": option.value})
        return best[1] if best else None

    def montan_round(self, game: Game, choices: Choices, chance: random.Random) -> mv.Move:
        """Founds from its own rather than from a passive company, and takes what it can get."""
        if "found_montan" in choices and chance.random() < 0.9:
            choice = choices["found_montan"]
            domain = choice.ask({})
            assert isinstance(domain, Options)
            own = [option.value for option in domain.options if option.facts["company"]]
            at = chance.choice(own or [option.value for option in domain.options])
            return fill(choice, chance, {"hex": at})
        if "merge_mine" in choices and chance.random() < 0.7:
            return fill(choices["merge_mine"], chance)
        if "buy_share" in choices and chance.random() < 0.8:
            return fill(choices["buy_share"], chance)
        return self.no(choices)

    def answer(self, game: Game, player: str, choice: Choice[mv.Move], chance: random.Random) -> mv.Move:
        domain = choice.ask({})
        assert isinstance(domain, Options)
        facts = domain.options[0].facts
        if works.kind(game, facts["company"]) == "railway":
            return super().answer(game, player, choice, chance)
        spare = len(game.company(facts["seller"]).trains) > 1
        return choice.move({"reply": "accept" if spare and chance.random() < 0.5 else "decline"})
