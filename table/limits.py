"""Discord's ceilings, each with the reason it is here; nothing else in the package holds such a number."""

from __future__ import annotations

from typing import Final

# --- interactions -------------------------------------------------------------------------------
# An application that has not answered by then has failed for its user, and its answer is refused.
FIRST_ANSWER_SECONDS: Final = 3.0
# The token of an interaction serves follow-ups and edits for this long after the interaction.
TOKEN_SECONDS: Final = 15 * 60.0
AUTOCOMPLETE_CHOICES: Final = 25
CHOICE_NAME: Final = 100
CHOICE_VALUE: Final = 100
OPTION_VALUE: Final = 6000  # what a person may type into a text option

# --- messages -----------------------------------------------------------------------------------
CONTENT: Final = 2000
EMBEDS: Final = 10
EMBED_TOTAL: Final = 6000
EMBED_TITLE: Final = 256
EMBED_DESCRIPTION: Final = 4096
EMBED_FIELDS: Final = 25
EMBED_FIELD_NAME: Final = 256
EMBED_FIELD_VALUE: Final = 1024
EMBED_FOOTER: Final = 2048
EMBED_AUTHOR: Final = 256
ATTACHMENTS: Final = 10
# Servers without boosts; a request may hold several such files, but not ten.
FILE_BYTES: Final = 10 * 1024 * 1024
REQUEST_BYTES: Final = 25 * 1024 * 1024
ATTACHMENT_DESCRIPTION: Final = 1024
FILENAME: Final = 1024
WAVEFORM: Final = 400
NONCE: Final = 25
ALLOWED_MENTIONS: Final = 100  # users, and roles
STICKERS: Final = 3
URL: Final = 2048
COLOUR: Final = 0xFFFFFF
MEDIA_PLACEHOLDER: Final = 64
EMOJI_NAME: Final = 32
POLL_ANSWERS: Final = 10
POLL_TEXT: Final = 300
POLL_HOURS: Final = 768
THEME_COLOURS: Final = 5
WEBHOOK_NAME: Final = 80
HISTORY_PAGE: Final = 100
PINS: Final = 250
BULK_DELETE: Final = 100

# --- components ---------------------------------------------------------------------------------
COMPONENTS: Final = 40  # in a V2 message, nested ones counted
V2_TEXT: Final = 4000  # all text displays of a message together
LEGACY_ROWS: Final = 5
ROW_BUTTONS: Final = 5
SECTION_TEXTS: Final = 3
GALLERY_ITEMS: Final = 10
MEDIA_DESCRIPTION: Final = 1024
CUSTOM_ID: Final = 100
BUTTON_LABEL: Final = 80
BUTTON_URL: Final = 512
SELECT_OPTIONS: Final = 25
SELECT_PLACEHOLDER: Final = 150
OPTION_TEXT: Final = 100

# --- modals -------------------------------------------------------------------------------------
MODAL_ITEMS: Final = 5
MODAL_TITLE: Final = 45
MODAL_LABEL: Final = 45
MODAL_LABEL_DESCRIPTION: Final = 100
TEXT_INPUT: Final = 4000
TEXT_INPUT_PLACEHOLDER: Final = 100
GROUP_OPTIONS: Final = 10  # radio groups and checkbox groups
RADIO_OPTIONS_MINIMUM: Final = 2
UPLOAD_FILES: Final = 10

# --- application commands -----------------------------------------------------------------------
COMMANDS: Final = 100  # top-level chat commands, for each scope
ALL_COMMANDS: Final = 130  # those of the menus included
COMMAND_OPTIONS: Final = 25  # options of a command and children of a group alike
COMMAND_NAME: Final = 32
COMMAND_DESCRIPTION: Final = 100
COMMAND_CHOICES: Final = 25
COMMAND_TEXT: Final = 8000  # names, descriptions and values of one command together

# --- servers ------------------------------------------------------------------------------------
GUILD_CHANNELS: Final = 500
GUILD_ROLES: Final = 250
ACTIVE_THREADS: Final = 1000
CHANNEL_NAME: Final = 100
TOPIC: Final = 1024
SLOW_MODE: Final = 21_600
OVERWRITES: Final = 100
FORUM_TAGS: Final = 20
APPLIED_TAGS: Final = 5
ROLE_NAME: Final = 100
PERMISSIONS: Final = (1 << 54) - 1
MEMBERS_PAGE: Final = 1000
PINS_PAGE: Final = 50

# --- rates: (requests, seconds) -------------------------------------------------------------------
# Discord publishes no figures per route and says to read the headers; these are what bots observe.
RATE_SEND: Final = (5, 5.0)
RATE_EDIT: Final = (5, 5.0)
RATE_DELETE: Final = (5, 1.0)
RATE_WEBHOOK: Final = (5, 2.0)
RATE_THREAD: Final = (50, 300.0)
RATE_DEFAULT: Final = (50, 1.0)
RATE_GLOBAL: Final = (50, 1.0)
# Error 30046. The figure is unpublished; bots report about three edits in twenty seconds per channel.
RATE_OLD_EDIT: Final = (3, 20.0)
OLD_MESSAGE_SECONDS: Final = 3600.0
# More 401, 403 and 429 answers than this bans the address for an hour.
INVALID_REQUESTS: Final = (10_000, 600.0)

# --- gateway ------------------------------------------------------------------------------------
HEARTBEAT_SECONDS: Final = 41.25
GATEWAY_COMMANDS: Final = (120, 60.0)
# Dispatches kept for a client that is away; one that missed more must identify anew.
RESUME_BUFFER: Final = 10_000
RESUME_SECONDS: Final = 300.0
