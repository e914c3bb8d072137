"""The Montan round: corporations are founded from linked small companies, then small companies merge into them."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from engine import events as ev
from engine.errors import Refused
from engine.finance import shares
from engine.finance.handing import settle_director
from engine.game import Game
from engine.moves import BuyShare, Move, register
from engine.offer import Choice, Domain, Option, Options, Picked
from engine.records import Keeps
from engine.remembered import Going
from engine.rounds.turns import OnceRound, PassRound, Step, Steps, Turn
from engine.rules import PLAYER
from engine.state import OFFERING
from engine.steps.trade import full
from titles.ruhr import works
from titles.ruhr.cards import card_order, deal, note_loss, owned
from titles.ruhr.ending import hand_over, leave, transform
from titles.ruhr.heirs import take_over
from titles.ruhr.locations import ACTIVE, FOUNDED, MERGED, PASSIVE, location
from titles.ruhr.remembered import Founded, Locations, NewCorporations, Works
from titles.ruhr.tables import Tables


@register("found_montan")
@dataclass(frozen=True, slots=True)
class FoundMontan(Move):
    """Found a MONTAN corporation on the location of a linked small company, at a starting value."""

    hex: str
    company: str
    par: int


@register("merge_mine")
@dataclass(frozen=True, slots=True)
class Merge(Move):
    """Give a small company to a MONTAN corporation for a certificate."""

    mine: str
    company: str


@dataclass(frozen=True, slots=True)
class Merged(ev.Event):
    player: str
    mine: str
    company: str


# ---------------------------------------------------------------------- founding


def foundable(game: Game, player: str) -> dict[str, list[str]]:
    """By location the corporations that a player may found there, money apart."""
    t = works.tables(game)
    result: dict[str, list[str]] = {}
    for at, mine in t.places.items():
        if cannot_found(game, player, at) is None:
            free = [
                row.company
                for row in t.montan
                if row.industry == mine.industry and game.company(row.company).certificates[0] == OFFERING
            ]
            if free:
                result[at] = free
    return result


def cannot_found(game: Game, player: str, at: str) -> Refused | None:
    """Why a player may not found on a location."""
    t, found = works.tables(game), location(game, at)
    if found.state not in (ACTIVE, PASSIVE):
        return game.refuse("found.location", at=at)
    if found.state == ACTIVE and game.company(found.company).director != player:
        return game.refuse("found.location.owner", at=at)
    if not found.linked:
        return game.refuse("found.link", at=at)
    if found.state == ACTIVE and works.counted(game, found.company) < t.montan_round.markers:
        return game.refuse("found.markers", at=at)
    if found.state == PASSIVE and full(game, player):
        return game.refuse("stock.limit.found", limit=game.rules.limits.certificates(game, player))
    return None


def pars(game: Game, at: str) -> list[int]:
    """The starting values on a location: of an active company one, of a passive one some by the phase."""
    t, found = works.tables(game), location(game, at)
    if found.state == ACTIVE:
        return [min(t.pars.per_marker * works.counted(game, found.company), t.pars.most)]
    return list(t.pars.montan_passive[game.phase.colour])


def payable_pars(game: Game, player: str, at: str) -> list[int]:
    """Those that the founder can pay: a director's certificate is paid only for a passive company."""
    found = pars(game, at)
    return found if location(game, at).state == ACTIVE else [p for p in found if p <= game.state.cash[player]]


class FoundMontanChoice(Choice[FoundMontan]):
    """Found a corporation."""

    kind = FoundMontan

    def places(self) -> dict[str, list[str]]:
        found = foundable(self.game, self.player)
        return {at: names for at, names in found.items() if payable_pars(self.game, self.player, at)}

    def ask(self, picked: Picked) -> Domain | None:
        game = self.game
        if "hex" not in picked:
            return Options("hex", [Option(at, {"company": location(game, at).company}) for at in self.places()])
        if "company" not in picked:
            return Options("company", [Option(name) for name in self.places()[picked["hex"]]])
        if "par" not in picked:
            return Options("par", [Option(par) for par in payable_pars(game, self.player, picked["hex"])])
        return None

    def move(self, picked: Picked) -> FoundMontan:
        return FoundMontan(self.player, picked["hex"], picked["company"], picked["par"])

    def check(self, move: FoundMontan) -> None:
        game = self.game
        if move.hex not in Locations.of(game).locations:
            raise game.refuse("link.none", at=move.hex)
        refused = cannot_found(game, self.player, move.hex)
        if refused is not None:
            raise refused
        if move.company not in works.tables(game).corporations:
            raise game.refuse("unknown.company", company=move.company)
        if works.industry(game, move.company) != works.tables(game).places[move.hex].industry:
            raise game.refuse("found.industry", company=move.company, at=move.hex)
        if move.company not in foundable(game, self.player).get(move.hex, ()):
            raise game.refuse("found.company", company=move.company)
        if move.par not in pars(game, move.hex):
            raise game.refuse("found.par", pars=tuple(pars(game, move.hex)))
        if move.par not in payable_pars(game, self.player, move.hex):
            raise game.refuse("found.money", price=move.par)

    def perform(self, move: FoundMontan) -> None:
        found(self.game, self.player, move)


def found(game: Game, player: str, move: FoundMontan) -> None:
    t, name, at = works.tables(game), move.company, move.hex
    company, place = game.company(name), location(game, at)
    mine = place.company
    company.par, company.director = move.par, player
    company.floated = True
    game.prices.put(name, (0, game.definition.market.rows[0].index(move.par)))
    works.new_charter(game, name, [at])
    place.become(FOUNDED, name)
    game.emit(ev.CompanyFounded(player, name, move.par))
    shares.move(game, name, 0, player)
    if mine:
        hand_over(game, mine, name)
        leave(game, mine)
        note_loss(game, player)
    else:
        game.pay(player, name, move.par, "director", name)
        start = t.montan_round.start_markers[game.phase.colour]
        begin_with(game, name, dict(start))
    game.state.board.token_version += 1
    NewCorporations.of(game).fresh[name] = game.phase.colour
    Founded.of(game).founded = name
    game.turn.advance()


def begin_with(game: Game, name: str, markers: dict[str, int]) -> None:
    """The first markers of a corporation, as far as the supply and the staircase allow."""
    works.add(game, name, markers)
    own, stairs = works.charter(game, name).markers, works.tables(game).development.stairs
    for lower, higher in pairwise(stairs):
        surplus = own.get(higher, 0) - own.get(lower, 0)
        if surplus > 0:
            works.give_back(game, name, higher, surplus)


class FoundStep(Step):
    """Found one corporation or pass."""

    name = "found"

    def keeps(self) -> Keeps:
        return (Founded,)

    def choices(self, turn: Turn) -> list[Choice[Any]]:
        choice = FoundMontanChoice(turn.game, turn.decider)
        return [*([choice] if choice.places() else []), turn.passing()]

    def skipped(self, turn: Turn) -> None:
        turn.game.emit(ev.Passed(turn.decider, "", self.name))

    def explain(self, turn: Turn, move: Move) -> None:
        if isinstance(move, FoundMontan):
            FoundMontanChoice(turn.game, move.player).check(move)
        if isinstance(move, Merge):
            raise turn.game.refuse("merge.later")


# ---------------------------------------------------------------------- merging


def targets(game: Game, mine: str) -> list[str]:
    """The corporations into which a small company can merge."""
    return [name for name in works.tables(game).corporations if cannot_merge(game, mine, name) is None]


def cannot_merge(game: Game, mine: str, name: str) -> Refused | None:
    t = works.tables(game)
    if name not in Works.of(game).charters:
        return game.refuse("merge.founded", company=name)
    if works.industry(game, mine) != works.industry(game, name):
        return game.refuse("merge.industry", company=name, mine=mine)
    if not [n for n in shares.numbers(game, name, OFFERING) if n]:
        return game.refuse("merge.certificate", company=name)
    if len(works.charter(game, name).locations) >= t.corporations[name].circles:
        return game.refuse("merge.circle", company=name)
    return None


class MergeChoice(Choice[Merge]):
    """Merge an own small company."""

    kind = Merge

    def __init__(self, game: Game, player: str, into: str = "") -> None:
        super().__init__(game, player)
        #: The only target, where a founder takes a second certificate.
        self.into = into

    def pairs(self) -> dict[str, list[str]]:
        found = {}
        for mine in owned(self.game, self.player):
            names = [name for name in targets(self.game, mine) if self.into in ("", name)]
            if names:
                found[mine] = names
        return found

    def ask(self, picked: Picked) -> Domain | None:
        if "mine" not in picked:
            return Options("mine", [Option(mine) for mine in self.pairs()])
        if "company" not in picked:
            return Options("company", [Option(name) for name in self.pairs()[picked["mine"]]])
        return None

    def move(self, picked: Picked) -> Merge:
        return Merge(self.player, picked["mine"], picked["company"])

    def check(self, move: Merge) -> None:
        game = self.game
        if move.company not in works.tables(game).corporations:
            raise game.refuse("unknown.company", company=move.company)
        if move.mine not in owned(game, self.player):
            raise game.refuse("merge.mine", mine=move.mine)
        if self.into not in ("", move.company):
            raise game.refuse("merge.into", company=self.into)
        refused = cannot_merge(game, move.mine, move.company)
        if refused is not None:
            raise refused

    def perform(self, move: Merge) -> None:
        game = self.game
        at = works.tables(game).mines[move.mine].hex
        works.charter(game, move.company).locations.append(at)
        location(game, at).become(MERGED, move.company)
        hand_over(game, move.mine, move.company)
        leave(game, move.mine)
        game.emit(Merged(self.player, move.mine, move.company))
        number = next(n for n in shares.numbers(game, move.company, OFFERING) if n)
        shares.move(game, move.company, number, self.player)
        note_loss(game, self.player)
        settle_director(game, move.company)
        take_over(game, move.company, self.player)
        Going.of(game).acted = True
        game.turn.advance()


class SecondCertificate(Choice[BuyShare]):
    """A founder buys one more certificate; the money goes to the new corporation."""

    kind = BuyShare

    def ask(self, picked: Picked) -> Domain | None:
        game = self.game
        if "company" not in picked:
            return Options("company", [Option(self.company, {"price": game.prices.value(self.company)})])
        if "source" not in picked:
            return Options("source", [Option(OFFERING)])
        if "percent" not in picked:
            unit = shares.unit(game, self.company)
            return Options("percent", [Option(unit, {"price": game.prices.value(self.company)})])
        return None

    def move(self, picked: Picked) -> BuyShare:
        return BuyShare(self.player, picked["company"], picked["source"], picked["percent"])

    def check(self, move: BuyShare) -> None:
        game = self.game
        if (move.company, move.source, move.percent) != (self.company, OFFERING, shares.unit(game, self.company)):
            raise game.refuse("merge.into", company=self.company)
        if full(game, self.player):
            raise game.refuse("stock.limit", limit=game.rules.limits.certificates(game, self.player))
        price = game.prices.value(self.company)
        if price > game.state.cash[self.player]:
            raise game.refuse("money.share", price=price)

    def perform(self, move: BuyShare) -> None:
        game = self.game
        number = next(n for n in shares.numbers(game, self.company, OFFERING) if n)
        game.pay(self.player, self.company, game.prices.value(self.company), "share", self.company)
        shares.move(game, self.company, number, self.player)
        game.turn.advance()


class SecondStep(Step):
    """Who has founded may take one more certificate: by merging another small company, or by paying."""

    name = "second"

    def keeps(self) -> Keeps:
        return (Founded,)

    def choices(self, turn: Turn) -> list[Choice[Any]]:
        game, player = turn.game, turn.decider
        name = Founded.of(turn.game).founded
        result: list[Choice[Any]] = []
        if name:
            merging = MergeChoice(game, player, name)
            if merging.pairs():
                result.append(merging)
            if not full(game, player) and game.prices.value(name) <= game.state.cash[player]:
                result.append(SecondCertificate(game, player, name))
        return [*result, turn.passing()]

    def explain(self, turn: Turn, move: Move) -> None:
        name = Founded.of(turn.game).founded
        if isinstance(move, FoundMontan):
            raise turn.game.refuse("found.one")
        if isinstance(move, Merge) and name:
            MergeChoice(turn.game, move.player, name).check(move)
        if isinstance(move, BuyShare) and name:
            SecondCertificate(turn.game, move.player, name).check(move)


class MergeStep(Step):
    """Merge one small company or pass."""

    name = "merge"

    def choices(self, turn: Turn) -> list[Choice[Any]]:
        choice = MergeChoice(turn.game, turn.decider)
        return [*([choice] if choice.pairs() else []), turn.passing()]

    def skipped(self, turn: Turn) -> None:
        turn.game.emit(ev.Passed(turn.decider, "", self.name))

    def explain(self, turn: Turn, move: Move) -> None:
        if isinstance(move, Merge):
            MergeChoice(turn.game, move.player).check(move)
        if isinstance(move, FoundMontan):
            raise turn.game.refuse("found.over")


def rounds() -> tuple[OnceRound, PassRound]:
    """The two parts of a Montan round."""
    founding = OnceRound("founding", card_order, {PLAYER: Steps(FoundStep(), SecondStep())})
    merging = PassRound("merging", {PLAYER: Steps(MergeStep())}, order=lambda game: card_order(game)[::-1], ends=over)
    return founding, merging


def over(game: Game) -> None:
    """After the first card of a type the small companies that are left become passive; then cards are dealt anew."""
    t: Tables = works.tables(game)
    if works.happened(game, t.montan_round.transforms_after):
        # Who loses their last one so comes by the lowest number that they had: owner by owner, not number by number.
        for player in dict.fromkeys(game.company(name).director for name in t.mines):
            for mine in owned(game, player) if player else ():
                transform(game, mine)
    deal(game)
