"""Discord's limits that the bot must respect, each with its reason."""

from __future__ import annotations

#: All texts of a Components V2 message together; more is refused.
TEXT_IN_MESSAGE = 4000
#: Options of a select menu, and choices of an autocomplete.
OPTIONS = 25
#: Buttons side by side.
BUTTONS_IN_ROW = 5
#: Texts on a button, in an option, and as a placeholder.
BUTTON_LABEL, OPTION_TEXT, PLACEHOLDER = 80, 100, 150
#: The hidden id of a component.
CUSTOM_ID = 100
#: A form's title, and the label over one of its fields.
MODAL_TITLE, FIELD_LABEL = 45, 45
#: The description of a picture.
ALT_TEXT = 1024
#: Messages older than this are edited only rarely (error 30046); then a new one is posted.
FRESH_SECONDS = 55 * 60
#: So many edits of messages in a channel within so many seconds, and as many new messages.
EDITS, EDITS_SECONDS = 5, 5.0
#: Threads have names up to this length.
THREAD_NAME = 100
#: A channel or thread may be renamed so often in so many seconds; then Discord lets the request wait.
RENAME_COUNT, RENAME_SECONDS = 2, 600


def cut(text: str, most: int) -> str:
    """A text that fits, with a sign where something was cut off."""
    return text if len(text) <= most else text[: most - 1] + "…"
