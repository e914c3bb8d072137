"""What a closed card keeps: its own turn, those of others under their names; and cards that earlier versions kept."""

from __future__ import annotations

from discord import ui

from bot.announce.announcer import split
from bot.announce.records import DONE, ON, UNDONE, Line, Told, read
from bot.card.turn import Card
from bot.games.parts import Part, owners
from bot.texts import speaker

SAY = speaker("en")
#: As version 0.2 kept a card: the key of its turn had those who decide in it, a line its entry and its text.
FORMER = {
    "message": 70,
    "base": 4,
    "turn": "operating 2.1 RhE Ann",
    "head": "**18Rhl** · operating round 2.1",
    "who": "**Ann**",
    "lines": [[5, "RhE lays tile 8."]],
    "state": "open",
    "again": False,
    "taken": [],
    "shown": True,
    "newest": 3,
    "direct": [],
}


def text(card: Card) -> str:
    return "\n".join(item.content for item in card.walk_children() if isinstance(item, ui.TextDisplay))


def told(*lines: Line, turn: str = "stock 1.0 Ann") -> Told:
    return Told(1, 0, turn, "head", "**Ann**", list(lines), question=f"{turn} Ann")


def test_a_card_of_an_earlier_version_goes_on_and_closes() -> None:
    [card] = read([FORMER])
    assert card.texts() == ["RhE lays tile 8."]
    assert card.question == "operating 2.1 RhE Ann"
    assert card.goes_on("operating 2.1 RhE")
    assert not card.goes_on("operating 2.1 CME")
    card.close("operating 2.1 RhE")
    assert card.state == ON
    [card] = read([FORMER])
    card.lines.append(Line(6, "RhE pays 50 M.", "operating 2.1 RhE", "Ann"))
    card.close("operating 2.1 CME")
    assert card.state == DONE
    assert "- RhE lays tile 8." in text(card.card(SAY))
    # What is kept of it now is read again.
    assert read([card.data()]) == [card]


def test_lines_of_others_stand_under_their_names() -> None:
    card = told(
        Line(1, "Ann buys.", "stock 1.0 Ann", "Ann"),
        Line(2, "Bo buys.", "stock 1.0 Bo", "Bo"),
        Line(3, "Bo is richer.", "stock 1.0 Bo", "Bo"),
        Line(4, "A round begins.", "round", ""),
        Line(5, "Ann sells.", "stock 1.0 Ann", "Ann"),
    )
    card.close("operating 1.1 RhE")
    assert text(card.card(SAY)).splitlines()[1:-1] == [
        "- Ann buys.", "**Bo**:", "- Bo buys.", "- Bo is richer.", "- A round begins.", "**Ann**:", "- Ann sells."
    ]  # fmt: skip


def test_of_too_many_lines_those_of_others_go_and_are_counted() -> None:
    others = [Line(number, f"Bo does {number}.", "stock 1.0 Bo", "Bo") for number in range(2, 60)]
    card = told(Line(1, "Ann buys.", "stock 1.0 Ann"), *others, Line(60, "Ann sells.", "stock 1.0 Ann"))
    card.close("stock 1.0 Bo")
    shown = text(card.card(SAY))
    assert "Ann buys." in shown
    assert "Ann sells." in shown
    assert "Bo does 59." in shown
    assert "Bo does 31." not in shown
    assert "30 earlier lines" in shown


def test_a_turn_whose_last_move_was_taken_back_is_not_over() -> None:
    card = told(Line(7, "Ann passes.", "stock 1.0 Ann"))
    card.close("stock 1.0 Bo")
    assert card.state == DONE
    card.take_back([7])
    assert card.state == ON
    assert not card.shown
    assert "- ~~Ann passes.~~" in text(card.card(SAY))
    after = Told(2, 7, "stock 1.0 Bo", "head", "**Bo**")
    after.take_back([7])
    assert after.state == UNDONE


def test_a_part_is_split_where_a_round_or_another_turn_begins() -> None:
    events = [
        {"type": "Passed", "player": "Ann", "company": "", "step": "stock"},
        {"type": "Passed", "player": "Bo", "company": "", "step": "stock"},
        {"type": "RoundBegan", "kind": "operating"},
        {"type": "Paid"},
        {"type": "TurnBegan", "actor": "RhE"},
        {"type": "TrainBought"},
    ]
    found = owners(Part(3, "Ann", "stock 1.0 Ann", "stock 1.0 Ann Ann", events))
    first = [("stock 1.0 Ann", "Ann"), ("auto Bo", "Bo")]
    assert found == [*first, ("round", ""), ("round", ""), ("auto RhE", "RhE"), ("auto RhE", "RhE")]


def test_what_belongs_to_the_present_question_stays_with_the_new_card() -> None:
    lines = [Line(number, str(number)) for number in range(5)]
    items = list(zip(["Q1", "Q2", "Q1", None, "Q1"], lines, strict=True))
    assert split(items, "Q1") == (lines[:2], lines[2:])
    assert split(items, "Q3") == (lines, [])
    assert split([*items, (None, lines[0])], "Q3") == (lines, [lines[0]])
