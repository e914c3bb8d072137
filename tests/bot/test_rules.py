"""The rules help: topics with the numbers of this game, clauses of the ledger, and why something was refused."""

from __future__ import annotations

import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import titles
from bot.card.rules_help import TOPICS, topic_clauses, topic_text
from bot.cogs.look import rules_text
from bot.texts import speaker
from bot.words.refusals import hex_reason
from engine.game import Game
from engine.state import BANK
from engine.steps.track import LayTileChoice
from table.people import Outcome
from titles import ledger
from workshop.evening.guests import NoPictures, buttons, evening
from workshop.evening.positions import Position, offered, put, search

START = Position(4, ())
SAY = speaker("en")
ROOT = Path(__file__).parents[2]


async def said(outcome: Outcome) -> str:
    assert not outcome.failed
    await outcome.settled()
    return outcome.text


@pytest.mark.parametrize(("title", "form"), [(box.id, form.id) for box in titles.known() for form in box.forms])
def test_every_topic_has_numbers_of_now_and_clauses(title: str, form: str) -> None:
    players = titles.find(title).form(form).players[1]
    game = titles.new_game(title, ["Ann", "Bo", "Cy"][:players], {}, 3, form)
    unknown = {"cards"} if game.definition.priced else {"cards", "prices", "forced"}
    for topic in TOPICS:
        assert bool(topic_clauses(game, topic)) == (topic not in unknown), topic
    assert "There are no cards in this game." in topic_text(SAY, game, "cards")
    limit = game.definition.cert_limit[len(game.state.seats)]
    assert f"Ann 0 of {limit}" in topic_text(SAY, game, "limit")
    if game.definition.priced:
        game.state.cash[BANK] = 1234
        assert "The bank has 1234 M left." in topic_text(SAY, game, "end")
    owns = "may own {limit} trains" if game.definition.priced else "has {limit} train"
    assert f"a company {owns.format(limit=game.phase.train_limit)}" in topic_text(SAY, game, "trains")


def test_the_topic_of_cards_tells_those_that_lie_open() -> None:
    game = titles.new_game("rhl", ["Ann", "Bo", "Cy"], {"target_cards": True}, 3)
    first = game.rules.open_cards(game)[0]
    text = topic_text(SAY, game, "cards")
    assert f"**{first.id} " in text
    assert f"({first.worth} M): " in text
    assert "RHL-8.4.1-a" in text


async def test_a_topic_and_a_clause_are_shown(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        await put(home, START)
        dora = home.person("dora")
        for topic in TOPICS:
            told = await said(await dora.slash("lobby", "rules", topic=topic))
            assert ("There are no cards" if topic == "cards" else "RHL-") in told
        clause = await said(await dora.slash("lobby", "rules", clause="rhl-6.1.2-d"))
        assert ledger.clauses()["RHL-6.1.2-d"].text in clause
        assert "There is no clause" in await said(await dora.slash("lobby", "rules", clause="RHL-99"))
        offered = await dora.autocomplete("lobby", "rules", "clause", clause="RHL-6.1.2")
        assert next(each["value"] for each in offered).startswith("RHL-6.1.2")


async def test_a_refusal_that_cites_a_clause_shows_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        await put(home, START)
        decider = (await home.live()).game.offer().deciders[0]
        person = home.person(decider.lower())
        refused = await person.slash("lobby", "bid", lot="TF", price="81")
        text = await said(refused)
        assert refused.message is not None
        [rule] = re.findall(r"RHL-[\w.-]+\w", text)
        shown = await person.click(refused.message, "Why?")
        assert ledger.clauses()[rule].text in await said(shown)


def citable() -> set[str]:
    """Every clause that a title on the shelf can cite: in its rules, its options, or anywhere in its code."""
    found = set()
    for box in titles.known():
        for form in box.forms:
            rules = titles.rules(box.id, form.players[0], {}, form.id)
            found |= {*rules.clauses.values(), form.clause, *(spec.clause for spec in form.options)}
    for path in (ROOT / "titles").rglob("*.py"):
        found |= set(re.findall(r"\"([A-Z]{2,}-[0-9][\w.-]*)\"", path.read_text("utf-8")))
    return found - {""}


def test_every_clause_that_can_be_cited_is_there_in_german() -> None:
    english, german = ledger.clauses(), ledger.translated("de")
    assert len(citable()) > 150
    assert citable() <= english.keys()
    assert citable() <= german.keys()
    # And so is every other clause: `/rules` shows those too.
    assert english.keys() == german.keys()
    assert {clause.title for clause in german.values()} >= {title.id for title in titles.known()}
    for each, clause in german.items():
        assert clause.title == english[each].title
        assert clause.section
        assert clause.text[-1] in ".)", each
        assert clause.text != english[each].text
        # Figures and hexes are the same, whatever the words.
        assert _figures(english[each].text) == _figures(clause.text), each


def _figures(text: str) -> list[str]:
    """Hexes and prices of a clause, however they are punctuated."""
    plain = re.sub(r"\d+[- ]?%", "", text.replace(",0", "0").replace(" 000", "000"))
    return sorted(re.findall(r"\b[A-R]\d{1,2}\b|\b\d{2,4}\b", plain))


async def test_a_german_reads_the_clause_in_german(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        await put(home, START)
        decider = (await home.live()).game.offer().deciders[0]
        person = home.person(decider.lower())
        person.user.locale = "de"
        clause = await said(await person.slash("lobby", "regeln", klausel="RHL-6.1.2-d"))
        assert "An einer Weiche wird nicht gewendet" in clause
        refused = await person.slash("lobby", "bieten", startkarte="TF", preis="81")
        await said(refused)
        assert refused.message is not None
        shown = await person.click(refused.message, "Warum?")
        assert "Ein erstes Gebot liegt mindestens 5 M über dem aufgedruckten Preis" in await said(shown)
        topic = await said(await person.slash("lobby", "regeln", thema="forced"))
        assert "Zwangskauf: irgendein Zug aus dem Pool" in topic
        for at in ("bl", "rhl"):
            told = rules_text(speaker("de"), titles.new_game(at, ["Ann", "Bo", "Cy"], {}, 1))
            assert "je Runde" in told


def _reason(game: Game, at: str) -> tuple[str, str]:
    choice = game.offer().find("lay_tile")
    assert choice is not None
    return hex_reason(SAY, game, choice, at)


def test_why_not_this_hex_is_said_for_every_hex_of_the_map() -> None:
    """Every hex that is not offered has its reason, and the reasons agree with what the rules refuse."""
    reasons: dict[str, str] = {}
    for position in (
        search(offered("lay_tile")),
        search(lambda g: bool(g.offer().find("lay_tile")) and len(g.moves) > 120),
    ):
        game = position.game()
        choice = game.offer().find("lay_tile")
        assert isinstance(choice, LayTileChoice)
        company = choice.company
        game.state.cash[company] = 40
        possible = choice.hexes()
        for at, spot in game.definition.map.hexes.items():
            if at in possible:
                continue
            text, rule = _reason(game, at.lower())
            assert rule in ledger.clauses(), (at, text)
            reasons[rule] = text
            if "does not reach" in text:
                assert at not in game.reach(company).touched
            if "would cost" in text:
                assert choice.step.cost(game, choice.permit, at) > 40
            if "printed" in text:
                assert not spot.buildable
        assert _reason(game, "z99") == ("There is no hex Z99.", "")
    assert len(reasons) >= 4, reasons


async def test_a_typed_hex_is_answered_with_its_reason(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        await put(home, search(offered("lay_tile")))
        live = await home.live()
        choice = live.game.offer().find("lay_tile")
        assert isinstance(choice, LayTileChoice)
        person = home.person(choice.player.lower())
        told = await said(await person.slash("lobby", "track", hex="Z99", tile="8"))
        assert "There is no hex Z99" in told
        near = set(choice.step.candidates(live.game, choice.company, choice.permit))
        far = next(at for at, spot in live.game.definition.map.hexes.items() if spot.buildable and at not in near)
        refused = await person.slash("lobby", "track", hex=far, tile="nonsense")
        text = await said(refused)
        assert f"{far} is on the map but {choice.company}'s track does not reach it" in text or "blocks" in text, text
        assert refused.message is not None
        assert "Why?" in buttons(person.find(refused.message))


def test_the_ledger_is_in_the_wheel(tmp_path: Path) -> None:
    built = subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    if "No module named hatchling" in built.stderr:
        pytest.skip("hatchling is not installed here: pip install hatchling")
    assert built.returncode == 0, built.stderr
    [wheel] = tmp_path.glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    book = ROOT / "docs" / "ledger"
    assert {f"titles/clauses/{path.relative_to(book).as_posix()}" for path in book.rglob("*.md")} <= set(names)
