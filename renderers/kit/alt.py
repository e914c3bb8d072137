"""Alt texts: sentences from the same facts as the picture, cut to Discord's limit at a whole item."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from renderers.kit.picture import ALT_LIMIT
from renderers.kit.words import LANGUAGES, Words


def in_all_languages(write: Callable[[Words], Iterable[str]]) -> dict[str, str]:
    """The text in each language, from sentences in order of importance."""
    return {language: joined(write(Words(language))) for language in LANGUAGES}


def joined(sentences: Iterable[str]) -> str:
    """As many sentences as fit; the first that does not is cut at a comma or a space."""
    text = ""
    for sentence in sentences:
        if not sentence:
            continue
        longer = f"{text} {sentence}" if text else sentence
        if len(longer) <= ALT_LIMIT:
            text = longer
            continue
        cut = longer[: ALT_LIMIT - 1]
        end = max(cut.rfind(", "), cut.rfind("; "))
        if end <= len(text):
            end = cut.rfind(" ") if not text else len(text)
        if end == len(text) and text:
            return text
        return (cut[:end] if end > 0 else cut).rstrip(" ,;:") + "…"
    return text


def listed(items: Sequence[str], nothing: str = "–") -> str:
    return ", ".join(items) if items else nothing
