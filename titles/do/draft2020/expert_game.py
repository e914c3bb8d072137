"""The Expert game by the draft of January 2020: what it has otherwise about wagons and special events."""

from __future__ import annotations

from dataclasses import replace

from engine.errors import Refused
from engine.finance import shares
from engine.game import Game
from engine.rules import Rules, Setup
from engine.state import BANK, POOL
from titles.do.board.remembered import ExpertTurn
from titles.do.brewery import breweries
from titles.do.brewery.selling import used
from titles.do.draft2020 import data
from titles.do.draft2020 import edition as draft
from titles.do.draft2020.selling import HighestFirst
from titles.do.expert import wagons
from titles.do.expert.brewing import ExpEquipmentStep
from titles.do.expert.events import Exchange, GivingIn, Investor, Premium
from titles.do.expert.game import of_edition
from titles.do.expert.investing import Investing
from titles.do.expert.special import in_the_turn
from titles.do.expert.tables import expert


def draft_exp(setup: Setup) -> Rules:
    """The game."""
    given_up = data.tables().draft.given_up
    edition = replace(draft.edition(), selling=lambda t: RestingEquipment(given_up))
    return of_edition(
        setup,
        edition,
        investing=FromBreweries(),
        equipment=DraftEquipmentStep,
        premium=OpenPremium("K"),
        investor=CertificateInvestor("M"),
        used=in_the_turn,
    )


class FromBreweries(Investing):
    """DOD-8.1-a: a railway takes one wagon instead of a train, from the bank or from a brewery; railways sell it to
    breweries."""

    def partner(self, game: Game, company: str, seller: str, code: str) -> bool:
        both = self.railway(game, company) and self.railway(game, seller)
        return not both and super().partner(game, company, seller, code)

    def too_many(self, game: Game, company: str, source: str) -> Refused | None:
        return super().too_many(game, company, BANK if self.railway(game, company) else source)

    def noted(self, game: Game, company: str, source: str) -> None:
        super().noted(game, company, BANK if self.railway(game, company) else source)


class RestingEquipment(HighestFirst):
    """DOD-8.2-g: equipment that rests has no use; equipment with a second shift or with a cube that was kept has."""

    def pieces(self, game: Game, company: str) -> list[str]:
        return wagons.useful(game, company)

    def busy(self, game: Game, company: str) -> list[str]:
        return [*used(game), *wagons.reserved(game, company), *shifted(game)]


def shifted(game: Game) -> list[str]:
    """The type of equipment with a second shift in this turn."""
    now = ExpertTurn.seen(game)
    return [now.shift[0]] if now and now.shift else []


# ---------------------------------------------------------------------- events


class TurnedIn(GivingIn):
    """DOD-8.2-g: I: only equipment that was turned before the deliveries is given in."""

    def givable(self, game: Game, company: str) -> list[str]:
        rests = ExpertTurn.of(game).rests
        return [type_ for type_ in dict.fromkeys(breweries.equipment(game, company)) if type_ == rests]


class Replacing(Exchange):
    """DOD-8.2-a: J: who owns as much as the limit allows replaces a piece that was used in this turn by a new one."""

    def givable(self, game: Game, company: str) -> list[str]:
        if self.step.room(game, company):
            return []
        busy = {*used(game), *shifted(game)}
        return [type_ for type_ in dict.fromkeys(breweries.equipment(game, company)) if type_ in busy]


class DraftEquipmentStep(ExpEquipmentStep):
    """DOD-8.2-a: both events exchange a piece for the new one; neither lets a brewery buy beyond its limit."""

    def exchanging(self) -> list[Exchange]:
        return [TurnedIn("I", self), Replacing("J", self)]

    def upgrades(self, game: Game, company: str) -> bool:
        return False


class OpenPremium(Premium):
    """DOD-8.2-b: K: the next higher segment must have demand."""

    def segments(self, game: Game) -> list[int]:
        closed = breweries.beer(game).closed
        return [number for number in super().segments(game) if number + 1 not in closed]


class CertificateInvestor(Investor):
    """DOD-8.2-c: M: one or two certificates, whatever their size."""

    def parts(self, game: Game, company: str) -> dict[int, tuple[int, ...]]:
        room = game.definition.pool_limit - shares.held(game, company, POOL)
        numbers = shares.numbers(game, company, company)[: expert(game).expert.investor_certificates]
        found: dict[int, tuple[int, ...]] = {}
        for count in range(1, len(numbers) + 1):
            group = tuple(numbers[:count])
            percent = sum(shares.percent_of(game, company, number) for number in group)
            if percent <= room:
                found[percent] = group
        return found
