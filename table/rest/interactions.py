"""Routes with which the bot answers interactions."""

from __future__ import annotations

from typing import Any

from table import bodies, limits, wire
from table.rest.frame import Call, Endpoints

router = Endpoints()
_MESSAGE = "/webhooks/{application}/{token}/messages/{message}"


@router.on("POST", "/interactions/{interaction}/{token}/callback", by_token=True)
async def post_callback(call: Call) -> Any:
    """The first answer."""
    receipt = call.table.interactions.take_answer(
        call.params["interaction"], call.params["token"], call.body, call.uploads
    )
    wanted = call.query.get("with_response", "").lower()
    return receipt if wanted in ("1", "true") else None


@router.on("POST", "/webhooks/{application}/{token}", rate=limits.RATE_WEBHOOK, by_token=True)
async def post_follow_up(call: Call) -> Any:
    """A further message."""
    message = call.table.interactions.follow_up(
        call.params["application"], call.params["token"], call.checked(bodies.FOLLOW_UP), call.uploads
    )
    return wire.message(call.world, message)


@router.on("GET", _MESSAGE, by_token=True)
async def get_answer(call: Call) -> Any:
    """The first answer (`@original`) or a further message."""
    found = call.table.interactions.message_of(call.params["application"], call.params["token"], call.params["message"])
    return wire.message(call.world, found)


@router.on("PATCH", _MESSAGE, rate=limits.RATE_WEBHOOK, by_token=True)
async def patch_answer(call: Call) -> Any:
    """Edit an answer."""
    payload = call.checked(bodies.FOLLOW_UP_EDIT)
    message = call.table.interactions.edit(
        call.params["application"], call.params["token"], call.params["message"], payload, call.uploads
    )
    return wire.message(call.world, message)


@router.on("DELETE", _MESSAGE, rate=limits.RATE_WEBHOOK, by_token=True)
async def delete_answer(call: Call) -> Any:
    """Take an answer away."""
    call.table.interactions.delete(call.params["application"], call.params["token"], call.params["message"])
