"""What the books of an evening of chaos make of a card that grows, leaves lines out and shrinks to its record."""

from __future__ import annotations

from workshop.chaos.books import Told


def card(*lines: str, left_out: int = 0) -> str:
    more = [f"-# … and {left_out} earlier lines (`/log`)"] if left_out else []
    return "\n".join(["### A turn", *more, *(f"- {line}" for line in lines)])


def test_lines_that_a_card_never_showed_are_left_out() -> None:
    told = Told()
    told.hear(card("b", "c", left_out=1))
    told.hear(card("c", "d", left_out=2))
    assert (told.left_out, told.lines.total()) == (1, 3)


def test_what_the_record_shows_in_the_end_is_not_left_out() -> None:
    told = Told()
    told.hear(card("c", left_out=2))
    told.hear(card("a", "b", "c"))
    assert (told.left_out, told.lines.total()) == (0, 3)


def test_the_same_words_twice_are_two_lines() -> None:
    told = Told()
    told.hear(card("Bo passes.", "Bo passes."))
    told.hear(card("Bo passes.", "Cy passes.", left_out=1))
    assert (told.left_out, told.lines.total()) == (0, 3)
