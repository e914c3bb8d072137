"""Writes a game of ours down in the oracle's form, so that the translation of every kind of step can be tried.

Stops are numbered otherwise than ours, passes are left out here and there as by a site that saw no option,
the ends of routes are listed in any order, and steps that are no moves are strewn in.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from itertools import pairwise
from typing import Any

from engine import events as ev
from engine import moves as mv
from engine.board.faces import FIRST_STOP, Face
from engine.finance import shares
from engine.finance.depot import on_sale
from engine.game import Game
from engine.rules import House
from engine.state import BANK, OFFERING, POOL
from titles.rhineland.link import LinkMoney
from titles.rhl.running import eastern_ruhr_links

STEPS = {"track": "Track", "station": "Token", "run": "Route", "dividend": "Dividend", "trains": "BuyTrain"}
KINDS = {"pay": "payout", "withhold": "withhold"}
LETTERS = {"coal": "K", "steel": "S"}


class Unwritten(Exception):
    """The oracle's form has no words for a move."""


class Writer:
    """Plays a game with a house player and keeps its steps."""

    def __init__(self, game: Game, chance: random.Random, first: int = 0) -> None:
        self.game = game
        self.chance = chance
        self.edges = game.definition.map.layout.edges
        self.steps: list[dict[str, Any]] = []
        self.first = first

    def play(self, house: House, most: int = 10_000) -> None:
        """Play on until the game is over, or for so many moves."""
        for _ in range(most):
            if self.game.finished:
                return
            player = self.chance.choice(self.game.offer().deciders)
            self.make(house.choose(self.game, player, self.chance))

    def make(self, move: mv.Move) -> None:
        """Make a move and write it down."""
        game = self.game
        round_ = self.round()
        in_turn = game.state.round.kind == "operating"
        actor, name = game.state.round.actor, game.state.round.step
        granted = game.state.pauses and game.state.pauses[0].kind == "granted_station"
        params = None if isinstance(move, mv.Answer) else self.params(move)
        entity = getattr(move, "company", actor) if in_turn else move.player
        if isinstance(move, mv.SellShares):
            entity = move.player
        if isinstance(move, mv.LayTile | mv.PlaceStation) and move.private:
            entity = f"private{game.definition.privates[move.private].number}"
        happened = game.apply(move)
        after = self.position()
        if isinstance(move, mv.BuyTrain | mv.Answer):
            bought = [event for event in happened if isinstance(event, ev.TrainBought)]
            if not bought:
                return  # only proposed, countered or declined: the oracle knows what came of it
            deal = bought[0]
            entity = deal.company
            player = game.company(entity).director
            self.write(
                round_,
                entity,
                player,
                "buy_train",
                {"train": deal.train, "price": deal.price, "from": BANK if deal.source == POOL else deal.source},
                after,
            )
            return
        if isinstance(move, mv.Pass) and in_turn and (granted or self.chance.random() < 0.5):
            self.steps[-1]["after"] = after
            return
        assert params is not None
        kind, values = params
        if isinstance(move, mv.Pass):
            values = {"step": STEPS[name] if in_turn else "BuySellParShares"}
        self.write(round_, entity, move.player, kind, values, after)
        if self.chance.random() < 0.1:
            self.write(self.round(), move.player, move.player, "program_share_pass", {}, after, meta=True)

    def write(
        self,
        round_: str,
        entity: str,
        player: str,
        kind: str,
        params: Mapping[str, Any],
        after: Mapping[str, Any],
        *,
        meta: bool = False,
    ) -> None:
        index = self.first + len(self.steps)
        self.steps.append(
            {
                "index": index,
                "auto": False,
                "meta": meta,
                "round": round_,
                "entity": entity,
                "acting_player": player,
                "type": kind,
                "params": dict(params),
                "after": after,
            }
        )

    def round(self) -> str:
        round_ = self.game.state.round
        if round_.kind == "package":
            return "ISR"
        if round_.kind == "stock":
            return f"SR{round_.stock_number}"
        return f"OR{round_.stock_number}.{round_.operating_number}"

    # ------------------------------------------------------------------ moves

    def params(self, move: mv.Move) -> tuple[str, dict[str, Any]]:
        """Type and parameters of a step, written in the position before it."""
        game = self.game
        privates = game.definition.privates
        match move:
            case mv.Pass():
                return "pass", {}
            case mv.BuyLot():
                return "bid", {"private": privates[move.lot].number, "price": 0, "how": "purchase"}
            case mv.Bid():
                return "bid", {"private": privates[move.lot].number, "price": move.price, "how": "bid"}
            case mv.Found():
                return "par", {"corp": move.company, "price": move.par}
            case mv.BuyShare():
                source = {OFFERING: "ipo", POOL: "pool"}.get(move.source, "treasury")
                return "buy_shares", {"corp": move.company, "percent": move.percent, "from": source}
            case mv.SellShares():
                return "sell_shares", {"corp": move.company, "percent": move.percent}
            case mv.LayTile():
                face = game.definition.tiles[move.tile].faces[move.rotation]
                name = f"X{move.tile}" if face.ferry else move.tile
                return "lay_tile", {"hex": move.hex, "tile": name, "result": self.drawing(face), **self.via(move)}
            case mv.PlaceStation():
                face = game.board.faces[move.hex]
                exits = [edge for n, edge in enumerate(self.edges) if face.stop_exits[move.stop] >> n & 1]
                return "place_token", {
                    "hex": move.hex,
                    "city": self.node(face, move.stop),
                    "city_edges": exits,
                    **self.via(move),
                }
            case mv.Run():
                routes = [self.route(path) for path in move.routes]
                idle = [{"train": "2", "stops": [], "segments": []}] if self.chance.random() < 0.2 else []
                return "run_routes", {"routes": routes + idle}
            case mv.Dividend():
                return "dividend", {"kind": KINDS[move.kind]}
            case mv.DiscardTrain():
                return "discard_train", {"train": move.train}
            case mv.BuyTrain():
                return "buy_train", {}
        raise Unwritten(move.TYPE)

    def via(self, move: mv.LayTile | mv.PlaceStation) -> dict[str, int]:
        return {"via_private": self.game.definition.privates[move.private].number} if move.private else {}

    def node(self, face: Face, stop: int) -> str:
        """The oracle's name of a stop: numbered from the other end where its exits tell it apart."""
        same = [n for n, other in enumerate(face.stops) if other.kind == face.stops[stop].kind]
        if all(face.stop_exits[n] for n in same):
            same.reverse()
        return f"{face.stops[stop].kind[0]}{same.index(stop)}"

    def end(self, face: Face, end: int) -> str:
        return self.edges[end] if end < FIRST_STOP else self.node(face, end - FIRST_STOP)

    def drawing(self, face: Face) -> dict[str, Any]:
        return {
            "segments": [[self.end(face, one), self.end(face, other)] for one, other in face.track],
            "nodes": [
                {
                    "id": self.node(face, n),
                    "kind": stop.kind,
                    "edges": [edge for e, edge in enumerate(self.edges) if face.stop_exits[n] >> e & 1],
                }
                for n, stop in enumerate(face.stops)
            ],
        }

    def route(self, path: mv.TrainPath) -> dict[str, Any]:
        """A path as pieces of track inside the hexes."""
        faces = self.game.board.faces
        neighbours = self.game.definition.map.neighbours
        segments: list[list[str]] = []
        stops: list[dict[str, str]] = []
        entered = ""
        for word in path.path:
            at, _, letter = word.partition(":")
            if letter:
                stops.append({"hex": at, "node": self.node(faces[at], ord(letter) - ord("a"))})
        for word, following in pairwise([*path.path, ""]):
            at, _, letter = word.partition(":")
            here = self.node(faces[at], ord(letter) - ord("a")) if letter else ""
            if letter and entered:
                segments.append([at, entered, here])
            onto, _, to_letter = following.partition(":")
            if onto == at:
                segments.append([at, here, self.node(faces[at], ord(to_letter) - ord("a")), "ferry"])
                entered = ""
            elif onto:
                edge = neighbours[at].index(onto)
                segments.append([at, here or entered, self.edges[edge]])
                entered = self.edges[(edge + 3) % 6]
        self.chance.shuffle(segments)
        self.chance.shuffle(stops)
        return {"train": path.train, "stops": stops, "segments": segments}

    # ------------------------------------------------------------------ positions

    def position(self) -> dict[str, Any]:
        """The whole position as the oracle tells it after every step."""
        game, state = self.game, self.game.state
        scores = game.rules.score(game)
        return {
            "bank": state.cash[BANK],
            "phase": game.phase.name,
            "round": self.round(),
            "players": {player: self.player(player, scores[player]) for player in state.seats},
            "corps": {name: self.corporation(name) for name in state.companies},
            "depot_next": next(iter(on_sale(game)), None),
            "depot_left": {name: count for name, count in state.depot.left.items() if count},
            "train_pool": list(state.depot.pool),
            "to_act": self.to_act(),
            "player_order": game.from_seat(state.priority),
            "rhe_link_bonus_pending": LinkMoney.within(state).link_money,
        }

    def to_act(self) -> list[str]:
        state = self.game.state
        if self.game.finished:
            return []
        if state.pauses and state.pauses[0].kind == "discard":
            return [pause.data["company"] for pause in state.pauses]
        return [state.round.actor] if state.round.kind == "operating" else list(self.game.offer().deciders)

    def player(self, name: str, worth: int) -> dict[str, Any]:
        game, state = self.game, self.game.state
        buys_rhe = any(pause.kind == "found_link_company" and name in pause.players for pause in state.pauses)
        return {
            "cash": state.cash[name],
            "bids": self.bids(name),
            "privates": sorted(
                game.definition.privates[private].number for private, owner in state.privates.items() if owner == name
            )
            + [6] * buys_rhe,
            "certs": shares.certificates(game, name) + buys_rhe,
            "value": worth,
        }

    def bids(self, player: str) -> int:
        if self.game.state.round.kind != "package":
            return 0
        bound: int = self.game.rules.rounds["package"].bound(self.game, player)  # type: ignore[attr-defined]
        return bound

    def corporation(self, name: str) -> dict[str, Any]:
        game = self.game
        company = game.company(name)
        cell = company.price
        homes = 0 if company.active else len(game.definition.corporations[name].homes)
        return {
            "cash": game.state.cash[name],
            "parred": cell is not None,
            "floated": company.floated,
            "president": company.director or None,
            "price": {"row": cell[0], "col": cell[1], "value": game.prices.value(name)} if cell else None,
            "trains": list(company.trains),
            "held": {player: shares.held(game, name, player) for player in game.state.seats},
            "pool": shares.held(game, name, POOL),
            "tokens_left": len(company.tokens_left) + homes,
        }


def begun(game: Game) -> dict[str, Any]:
    """The head of a record that this game could be of."""
    markers = {kind: at for at, kinds in game.state.board.markers.items() for kind in kinds}
    return {
        "title": "18Rhl",
        "edition": "the edition before the 2024 rulebook",
        "players": [{"seat": seat} for seat in game.state.seats],
        "initial": {"variable_industry": markers},
        "moves": [],
    }


# ---------------------------------------------------------------------- positions before a run


def positions_of(game: Game) -> dict[str, Any]:
    """The head of a file of positions."""
    return {**begun(game), "tile_shapes": {}, "positions": []}


def write_position(record: dict[str, Any], game: Game, company: str, trains: list[str]) -> dict[str, Any]:
    """The board before a run of these trains, as the oracle writes it; new drawings go into the record."""
    writer = Writer(game, random.Random(0))
    state = game.state
    board, tokens = {}, []
    for at, face in game.board.faces.items():
        cover = state.board.tiles.get(at)
        board[at] = f"{cover[0]}@{cover[1]}" if cover else at
        record["tile_shapes"].setdefault(board[at], _shape(writer, at, face))
        for stop, spaces in enumerate(state.board.stations.get(at, ())):
            tokens += [
                {"hex": at, "city": writer.node(face, stop), "slot": slot, "corp": corp}
                for slot, corp in enumerate(spaces)
                if corp and game.company(corp).active
            ]
    industry: dict[str, list[str]] = {}
    for at, spot in game.definition.map.hexes.items():
        found = [*state.board.markers.get(at, ()), *spot.face.icons]
        if set(found) & LETTERS.keys():
            industry[at] = [LETTERS[kind] for kind in found if kind in LETTERS]
    links = eastern_ruhr_links(game) if hasattr(game.definition.tables, "eastern_ruhr") else 0
    return {
        "index": len(record["positions"]),
        "phase": game.phase.name,
        "tile_colors": [colour.replace("grey", "gray") for colour in game.phase.tiles],
        "corporation": company,
        "trains": [{"name": train} for train in trains],
        "board": board,
        "tokens": tokens,
        "industry": industry,
        "eastern_ruhr_links": ["link"] * links,
        "floated": [name for name, other in state.companies.items() if other.active],
    }


def _shape(writer: Writer, at: str, face: Face) -> dict[str, Any]:
    shape = writer.drawing(face)
    for node, stop in zip(shape["nodes"], face.stops, strict=True):
        values = {colour.replace("grey", "gray"): value for colour, value in stop.revenue}
        if len(values) == 1:
            values = dict.fromkeys(("yellow", "green", "brown", "gray"), *values.values())
        own = writer.game.definition.tables
        ruhr = hasattr(own, "eastern_ruhr") and at in own.eastern_ruhr.hexes
        node["revenue"] = {"yellow": 10} if ruhr else values
        if stop.slots:
            node["slots"] = stop.slots
    return shape
