"""Refusals in the words and codes of Discord's API, and refusals of what a person tried."""

from __future__ import annotations

from typing import Any

JSON = dict[str, Any]


class ApiError(Exception):
    """An answer other than 2xx to the bot."""

    def __init__(
        self, status: int, code: int, message: str, *, errors: JSON | None = None, extra: JSON | None = None
    ) -> None:
        super().__init__(f"{status} {code}: {message}")
        self.status = status
        self.code = code
        self.message = message
        self.errors = errors
        self.extra = extra or {}

    def body(self) -> JSON:
        """The JSON that Discord sends with this error."""
        body: JSON = {"message": self.message, "code": self.code, **self.extra}
        if self.errors is not None:
            body["errors"] = self.errors
        return body


class Refused(Exception):
    """What a person tried is not possible; the text says why in a sentence fit to be shown."""


class FormErrors:
    """Collects complaints about a request's body in Discord's nested shape (error 50035)."""

    def __init__(self, *prefix: str | int) -> None:
        self._prefix = prefix
        self._tree: JSON = {}

    def add(self, path: tuple[str | int, ...], code: str, message: str) -> None:
        """Complain about the field at `path`."""
        node = self._tree
        for step in (*self._prefix, *path):
            node = node.setdefault(str(step), {})
        node.setdefault("_errors", []).append({"code": code, "message": message})

    @property
    def any(self) -> bool:
        """Whether there is any complaint."""
        return bool(self._tree)

    def check(self) -> None:
        """Raise what was collected, if anything was."""
        if self._tree:
            raise ApiError(400, 50035, "Invalid Form Body", errors=self._tree)


def unauthorized() -> ApiError:
    """The token is not the bot's."""
    return ApiError(401, 0, "401: Unauthorized")


def unknown_channel() -> ApiError:
    """No such channel."""
    return ApiError(404, 10003, "Unknown Channel")


def unknown_guild() -> ApiError:
    """No such server."""
    return ApiError(404, 10004, "Unknown Guild")


def unknown_member() -> ApiError:
    """Nobody of that id in the server."""
    return ApiError(404, 10007, "Unknown Member")


def unknown_message() -> ApiError:
    """No such message, or not one that the bot can see."""
    return ApiError(404, 10008, "Unknown Message")


def unknown_role() -> ApiError:
    """No such role."""
    return ApiError(404, 10011, "Unknown Role")


def unknown_user() -> ApiError:
    """No such user."""
    return ApiError(404, 10013, "Unknown User")


def unknown_webhook() -> ApiError:
    """No interaction ever had this token."""
    return ApiError(404, 10015, "Unknown Webhook")


def unknown_interaction() -> ApiError:
    """No such interaction, or its three seconds are over."""
    return ApiError(404, 10062, "Unknown interaction")


def unknown_command() -> ApiError:
    """No such application command."""
    return ApiError(404, 10063, "Unknown application command")


def already_answered() -> ApiError:
    """An interaction is answered once."""
    return ApiError(400, 40060, "Interaction has already been acknowledged.")


def missing_access() -> ApiError:
    """The bot cannot see the channel."""
    return ApiError(403, 50001, "Missing Access")


def foreign_message() -> ApiError:
    """Only the author may edit a message."""
    return ApiError(403, 50005, "Cannot edit a message authored by another user")


def empty_message() -> ApiError:
    """A message needs something in it."""
    return ApiError(400, 50006, "Cannot send an empty message")


def closed_door() -> ApiError:
    """The user takes no direct messages."""
    return ApiError(403, 50007, "Cannot send messages to this user")


def missing_permissions() -> ApiError:
    """The bot sees the channel but may not do that there."""
    return ApiError(403, 50013, "Missing Permissions")


def wrong_kind_of_channel() -> ApiError:
    """Such a thing is not done there."""
    return ApiError(400, 50024, "Cannot execute action on this channel type")


def invalid_token() -> ApiError:
    """The interaction's fifteen minutes are over."""
    return ApiError(401, 50027, "Invalid Webhook Token")


def archived_thread() -> ApiError:
    """A locked thread takes no messages, an archived one no edits: Discord has one answer for both."""
    return ApiError(403, 50083, "Thread is archived")


def too_large() -> ApiError:
    """The upload is over the ceiling."""
    return ApiError(413, 40005, "Request entity too large")


def thread_exists() -> ApiError:
    """A message starts one thread at most."""
    return ApiError(400, 160004, "A thread has already been created for this message")


def not_found() -> ApiError:
    """No such route."""
    return ApiError(404, 0, "404: Not Found")
