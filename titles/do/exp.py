"""The Expert game: Heat, Sweat & Beer with small investments and special events, for 3 to 5 players."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import partial

from engine import events as ev
from engine.definition import Definition
from engine.rounds.turns import OnceRound, Steps
from engine.rules import PLAYER, Listener, Rules, Setup
from engine.state import State
from titles.do import bonuses, breweries, exp_brewing, exp_pages, hsb_data, loading, markers, wagons
from titles.do.editions import FINAL, Edition
from titles.do.events import ContractBrewing, Fair, Investor, Premium, SecondShift, TransportContract
from titles.do.exp_brewing import ExpBrewingRound, ExpDeliverStep, ExpEquipmentStep
from titles.do.exp_house import ExpGreedy
from titles.do.exp_railways import ExpTradeStep, ExpTrainStep, MoveWagons
from titles.do.exp_tables import ExpTables
from titles.do.failing import CompanyFailed
from titles.do.hsb import Parts, build
from titles.do.investing import SALE, FirstMarkerStep, Investing, MarkerDeal, by_minor
from titles.do.special import Special, TakeEventStep, Used, UseEvents, in_the_round

FILE = "exp.toml"


@dataclass(frozen=True, kw_only=True)
class Markers:
    """What an edition may have otherwise about markers; what stands here is the German rulebook."""

    investing: Investing = field(default_factory=Investing)
    equipment: type[ExpEquipmentStep] = ExpEquipmentStep
    premium: Special = field(default_factory=lambda: Premium("K"))
    investor: Special = field(default_factory=lambda: Investor("M"))
    #: What a brewery has used and does not take again.
    used: Used = in_the_round


def exp(setup: Setup) -> Rules:
    """The game."""
    return build_expert(setup, Markers(), FINAL)


def build_expert(setup: Setup, choice: Markers, edition: Edition) -> Rules:
    """The game by an edition of the rules."""
    events = UseEvents(own_turn(choice))
    parts = Parts(
        definition=definition,
        trade=ExpTradeStep,
        trains=partial(ExpTrainStep, investing=choice.investing),
        between=OnceRound("markers", by_minor, {PLAYER: Steps(FirstMarkerStep())}),
        deliver=partial(ExpDeliverStep, events=events),
        loading=wagons.WagonLoading(),
        equipment=partial(choice.equipment, investing=choice.investing),
        last=(TakeEventStep(choice.used),),
        extras=(events,),
        railway_extras=(MoveWagons(),),
        brewing=ExpBrewingRound,
    )
    return with_markers(build(setup, parts, edition), choice.investing, edition)


def own_turn(choice: Markers) -> Mapping[str, Special]:
    """The events that a brewery uses in its turn; others come with its purchase, two are asked for around turns."""
    found = (
        Fair("G"),
        choice.premium,
        choice.investor,
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


def with_markers(rules: Rules, investing: Investing, edition: Edition) -> Rules:
    """A game with breweries in which markers lie on the display."""
    t: ExpTables = rules.definition.tables
    players = rules.setup.players

    def lay_out(state: State, chance: random.Random) -> None:
        rules.lay_out(state, chance)
        markers.lay_out(t, state, players)

    return replace(
        rules,
        lay_out=lay_out,
        trains=replace(rules.trains, vehicles=edition.trains(rules.definition, wagons.roomy(t, players)).vehicles),
        on=also(
            rules.on,
            {
                ev.TrainBought: wagons.settle,
                ev.TrainDiscarded: wagons.settle,
                ev.TrainsRusted: wagons.settle,
                breweries.EquipmentGone: exp_brewing.equipment_gone,
                breweries.SegmentClosed: exp_brewing.segment_closed,
                loading.ExportNamed: bonuses.export_named,
                CompanyFailed: exp_brewing.company_failed,
            },
        ),
        questions={
            **rules.questions,
            SALE: MarkerDeal(investing).asked,
            markers.SURPLUS: markers.surplus_asked,
            exp_brewing.EVENT: exp_brewing.asked,
        },
        possessions=exp_pages.possessions,
        pages=partial(exp_pages.pages, rules.pages),
        house={"greedy": ExpGreedy()},
        broken=lambda game: [*rules.broken(game), *markers.broken(game), *wagons.broken(game)],
    )


def also(
    on: Mapping[type[ev.Event], tuple[Listener, ...]], more: Mapping[type[ev.Event], Listener]
) -> dict[type[ev.Event], tuple[Listener, ...]]:
    """Listeners, each after those that an event has already."""
    return {**on, **{event: (*on.get(event, ()), listener) for event, listener in more.items()}}
