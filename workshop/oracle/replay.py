"""Replays a recorded game of real people and compares the whole position after every step.

A step that is refused or cannot be translated ends the replay; after any other difference it goes on.

Usage: python -m workshop oracle replay GAME.json
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from engine import moves as mv
from engine.board.faces import FIRST_STOP, stop_letter
from engine.errors import Refused
from engine.finance import shares
from engine.finance.depot import on_sale
from engine.state import BANK, OFFERING, POOL
from titles.rhineland.link import LinkMoney
from workshop.oracle import shapes

PRIVATES = {1: "PWB", 2: "KEO", 3: "THS", 4: "TF", 5: "NLK", 6: "RHE-DIR"}
STEPS = {"Track": "track", "Token": "station", "Route": "run", "Dividend": "dividend", "BuyTrain": "trains"}
KINDS = {"payout": "pay", "withhold": "withhold"}
#: At most so many differences are told.
TOLD = 20
Step = Mapping[str, Any]


class Replay:
    """Turns recorded steps into moves. The record leaves passes out where its site saw no option."""

    def __init__(self, record: Mapping[str, Any]) -> None:
        self.record = record
        self.game = shapes.begin(record, record["initial"])
        self.edges = self.game.definition.map.layout.edges
        self.added_passes = 0

    def step(self, step: Step, following: Step | None) -> Mapping[str, Any]:
        """Make one recorded step, and the passes that the site makes silently after it.

        Gives the recorded position to compare with. Where the site waits for a run without routes we have
        gone on already, so that is what this run leaves.
        """
        if not step["meta"] and not self.left_behind(step):
            self.game.apply(self.move(step))
            self._consent()
        after: Mapping[str, Any] = step["after"]
        if following is not None and following["type"] == "run_routes" and self.left_behind(following):
            after = following["after"]
        self._pass_on(step, after, following)
        return after

    def _consent(self) -> None:
        """The record has no step for the director who sells a train to another's company: he has agreed."""
        pauses = self.game.state.pauses
        if pauses and pauses[0].kind == "train_sale":
            self.game.apply(mv.Answer(pauses[0].players[0], "accept"))

    def _pass_on(self, step: Step, after: Mapping[str, Any], following: Step | None) -> None:
        """Add the passes that the site made silently: the recorded position and the next step tell how many.

        Best are those after which the position agrees and the next step is possible; otherwise the first kind
        of `kinds` that there is.
        """
        kinds = ("agrees", "acts, possible", "possible", "acts")
        before, passes = self.game.copy(), 0
        first: dict[str, int] = {}
        while True:
            agrees, possible = not self.difference(step, after), self._possible(following)
            if agrees and possible:
                break
            acts = self.to_act() == after["to_act"]
            for kind, holds in zip(kinds, (agrees, acts and possible, possible, acts), strict=True):
                if holds:
                    first.setdefault(kind, passes)
            if not self._passed():
                passes = next((first[kind] for kind in kinds if kind in first), 0)
                self.game = before
                for _ in range(passes):
                    self._passed()
                break
            passes += 1
        self.added_passes += passes

    def _passed(self) -> bool:
        """Pass for the company that acts, if it may."""
        choice = self.game.offer().find("pass")
        if choice is None or self.game.state.round.kind != "operating":
            return False
        self.game.apply(choice.move({}))
        return True

    def left_behind(self, step: Step) -> bool:
        """A pass, or a run without routes, in a step that we have left already: nothing was possible in it."""
        round_ = self.game.state.round
        if not step["round"].startswith("OR") or step["type"] not in ("pass", "run_routes"):
            return False
        if step["type"] == "run_routes" and self._routes(step):
            return False
        order = list(self.game.rules.rounds["operating"].steps["railway"].order)  # type: ignore[attr-defined]
        recorded = order.index(self._step_name(step))
        return round_.actor != step["entity"] or order.index(round_.step) > recorded

    def _step_name(self, step: Step) -> str:
        if step["type"] == "run_routes":
            return "run"
        name = STEPS.get(step["params"]["step"])
        if name is None:
            raise ValueError(f"unknown step of a turn {step['params']['step']!r}")
        return name

    def _possible(self, step: Step | None) -> bool:
        """Whether a recorded step could be made now; after the last one nothing more has to be."""
        if step is None:
            return True
        try:
            if self.left_behind(step):
                return True
            if step["type"] == "pass" and self.game.state.round.kind == "operating":
                return self.game.state.round.step == self._step_name(step)
            self.game.check(self.move(step))
        except (Refused, ValueError):
            return False
        return True

    def move(self, step: Step) -> mv.Move:
        """Our move for a recorded step."""
        params, player, company = step["params"], step["acting_player"], step["entity"]
        game = self.game
        match step["type"]:
            case "bid":
                lot = PRIVATES[params["private"]]
                if params["how"] == "purchase":
                    return mv.BuyLot(player, lot)
                return mv.Bid(player, lot, params["price"])
            case "pass":
                return mv.Pass(player)
            case "par":
                return mv.Found(player, params["corp"], params["price"])
            case "buy_shares":
                return mv.BuyShare(player, params["corp"], self._share_source(params), params["percent"])
            case "sell_shares":
                if company == params["corp"]:
                    return mv.SellOwnShares(player, company, params["percent"])
                return mv.SellShares(player, params["corp"], params["percent"])
            case "lay_tile":
                tile, rotation = shapes.tile_of(game.definition, params["tile"], params["result"])
                private = PRIVATES[params["via_private"]] if "via_private" in params else ""
                actor = game.state.round.actor if private else company
                return mv.LayTile(player, actor, params["hex"], tile, rotation, private)
            case "place_token":
                face = game.board.faces[params["hex"]]
                stop = shapes.stop_of(face, self.edges, params["city_edges"], params["city"])
                private = PRIVATES[params["via_private"]] if "via_private" in params else ""
                actor = game.state.round.actor if private else company
                return mv.PlaceStation(player, actor, params["hex"], stop, private)
            case "run_routes":
                return mv.Run(player, company, tuple(self.path(route) for route in self._routes(step)))
            case "dividend":
                if params["kind"] not in KINDS:
                    raise ValueError(f"unknown dividend {params['kind']!r}")
                return mv.Dividend(player, company, KINDS[params["kind"]])
            case "buy_train":
                return mv.BuyTrain(player, company, params["train"], self._train_source(params), params["price"])
            case "discard_train":
                return mv.DiscardTrain(player, company, params["train"])
            case "bankrupt":
                return mv.GoBankrupt(player, company)
        raise ValueError(f"unknown step {step['type']!r}")

    def _share_source(self, params: Mapping[str, Any]) -> str:
        """Unsold shares lie in the offering until the company floats, then on its charter."""
        if params["from"] in ("pool", "market"):
            return POOL
        if params["from"] not in ("ipo", "treasury"):
            raise ValueError(f"unknown seller of shares {params['from']!r}")
        corp: str = params["corp"]
        return corp if self.game.company(corp).floated else OFFERING

    def _train_source(self, params: Mapping[str, Any]) -> str:
        """Another company, or the bank: a train that is not sold new lies in the pool."""
        source: str = params["from"]
        if source in self.game.state.companies:
            return source
        if source == "bank" and params["train"] in on_sale(self.game):
            return BANK
        return POOL

    # ------------------------------------------------------------------ routes

    def _routes(self, step: Step) -> list[Mapping[str, Any]]:
        """The routes of a run; a train that stands still may be listed without track."""
        return [route for route in step["params"]["routes"] if route["segments"]]

    def path(self, route: Mapping[str, Any]) -> mv.TrainPath:
        """A recorded route as a path: its pieces of track strung together from one end to the other."""
        rest = [
            (at, self._end(at, one, route), self._end(at, other, route)) for at, one, other, *_ in route["segments"]
        ]
        here = self._first(rest)
        words = [here[1]]
        while rest:
            piece = next((piece for piece in rest if piece[0] == here[0] and here[1] in piece[1:]), None)
            if piece is None:
                raise ValueError(f"the recorded route breaks off at {here[0]}")
            rest.remove(piece)
            at, one, other = piece
            target = other if here[1] == one else one
            if ":" in target:
                words.append(target)
                here = (at, target)
                continue
            edge = self.edges.index(target)
            onto = self.game.definition.map.neighbours[at][edge]
            if onto is None:
                raise ValueError(f"the recorded route leaves the map at {at}")
            if ":" not in here[1]:
                words.append(at)
            here = (onto, self.edges[(edge + 3) % 6])
        return mv.TrainPath(route["train"], tuple(words))

    def _first(self, pieces: Iterable[tuple[str, str, str]]) -> tuple[str, str]:
        """An end of the route: a stop to which only one piece of its track leads."""
        pieces = list(pieces)
        met = Counter((at, end) for at, *ends in pieces for end in ends if ":" in end)
        for at, *ends in pieces:
            for end in ends:
                if met[at, end] == 1:
                    return at, end
        raise ValueError("the recorded route has no end")

    def _end(self, at: str, end: str, route: Mapping[str, Any]) -> str:
        """An edge, or our name of a stop, which is found by an edge that leads to it on this route."""
        if end in self.edges:
            return end
        face = self.game.board.faces[at]
        others = [o for h, a, b, *_ in route["segments"] if h == at and end in (a, b) for o in (a, b) if o != end]
        for other in others:
            if other in self.edges:
                bit = 1 << self.edges.index(other)
                stop = next((n for n, exits in enumerate(face.stop_exits) if exits & bit), None)
                if stop is None:
                    raise ValueError(f"no stop of {at} has track to {other}")
                return f"{at}:{stop_letter(stop)}"
        beyond = {"segments": [s for s in route["segments"] if s[0] != at or end not in s[1:]]}
        neighbour = self._end(at, others[0], beyond)
        return f"{at}:{stop_letter(self._joined(at, ord(neighbour[-1]) - ord('a')))}"

    def _joined(self, at: str, stop: int) -> int:
        """The stop of a hex that a ferry or track inside the hex joins to another."""
        for end in self.game.board.faces[at].links[FIRST_STOP + stop]:
            if end >= FIRST_STOP:
                return end - FIRST_STOP
        raise ValueError(f"nothing joins two stops of {at}")

    # ------------------------------------------------------------------ comparing

    def to_act(self) -> list[str]:
        """Players, or the company that acts (or discards) in an operating round; nobody when it is over."""
        state = self.game.state
        if self.game.finished:
            return []
        if state.pauses and state.pauses[0].kind == "discard":
            return [pause.data["company"] for pause in state.pauses if pause.kind == "discard"]
        if state.round.kind == "operating":
            return [state.round.actor]
        return list(self.game.offer().deciders)

    def difference(self, step: Step, after: Mapping[str, Any]) -> str:
        """What differs from the recorded position, or nothing."""
        game, state = self.game, self.game.state
        found: list[str] = []

        def same(what: str, ours: object, theirs: object) -> None:
            if ours != theirs:
                found.append(f"{what} is {ours}, recorded {theirs}")

        same("bank", state.cash[BANK], after["bank"])
        same("phase", game.phase.name, after["phase"])
        same("to act", self.to_act(), self._acts_next(step, after))
        scores = game.rules.score(game)
        for player, theirs in after["players"].items():
            same(f"{player}'s cash", state.cash[player], theirs["cash"])
            same(f"{player}'s worth", scores[player], theirs["value"])
            same(f"{player}'s certificates", shares.certificates(game, player) + self._lot6(player), theirs["certs"])
            privates = sorted(
                game.definition.privates[name].number for name, owner in state.privates.items() if owner == player
            )
            same(f"{player}'s privates", privates, [n for n in theirs["privates"] if n != 6])
            if state.round.kind == "package":
                same(f"{player}'s bids", game.rules.rounds["package"].bound(game, player), theirs["bids"])  # type: ignore[attr-defined]
        for name, theirs in after["corps"].items():
            company = state.companies[name]
            same(f"{name}'s treasury", state.cash[name], theirs["cash"])
            same(f"{name} floated", company.floated, theirs["floated"])
            same(f"{name}'s director", company.director or None, theirs["president"])
            price = theirs["price"]
            same(f"{name}'s price", company.price, (price["row"], price["col"]) if price else None)
            if price:
                same(f"{name}'s value", game.prices.value(name), price["value"])
            same(f"{name}'s trains", sorted(company.trains), sorted(theirs["trains"]))
            for player, percent in theirs["held"].items():
                same(f"{player}'s share of {name}", shares.held(game, name, player), percent)
            if theirs["parred"]:
                same(f"{name} in the pool", shares.held(game, name, POOL), theirs["pool"])
            unplaced = 0 if company.active else len(game.definition.corporations[name].homes)
            same(f"{name}'s stations left", len(company.tokens_left) + unplaced, theirs["tokens_left"])
        same("next train", next(iter(on_sale(game)), None), after["depot_next"] or None)
        same("train pool", sorted(state.depot.pool), sorted(after["train_pool"]))
        left = {name: count for name, count in state.depot.left.items() if count}
        same("trains left", left, {name: count for name, count in after["depot_left"].items() if count})
        if state.round.kind == "operating":
            same("priority", state.priority, after["player_order"][0])
        same("RhE's link", LinkMoney.within(state).link_money, after["rhe_link_bonus_pending"])
        return "; ".join(found)

    def _acts_next(self, step: Step, after: Mapping[str, Any]) -> list[str]:
        """Who acts by the record; when the game is over it may still name the company that acted last."""
        acts: list[str] = after["to_act"]
        return [] if self.game.finished and acts == [step["entity"]] else acts

    def _lot6(self, player: str) -> int:
        """Between the purchase of lot 6 and the choice of RhE's price the record counts the lot."""
        return sum(pause.kind == "found_link_company" and player in pause.players for pause in self.game.state.pauses)


@dataclass
class Outcome:
    """How far a record was replayed: steps that agree, what differs, and the game in the end."""

    player: Replay
    steps: int
    agreed: int = 0
    differences: list[str] = field(default_factory=list)


def replay(record: Mapping[str, Any]) -> Outcome:
    """Replay a record; it ends at a step that cannot be made."""
    player = Replay(record)
    steps = record["moves"]
    outcome = Outcome(player, len(steps))
    for number, step in enumerate(steps):
        # The record looks for RhE's link in a step of its own, and only then goes on by itself to what
        # follows the lay; with us that is part of the lay, so it is compared with what that step leaves.
        if number + 1 < len(steps) and steps[number + 1]["type"] == "destination_connection":
            step = {**step, "after": steps[number + 1]["after"]}
        name = f"step {step['index']} ({step['round']}, {step['type']} by {step['entity']})"
        try:
            after = player.step(step, next((later for later in steps[number + 1 :] if not later["meta"]), None))
        except (Refused, ValueError, LookupError) as error:
            outcome.differences.append(f"{name} cannot be made: {error or type(error).__name__}")
            break
        difference = player.difference(step, after)
        if difference:
            outcome.differences.append(f"{name}: {difference}")
        else:
            outcome.agreed += 1
    return outcome


def main(arguments: list[str]) -> int:
    if len(arguments) != 1:
        print(__doc__)
        return 2
    record = json.loads(Path(arguments[0]).read_text("utf-8"))
    outcome = replay(record)
    game = outcome.player.game
    print(f"{outcome.agreed}/{outcome.steps}")
    print(f"{outcome.player.added_passes} passes added where the record has none")
    if game.finished:
        scores = sorted(game.rules.score(game).items(), key=lambda item: -item[1])
        print(f"the game is over ({game.state.finished}): " + ", ".join(f"{name} {worth}" for name, worth in scores))
    for difference in outcome.differences[:TOLD]:
        print(difference)
    if len(outcome.differences) > TOLD:
        print(f"and {len(outcome.differences) - TOLD} more differences")
    return 1 if outcome.agreed < outcome.steps else 0
