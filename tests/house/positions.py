"""Positions with a known right answer: some arranged after the rulebooks, some met in games and judged by trying all.

What is right is never taken from a house player: it follows from a rule, or from every possible answer being tried.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import titles
from engine import moves as mv
from engine.finance import shares
from engine.finance.depot import counting, price
from engine.game import Game
from engine.house.players import TitleGreedy
from engine.house.tidy import every
from engine.offer import Number, Options
from engine.state import BANK, POOL
from engine.steps.run import RunChoice
from engine.steps.track import LayTileChoice
from tests.titles.bl import arrange as bl
from tests.titles.rhl import arrange, lines, trips

Right = Callable[[mv.Move], bool]


@dataclass(frozen=True)
class Position:
    """A game, who decides in it, and which of the answers are right."""

    name: str
    game: Game
    player: str
    right: Right


NAMES = ("ann", "bo", "cy", "di")
#: In which forms positions are met, and how many of each kind at most.
MET = (("rhl", "base"), ("lra", "base"), ("bl", "base"), ("do", "trg"), ("ruhr", "base"), ("do", "hsb"))
OF_A_KIND = 2


# ---------------------------------------------------------------------- met in games


def revenue(game: Game, company: str) -> int:
    return game.rules.trains.revenue(game.best_routes(company).routes)


def pays_out(game: Game) -> Position | None:
    """Nothing is to be saved for: all trains last, there is no room for another; so the money is paid out."""
    choice = game.offer().find("dividend")
    if choice is None or choice.kind is not mv.Dividend or game.rules.horizon(game) < 1:
        return None
    trains = game.company(choice.company).trains
    full = len(counting(game, choice.company)) >= game.phase.train_limit
    if not trains or not full or any(game.definition.train(name).rusts_on for name in trains):
        return None
    domain = choice.ask({})
    assert isinstance(domain, Options)
    if shares.held(game, choice.company, choice.player) < 30:
        return None
    best = domain.options[0].value
    return Position("pays out", game, choice.player, lambda move: getattr(move, "kind", "") == best)


def lays_what_earns(game: Game) -> Position | None:
    """One lay brings clearly more at once than all others, of which every one is tried."""
    offer = game.offer()
    choices = [choice for choice in offer.choices if isinstance(choice, LayTileChoice)]
    others = [choice for choice in offer.choices if choice.name not in ("lay_tile", "pass")]
    if len(choices) != 1 or others or not game.company(choices[0].company).trains or len(game.moves) % 3:
        return None
    choice = choices[0]
    before = revenue(game, choice.company)
    gains: dict[mv.Move, int] = {}
    for at in choice.hexes():
        for fit in choice.fits(at):
            move = choice.move({"hex": at, "tile": fit.tile, "rotation": fit.rotation})
            twin = game.copy()
            twin.apply(move)
            gains[move] = revenue(twin, choice.company) - before
    most = max(gains.values(), default=0)
    if most < 30 or sum(gain > most - 20 for gain in gains.values()) > 4 or len(gains) < 8:
        return None
    return Position(f"lays what earns {most}", game, choice.player, lambda move: gains.get(move, 0) >= most)


def keeps_the_last_train(game: Game) -> Position | None:
    """Somebody offers the least for the only train of a company that earns with it: no."""
    asked = _offered(game, dear=False)
    if asked is None:
        return None
    seller = str(asked.state.pauses[0].data["seller"])
    if len(asked.company(seller).trains) != 1 or (asked.company(seller).last_revenue or 0) < 40:
        return None
    if game.rules.horizon(game) < 2:
        return None
    return Position("keeps the last train", asked, asked.offer().deciders[0], _declines)


def _declines(move: mv.Move) -> bool:
    return not (isinstance(move, mv.Answer) and move.reply == "accept")


def sells_what_it_does_not_need(game: Game) -> Position | None:
    """Somebody offers far more than the price of a train that brings its company nothing: yes."""
    asked = _offered(game, dear=True)
    if asked is None:
        return None
    data = asked.state.pauses[0].data
    seller, train = str(data["seller"]), str(data["train"])
    less = asked.copy()
    less.company(seller).trains.remove(train)
    if len(less.company(seller).trains) < 1 or revenue(less, seller) < revenue(asked, seller):
        return None
    if int(data["price"]) < 2 * price(asked, train) or not asked.definition.train(train).rusts_on:
        return None
    return Position(
        "sells what it does not need",
        asked,
        asked.offer().deciders[0],
        lambda move: isinstance(move, mv.Answer) and move.reply != "decline",
    )


def _offered(game: Game, *, dear: bool) -> Game | None:
    """The game with a proposal for a train of another director's company."""
    choice = game.offer().find("buy_train")
    if choice is None or choice.kind is not mv.BuyTrain or game.state.pauses:
        return None
    sources = choice.ask({})
    assert isinstance(sources, Options)
    for source in sources.options:
        if source.value in (BANK, POOL) or game.decider(source.value) == choice.player:
            continue
        trains = choice.ask({"source": source.value})
        assert isinstance(trains, Options)
        for train in trains.options:
            picked = {"source": source.value, "train": train.value}
            prices = choice.ask(picked)
            if not isinstance(prices, Number):
                continue
            twin = game.copy()
            twin.apply(choice.move({**picked, "price": prices.high if dear else prices.low}))
            if twin.state.pauses:
                return twin
    return None


def buys_what_earns(game: Game) -> Position | None:
    """A share that pays its price back soon is for sale beside one of a company without trains or income."""
    choice = game.offer().find("buy_share")
    if choice is None or choice.kind is not mv.BuyShare or game.rules.horizon(game) < 4:
        return None
    if {each.name for each in game.offer().of(choice.player)} - {"buy_share", "sell_shares", "pass", "found"}:
        return None
    earning, dead = set(), set()
    for move in every(choice, 40):
        assert isinstance(move, mv.BuyShare)
        company = game.company(move.company)
        lasting = [name for name in company.trains if not game.definition.train(name).rusts_on]
        if (company.last_revenue or 0) >= 2 * game.prices.value(move.company) and lasting:
            earning.add(move.company)
        elif not company.trains and not company.last_revenue:
            dead.add(move.company)
    if not earning or not dead or any(game.company(name).director == choice.player for name in dead):
        return None
    return Position(
        "buys no share that earns nothing",
        game,
        choice.player,
        lambda move: not (isinstance(move, mv.BuyShare) and move.company in dead) and not isinstance(move, mv.Pass),
    )


def runs_for_most(game: Game) -> Position | None:
    """Nothing but the best run is right where the trains are free to run otherwise."""
    choice = game.offer().find("run")
    if not isinstance(choice, RunChoice) or len(game.company(choice.company).trains) < 2:
        return None
    company, most = choice.company, revenue(game, choice.company)

    def right(move: mv.Move) -> bool:
        if not isinstance(move, mv.Run):
            return False
        return game.rules.trains.revenue(game.routes(company, move.routes)) == most

    return Position(f"runs for {most}", game, choice.player, right) if most >= 150 else None


KINDS = (
    pays_out,
    lays_what_earns,
    keeps_the_last_train,
    sells_what_it_does_not_need,
    buys_what_earns,
    runs_for_most,
)


def met() -> Iterator[Position]:
    """Positions of one game of each form."""
    for number, (title, form) in enumerate(MET):
        game = titles.new_game(title, NAMES, {}, 21 + number, form)
        mind, chance = TitleGreedy(), random.Random(number)
        found = dict.fromkeys(KINDS, 0)
        since = dict.fromkeys(KINDS, -99)
        while not game.finished:
            for kind in KINDS:
                most = 1 if kind is runs_for_most else OF_A_KIND
                if found[kind] < most and len(game.moves) - since[kind] >= 25:
                    position = kind(game.copy())
                    if position is not None:
                        found[kind] += 1
                        since[kind] = len(game.moves)
                        yield Position(f"{title}: {position.name}", position.game, position.player, position.right)
            game.apply(mind.choose(game, game.offer().deciders[0], chance))


# ---------------------------------------------------------------------- arranged


def arranged() -> Iterator[Position]:
    """Positions of 18Rhl and 18BL by hand."""
    yield Position("buys its first train", *_trains(treasury=300, own=()), lambda move: isinstance(move, mv.BuyTrain))
    yield Position("buys no third train for no track", *_trains(500, ("2", "2")), lambda m: isinstance(m, mv.Pass))
    yield from (_rich(treasury) for treasury in (550, 900))
    yield _discard("2", "4", "4", "4")
    yield _discard("3", "3", "3", "5")
    yield from (_floats(who) for who in ("CME", "BME"))
    yield from (_hopeless(cash) for cash in (190, 230))
    yield _red()
    yield _own_train()


def _trains(treasury: int, own: tuple[str, ...]) -> tuple[Game, str]:
    game = lines.board("CME", treasury=treasury)
    arrange.trains(game, "CME", *own)
    arrange.operating(game, "CME", "trains")
    return game, "cy"


def _iron(treasury: int, *own: str, step: str = "trains") -> Game:
    game = arrange.after_package()
    arrange.floated(game, "CME", "ann", treasury=treasury)
    arrange.phase(game, "5")
    trips.iron_rhine(game)
    arrange.station(game, "CME", "D13")
    arrange.trains(game, "CME", *own)
    arrange.operating(game, "CME", step)
    return game


def _rich(treasury: int) -> Position:
    game = _iron(treasury, "3")
    game.company("CME").last_revenue = revenue(game, "CME")
    return Position(
        f"spends {treasury} on a train that lasts",
        game,
        "ann",
        lambda move: isinstance(move, mv.BuyTrain) and move.train in ("5", "6"),
    )


def _discard(*own: str) -> Position:
    """The shortest goes; it is also the one that becomes obsolete first."""
    game = _iron(0, *own)
    game.ask("discard", ["ann"], company="CME")
    arrange.take_offer(game)
    return Position(
        f"discards the {min(own)}", game, "ann", lambda m: isinstance(m, mv.DiscardTrain) and m.train == min(own)
    )


def _floats(company: str) -> Position:
    """The last share that its own company needs to float, and money for just that one."""
    game = arrange.after_package()
    other = "ADR"
    arrange.founded(game, company, "ann", 80)
    arrange.hand(game, company, "ann", 20)
    arrange.floated(game, other, "bo", 80)
    for player in game.state.seats:
        arrange.cash(game, player, 85 if player == "ann" else 60)
    arrange.stock(game, "ann", 2)
    return Position(
        f"floats {company}", game, "ann", lambda move: isinstance(move, mv.BuyShare) and move.company == company
    )


def _hopeless(cash: int) -> Position:
    """Nobody has the money to float a company: it is not founded."""
    game = arrange.after_package()
    for player in game.state.seats:
        arrange.cash(game, player, cash if player == "ann" else 0)
    arrange.stock(game, "ann", 2)
    return Position(f"founds nothing with {cash}", game, "ann", lambda move: not isinstance(move, mv.Found))


def _red() -> Position:
    """Keeping the money would close the company."""
    from tests.house.test_tidy import on_the_brink

    game = on_the_brink(100)
    return Position("does not close RhE", game, "ann", lambda move: getattr(move, "kind", "withhold") != "withhold")


def _own_train() -> Position:
    """A company without money must own a train, and another of the same director has one to spare."""
    game = _iron(40)
    arrange.floated(game, "BME", "ann", treasury=0)
    arrange.trains(game, "BME", "6", "6")
    arrange.cash(game, "ann", 700)
    arrange.operating(game, "CME", "trains")
    return Position(
        "takes its own company's train",
        game,
        "ann",
        lambda move: isinstance(move, mv.BuyTrain) and move.source == "BME",
    )


def positions() -> list[Position]:
    assert bl
    return [*arranged(), *met()]
