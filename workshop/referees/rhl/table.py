"""What lies on the table of 18Rhl: as in 18LRA but for harbours, Dalheim and GKB, with the money laid aside for RhE."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from workshop.referees.common.routes import Route
from workshop.referees.lra import table as rhine
from workshop.referees.lra.table import BANK
from workshop.referees.rhl import routes
from workshop.referees.rhl.board import Board


@dataclass(kw_only=True)
class Table(rhine.Table):
    """The whole position."""

    board: Board
    location_card: int = 0
    link_money: int = 0
    used: list[str] = field(default_factory=list)

    def value(self, company: str, train: str, route: Route) -> int:
        return routes.value(self.board, self.colour, train, route)

    def foul(self, company: str, train: str, route: Route) -> str:
        return routes.foul(self.board, company, train, route)

    def most_trains(self, company: str, runs: int = 1) -> int:
        return routes.most_trains(self.board, company, self.companies[company].trains, runs)

    def has_route(self, company: str) -> bool:
        return routes.has_route(self.board, company)

    def lot_sold(self, player: str, lot: str, price: int) -> None:
        """4.1.1 no. 6: RhE floats with its director's certificate; 140 M are its own, the rest is the bank's."""
        link = self.sheet.raw["link_company"]
        if lot != link["lot"]:
            return
        company = link["corporation"]
        here = self.companies[company]
        here.holders[0] = here.director = player
        here.holders = [company if who == "offering" else who for who in here.holders]
        here.floated = True
        self.privates[lot] = "closed"
        self.board.floated.add(company)
        self.board.changed()
        self.pay(BANK, company, link["capital"])
        self.up(company)

    def position(self) -> dict[str, Any]:
        result = super().position()
        result["depot"] |= {"sold": self.sold, "aside": []}
        result["board"]["markers"] = self.board.tokens
        result["facts"] = {
            "order_cards": self.order_cards,
            "location_card": self.location_card,
            "link_money": self.link_money,
        }
        return result | {"used": self.used}
