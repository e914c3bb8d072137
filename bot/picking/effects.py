"""What would happen, found on a copy of the game: a move, passing, a run with its dividend, the rest of a turn."""

from __future__ import annotations

import itertools
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from bot.games.preview_cache import previewed
from bot.names import shown
from bot.picking.entries import dividend_text
from bot.texts import Say
from bot.words.money import dividend_shares
from bot.words.wording import event_lines, round_text, step_text, value_text
from engine.events import Event
from engine.game import Game
from engine.moves import Dividend, Move, Pass, Run, TrainPath
from engine.offer import Option, Options
from engine.steps.run import RunChoice

_log = logging.getLogger(__name__)

#: No turn has more steps; a rule that went round in circles must not take the bot along.
_MOST_STEPS = 12
#: Kinds of moves that are named as what comes next.
_KINDS = 1


def turn_of(game: Game) -> tuple[Any, ...]:
    """Whose turn it is: as long as this stays the same, it goes on."""
    round_ = game.state.round
    return (round_.kind, round_.stock_number, round_.operating_number, round_.actor, game.finished)


@dataclass(frozen=True)
class Effect:
    """The position after some moves, and what happened."""

    before: Game
    after: Game
    events: tuple[Event, ...]
    #: Who looks at it: what somebody else holds hidden is not told.
    viewer: str = ""

    @classmethod
    def of(cls, game: Game, moves: Sequence[Move]) -> Effect:
        return cls(game, *previewed(game, moves), moves[0].player if moves else "")

    @property
    def foreseen(self) -> list[Event]:
        """What may be told before it has happened: nothing that shows what is hidden."""
        if not self.before.rules.secret:
            return list(self.events)
        return list(itertools.takewhile(lambda event: not event.REVEALS, self.events))

    def lines(self, say: Say, most: int = 12) -> list[str]:
        own = say.of(self.before.definition.id)
        last = self.untold(own)
        told = [event.seen_by(self.viewer).data() for event in self.foreseen]
        return [*event_lines(own, told, self.before)[: most - len(last)], *last]

    def untold(self, say: Say) -> list[str]:
        """What is said in place of what must not be told yet."""
        return [] if len(self.foreseen) == len(self.events) else [say("cards.foreseen")]

    def money(self, say: Say, *accounts: str) -> str:
        """What these accounts had and what is left of it; empty if nothing has changed."""
        was, now = self.before.state.cash, self.after.state.cash
        changed = [
            say("panel.account", name=shown(name), before=was[name], after=now[name])
            for name in dict.fromkeys(accounts)
            if name in was and name in now and was[name] != now[name]
        ]
        return say("panel.money", accounts=" · ".join(changed)) if changed else ""


# ---------------------------------------------------------------------- passing


@dataclass(frozen=True)
class Passing:
    """What passing is called here, and what follows from it."""

    label: str
    line: str


def passing(say: Say, game: Game, player: str) -> Passing:
    """What passing means for somebody who may; card and panel say the same."""
    say = say.of(game.definition.id)
    return game.offer().once(("passing", say, player), lambda: _passing(say, game, player))


def _passing(say: Say, game: Game, player: str) -> Passing:
    round_ = game.state.round
    asked = [pause.kind for pause in game.state.pauses[:1]]
    # A question has nothing to do with the step in which it comes.
    places = asked or [round_.step, round_.kind]
    step = next((name for name in places if say.known(f"pass.{name}")), "other")
    if step == Run.TYPE and game.offer().find(Run.TYPE) is None:
        step = "deal"  # nothing runs; something else may be done before the turn goes on
    own = {choice.name for choice in game.offer().of(player)} - {Pass.TYPE}
    buys = [each for each in own if each.startswith("buy_")]
    if round_.actor in game.state.companies and (len(buys) > 1 or (step == "trains" and own and not buys)):
        step = "nothing"  # more is left undone than the step is named for
    label = say(f"pass.{step}")
    try:
        effect = Effect.of(game, [Pass(player)])
        after = effect.after
        after.offer()
    except Exception:
        # A card must come all the same: everything else can still be done. Whoever passes is told what is wrong.
        _log.exception("it cannot be foreseen what passing leads to for %s in %s", player, game.definition.name)
        return Passing(label, "")
    names = ", ".join(map(shown, after.offer().deciders))
    if after.finished:
        line = say("pass.ends_game")
    elif any(event.data()["type"] == "RoundBegan" for event in effect.events):
        line = say("pass.ends_round", round=round_text(say, game), next=round_text(say, after), names=names)
    elif turn_of(after) != turn_of(game):
        line = say("pass.ends_turn", names=names)
    else:
        line = say("pass.goes_on", what=step_text(say, after, most=_KINDS))
    if turn_of(after) != turn_of(game) and round_.actor in game.state.companies:
        label = say("pass.and_end", label=label)
    return Passing(label, say("pass.line", label=label, line=line))


# ---------------------------------------------------------------------- a run and its dividend


@dataclass(frozen=True)
class Way:
    """A run with one way of using its revenue: the moves, and what a button says."""

    moves: tuple[Move, ...]
    text: str
    effect: Effect


def ways(say: Say, game: Game, move: Run | None, player: str, company: str) -> list[Way]:
    """The ways of using a revenue: after a run, or where it has been run already. Without any, the run alone."""
    first: tuple[Move, ...] = (move,) if move is not None else ()
    ran = Effect.of(game, first) if first else Effect(game, game, ())
    options = dividends(ran.after, player, company)
    if not options:
        return [Way(first, say("panel.run"), ran)] if first else []
    result = []
    for option in options:
        dividend = Dividend(player, company, option.value)
        # Its routes are traced and checked once, not for every way of using what they bring.
        used = Effect.of(ran.after, [dividend])
        effect = Effect(game, used.after, (*ran.events, *used.events))
        result.append(Way((*first, dividend), dividend_text(say, game, company, option), effect))
    return result


def dividends(game: Game, player: str, company: str) -> list[Option]:
    """The ways that are on offer to somebody for a company."""
    for choice in game.offer().of(player):
        if choice.name == Dividend.TYPE and choice.company == company:
            domain = choice.asked({})
            return list(domain.options) if isinstance(domain, Options) else []
    return []


def way_line(say: Say, way: Way, player: str, company: str) -> str:
    """What a way does besides the run, in one line; that it is paid out or withheld stands on its button."""
    own = say.of(way.effect.before.definition.id)
    events = [event.seen_by(player).data() for event in way.effect.foreseen]
    paid = [dividend_shares(own, events, n) for n, event in enumerate(events) if event["type"] == "DividendPaid"]
    others = [event for event in events if event["type"] not in ("TrainsRun", "DividendPaid", "RevenueKept")]
    lines = [*(f"{who}." for who in paid if who), *event_lines(own, others, way.effect.before)]
    if way.effect.before.state.round.actor == company:
        # What follows after the turn is over belongs to the others.
        lines = lines[:4]
    lines += way.effect.untold(own)
    money = way.effect.money(say, company, player)
    return say("panel.way", way=way.text, lines=" ".join(lines), money=money.removeprefix("-# "))


# ---------------------------------------------------------------------- the same again


@dataclass(frozen=True)
class Rest:
    """The rest of a turn in which everything optional is skipped: its moves, and what it earns."""

    moves: tuple[Move, ...]
    revenue: int
    kind: str
    proved: bool
    effect: Effect
    #: The position in which the routes were searched.
    searched: Game | None

    def text(self, say: Say) -> str:
        parts = []
        if any(isinstance(move, Run) for move in self.moves):
            parts.append(say("again.run", revenue=self.revenue))
        if self.kind:
            key = f"again.{self.kind}"
            parts.append(say(key) if say.known(key) else value_text(say, self.effect.before, "kind", self.kind))
        return say("again.with", parts=", ".join(parts)) if parts else say("again.label")


def may_repeat(game: Game, player: str) -> str:
    """The company whose turn somebody could end by doing nothing new; empty if something else must be decided."""
    company = game.state.round.actor
    offer = game.offer()
    if company not in game.state.companies or game.state.pauses or offer.deciders != (player,):
        return ""
    return company if last_dividend(game, company) else ""


def last_dividend(game: Game, company: str) -> str:
    """How a company used its last revenue."""
    moves = reversed(game.moves)
    return next((move.kind for move in moves if isinstance(move, Dividend) and move.company == company), "")


class Unsearched(Exception):
    """The rest of a turn cannot be told without a search."""


def same_again(game: Game, player: str, enough: Callable[[], bool] | None) -> Rest | None:
    """The rest of the turn: every optional step skipped, the best run, the last kind of dividend.

    None if anything is compulsory, if somebody else is asked on the way, or if hardly anything is left to do. Without
    `enough` nothing is searched, and what has been foreseen is taken as it is; Unsearched if that does not do.
    """
    company = may_repeat(game, player)
    if not company:
        return None
    kind = last_dividend(game, company)
    begun = turn_of(game)
    after = game if enough is None else game.copy()
    moves: list[Move] = []
    events: list[Event] = []
    revenue, proved, used = 0, True, ""
    searched = None
    while turn_of(after) == begun:
        if len(moves) >= _MOST_STEPS or after.offer().deciders != (player,):
            return None
        own = {choice.name: choice for choice in after.offer().choices}
        move: Move
        if Run.TYPE in own:
            run = own[Run.TYPE]
            assert isinstance(run, RunChoice)
            if enough is None and not run.known():
                raise Unsearched
            best = after.advice(company, enough)
            revenue, proved = after.rules.trains.revenue(best.routes), best.proved
            move = Run(player, company, tuple(TrainPath(route.train, route.path) for route in best.routes))
            if enough is not None:
                after.most_trains(company)
                if not run.known():
                    # A rule would judge what was found by a search that there is no time for.
                    return None
                searched = after.copy()
        elif Dividend.TYPE in own:
            if kind not in [option.value for option in dividends(after, player, company)]:
                return None
            move, used = Dividend(player, company, kind), kind
        elif Pass.TYPE in own:
            move = Pass(player)
        else:
            return None
        if enough is None:
            after, told = previewed(after, [move])
        else:
            told = after.apply(move)
        events += told
        moves.append(move)
    # With nothing to skip it is only what the step offers anyway.
    if len(moves) < 2 or not any(isinstance(move, Pass) for move in moves):
        return None
    return Rest(tuple(moves), revenue, used, proved, Effect(game, after, tuple(events), player), searched)
