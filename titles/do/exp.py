"""The Expert game: Heat, Sweat & Beer with small investments and special events, for 3 to 5 players."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from engine import events as ev
from engine.definition import Definition
from engine.rounds.turns import OnceRound, Steps
from engine.rules import PLAYER, Listener, Rules, Setup
from engine.state import State
from titles.do import breweries, exp_brewing, exp_pages, hsb_data, markers, wagons
from titles.do.events import ContractBrewing, Fair, Investor, Premium, SecondShift, TransportContract
from titles.do.exp_brewing import ExpBrewingRound, ExpDeliverStep, ExpEquipmentStep
from titles.do.exp_house import ExpGreedy
from titles.do.exp_railways import ExpTradeStep, ExpTrainStep, MoveWagons
from titles.do.exp_tables import ExpTables
from titles.do.failing import CompanyFailed
from titles.do.hsb import Parts, build
from titles.do.investing import SALE, FirstMarkerStep, Investing, MarkerDeal, by_minor
from titles.do.special import Special, TakeEventStep, UseEvents

FILE = "exp.toml"


def exp(setup: Setup) -> Rules:
    """The game."""
    loads = wagons.WagonLoading()
    events = UseEvents(own_turn())
    parts = Parts(
        definition=definition,
        trade=ExpTradeStep,
        trains=ExpTrainStep,
        between=OnceRound("markers", by_minor, {PLAYER: Steps(FirstMarkerStep())}),
        deliver=partial(ExpDeliverStep, events=events),
        loading=loads,
        equipment=ExpEquipmentStep,
        last=(TakeEventStep(),),
        extras=(events,),
        railway_extras=(MoveWagons(),),
        brewing=ExpBrewingRound,
    )
    return with_markers(build(setup, parts))


def own_turn() -> Mapping[str, Special]:
    """The events that a brewery uses in its turn; one more comes with its purchase, two are asked for around turns."""
    found = (
        Fair("G"),
        Premium("K"),
        Investor("M"),
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


def with_markers(rules: Rules) -> Rules:
    """A game with breweries in which markers lie on the display."""
    t: ExpTables = rules.definition.tables
    players = rules.setup.players

    def lay_out(state: State, chance: random.Random) -> None:
        rules.lay_out(state, chance)
        markers.lay_out(t, state, players)

    return replace(
        rules,
        lay_out=lay_out,
        trains=replace(rules.trains, vehicles=wagons.vehicles(rules.definition, t, players)),
        on=also(
            rules.on,
            {
                ev.TrainBought: wagons.settle,
                ev.TrainDiscarded: wagons.settle,
                ev.TrainsRusted: wagons.settle,
                breweries.EquipmentGone: exp_brewing.equipment_gone,
                breweries.SegmentClosed: exp_brewing.segment_closed,
                CompanyFailed: exp_brewing.company_failed,
            },
        ),
        questions={
            **rules.questions,
            SALE: MarkerDeal(Investing()).asked,
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
