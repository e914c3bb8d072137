"""The depot: which trains are on sale, what the first sale of a type brings, and what a lower limit takes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine import events as ev
from engine.moves import DiscardTrain
from engine.offer import Choice, Domain, Option, Options, Picked
from engine.state import Pause

if TYPE_CHECKING:
    from engine.game import Game


def on_sale(game: Game) -> list[str]:
    """New trains that can be bought now: the first type that is left, and types set free by another."""
    depot = game.state.depot
    result = []
    first = True
    for train in game.definition.trains:
        if depot.left[train.name] <= 0:
            continue
        if first or any(_set_free(game, condition) for condition in train.available_on):
            result.append(train.name)
        first = False
    return result


def _set_free(game: Game, condition: str) -> bool:
    """Whether what makes a type available has happened (`6`, `2 6`, `all 3`, `phase green`)."""
    word, _, name = condition.rpartition(" ")
    if word.isdecimal():
        return game.state.depot.sold[name] >= int(word)
    if word == "phase":
        return name in game.phase.tiles
    if word == "all":
        return game.state.depot.left[name] == 0
    return game.state.depot.sold[name] > 0


def counting(game: Game, company: str) -> list[str]:
    """The trains of a company that count for the limit and for the duty to own one."""
    return [train for train in game.company(company).trains if game.rules.trains.counts(train)]


def movable(game: Game, company: str) -> list[str]:
    """Those of them that may be sold and discarded, and that meet the duty to own one."""
    return [train for train in counting(game, company) if not game.rules.trains.bound(train)]


def price(game: Game, train: str) -> int:
    return game.definition.train(train).price


def phase_after(game: Game, train: str) -> int:
    """The number of the phase once the first train of a type is bought."""
    for index, phase in enumerate(game.definition.phases):
        if train in phase.on and index > game.state.phase:
            return index
    return game.state.phase


def obsolete(game: Game, train: str) -> bool:
    """Whether a card that makes trains of this type obsolete has left the display."""
    return any(game.state.depot.sold[other] for other in game.definition.train(train).rusts_on)


def take(game: Game, card: str) -> None:
    """A card leaves the display; what becomes of it is the business of whoever takes it."""
    game.state.depot.left[card] -= 1
    game.state.depot.sold[card] += 1


def leaves(game: Game, card: str) -> None:
    """What the departure of a card brings, once it lies where it belongs: only the first of a type does anything."""
    if game.state.depot.sold[card] == 1:
        game.rules.trains.obsolete(game, card)
        begin_phase(game, phase_after(game, card))


def scrap(game: Game, train: str, spared: frozenset[str] = frozenset()) -> None:
    """The first train of a type makes others obsolete: they are out of the game, but for those spared to companies."""
    state = game.state
    rusting = [t.name for t in game.definition.trains if train in t.rusts_on]
    for name in rusting:
        already = len(state.depot.gone)
        owners = []
        for owner, company in state.companies.items():
            while name in company.trains and name not in spared:
                company.trains.remove(name)
                state.depot.gone.append(name)
                owners.append(owner)
        for heap in (state.depot.pool, state.depot.aside):
            while name in heap:
                heap.remove(name)
                state.depot.gone.append(name)
        unsold = state.depot.left[name]
        state.depot.gone.extend([name] * unsold)
        state.depot.left[name] -= unsold
        state.depot.sold[name] += unsold
        if len(state.depot.gone) > already:
            game.emit(ev.TrainsRusted(name, tuple(owners)))


def begin_phase(game: Game, phase: int) -> None:
    """A phase begins; the train limit may fall."""
    if phase != game.state.phase:
        game.state.phase = phase
        game.emit(ev.PhaseChanged(game.phase.name, game.phase.colour))
        ask_for_discards(game)


def ask_for_discards(game: Game) -> None:
    """Every company over the limit discards, one after the other; where there is no choice it happens by itself."""
    for company in game.rules.trains.discard_order(game):
        keep_limit(game, company)


def keep_limit(game: Game, company: str) -> None:
    """A company over the limit discards; it is asked only once, in its place, and only where it has a choice."""
    surplus = len(counting(game, company)) - game.phase.train_limit
    trains = movable(game, company)
    decider = game.decider(company)
    trains.sort(key=lambda train: -game.definition.train(train).reach)
    while surplus > 0 and trains and (len(set(trains)) == 1 or not decider):  # nobody's company gives up its shortest
        discard(game, company, trains.pop())
        surplus -= 1
    asked = any(pause.kind == "discard" and pause.data["company"] == company for pause in game.state.pauses)
    if surplus > 0 and trains and not asked:
        game.ask("discard", [decider], company=company)
        in_order(game)


def in_order(game: Game) -> None:
    """Whoever discards is asked in the order of the title; other questions keep their places."""
    place = {name: number for number, name in enumerate(game.rules.trains.discard_order(game))}
    pauses = game.state.pauses
    asked = [number for number, pause in enumerate(pauses) if pause.kind == "discard"]
    found = sorted((pauses[n] for n in asked), key=lambda pause: place.get(pause.data["company"], len(place)))
    for number, pause in zip(asked, found, strict=True):
        pauses[number] = pause


def discard_choices(game: Game, pause: Pause) -> list[Choice[Any]]:
    """What those over the limit may do."""
    return [DiscardChoice(game, player, pause.data["company"]) for player in pause.players]


def highest_price_first(game: Game) -> list[str]:
    return game.prices.order()


def acting_company_first(game: Game) -> list[str]:
    """The operating order, from the company whose turn it is."""
    order = game.prices.order()
    actor = game.state.round.actor
    start = order.index(actor) if actor in order else 0
    return order[start:] + order[:start]


def discard(game: Game, company: str, train: str) -> None:
    game.company(company).trains.remove(train)
    game.state.depot.pool.append(train)
    game.emit(ev.TrainDiscarded(company, train))


class DiscardChoice(Choice[DiscardTrain]):
    """A director chooses which surplus train goes to the pool."""

    kind = DiscardTrain

    def matches(self, move: object) -> bool:
        return isinstance(move, DiscardTrain) and move.player == self.player and move.company == self.company

    def ask(self, picked: Picked) -> Domain | None:
        if "train" in picked:
            return None
        trains = dict.fromkeys(movable(self.game, self.company))
        return Options("train", [Option(train) for train in trains])

    def move(self, picked: Picked) -> DiscardTrain:
        return DiscardTrain(self.player, self.company, picked["train"])

    def check(self, move: DiscardTrain) -> None:
        if move.train not in movable(self.game, self.company):
            if move.train in counting(self.game, self.company):
                raise self.game.refuse("train.bound", company=self.company, train=move.train)
            raise self.game.refuse("train.discard", company=self.company, train=move.train)

    def perform(self, move: DiscardTrain) -> None:
        game = self.game
        discard(game, self.company, move.train)
        if len(counting(game, self.company)) <= game.phase.train_limit:
            game.answered(game.state.pauses[0])
