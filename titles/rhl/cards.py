"""Puts target and destiny cards into a game, each where it is chosen (8.4)."""

from __future__ import annotations

import random
from dataclasses import replace

from engine.events import Event
from engine.rounds.turns import OnceRound
from engine.rules import Listener, Rules
from engine.state import State
from titles.rhl.destiny import Destiny
from titles.rhl.targets import Targets


def with_cards(rules: Rules) -> Rules:
    """The game with the cards that its options name."""
    if rules.setup.options["target_cards"]:
        rules = with_targets(rules, Targets(rules.definition.tables))
    if rules.setup.options["destiny_cards"]:
        rules = with_destiny(rules, Destiny(rules.definition.tables))
    return rules


def with_targets(rules: Rules, targets: Targets) -> Rules:
    """The cards are taken before the package; afterwards they listen to what happens."""
    return replace(
        rules,
        rounds={**rules.rounds, targets.round.name: targets.round},
        first=targets.first,
        then=targets.then(rules.first, rules.then),
        seating=targets.seating(),
        trains=replace(rules.trains, rules=targets.trains(rules.trains.rules)),
        on=also(rules, targets.listeners()),
        cards={**rules.cards, **{card.id: card.bonus for card in targets.cards.values()}},
        open_cards=lambda game: [*rules.open_cards(game), *targets.displayed(game)],
        broken=lambda game: [*rules.broken(game), *targets.broken(game)],
    )


def with_destiny(rules: Rules, destiny: Destiny) -> Rules:
    """The cards are dealt first, one is given up after the first stock round, the other counts at the end."""
    operating = rules.rounds["operating"]
    assert isinstance(operating, OnceRound)

    def lay_out(state: State, chance: random.Random) -> None:
        rules.lay_out(state, chance)
        destiny.deal(state, chance)

    return replace(
        rules,
        rounds={**rules.rounds, destiny.round.name: destiny.round},
        then=destiny.then(operating, rules.then),
        lay_out=lay_out,
        over=destiny.over,
        score=destiny.score,
        secret=True,
        redraw=destiny.redraw,
        besides=destiny.besides,
        cards={**rules.cards, **{card.id: card.bonus for card in destiny.cards.values()}},
        open_cards=lambda game: [*rules.open_cards(game), *destiny.displayed(game)],
        broken=lambda game: [*rules.broken(game), *destiny.broken(game)],
    )


def also(rules: Rules, more: dict[type[Event], Listener]) -> dict[type[Event], tuple[Listener, ...]]:
    """The listeners of a game, and after them some more."""
    kinds = dict.fromkeys((*rules.on, *more))
    return {kind: (*rules.on.get(kind, ()), *([more[kind]] if kind in more else [])) for kind in kinds}
