"""What a turn of the short game consists of: a certificate, the certificate limit, and one action as a director."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine import events as ev
from engine.finance import depot, shares
from engine.finance.handing import settle_director
from engine.game import Game
from engine.moves import LayTile, Move, Pass, PlaceStation, register
from engine.offer import Choice, Domain, Option, Options, Picked
from engine.remembered import Going, Laid
from engine.rounds.operating import activate
from engine.rounds.turns import Either, Step, Turn
from engine.state import OFFERING, POOL
from engine.steps.track import Permit, TrackStep

# ---------------------------------------------------------------------- what happens


@dataclass(frozen=True, slots=True)
class CertificateTaken(ev.Event):
    player: str
    company: str
    percent: int


@dataclass(frozen=True, slots=True)
class CompanyTaken(ev.Event):
    """Somebody has taken a director's certificate; the company floats."""

    player: str
    company: str


@dataclass(frozen=True, slots=True)
class CertificateDiscarded(ev.Event):
    player: str
    company: str
    percent: int


@dataclass(frozen=True, slots=True)
class TrainTaken(ev.Event):
    company: str
    train: str


@dataclass(frozen=True, slots=True)
class TrainReplaced(ev.Event):
    company: str
    old: str
    train: str


@dataclass(frozen=True, slots=True)
class TrainsSwapped(ev.Event):
    company: str
    train: str
    other: str
    other_train: str


# ---------------------------------------------------------------------- moves


@register("take_certificate")
@dataclass(frozen=True, slots=True)
class TakeCertificate(Move):
    """Take the top certificate of a company from the display."""

    company: str


@register("discard_certificate")
@dataclass(frozen=True, slots=True)
class DiscardCertificate(Move):
    """Give up a certificate beyond the limit; it goes to the pool."""

    company: str
    percent: int


@register("replace_train")
@dataclass(frozen=True, slots=True)
class ReplaceTrain(Move):
    """Replace a company's obsolete train by the next on display."""

    company: str


@register("swap_trains")
@dataclass(frozen=True, slots=True)
class SwapTrains(Move):
    """Exchange the trains of two companies of one director."""

    company: str
    other: str


#: What a director may do; a title may add to it.
ACTIONS: tuple[type[Move], ...] = (LayTile, PlaceStation, ReplaceTrain, SwapTrains)


# ---------------------------------------------------------------------- trains


def next_train(game: Game) -> str:
    """The next train card on display, "" when all are gone."""
    return next(iter(depot.on_sale(game)), "")


def give_train(game: Game, company: str, old: str = "") -> None:
    """A company gets the next train for nothing, in place of an old one if it has one."""
    train = next_train(game)
    if not train:
        return
    if old:
        game.company(company).trains.remove(old)
        game.state.depot.gone.append(old)
    depot.take(game, train)
    game.company(company).trains.append(train)
    game.emit(TrainReplaced(company, old, train) if old else TrainTaken(company, train))
    depot.leaves(game, train)


def stay(game: Game, train: str) -> None:
    """Obsolete trains run on; they may be replaced."""


# ---------------------------------------------------------------------- the certificate


class TakeChoice(Choice[TakeCertificate]):
    """Take one of the top certificates; a director's certificate brings charter, stations and a train."""

    kind = TakeCertificate
    quick = True

    def companies(self) -> dict[str, int]:
        """Companies with certificates on display, with the number of the top one."""
        game = self.game
        tops = {name: shares.top(game, name, OFFERING) for name in game.state.companies}
        return {name: number for name, number in tops.items() if number is not None}

    def ask(self, picked: Picked) -> Domain | None:
        if "company" in picked:
            return None
        return Options("company", [Option(name, self.facts(name, number)) for name, number in self.companies().items()])

    def facts(self, company: str, number: int) -> Mapping[str, Any]:
        percent = shares.percent_of(self.game, company, number)
        if number:
            held = shares.held(self.game, company, self.player)
            return {"percent": percent, "holding": held} if held else {"percent": percent}
        train = next_train(self.game)
        return {"director_percent": percent, "gets_train": train} if train else {"director_percent": percent}

    def move(self, picked: Picked) -> TakeCertificate:
        return TakeCertificate(self.player, picked["company"])

    def check(self, move: TakeCertificate) -> None:
        if move.company not in self.game.state.companies:
            raise self.game.refuse("unknown.company", company=move.company)
        if move.company not in self.companies():
            raise self.game.refuse("stock.take.none", company=move.company)

    def perform(self, move: TakeCertificate) -> None:
        game, company = self.game, move.company
        number = self.companies()[company]
        shares.move(game, company, number, self.player)
        if number:
            game.emit(CertificateTaken(self.player, company, shares.percent_of(game, company, number)))
            settle_director(game, company)
        else:
            game.company(company).director = self.player
            game.company(company).floated = True
            activate(game, company)
            game.emit(CompanyTaken(self.player, company))
            give_train(game, company)
        game.turn.advance()


class TakeStep(Step):
    """The stock action: everybody must take a certificate; `actions` are the moves that have to wait."""

    name = "take"

    def __init__(self, actions: tuple[type[Move], ...]) -> None:
        self.actions = actions

    def choices(self, turn: Turn) -> list[Choice[Any]]:
        return [TakeChoice(turn.game, turn.decider)]

    def explain(self, turn: Turn, move: Move) -> None:
        if isinstance(move, Pass):
            raise turn.game.refuse("stock.take.must")
        if isinstance(move, self.actions):
            raise turn.game.refuse("stock.take.first")


# ---------------------------------------------------------------------- the limit


def over_limit(turn: Turn) -> list[str]:
    """Who holds too many certificates: former directors before the player whose turn it is."""
    game = turn.game
    first, *others = game.from_seat(turn.actor)
    limit = game.rules.limits.certificates
    return [who for who in (*others, first) if shares.certificates(game, who) > limit(game, who)]


class DiscardCertificateChoice(Choice[DiscardCertificate]):
    """Give up any certificate but a director's."""

    kind = DiscardCertificate
    quick = True

    def sizes(self, company: str) -> list[int]:
        game = self.game
        numbers = [number for number in shares.numbers(game, company, self.player) if number]
        return list(dict.fromkeys(shares.percent_of(game, company, number) for number in numbers))

    def ask(self, picked: Picked) -> Domain | None:
        game = self.game
        if "company" not in picked:
            held = {name: shares.held(game, name, self.player) for name in game.state.companies if self.sizes(name)}
            return Options("company", [Option(name, {"holding": percent}) for name, percent in held.items()])
        if "percent" not in picked:
            return Options("percent", [Option(percent) for percent in self.sizes(picked["company"])])
        return None

    def move(self, picked: Picked) -> DiscardCertificate:
        return DiscardCertificate(self.player, picked["company"], picked["percent"])

    def check(self, move: DiscardCertificate) -> None:
        game = self.game
        if move.company not in game.state.companies:
            raise game.refuse("unknown.company", company=move.company)
        if move.percent not in self.sizes(move.company):
            raise game.refuse("stock.limit.certificate", company=move.company, percent=move.percent)

    def perform(self, move: DiscardCertificate) -> None:
        game, company = self.game, move.company
        fitting = [n for n in shares.numbers(game, company, self.player) if n]
        number = next(n for n in reversed(fitting) if shares.percent_of(game, company, n) == move.percent)
        shares.move(game, company, number, POOL)
        game.emit(CertificateDiscarded(self.player, company, move.percent))
        settle_director(game, company)


class LimitStep(Step):
    """Whoever holds too many certificates discards, one after the other, before the turn goes on."""

    name = "limit"

    def choices(self, turn: Turn) -> list[Choice[Any]]:
        return [DiscardCertificateChoice(turn.game, who) for who in over_limit(turn)[:1]]

    def explain(self, turn: Turn, move: Move) -> None:
        raise turn.game.refuse("stock.limit.first")


# ---------------------------------------------------------------------- the director's action


class DirectorTrack(TrackStep):
    """One yellow tile or one upgrade; from the brown phase on two yellow tiles or one upgrade."""

    def permits(self, game: Game, company: str) -> list[Permit]:
        laid = Laid.of(game).colours
        if not laid:
            return [Permit()]
        if laid == ["yellow"] and "brown" in game.phase.tiles:
            return [Permit(colours=("yellow",))]
        return []

    def laid(self, game: Game, company: str, permit: Permit, at: str) -> None:
        super().laid(game, company, permit, at)
        Going.of(game).company = company


class ReplaceChoice(Choice[ReplaceTrain]):
    """Replace an obsolete train, or take one where none was left before."""

    kind = ReplaceTrain

    def __init__(self, game: Game, player: str, companies: list[str]) -> None:
        super().__init__(game, player)
        self.companies = companies

    def ask(self, picked: Picked) -> Domain | None:
        if "company" in picked:
            return None
        new = next_train(self.game)
        return Options(
            "company",
            [
                Option(name, {"has_train": ", ".join(self.game.company(name).trains), "gets_train": new})
                for name in self.companies
            ],
        )

    def move(self, picked: Picked) -> ReplaceTrain:
        return ReplaceTrain(self.player, picked["company"])

    def check(self, move: ReplaceTrain) -> None:
        check_replacement(self.game, move.company)

    def perform(self, move: ReplaceTrain) -> None:
        trains = self.game.company(move.company).trains
        give_train(self.game, move.company, trains[0] if trains else "")
        self.game.turn.advance()


def check_replacement(game: Game, company: str) -> None:
    """Only a train that is obsolete is replaced, never a permanent one."""
    check_director(game, company)
    for train in game.company(company).trains:
        if not game.definition.train(train).rusts_on:
            raise game.refuse("train.replace.permanent", company=company, train=train)
        if not depot.obsolete(game, train):
            raise game.refuse("train.replace.obsolete", company=company, train=train)
    if not next_train(game):
        raise game.refuse("train.replace.none")


def may_replace(game: Game, company: str) -> bool:
    trains = game.company(company).trains
    return bool(next_train(game)) and all(depot.obsolete(game, train) for train in trains)


class ReplaceStep(Step):
    """An obsolete train is exchanged for the next on display, and discarded."""

    name = "replace"

    def choices(self, turn: Turn) -> list[Choice[Any]]:
        companies = [name for name in turn.companies if may_replace(turn.game, name)]
        return [ReplaceChoice(turn.game, turn.decider, companies)] if companies else []

    def explain(self, turn: Turn, move: Move) -> None:
        if isinstance(move, ReplaceTrain):
            check_replacement(turn.game, move.company)


class SwapChoice(Choice[SwapTrains]):
    """Exchange the trains of two of one's companies."""

    kind = SwapTrains

    def __init__(self, game: Game, player: str, companies: list[str]) -> None:
        super().__init__(game, player)
        self.companies = companies

    def partners(self, company: str) -> list[str]:
        """The later companies with another train, so that each pair is offered once."""
        own = self.game.company(company).trains
        later = self.companies[self.companies.index(company) + 1 :]
        return [name for name in later if self.game.company(name).trains != own]

    def ask(self, picked: Picked) -> Domain | None:
        if "company" not in picked:
            return Options("company", [self._option(name) for name in self.companies if self.partners(name)])
        if "other" not in picked:
            return Options("other", [self._option(name) for name in self.partners(picked["company"])])
        return None

    def _option(self, company: str) -> Option:
        return Option(company, {"has_train": self.game.company(company).trains[0]})

    def move(self, picked: Picked) -> SwapTrains:
        return SwapTrains(self.player, picked["company"], picked["other"])

    def check(self, move: SwapTrains) -> None:
        check_swap(self.game, move)

    def perform(self, move: SwapTrains) -> None:
        game = self.game
        one, other = game.company(move.company), game.company(move.other)
        one.trains, other.trains = other.trains, one.trains
        game.emit(TrainsSwapped(move.company, one.trains[0], move.other, other.trains[0]))
        game.turn.advance()


def check_swap(game: Game, move: SwapTrains) -> None:
    """Two different trains of two companies of the player."""
    for company in (move.company, move.other):
        check_director(game, company)
        if not game.company(company).trains:
            raise game.refuse("train.swap.train", company=company)
    if game.company(move.company).trains == game.company(move.other).trains:
        raise game.refuse("train.swap.same", company=move.company, other=move.other)


class SwapStep(Step):
    """The trains of two companies of one director change places."""

    name = "swap"

    def choices(self, turn: Turn) -> list[Choice[Any]]:
        companies = [name for name in turn.companies if turn.game.company(name).trains]
        choice = SwapChoice(turn.game, turn.decider, companies)
        return [choice] if any(choice.partners(name) for name in companies) else []

    def explain(self, turn: Turn, move: Move) -> None:
        if isinstance(move, SwapTrains):
            check_swap(turn.game, move)


def check_director(game: Game, company: str) -> None:
    """Somebody acts only for companies that they direct."""
    if company not in game.state.companies:
        raise game.refuse("unknown.company", company=company)
    if company not in game.turn.companies:
        raise game.refuse("turn.action.company", company=company)


class DirectorAction(Either):
    """One action for one company that the player directs, or none; `actions` are its kinds of moves."""

    def __init__(self, actions: tuple[type[Move], ...], *steps: Step) -> None:
        super().__init__("action", *steps)
        self.actions = actions

    def explain(self, turn: Turn, move: Move) -> None:
        if isinstance(move, TakeCertificate):
            raise turn.game.refuse("stock.take.one")
        company = getattr(move, "company", "")
        if not isinstance(move, self.actions):
            return
        if self.name in Going.of(turn.game).used and not (isinstance(move, LayTile) and company in turn.companies):
            raise turn.game.refuse("turn.action.one")
        check_director(turn.game, company)
        super().explain(turn, move)
