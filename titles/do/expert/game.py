"""The Expert game: Heat, Sweat & Beer with small investments and special events, for 3 to 5 players."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from engine.definition import Definition
from engine.rules import Rules, Setup
from titles.do.brewery import data as hsb_data
from titles.do.brewery.editions import FINAL, Edition
from titles.do.brewery.game import BreweryGame, Parts
from titles.do.expert import showing, wagons
from titles.do.expert.brewing import CubesKept, ExpBrewingRound, ExpDeliverStep, ExpEquipmentStep, SpecialEvents
from titles.do.expert.buying import ExpTradeStep, ExpTrainStep
from titles.do.expert.events import ContractBrewing, Fair, Investor, Premium, SecondShift, TransportContract
from titles.do.expert.house import ExpGreedy
from titles.do.expert.investing import Investing, SmallInvestments
from titles.do.expert.markers import ExpertMarkers
from titles.do.expert.special import Special, Used, UseEvents, in_the_round
from titles.do.expert.tables import ExpTables
from titles.do.expert.wagons import Wagons

FILE = "exp.toml"


def exp(setup: Setup) -> Rules:
    """The game."""
    return of_edition(setup, FINAL)


def of_edition(
    setup: Setup,
    edition: Edition,
    *,
    investing: Investing | None = None,
    equipment: type[ExpEquipmentStep] = ExpEquipmentStep,
    premium: Special | None = None,
    investor: Special | None = None,
    used: Used = in_the_round,
) -> Rules:
    """The game by an edition of the rules, which may have some of its markers and events otherwise.

    `used` says what a brewery has used and does not take again.
    """
    data = edition.amended(definition(setup))
    t: ExpTables = data.tables
    investing = investing or Investing()
    events = UseEvents(own_turn(premium or Premium("K"), investor or Investor("M")))
    core = BreweryGame(
        setup,
        data,
        edition,
        SmallInvestments(investing),
        ExpertMarkers(t, setup.players),
        Wagons(data, edition.trains, setup.players),
        CubesKept(),
        SpecialEvents(events, used),
        parts=Parts(
            trade=ExpTradeStep,
            trains=partial(ExpTrainStep, investing=investing),
            deliver=partial(ExpDeliverStep, events=events),
            loading=wagons.WagonLoading(),
            equipment=partial(equipment, investing=investing),
            brewing=ExpBrewingRound,
        ),
    )
    rules = core.rules()
    return replace(rules, pages=partial(showing.pages, rules.pages), house={"greedy": ExpGreedy()})


def own_turn(premium: Special, investor: Special) -> Mapping[str, Special]:
    """DO-7.2-a: the events a brewery uses in its turn; others come with its purchase, two are asked for around
    turns."""
    found = (
        Fair("G"),
        premium,
        investor,
        ContractBrewing("N"),
        SecondShift("O"),
        TransportContract("P", wagons.AllWilling()),
    )
    return {special.code: special for special in found}


def definition(setup: Setup) -> Definition:
    """The box with its markers."""
    found = hsb_data.definition(setup, hsb_data.FILE, ExpTables, FILE)
    t: ExpTables = found.tables
    return replace(found, clauses={**found.clauses, **t.expert_clauses})
