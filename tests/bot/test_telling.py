"""Sentences about vehicles: trains go by their number, others by their name."""

from __future__ import annotations

import pytest

from bot.texts import speaker
from bot.words.wording import event_line, value_text
from engine import events as ev
from tests.titles.bl.arrange import new


def told(event: ev.Event) -> str:
    return event_line(speaker("en"), event.data())


@pytest.mark.parametrize(
    ("event", "sentence"),
    [
        (ev.TrainBought("OV", "2", "bank", 100), "**OV** buys a 2-train for 100 M from the bank."),
        (ev.TrainBought("OV", "3+3", "CME", 75), "**OV** buys a 3+3-train for 75 M from CME."),
        (ev.TrainBought("OV", "SB5", "bank", 340), "**OV** buys SB5 for 340 M from the bank."),
        (ev.TrainProposed("OV", "SB3", "CME", 90), "**OV** offers 90 M for **CME**'s SB3."),
        (ev.TrainsRusted("3", ("OV",)), "All 3-trains are obsolete."),
        (ev.TrainsRusted("BW-A", ("OV",)), "All BW-A are obsolete."),
        (ev.TrainDiscarded("OV", "SB4"), "**OV** discards SB4."),
    ],
)  # fmt: skip
def test_a_train_goes_by_its_number_and_another_vehicle_by_its_name(event: ev.Event, sentence: str) -> None:
    assert told(event) == sentence


def test_a_menu_of_vehicles_uses_the_same_words() -> None:
    game = new()
    assert value_text(speaker("en"), game, "train", "5") == "5-train"
    assert value_text(speaker("en"), game, "train", "BW-B") == "BW-B"
