"""House players: they read the same offer as everybody else and always have an answer.

A house player is given the randomness it may use, so that a game with house players can be repeated.
Titles extend `Greedy` where their game asks for other judgement.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping

from engine import moves as mv
from engine.board.faces import COLOURS, TOWN
from engine.board.hexes import OPPOSITE
from engine.board.tiling import Fit
from engine.finance import shares
from engine.finance.depot import movable, on_sale, price
from engine.game import Game
from engine.house.filling import bank_offers, fill
from engine.house.tidy import tidied
from engine.offer import Choice, Options
from engine.rules import House
from engine.steps.track import LayTileChoice


class RandomHouse:
    """Any offered move. Passing is likelier than other moves, so that rounds come to an end."""

    def choose(self, game: Game, player: str, chance: random.Random) -> mv.Move:
        choices = game.offer().of(player)
        passing = [choice for choice in choices if choice.name == "pass"]
        choices = tuple(choice for choice in choices if choice.name != "bid" or self.bargains(game, choice))
        if passing and (len(choices) == 1 or chance.random() < 0.4):
            return fill(passing[0], chance)
        rest = [choice for choice in choices if choice.name != "pass"] or choices
        choice = chance.choice(rest)
        if choice.name == "bid":
            lot, least = chance.choice(self.bargains(game, choice))
            bid: mv.Move = choice.move({"lot": lot, "price": least})
            return bid
        return fill(choice, chance)

    def bargains(self, game: Game, choice: Choice[mv.Move]) -> list[tuple[str, int]]:
        """Lots that cost less than twice their price; two who outbid each other for ever never end a game."""
        domain = choice.ask({})
        assert isinstance(domain, Options)
        lots = [(option.value, option.facts["least"]) for option in domain.options]
        printed = game.definition.privates
        return [(lot, least) for lot, least in lots if lot not in printed or least <= 2 * printed[lot].price]


class Greedy:
    """Sound and quick rather than deep: builds towards cities, runs the best routes, invests what it has."""

    def choose(self, game: Game, player: str, chance: random.Random) -> mv.Move:
        choices = {choice.name: choice for choice in reversed(game.offer().of(player))}
        for name in ("answer", "discard_train", "run", "dividend", "lay_tile", "place_station"):
            if name in choices:
                handler = getattr(self, name)
                move: mv.Move | None = handler(game, player, choices[name], chance)
                if move is not None:
                    return move
        kind = game.state.round.kind
        if kind == "package":
            return self.package(game, player, choices, chance)
        if kind == "operating":
            return self.trains(game, player, choices, chance)
        if kind == "stock":
            return self.stock(game, player, choices, chance)
        return self.other(choices, chance)

    def other(self, choices: Mapping[str, Choice[mv.Move]], chance: random.Random) -> mv.Move:
        """In a round that it does not know: anything rather than passing."""
        rest = [choice for name, choice in choices.items() if name != "pass"]
        return fill(chance.choice(rest or list(choices.values())), chance)

    # ------------------------------------------------------------------ package and stock

    def package(
        self, game: Game, player: str, choices: Mapping[str, Choice[mv.Move]], chance: random.Random
    ) -> mv.Move:
        cash = game.state.cash[player]
        if "buy_lot" in choices and chance.random() < 0.7:
            return fill(choices["buy_lot"], chance)
        if "bid" in choices and chance.random() < 0.5:
            domain = choices["bid"].ask({})
            assert isinstance(domain, Options)
            lot = chance.choice(domain.options)
            printed = game.definition.privates[lot.value].price
            if lot.facts["least"] <= min(cash // 2, printed * 13 // 10):
                return choices["bid"].move({"lot": lot.value, "price": lot.facts["least"]})
        return fill(choices["pass"], chance) if "pass" in choices else fill(next(iter(choices.values())), chance)

    def stock(self, game: Game, player: str, choices: Mapping[str, Choice[mv.Move]], chance: random.Random) -> mv.Move:
        if "pass" not in choices and "sell_shares" in choices:
            return fill(choices["sell_shares"], chance)
        best: tuple[float, mv.Move] | None = None
        if "buy_share" in choices:
            best = self._best_purchase(game, player, choices["buy_share"])
        if "found" in choices and (best is None or chance.random() < 0.3):
            move = self._found(game, player, choices["found"], chance)
            if move is not None:
                return move
        if best is not None:
            return best[1]
        return choices["pass"].move({}) if "pass" in choices else fill(next(iter(choices.values())), chance)

    def _best_purchase(self, game: Game, player: str, choice: Choice[mv.Move]) -> tuple[float, mv.Move] | None:
        best: tuple[float, mv.Move] | None = None
        companies = choice.ask({})
        assert isinstance(companies, Options)
        for company in companies.options:
            sources = choice.ask({"company": company.value})
            assert isinstance(sources, Options)
            for source in sources.options:
                picked = {"company": company.value, "source": source.value}
                percents = choice.ask(picked)
                assert isinstance(percents, Options)
                for percent in percents.options:
                    worth = self._worth(game, player, company.value)
                    if best is None or worth > best[0]:
                        best = worth, choice.move({**picked, "percent": percent.value})
        return best if best is not None and best[0] > 0 else None

    def _worth(self, game: Game, player: str, name: str) -> float:
        """Dividend expected for the money, and the wish to bring one's own company on its way."""
        company = game.company(name)
        value = game.prices.value(name)
        yearly = (company.last_revenue or 0) * shares.unit(game, name) / 100 / value
        if not company.floated:
            return 0.4 if company.director == player else 0.1
        return 0.05 + yearly + (0.05 if company.director == player else 0) + (0.1 if company.trains else 0)

    def _found(self, game: Game, player: str, choice: Choice[mv.Move], chance: random.Random) -> mv.Move | None:
        cash = game.state.cash[player]
        if any(c.director == player and not c.floated for c in game.state.companies.values()):
            return None
        companies = choice.ask({})
        assert isinstance(companies, Options)
        company = chance.choice(companies.options).value
        due = game.definition.corporations[company].float_percent // shares.unit(game, company)
        pars = choice.ask({"company": company})
        assert isinstance(pars, Options)
        affordable = [option.value for option in pars.options if option.value * due <= cash * 1.2]
        return choice.move({"company": company, "par": max(affordable)}) if affordable else None

    # ------------------------------------------------------------------ operating

    def lay_tile(self, game: Game, player: str, choice: LayTileChoice, chance: random.Random) -> mv.Move | None:
        best: tuple[float, mv.Move] | None = None
        for at in choice.hexes():
            cost = choice.step.cost(game, choice.permit, at)
            for fit in choice.fits(at):
                score = self.lay_score(game, choice.company, at, fit) - cost / 20 + chance.random()
                if best is None or score > best[0]:
                    picked = {"hex": at, "tile": fit.tile, "rotation": fit.rotation}
                    best = score, choice.move(picked)
        return best[1] if best is not None and (best[0] > 0 or not game.offer().find("pass", player)) else None

    def lay_score(self, game: Game, company: str, at: str, fit: Fit) -> float:
        """More income on the hex, and new track that leads to stops or meets other track."""
        old = game.board.faces[at]
        colour = game.phase.colour
        gain = sum(stop.value(colour) for stop in fit.face.stops) - sum(s.value(colour) for s in old.stops)
        score = gain / 10.0
        layout = game.definition.map
        for edge in range(6):
            if not (fit.exits & ~old.exits) >> edge & 1:
                continue
            other = layout.neighbours[at][edge]
            if other is None:
                continue
            face = game.board.faces[other]
            if face.exits >> OPPOSITE[edge] & 1:
                score += 2
            score += sum(2 if stop.kind != TOWN else 1 for stop in layout.hexes[other].face.stops)
        return score

    def place_station(self, game: Game, player: str, choice: Choice[mv.Move], chance: random.Random) -> mv.Move | None:
        company = game.state.companies[choice.company]
        cash = game.state.cash[choice.company]
        cost = company.tokens_left[0] if company.tokens_left else 0
        reserve = min((price(game, train) for train in on_sale(game)), default=0)
        if cash - cost < (reserve if not company.trains else 0) or chance.random() < 0.4:
            return None
        return fill(choice, chance)

    def run(self, game: Game, player: str, choice: Choice[mv.Move], chance: random.Random) -> mv.Move:
        return fill(choice, chance)

    def dividend(self, game: Game, player: str, choice: Choice[mv.Move], chance: random.Random) -> mv.Move:
        company = game.company(choice.company)
        domain = choice.ask({})
        assert isinstance(domain, Options)
        kinds = [option.value for option in domain.options]
        lasting = [t for t in company.trains if not game.definition.train(t).rusts_on]
        next_price = min((price(game, train) for train in on_sale(game)), default=0)
        saving = not lasting and game.state.cash[choice.company] < next_price
        late = COLOURS.index(game.phase.colour) >= COLOURS.index("green")
        keep = saving and late and chance.random() < 0.6
        return choice.move({"kind": kinds[-1] if keep else kinds[0]})

    def trains(self, game: Game, player: str, choices: Mapping[str, Choice[mv.Move]], chance: random.Random) -> mv.Move:
        if "buy_train" in choices:
            move = self._buy_train(game, choices["buy_train"], chance, must="pass" not in choices)
            if move is not None:
                return move
        for name in ("sell_own_shares", "sell_shares", "take_loan", "pass"):
            if name in choices:
                return fill(choices[name], chance)
        return fill(next(iter(choices.values())), chance)

    def _buy_train(self, game: Game, choice: Choice[mv.Move], chance: random.Random, *, must: bool) -> mv.Move | None:
        company = game.company(choice.company)
        offers = list(bank_offers(game, choice))
        if not offers:
            return None
        wanted = must or not company.trains or len(company.trains) < 2 or chance.random() < 0.2
        return max(offers, key=lambda offer: offer[0].reach)[1] if wanted else None

    # ------------------------------------------------------------------ answers

    def answer(self, game: Game, player: str, choice: Choice[mv.Move], chance: random.Random) -> mv.Move:
        domain = choice.ask({})
        assert isinstance(domain, Options)
        facts = domain.options[0].facts
        seller = game.company(facts["seller"])
        fair = price(game, facts["train"]) * 2 // 3
        good = facts["price"] >= fair and len(seller.trains) > 1
        if seller.director != player:
            good = facts["price"] <= fair
        return choice.move({"reply": "accept" if good else "decline"})

    def discard_train(self, game: Game, player: str, choice: Choice[mv.Move], chance: random.Random) -> mv.Move:
        trains = movable(game, choice.company)
        return choice.move({"train": min(trains, key=lambda train: game.definition.train(train).reach)})


class TitleGreedy:
    """Judges with the title's own greedy house player, or the common one where it has none, and keeps tidy."""

    def choose(self, game: Game, player: str, chance: random.Random) -> mv.Move:
        return tidied(game, player, self.judge(game, player, chance), chance, self.judge)

    def judge(self, game: Game, player: str, chance: random.Random) -> mv.Move:
        """What the title's player would do, untidy as it may be."""
        return (game.rules.house.get("greedy") or COMMON).choose(game, player, chance)


COMMON = Greedy()

HOUSES: dict[str, Callable[[], House]] = {"random": RandomHouse, "greedy": TitleGreedy}

__all__ = ["HOUSES", "Greedy", "RandomHouse", "TitleGreedy", "bank_offers", "fill"]
