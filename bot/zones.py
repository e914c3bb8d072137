"""Time zones as people look for them: those of their language first, and by the name of a city."""

from __future__ import annotations

import unicodedata
import zoneinfo
from functools import cache

#: Where people live who use Discord in a language, the most of them first.
_OF_LOCALE = {
    "de": ("Europe/Berlin", "Europe/Vienna", "Europe/Zurich"),
    "en-GB": ("Europe/London", "Europe/Dublin"),
    "en-US": ("America/New_York", "America/Chicago", "America/Denver", "America/Los_Angeles", "America/Toronto"),
    "nl": ("Europe/Amsterdam", "Europe/Brussels"),
    "fr": ("Europe/Paris", "Europe/Brussels", "Europe/Zurich", "America/Montreal"),
    "da": ("Europe/Copenhagen",),
    "sv-SE": ("Europe/Stockholm",),
    "no": ("Europe/Oslo",),
    "fi": ("Europe/Helsinki",),
    "it": ("Europe/Rome", "Europe/Zurich"),
    "es-ES": ("Europe/Madrid", "Atlantic/Canary"),
    "es-419": ("America/Mexico_City", "America/Bogota", "America/Argentina/Buenos_Aires"),
    "pt-BR": ("America/Sao_Paulo",),
    "pl": ("Europe/Warsaw",),
    "cs": ("Europe/Prague",),
    "hu": ("Europe/Budapest",),
    "ro": ("Europe/Bucharest",),
    "hr": ("Europe/Zagreb",),
    "bg": ("Europe/Sofia",),
    "el": ("Europe/Athens",),
    "tr": ("Europe/Istanbul",),
    "uk": ("Europe/Kyiv",),
    "ru": ("Europe/Moscow",),
    "lt": ("Europe/Vilnius",),
    "ja": ("Asia/Tokyo",),
    "ko": ("Asia/Seoul",),
    "zh-CN": ("Asia/Shanghai",),
    "zh-TW": ("Asia/Taipei",),
    "hi": ("Asia/Kolkata",),
    "th": ("Asia/Bangkok",),
    "vi": ("Asia/Ho_Chi_Minh",),
    "id": ("Asia/Jakarta",),
}
#: Cities that give no zone its name, or have another name in German.
_CITIES = {
    "Europe/Berlin": "Köln Koeln Cologne München Munich Hamburg Frankfurt Dortmund Düsseldorf Essen Deutschland",
    "Europe/Vienna": "Wien Graz Linz Salzburg Österreich Austria",
    "Europe/Zurich": "Zürich Bern Basel Genf Schweiz Switzerland",
    "Europe/London": "Manchester Edinburgh Glasgow Birmingham",
    "Europe/Amsterdam": "Rotterdam Utrecht Niederlande Netherlands",
    "Europe/Brussels": "Brüssel Antwerpen Belgien Belgium",
    "Europe/Paris": "Lyon Marseille Frankreich France",
    "Europe/Rome": "Rom Mailand Milano Milan Italien Italy",
    "Europe/Warsaw": "Warschau Krakau Krakow Polen Poland",
    "Europe/Prague": "Prag Brno Tschechien",
    "Europe/Copenhagen": "Kopenhagen Dänemark Denmark",
    "America/New_York": "Boston Washington Philadelphia Atlanta Miami Eastern",
    "America/Chicago": "Dallas Houston Austin Minneapolis Central",
    "America/Denver": "Salt Lake City Mountain",
    "America/Los_Angeles": "San Francisco Seattle Portland San Diego Pacific",
}


def _folded(text: str) -> str:
    """Letters without marks, in lower case, as one types them in a hurry."""
    plain = unicodedata.normalize("NFKD", text.replace("_", " ").casefold())
    return " ".join("".join(sign for sign in plain if not unicodedata.combining(sign)).split())


@cache
def _known() -> dict[str, str]:
    """Every zone that has a city in its name, with all by which it is found."""
    zones = sorted(zone for zone in zoneinfo.available_timezones() if "/" in zone or zone == "UTC")
    return {zone: _folded(f"{zone} {zone.replace('/', ' ')} {_CITIES.get(zone, '')}") for zone in zones}


def suggested(typed: str, locale: str) -> list[str]:
    """Zones for what is being typed: those of the person's language first, then where a name begins with it.

    >>> suggested("", "de")[:3]
    ['Europe/Berlin', 'Europe/Vienna', 'Europe/Zurich']
    >>> suggested("new york", "de")[0], suggested("köln", "en-US"), suggested("wien", "de")[0]
    ('America/New_York', ['Europe/Berlin'], 'Europe/Vienna')
    """
    wanted = _folded(typed)
    near = _OF_LOCALE.get(locale) or _OF_LOCALE.get(locale.split("-")[0], ())
    found = [zone for zone, text in _known().items() if wanted in text]

    def rank(zone: str) -> tuple[int, bool, str]:
        begins = any(word.startswith(wanted) for word in _known()[zone].split()) if " " not in wanted else True
        return (near.index(zone) if zone in near else len(near), not begins, zone)

    return sorted(found, key=rank)
