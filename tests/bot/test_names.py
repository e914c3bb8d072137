"""Names of people, whatever is in them: harmless in messages, games, pictures and terminals."""

from __future__ import annotations

import doctest
import io
import unicodedata
from pathlib import Path

import discord
import pytest
from hypothesis import given
from hypothesis import strategies as st

import titles
from bot import cli, names, numbers
from bot.names import plain, safe, shown
from bot.texts import speaker
from bot.words.wording import event_lines
from engine import codec
from renderers.kit.people import drawn, legible
from renderers.kit.words import Words
from renderers.pages.sheet import draw_sheet
from table.people import Outcome, Person, text_of
from workshop.evening.guests import Evening, NoPictures, done, evening

SAY = speaker("en")
#: Everything that Markdown takes as a sign of its own, with the text that would be seen.
TRICKS = (
    "[free nitro](https://example.org)", "**bold**", "__under__", "~~gone~~", "||spoiler||", "`code`", "<@&123456>",
    "@everyone", "@here", "<#1>", "</game new:1>", "<t:0:R>", "<:smile:1>", ":smile:", "https://example.org", "# head",
    "> quote", "- item", "1. item", "-# small", "\\*", "_a_",
)  # fmt: skip
INVISIBLE = (
    "\u200b\u200b",
    "\u3164",
    "\u2800 \u2800",
    "\u202e\u2066",
    "\U000e0041\U000e0042",
    "\u0301\u0301",
    "\ufe0f",
    " ",
)


def test_documented_examples_hold() -> None:
    for module in (names, numbers):
        found = doctest.testmod(module)
        assert found.attempted > 0
        assert found.failed == 0


async def said(outcome: Outcome) -> str:
    assert not outcome.failed
    await outcome.settled()
    return outcome.text


@pytest.mark.parametrize("name", TRICKS)
def test_markdown_in_a_name_is_only_letters(name: str) -> None:
    text = shown(name)
    # A backslash takes the meaning of what follows it; what is left must have no meaning of its own.
    bare = discord.utils.remove_markdown(text)
    kept = [sign for number, sign in enumerate(text) if sign in "[]()*_~|`<>@:" and text[number - 1] != "\\"]
    assert kept == []
    assert not text.startswith(("#", ">", "-", "+"))
    assert not (text[:1].isdigit() and text[1:2] == ".")
    assert "".join(text.split("\\")) == name.replace("\\", ""), bare


@pytest.mark.parametrize("name", INVISIBLE)
def test_a_name_that_shows_nothing_is_none(name: str) -> None:
    assert plain(name) == ""


@given(st.text())
def test_every_name_becomes_one_line_without_controls(name: str) -> None:
    text = plain(name)
    assert text == " ".join(text.split())
    assert not any(unicodedata.category(sign).startswith("C") for sign in text)
    assert plain(text) == text
    if text:
        assert any(not unicodedata.category(sign).startswith(("M", "Z", "C")) for sign in text)


def test_a_tower_of_accents_is_cut_down() -> None:
    assert plain("Z" + "\u0335" * 40 + "o" + "\u0301") == "Z" + "\u0335" * 2 + "ó"


@given(st.text())
def test_nothing_that_is_printed_steers_a_terminal(text: str) -> None:
    assert not any(unicodedata.category(sign) == "Cc" and sign not in "\n\t" for sign in safe(text))


def test_events_escape_the_names_in_them() -> None:
    events = [{"type": "Passed", "player": "**[x](http://y)**", "company": "", "step": ""}]
    assert event_lines(SAY, events) == [r"\*\*\[x\]\(http\://y\)\*\* passes."]


def rename(home: Evening, person: Person, name: str) -> None:
    person.user.display_name = name
    home.table.world.save_user(person.user)


async def test_a_game_among_people_with_harmful_names(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    names = {"ann": "\u202e\u200b", "bo": "**[x](http://evil.example)** @everyone", "cy": "\u3164"}
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        for name, wanted in names.items():
            rename(home, home.person(name), wanted)
        await home.begin("ann", "bo", "cy", seed=4)
        record = await home.record()
        assert [seat.name for seat in record.seats] == ["Player 1", "**[x](http://evil.examp…", "Player 3"]
        for _ in range(3):
            live = await home.live()
            seat = live.seat(live.game.offer().deciders[0])
            person = next(home.person(each) for each in names if int(home.person(each).id) == seat.user)
            await done(person, "lobby", "pass")
        await home.settled()
        ann = home.person("ann")
        texts = [text_of(card) for card in home.cards()]
        texts += [
            await said(await ann.slash("lobby", command)) for command in ("log", "game list", "game info", "turn")
        ]
        texts.append(await said(await home.person("dora").slash("lobby", "game list")))
        seen = "\n".join(texts)
        assert r"\*\*\[x\]\(http\://evil" in seen
        for text in texts:
            # Buttons show their labels as they are; everything else is Markdown.
            lines = [line for line in text.splitlines() if "evil" in line]
            assert all(r"\[x\]\(http\:" in line for line in lines), lines
        pinged = {each for card in home.cards() for each in card.pinged}
        assert pinged <= {home.person(name).id for name in names}


async def test_only_people_who_are_meant_are_pinged_by_default(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        channel = home.bot.get_channel(int(home.person("ann").place("lobby").id))
        assert isinstance(channel, discord.TextChannel)
        await channel.send(f"{home.person('bo').mention} @everyone")
        assert home.person("ann").last("lobby").pinged == []


@pytest.mark.parametrize(
    ("name", "seen"),
    [
        ("Ann", "Ann"), ("Ωmega Ж", "Ωmega Ж"), ("𝕬𝖓𝖓", "Ann"), ("李雷 Lei", "Lei"), ("נעם", "םענ"),
        ("李雷", ""), ("🚂🚃🚃", ""), ("हिन्दी", ""), ("\u3164", ""), ("\U0010fffd", ""),
    ],
)  # fmt: skip
def test_names_on_pictures_have_only_signs_that_the_fonts_have(name: str, seen: str) -> None:
    assert legible(name) == seen


def test_people_whose_names_cannot_be_drawn_are_numbered_and_told_apart() -> None:
    pictures = {
        draw_sheet(titles.new_game("rhl", [*names, "Cy"], {}, 4)).png
        for names in (("李雷", "韓梅梅"), ("Player 1", "Player 2"), ("Ann", "Bo"))
    }
    assert len(pictures) == 2, "the first two are drawn alike"
    game = titles.new_game("rhl", ["李 Lee", "韓 Lee", "Cy"], {}, 4)
    names = [drawn(game, player, Words("en")) for player in game.players]
    assert names == [f"Lee {n}" if "Lee" in player else "Cy" for n, player in enumerate(game.players, start=1)]


def test_escape_codes_of_a_saved_game_never_reach_the_terminal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = titles.new_game("rhl", ["\x1b[31mann\x1b]0;owned\x07", "bo", "cy"], {}, 4)
    for _ in range(3):
        choice = game.offer().find("pass")
        assert choice is not None
        game.apply(choice.move({}))
    file = tmp_path / "game.json"
    file.write_text(codec.write(game), "utf-8")
    printed = io.StringIO()
    monkeypatch.setattr("sys.stdout", printed)
    assert cli.main(["replay", str(file), "--log"]) == 0
    assert "ann" in printed.getvalue()
    assert "\x1b" not in printed.getvalue()
    assert "\x07" not in printed.getvalue()
