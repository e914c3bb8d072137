"""What a turn of the introductory game consists of: a certificate, a tile, then a station or a link, then a train."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine import events as ev
from engine.board.reach import Reach
from engine.board.tiling import Fit
from engine.finance import shares
from engine.game import Game
from engine.moves import LayTile, Move, Pass, PlaceStation, register
from engine.offer import Choice, Domain, Option, Options, Picked
from engine.records import Keeps
from engine.rounds.turns import Either, Step, Turn
from engine.state import OFFERING, POOL
from engine.steps.track import Permit
from titles.do.board.links import LinkLocation
from titles.do.board.remembered import Dropped
from titles.do.board.track import DoTrackStep
from titles.rhineland.short_moves import (
    DiscardCertificate,
    DiscardCertificateChoice,
    ReplaceTrain,
    SwapTrains,
    TakeCertificate,
    TakeChoice,
    check_director,
    over_limit,
)

#: For whom somebody lays a tile who directs nothing: for any railway whose token it joins.
ANY = ""


@register("set_aside")
@dataclass(frozen=True, slots=True)
class SetAside(Move):
    """Move the top certificate of a stack into the pool and take none."""

    company: str


@dataclass(frozen=True, slots=True)
class CertificateSetAside(ev.Event):
    player: str
    company: str
    percent: int


# ---------------------------------------------------------------------- the certificate


def tops(game: Game) -> dict[str, int]:
    """The railways with certificates on display, each with the number of the top one."""
    found = {name: shares.top(game, name, OFFERING) for name in game.state.companies}
    return {name: number for name, number in found.items() if number is not None}


def fits(game: Game, player: str, company: str, limit: int, given_up: int = 0) -> bool:
    """DO-3.2.1-f: whether somebody may hold a railway's top certificate besides what they hold, less what they give
    up."""
    number = shares.top(game, company, OFFERING)
    if number is None:
        return False
    held = shares.held(game, company, player) - given_up
    return held + shares.percent_of(game, company, number) <= limit


class TopChoice(TakeChoice):
    """DO-3.2.1-a: take the top certificate of any stack that leaves the holder within the share limit."""

    def __init__(self, game: Game, player: str, limit: int) -> None:
        super().__init__(game, player)
        self.limit = limit

    def companies(self) -> dict[str, int]:
        game = self.game
        return {name: n for name, n in tops(game).items() if fits(game, self.player, name, self.limit)}

    def check(self, move: TakeCertificate) -> None:
        if move.company in tops(self.game) and move.company not in self.companies():
            raise self.game.refuse("stock.take.share", company=move.company, limit=self.limit)
        super().check(move)


class DropCertificateChoice(DiscardCertificateChoice):
    """DO-3.2.1-d: at the certificate limit: drop one of the own certificates into the pool, then take one from the
    display."""

    def __init__(self, game: Game, player: str, limit: int) -> None:
        super().__init__(game, player)
        self.limit = limit

    def sizes(self, company: str) -> list[int]:
        """Only what leaves something to take afterwards."""
        game, player = self.game, self.player
        others = any(fits(game, player, name, self.limit) for name in tops(game))
        return [
            percent
            for percent in super().sizes(company)
            if others or fits(game, player, company, self.limit, given_up=percent)
        ]

    def perform(self, move: DiscardCertificate) -> None:
        super().perform(move)
        Dropped.of(self.game).dropped = True


class SetAsideChoice(Choice[SetAside]):
    """DO-3.2.1-d: move a certificate from the display into the pool; a director's certificate never goes there."""

    kind = SetAside
    quick = True

    def companies(self) -> dict[str, int]:
        return {name: number for name, number in tops(self.game).items() if number}

    def ask(self, picked: Picked) -> Domain | None:
        if "company" in picked:
            return None
        return Options("company", [Option(name, self.facts(name, n)) for name, n in self.companies().items()])

    def facts(self, company: str, number: int) -> Mapping[str, Any]:
        return {"percent": shares.percent_of(self.game, company, number)}

    def move(self, picked: Picked) -> SetAside:
        return SetAside(self.player, picked["company"])

    def check(self, move: SetAside) -> None:
        game = self.game
        if move.company not in game.state.companies:
            raise game.refuse("unknown.company", company=move.company)
        if move.company not in tops(game):
            raise game.refuse("stock.take.none", company=move.company)
        if move.company not in self.companies():
            raise game.refuse("stock.take.director", company=move.company)

    def perform(self, move: SetAside) -> None:
        game, company = self.game, move.company
        number = self.companies()[company]
        shares.move(game, company, number, POOL)
        game.emit(CertificateSetAside(self.player, company, shares.percent_of(game, company, number)))
        game.turn.advance()


#: What is done after the certificate.
LATER = (LayTile, PlaceStation, LinkLocation, ReplaceTrain, SwapTrains)


class CertificateStep(Step):
    """DO-3.2.1-a: everybody must take a certificate; at the limit they drop one first, or move one from display to
    pool.

    Whoever loses a post by what they dropped may have too many again: those go at once, before anything is taken.
    """

    name = "take"

    def __init__(self, share_limit: int) -> None:
        self.share_limit = share_limit

    def keeps(self) -> Keeps:
        return (Dropped,)

    def full(self, turn: Turn) -> bool:
        """Whether the player has as many certificates as they may, and has dropped none in this turn."""
        game = turn.game
        limit = game.rules.limits.certificates(game, turn.actor)
        return shares.certificates(game, turn.actor) >= limit and not Dropped.of(turn.game).dropped

    def choices(self, turn: Turn) -> list[Choice[Any]]:
        game, player = turn.game, turn.decider
        if turn.actor in over_limit(turn):
            return [DiscardCertificateChoice(game, player)]
        take = TopChoice(game, player, self.share_limit)
        aside = SetAsideChoice(game, player)
        if not self.full(turn):
            return [take] if take.companies() else [aside]
        drop = DropCertificateChoice(game, player, self.share_limit)
        found: list[Choice[Any]] = [drop] if any(drop.sizes(name) for name in game.state.companies) else []
        return [*found, aside] if aside.companies() else found

    def explain(self, turn: Turn, move: Move) -> None:
        game = turn.game
        if isinstance(move, Pass):
            raise game.refuse("stock.take.must")
        if isinstance(move, LATER):
            raise game.refuse("stock.take.first")
        if turn.actor in over_limit(turn):
            raise game.refuse("stock.limit.first")
        if isinstance(move, TakeCertificate) and self.full(turn):
            raise game.refuse("stock.take.limit", limit=game.rules.limits.certificates(game, turn.actor))
        if isinstance(move, SetAside | DiscardCertificate) and not self.full(turn):
            raise game.refuse("stock.take.below")


# ---------------------------------------------------------------------- the tile


class AnyReach(Reach):
    """DO-3.2.2.2-b: what the tokens of all railways together lead to."""

    def __init__(self, reaches: list[Reach]) -> None:
        self.touched = {}
        self.starts = []
        self.stops = set()
        for reach in reaches:
            self.starts += reach.starts
            self.stops |= reach.stops
            for at, edges in reach.touched.items():
                self.touched[at] = self.touched.get(at, 0) | edges


class AnybodysTile(DoTrackStep):
    """DO-3.2.2.2-a: one tile a turn: for one of their railways by a director, joined to any token by somebody who
    directs none."""

    def builders(self, turn: Turn) -> list[str]:
        return turn.companies or [ANY]

    def reach(self, game: Game, company: str, permit: Permit) -> Reach:
        if company != ANY:
            return super().reach(game, company, permit)
        found: Reach = game.kept("any reach", lambda: AnyReach([game.reach(name) for name in game.state.companies]))
        return found

    def no_fit(self, game: Game, company: str, permit: Permit, at: str, fit: Fit) -> str:
        key = super().no_fit(game, company, permit, at, fit)
        return "tile.route.any" if company == ANY and key in ("tile.route", "tile.new_track") else key

    def explain(self, turn: Turn, move: Move) -> None:
        if isinstance(move, TakeCertificate):
            raise turn.game.refuse("stock.take.one")
        if isinstance(move, LayTile) and move.company and turn.companies:
            check_director(turn.game, move.company)
        super().explain(turn, move)


# ---------------------------------------------------------------------- the director's part


class DirectorsPart(Either):
    """DO-3.2.2.2-c: one of several things for a railway that the player directs; certificate and tile came before."""

    def explain(self, turn: Turn, move: Move) -> None:
        game = turn.game
        if isinstance(move, TakeCertificate):
            raise game.refuse("stock.take.one")
        if isinstance(move, LayTile):
            raise game.refuse("tile.later")
        if isinstance(move, LATER):
            check_director(game, getattr(move, "company", ""))
        super().explain(turn, move)


class TrainExchange(DirectorsPart):
    """DO-3.2.3-b: the last part of a turn: a newer train for an obsolete one, or the trains of two railways swapped."""

    def explain(self, turn: Turn, move: Move) -> None:
        if isinstance(move, PlaceStation | LinkLocation):
            raise turn.game.refuse("build.later")
        super().explain(turn, move)
