"""Replays a recorded game of real people and compares the whole position after every step.

Usage: python tests/oracle/replay.py GAME.json
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from engine import moves as mv
from engine import shares
from engine.errors import Refused
from engine.state import BANK, POOL
from engine.trains import on_sale
from tests.oracle import shapes

PRIVATES = {1: "PWB", 2: "KEO", 3: "THS", 4: "TF", 5: "NLK", 6: "RHE-DIR"}
STEPS = {"Track": "track", "Token": "station", "BuyTrain": "trains"}
Step = Mapping[str, Any]


class Replay:
    """Turns recorded steps into moves. The record leaves passes out where its site saw no option."""

    def __init__(self, record: Mapping[str, Any]) -> None:
        self.record = record
        self.game = shapes.begin(record, record["initial"])
        self.edges = self.game.definition.map.layout.edges
        self.added_passes = 0

    def step(self, step: Step, following: Step | None) -> None:
        """Make one recorded step, and the passes that the site makes silently after it."""
        if not step["meta"] and not self._skipped(step):
            self.game.apply(self.move(step))
        while self.to_act() != step["after"]["to_act"] or (following and not self._possible(following)):
            choice = self.game.offer().find("pass")
            if choice is None or self.game.state.round.kind != "operating":
                return
            self.game.apply(choice.move({}))
            self.added_passes += 1

    def _skipped(self, step: Step) -> bool:
        """A pass in a step that we have left already, because nothing was legal in it."""
        round_ = self.game.state.round
        if step["type"] != "pass" or not step["round"].startswith("OR"):
            return False
        order = list(self.game.rules.rounds["operating"].steps)  # type: ignore[attr-defined]
        recorded = order.index(STEPS[step["params"]["step"]])
        return round_.actor != step["entity"] or order.index(round_.step) > recorded

    def _possible(self, step: Step) -> bool:
        if step["type"] == "pass" and self.game.state.round.kind == "operating":
            return self._skipped(step) or self.game.state.round.step == STEPS[step["params"]["step"]]
        try:
            self.game.check(self.move(step))
        except Refused:
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
                source = {"ipo": "offering", "treasury": params["corp"], "pool": POOL}[params["from"]]
                return mv.BuyShare(player, params["corp"], source, params["percent"])
            case "sell_shares":
                return mv.SellShares(player, params["corp"], params["percent"])
            case "lay_tile":
                tile, rotation = shapes.tile_of(game.definition, params["tile"], params["result"])
                private = PRIVATES[params["via_private"]] if "via_private" in params else ""
                actor = game.state.round.actor if private else company
                return mv.LayTile(player, actor, params["hex"], tile, rotation, private)
            case "place_token":
                face = game.board.faces[params["hex"]]
                stop = shapes.stop_of(face, self.edges, params["city_edges"], params["city"])
                return mv.PlaceStation(player, company, params["hex"], stop)
            case "run_routes":
                return mv.Run(player, company, tuple(self.path(route) for route in params["routes"]))
            case "dividend":
                return mv.Dividend(player, company, {"payout": "pay", "withhold": "withhold"}[params["kind"]])
            case "buy_train":
                return mv.BuyTrain(player, company, params["train"], params["from"], params["price"])
        raise ValueError(f"unknown step {step['type']}")

    def path(self, route: Mapping[str, Any]) -> mv.TrainPath:
        """A recorded route as a path: its pieces of track strung together from one end to the other."""
        rest = [
            (at, self._end(at, one, route), self._end(at, other, route))
            for at, one, other, *_ in route["segments"]
        ]
        first = route["stops"][0]
        here = (first["hex"], self._end(first["hex"], first["node"], route))
        words = [here[1]]
        while rest:
            piece = next(piece for piece in rest if piece[0] == here[0] and here[1] in piece[1:])
            rest.remove(piece)
            at, one, other = piece
            target = other if here[1] == one else one
            if ":" in target:
                words.append(target)
                here = (at, target)
                continue
            edge = self.edges.index(target)
            onto = self.game.definition.map.neighbours[at][edge]
            assert onto is not None
            if ":" not in here[1]:
                words.append(at)
            here = (onto, self.edges[(edge + 3) % 6])
        return mv.TrainPath(route["train"], tuple(words))

    def _end(self, at: str, end: str, route: Mapping[str, Any]) -> str:
        """An edge, or our name of a stop, which is found by an edge that leads to it on this route."""
        if end in self.edges:
            return end
        face = self.game.board.faces[at]
        others = [o for h, a, b, *_ in route["segments"] if h == at and end in (a, b) for o in (a, b) if o != end]
        for other in others:
            if other in self.edges:
                bit = 1 << self.edges.index(other)
                stop = next(n for n, exits in enumerate(face.stop_exits) if exits & bit)
                return f"{at}:{'abc'[stop]}"
        bank = self._end(at, others[0], {"segments": [s for s in route["segments"] if end not in s[1:]]})
        partner = self.game.board.partner(at, "abc".index(bank[-1]))
        assert partner is not None
        return f"{at}:{'abc'[partner]}"

    def to_act(self) -> list[str]:
        state = self.game.state
        if self.game.finished:
            return []
        if state.round.kind == "operating":
            return [state.round.actor]
        return list(self.game.offer().deciders)

    # ------------------------------------------------------------------ comparing

    def difference(self, after: Mapping[str, Any]) -> str:
        """What differs from the recorded position, or nothing."""
        game, state = self.game, self.game.state
        found: list[str] = []

        def same(what: str, ours: object, theirs: object) -> None:
            if ours != theirs:
                found.append(f"{what} is {ours}, recorded {theirs}")

        same("bank", state.cash[BANK], after["bank"])
        same("phase", game.phase.name, after["phase"])
        same("to act", self.to_act(), after["to_act"])
        for player, theirs in after["players"].items():
            same(f"{player}'s cash", state.cash[player], theirs["cash"])
            same(f"{player}'s certificates", shares.certificates(game, player) + self._lot6(player), theirs["certs"])
            privates = sorted(
                game.definition.privates[name].number for name, owner in state.privates.items() if owner == player
            )
            same(f"{player}'s privates", privates, [n for n in theirs["privates"] if n != 6])
            if state.round.kind == "package":
                same(f"{player}'s bids", game.rules.package.bound(game, player), theirs["bids"])  # type: ignore[attr-defined]
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
        if after["depot_next"]:
            same("next train", on_sale(game)[0], after["depot_next"])
        same("train pool", sorted(state.depot.pool), sorted(after["train_pool"]))
        left = {name: count for name, count in state.depot.left.items() if count}
        same("trains left", left, after["depot_left"])
        same("priority", state.priority, after["player_order"][0]) if state.round.kind == "operating" else None
        same("RhE's link", state.facts["link_money"], after["rhe_link_bonus_pending"])
        return "; ".join(found)

    def _lot6(self, player: str) -> int:
        """Between the purchase of lot 6 and the choice of RhE's price the record counts the lot."""
        return sum(pause.kind == "found_rhe" and player in pause.players for pause in self.game.state.pauses)


def replay(record: Mapping[str, Any]) -> tuple[int, str, Replay]:
    """How many steps agree, the first difference (if any), and the game at that point."""
    player = Replay(record)
    steps = record["moves"]
    for number, step in enumerate(steps):
        # The record looks for RhE's link in a step of its own, and only then goes on by itself to what
        # follows the lay; with us that is part of the lay, so it is compared with what that step leaves.
        if number + 1 < len(steps) and steps[number + 1]["type"] == "destination_connection":
            step = {**step, "after": steps[number + 1]["after"]}
        try:
            player.step(step, next((later for later in steps[number + 1 :] if not later["meta"]), None))
        except (Refused, ValueError) as error:
            return number, f"step {step['index']} ({step['type']} by {step['entity']}): {error}", player
        difference = player.difference(step["after"])
        if difference:
            return number, f"step {step['index']} ({step['type']} by {step['entity']}): {difference}", player
    return len(steps), "", player


def main(arguments: list[str]) -> int:
    if len(arguments) != 1:
        print(__doc__)
        return 2
    record = json.loads(Path(arguments[0]).read_text("utf-8"))
    agreed, difference, player = replay(record)
    print(f"{agreed}/{len(record['moves'])}")
    print(f"{player.added_passes} passes added where the record has none")
    if difference:
        print(difference)
    return 1 if difference else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
