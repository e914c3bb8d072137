"""Writes a game of the earlier edition down as 18xx.games would have recorded it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from engine import events as ev
from engine import moves as mv
from engine.board.faces import stop_letter
from engine.errors import BadGame
from engine.game import Game
from engine.state import BANK, POOL
from titles.registry import new_game
from titles.rhineland.link import LinkBuilt
from titles.rhl.site import words
from titles.rhl.site.trains import NumberedTrains
from titles.rhl.tables import Tables

#: Our players' numbers there: the first one's, and the distance to the next.
_FIRST_PLAYER = 1
#: The time of the first action: the site wants one, and nothing depends on it.
_BEGINNING = 1_735_689_600
_KINDS = {ours: theirs for theirs, ours in words.KINDS.items()}
#: Who may sit at a table of theirs.
_SEATS = (3, 6)


def write(game: Game) -> dict[str, Any]:
    """The file of a game; BadGame for what the site has no word for."""
    chosen, plain = game.rules.setup.options, new_game("rhl", game.players, {"edition": "earlier"}, 0, "base")
    if game.rules.setup.form != "base" or chosen != plain.rules.setup.options:
        raise BadGame("only games of 18Rhl's earlier edition without variants can be written in this form")
    writer = _Writer(game)
    for number, move in enumerate(game.moves, start=1):
        writer.make(number, move)
    return {
        "id": 1,
        "description": words.description(game.seed),
        "players": [{"id": writer.ids[name], "name": name} for name in writer.seats],
        "min_players": len(writer.seats),
        "max_players": _SEATS[1],
        "title": words.TITLE,
        "settings": {
            "seed": words.seed_for(words.drawn_card(writer.opening), len(words.cards_of(game.definition))),
            "is_async": True,
            "unlisted": True,
            "auto_routing": False,
            "player_order": None,
            "optional_rules": [],
        },
        "status": "finished" if game.finished else "active",
        "actions": writer.actions,
    }


class _Writer:
    """Plays the game again and writes every move, with the site's numbers of certificates, trains and tiles."""

    def __init__(self, game: Game) -> None:
        self.game = new_game("rhl", game.players, game.rules.setup.options, game.seed, "base")
        self.opening = self.game.copy()
        self.seats = list(self.game.state.seats)
        self.ids = {name: _FIRST_PLAYER + place for place, name in enumerate(self.seats)}
        self.actions: list[dict[str, Any]] = []
        self.trains = NumberedTrains()
        #: Whether the link that brings its company money has been built.
        self.link_built = False
        #: The numbered tile on each hex, and the copies that are left.
        self.laid: dict[str, str] = {}
        self.supply = {
            tile: [f"{words.tile_name(tile)}-{copy}" for copy in range(count)]
            for tile, count in self.game.state.board.supply.items()
        }

    def make(self, number: int, move: mv.Move) -> None:
        """Make a move of the game, and write it if the site has an action for it."""
        entity, paused = self._entity(move), bool(self.game.state.pauses)
        station = self._station(move) if isinstance(move, mv.PlaceStation) else {}
        lying, link_was_built = self._lying(), self.link_built
        happened = self.game.apply(move)
        self.link_built |= any(isinstance(event, LinkBuilt) for event in happened)
        match move:
            case mv.BuyLot() | mv.Bid():
                price = move.price if isinstance(move, mv.Bid) else self.game.definition.privates[move.lot].price
                self._write(entity, "bid", {"company": words.SYMBOLS[move.lot], "price": price})
            case mv.Pass():
                # Who declines what a private company grants simply goes on there.
                if not paused:
                    self._write(entity, "pass", {})
            case mv.Found():
                row, column = self.game.company(move.company).price or (0, 0)
                self._write(entity, "par", {"corporation": move.company, "share_price": f"{move.par},{row},{column}"})
            case mv.BuyShare():
                self._write(entity, "buy_shares", {**self._changed(lying, move.source), "percent": move.percent})
            case mv.SellShares() | mv.SellOwnShares():
                self._write(entity, "sell_shares", {**self._changed(lying, POOL), "percent": move.percent})
            case mv.LayTile():
                data = self._tile(move)
                if not link_was_built and not move.private:
                    data["auto_actions"] = [self._looked_for_link(move.company)]
                self._write(entity, "lay_tile", data)
            case mv.PlaceStation():
                self._write(entity, "place_token", station)
            case mv.Run():
                event = next(event for event in happened if isinstance(event, ev.TrainsRun))
                self._write(entity, "run_routes", {"routes": self._routes(event), "extra_revenue": 0, "subsidy": 0})
            case mv.Dividend():
                self._write(entity, "dividend", {"kind": _KINDS[move.kind]})
            case mv.DiscardTrain():
                pass
            case mv.GoBankrupt():
                self._write(entity, "bankrupt", {})
            case mv.BuyTrain() | mv.Answer():
                # What is only offered, or declined, the site does not know: it sells at once.
                for deal in happened:
                    if isinstance(deal, ev.TrainBought):
                        self._write(deal.company, "buy_train", self._train(deal))
            case _:
                raise BadGame(f"move {number} ({move.TYPE}) has no word in this form")
        for given_up in happened:
            # There is an action for each, also where our rules leave no choice.
            if isinstance(given_up, ev.TrainDiscarded):
                train = self.trains.discarded(given_up.company, given_up.train)
                self._write(given_up.company, "discard_train", {"train": train})
        self.trains.settle(self.game)

    def _write(self, entity: str, kind: str, data: dict[str, Any]) -> None:
        self.actions.append(self._action(entity, kind, data))

    def _action(self, entity: str, kind: str, data: dict[str, Any], *, numbered: bool = True) -> dict[str, Any]:
        person = entity in self.ids
        of = "company" if entity in words.PRIVATES and entity not in self.game.state.companies else "corporation"
        number = len(self.actions) + 1
        return {
            "type": kind,
            "entity": self.ids[entity] if person else entity,
            "entity_type": "player" if person else of,
            **({"id": number} if numbered else {}),
            "created_at": _BEGINNING + number,
            **data,
        }

    def _entity(self, move: mv.Move) -> str:
        """Who acts there: a person with their own shares and in their own rounds, else a company or a private one."""
        private = getattr(move, "private", "")
        if private:
            return words.SYMBOLS[private]
        round_ = self.game.state.round
        if isinstance(move, mv.SellOwnShares | mv.DiscardTrain | mv.GoBankrupt):
            return move.company
        if round_.kind == "operating" and not isinstance(move, mv.SellShares | mv.BuyShare | mv.Found):
            return round_.actor
        return move.player

    def _looked_for_link(self, company: str) -> dict[str, Any]:
        """What the site does by itself after a lay, until the link has been built."""
        t: Tables = self.game.definition.tables
        built = [t.link_company.corporation] if self.link_built else []
        return self._action(company, "destination_connection", {"corporations": built}, numbered=False)

    # ------------------------------------------------------------------ pieces with numbers

    def _changed(self, before: dict[str, str], place: str) -> dict[str, list[str]]:
        """The numbered certificates that a move has taken from a place, or put there; not those that changed hands."""
        now = self._lying()
        return {"shares": [share for share, where in now.items() if (where == place) != (before[share] == place)]}

    def _lying(self) -> dict[str, str]:
        """Where each numbered certificate lies."""
        companies = self.game.state.companies.items()
        return {f"{name}_{n}": where for name, each in companies for n, where in enumerate(each.certificates)}

    def _train(self, deal: ev.TrainBought) -> dict[str, Any]:
        new = deal.source == BANK
        train = self.trains.bought(deal.company, deal.train, deal.source)
        return {"train": train, "price": deal.price, **({"variant": deal.train} if new else {})}

    def _tile(self, move: mv.LayTile) -> dict[str, Any]:
        tile = self.supply[move.tile].pop(0)
        old = self.laid.get(move.hex)
        if old is not None:
            self.supply[words.tile_of(old)].append(old)
        self.laid[move.hex] = tile
        return {"hex": move.hex, "tile": tile, "rotation": words.turns_of(move.tile, move.rotation)}

    def _station(self, move: mv.PlaceStation) -> dict[str, Any]:
        on = self.laid.get(move.hex, f"{move.hex}-0")
        taken = self.game.state.board.stations.get(move.hex, [])
        slot = len(taken[move.stop]) if move.stop < len(taken) else 0
        return {"city": f"{on}-{move.stop}", "slot": slot, "tokener": move.company}

    def _routes(self, event: ev.TrainsRun) -> list[dict[str, Any]]:
        used: list[str] = []
        result = []
        for kind, value, path in event.routes:
            train = next(each for each in self.trains.of(event.company, kind) if each not in used)
            used.append(train)
            places = [place for place, word in enumerate(path) if ":" in word]
            hexes = [path[place].partition(":")[0] for place in places]
            result.append(
                {
                    "train": train,
                    "connections": [_chain(path[one : other + 1]) for one, other in pairwise(places)],
                    "hexes": hexes,
                    "revenue": value,
                    "revenue_str": "-".join(hexes),
                    "nodes": [_node(path[place]) for place in places],
                }
            )
        return result


def _chain(words_: Sequence[str]) -> list[str]:
    """The hexes of a connection; one that stays in a hex names it once."""
    hexes = [word.partition(":")[0] for word in words_]
    return hexes[:1] if len(set(hexes)) == 1 else hexes


def _node(word: str) -> str:
    at, _, letter = word.partition(":")
    return f"{at}-{ord(letter) - ord(stop_letter(0))}"
