"""Orders to a table in another process: faults, time, and what the bot has asked for.

It is shipped with the table, for whoever tries a bot out against failures, and closed unless it is asked for
(`python -m table --control`); `kursbuch table` never opens it.
"""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from table.errors import Refused
from table.faults import Fault
from table.gateway import Intent
from table.model import JSON

if TYPE_CHECKING:
    from table.server import Table


class Control:
    """Carries out orders by name."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._orders: dict[str, Callable[[JSON], Awaitable[Any]]] = {
            "advance": self._advance,
            "age": self._age,
            "fault": self._fault,
            "gateway": self._gateway,
            "status": self._status,
            "rates": self._rates,
            "intents": self._intents,
        }

    async def obey(self, order: str, body: JSON) -> Any:
        """Carry out an order."""
        if order not in self._orders:
            raise Refused(f"There is no order {order}.")
        return await self._orders[order](body)

    async def _advance(self, body: JSON) -> Any:
        self._table.clock.advance(float(body["seconds"]))
        return {"now": self._table.clock.now()}

    async def _age(self, body: JSON) -> Any:
        self._table.age(str(body["message"]), float(body["seconds"]))
        return {}

    async def _fault(self, body: JSON) -> Any:
        if body.get("clear"):
            self._table.faults.clear()
        else:
            self._table.faults.order(Fault(**body))
        return {}

    async def _gateway(self, body: JSON) -> Any:
        gateway = self._table.gateway
        match body["do"]:
            case "drop":
                gateway.drop()
            case "close":
                await gateway.close(int(body["code"]))
            case "reconnect":
                gateway.ask_to_reconnect()
            case "invalidate":
                gateway.invalidate(resumable=bool(body["resumable"]))
            case "forget":
                gateway.drop()
                gateway.forget()
            case "refuse_resumes":
                gateway.refuse_resumes = int(body["times"])
            case "acknowledge":
                gateway.acknowledges_heartbeats = bool(body["heartbeats"])
            case other:
                raise Refused(f"The gateway cannot {other}.")
        return {}

    async def _rates(self, body: JSON) -> Any:
        self._table.rates.enforced = bool(body["enforced"])
        return {}

    async def _intents(self, body: JSON) -> Any:
        """Switch privileged intents on or off, as in the developer portal."""
        allowed = Intent(0)
        for name in body["allowed"]:
            allowed |= Intent[str(name)]
        self._table.world.application.privileged_intents = int(allowed)
        self._table.world.save_application()
        return {}

    async def _status(self, _: JSON) -> Any:
        table = self._table
        return {
            "connected": table.gateway.connected,
            "received": [each.name for each in table.gateway.received],
            "requests": list(table.requests),
            "unknown_routes": table.unknown_routes,
            "crashes": [repr(each) for each in table.crashes],
            "now": table.clock.now(),
            "token": table.token,
            "sessions": len(table.gateway.sessions),
            "process": os.getpid(),
        }
