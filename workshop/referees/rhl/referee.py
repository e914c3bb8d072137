"""The referee of 18Rhl: base package, edition of 2024, with the variants 8.1 to 8.3."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

from workshop.referees.lra import building as rhine
from workshop.referees.lra import lots
from workshop.referees.lra.referee import MOVES, LraReferee
from workshop.referees.lra.table import ASIDE, BANK, OFFER, POOL, Company
from workshop.referees.rhl import building
from workshop.referees.rhl.board import Board, sheet
from workshop.referees.rhl.table import Table
from workshop.referees.whistle import Plain


def brown(table: Table, train: str) -> None:
    """4.1: the first 5-train closes all private companies."""
    if train == "5":
        table.privates = dict.fromkeys(table.privates, rhine.CLOSED)


class RhlReferee(LraReferee):
    """Follows a game of 18Rhl."""

    moves: ClassVar[Any] = MOVES | {
        "track": {
            "lay_tile": (building.judge_tile, building.lay_tile),
            "place_station": (building.judge_station, building.place_station),
        },
        "station": {"place_station": (building.judge_station, building.place_station)},
    }
    table: Table

    def set_up(self, beginning: Plain) -> Table:
        """3.2: only order cards are read from the beginning."""
        data, given, options = sheet(), beginning["position"], dict(beginning["options"])
        names, number = list(beginning["players"]), str(len(beginning["players"]))
        cards = {name: given[f"facts.order_cards.{name}"] for name in names}
        seats = sorted(names, key=lambda name: cards[name])
        rows = data.rows("corporation", "id")
        board = Board(data)
        board.set_up({name: _place(row["home"][0]) for name, row in rows.items()}, [])
        for name, row in rows.items():
            for home in row["home"][1:]:
                at, letter = _place(home)
                board.spaces[at]["abc".index(letter)][0] = name
        card = given["facts.location_card"]
        where = data.rows("order_card", "number")[card]
        for kind in ("coal", "steel"):
            board.tokens.setdefault(where[kind], []).append(kind)
        table = Table(
            sheet=data,
            seats=seats,
            limit=data.raw["title"]["cert_limit"][number],
            board=board,
            options=options,
            order_cards=cards,
            begins=brown,
            location_card=card,
        )
        for name, row in rows.items():
            sizes = tuple(row["shares"])
            spent = len(row["home"])
            table.companies[name] = Company(sizes, [OFFER] * len(sizes), row["tokens"][spent:], floats_at=row["float"])
        share, link = data.raw["lot_certificate"], data.raw["link_company"]
        table.companies[share["corporation"]].holders[share["certificate"]] = ASIDE
        first = table.companies[link["corporation"]]
        first.holders[0], first.par = ASIDE, link["par"]
        for certificate in link["pool_certificates"]:
            first.holders[certificate] = POOL
        table.place(link["corporation"], data.pars[link["par"]][0])
        table.link_money = link["amount"]
        lower = options["lower_capital"]
        start = data.raw["lower_capital" if lower else "title"]["starting_cash"][number]
        table.cash = {BANK: data.raw["title"]["bank"] - start * len(names) - link["amount"], "aside": link["amount"]}
        table.cash |= dict.fromkeys(seats, start) | dict.fromkeys(table.companies, 0)
        for row in data.raw["train"]:
            table.left[row["name"]] = row["count"] + (row.get("optional", 0) if options["optional_2_train"] else 0)
        table.privates = {row["id"]: "" for row in data.raw["private"]}
        lots.begin(table, [row["id"] for row in data.raw["private"]])
        table.memory["first"] = table.memory["lots"][0]
        table.actor = table.priority = seats[0]
        return table

    def settle(self) -> None:
        building.settle_link(self.table)

    def home_duty(self) -> str:
        return rhine.home_duty(self.table, self.table.actor)

    def judge_pass(self, where: str) -> None:
        if where == "track" and self._granted():
            return
        super().judge_pass(where)

    def passes(self, where: str) -> None:
        if where == "track" and self._granted():
            # The station is declined, which is placed at once or not at all (ruling 41); other tiles may follow.
            self.table.turn["grant"] = ("", "")
            return
        super().passes(where)

    def _granted(self) -> bool:
        return any(True for _ in building.grants(self.table, self.table.actor))

    def lays(self) -> Iterator[dict[str, Any]]:
        yield from building.grants(self.table, self.table.actor)
        yield from building.lays(self.table, self.table.actor)

    def stations(self) -> Iterator[dict[str, Any]]:
        return building.stations(self.table, self.table.actor)


def _place(text: str) -> tuple[str, str]:
    at, letter = text.split(":")
    return at, letter


def appoint(beginning: Plain) -> RhlReferee:
    return RhlReferee(beginning)
