"""The languages of Discord's clients: a browser's own is one of them, or the nearest."""

from __future__ import annotations

from typing import Final

DEFAULT: Final = "en-GB"
#: All that Discord's clients can be set to.
LOCALES: Final = (
    *("bg", "cs", "da", "de", "el", "en-GB", "en-US", "es-419", "es-ES", "fi", "fr", "hi", "hr", "hu", "id", "it"),
    *("ja", "ko", "lt", "nl", "no", "pl", "pt-BR", "ro", "ru", "sv-SE", "th", "tr", "uk", "vi", "zh-CN", "zh-TW"),
)
#: Languages that a browser calls by another name than Discord.
_OTHER_NAMES: Final = {"nb": "no", "nn": "no", "es": "es-419", "es-es": "es-ES"}


def nearest(locale: str) -> str:
    """The language of Discord's that a browser's is.

    >>> nearest("de-DE"), nearest("de-AT"), nearest("en-AU"), nearest("es-MX"), nearest("nb-NO"), nearest("tlh")
    ('de', 'de', 'en-GB', 'es-419', 'no', 'en-GB')
    """
    wanted = locale.replace("_", "-").lower()
    language = wanted.split("-")[0]
    for name in (wanted, _OTHER_NAMES.get(wanted, ""), _OTHER_NAMES.get(language, ""), language):
        for known in LOCALES:
            if known.lower() == name:
                return known
    return next((known for known in LOCALES if known.split("-")[0] == language), DEFAULT)
