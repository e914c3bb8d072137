"""The introductory game (EFS): turns of players without money, then one run of every railway."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Any

from engine import events as ev
from engine.board.reach import HexOnceReach
from engine.definition import TrainType
from engine.finance.prices import Split
from engine.game import Game
from engine.mechanism import compose
from engine.offer import Choice
from engine.records import Keeps, OfGame, record
from engine.remembered import Earned
from engine.rounds.turns import OnceRound, Step, Steps, Turn
from engine.routes.model import TrainRules
from engine.rules import PLAYER, Rules, Seated, Seating, Setup, Trains, all_that_is_kept, fewest
from engine.state import State
from engine.steps.run import DividendStep
from titles.do.board.links import Links, LinkStep
from titles.do.board.running import DoTrain
from titles.do.board.stations import DoStationStep
from titles.do.intro import showing
from titles.do.intro.house import EfsGreedy
from titles.do.intro.moves import AnybodysTile, CertificateStep, DirectorsPart, TrainExchange
from titles.do.intro.tables import EfsTables, definition
from titles.rhineland.short import by_name, from_the_first_seat, received
from titles.rhineland.short_moves import LimitStep, ReplaceStep, SwapStep, stay

#: The rounds' names.
PLAYERS, TRAINS = "player", "train"


class FinalRun(Step):
    """DO-3.3-b: a railway's train runs the best route there is; nobody is asked."""

    name = "run"

    def keeps(self) -> Keeps:
        return (Earned,)

    def choices(self, turn: Turn) -> list[Choice[Any]]:
        return []

    def skipped(self, turn: Turn) -> None:
        game, company = turn.game, turn.actor
        routes = game.best_routes(company).routes
        revenue = game.rules.trains.revenue(routes)
        game.company(company).last_revenue = Earned.of(game).revenue = revenue
        told = tuple((route.train, route.value, route.path) for route in routes)
        game.emit(ev.TrainsRun(company, revenue, told))


class Rounded:
    """DO-3.3-g: everything is paid out, rounded down; shares that no player holds earn nothing."""

    def __init__(self, to: int) -> None:
        self.to = to

    def ways(self, game: Game, company: str, revenue: int) -> dict[str, Split]:
        return {"pay": Split(self.paid(revenue), 0)}

    def earners(self, game: Game, company: str) -> list[tuple[str, str]]:
        return [(player, player) for player in game.state.players]

    def paid(self, revenue: int) -> int:
        return revenue // self.to * self.to


def efs(setup: Setup) -> Rules:
    """The game."""
    data = definition(setup)
    t: EfsTables = data.tables
    total = sum(len(railway.shares) for railway in data.corporations.values()) // setup.players
    payout = Rounded(t.efs.rounded)

    # 3.2 a turn: a certificate; one tile; as a director a station or a link; as a director one exchange of trains
    turn = Steps(
        CertificateStep(t.efs.share_limit),
        LimitStep(),
        AnybodysTile(t),
        DirectorsPart("build", DoStationStep(t), LinkStep(t, lambda game, company, at: 0)),
        TrainExchange("exchange", ReplaceStep(), SwapStep()),
    )
    players = OnceRound(PLAYERS, from_the_first_seat, {PLAYER: turn})

    # 3.3 the end: every railway runs once and pays out
    running = OnceRound(TRAINS, by_name, {"railway": Steps(FinalRun(), DividendStep(payout))})

    def then(game: Game) -> None:
        """Turns until the display is empty, then the trains run and the game is over."""
        round_ = game.state.round
        if round_.kind == TRAINS:
            game.finish("certificates")
        elif round_.stock_number == total:
            running.begin(game)
        else:
            round_.stock_number += 1
            players.begin(game, 0, total)

    def train_rules(game: Game, company: str, train: TrainType, colour: str) -> TrainRules:
        """Border fields always pay their higher value, and no railway has an ability."""
        return DoTrain(t, game, company, train, t.efs.values)

    def best_payout(game: Game, player: str) -> int:
        """What the best railway paid that a player directs: it decides between equal dividends."""
        directed = (company for company in game.state.companies.values() if company.director == player)
        return max((payout.paid(company.last_revenue or 0) for company in directed), default=0)

    return compose(
        Rules(
            setup=setup,
            definition=data,
            clauses=data.clauses,
            rounds={PLAYERS: players, TRAINS: running},
            first=lambda game: players.begin(game, 0, total),
            then=then,
            seating=lowest_card_begins(t.components.private_breweries),
            lay_out=lay_out,
            prices={},
            floating={},
            trains=Trains(
                rules=train_rules, reach=HexOnceReach, obsolete=stay, discard_order=by_name, depends=all_that_is_kept
            ),
            handed=fewest,
            score=received,
            tie=best_payout,
            pages=showing.pages,
            house={"greedy": EfsGreedy()},
        ),
        Links(t),
    )


@record("do.cards_dealt")
@dataclass(slots=True)
class DealtCards(OfGame):
    """The card of a private brewery by which each player was seated."""

    dealt: dict[str, int] = field(default_factory=dict)


def lowest_card_begins(cards: int) -> Seating:
    """DO-3.2-a: everybody is dealt the card of a private brewery: the lowest begins, and the turn goes round the
    table."""

    def seating(setup: Setup, players: tuple[str, ...], chance: random.Random) -> Seated:
        dealt = dict(zip(players, chance.sample(range(1, cards + 1), len(players)), strict=True))
        first = players.index(min(players, key=lambda player: dealt[player]))
        return [*players[first:], *players[:first]], (DealtCards(dealt),)

    return seating


def lay_out(state: State, chance: random.Random) -> None:
    """DO-3.1-c: all homes lie on the map as stations from the start."""
    for company in state.companies.values():
        company.active = True
