"""The card says what matters: money, certificates, trains, what is compulsory, who is next, and since when it waits."""

from __future__ import annotations

import random
from datetime import timedelta
from functools import cache
from pathlib import Path

import pytest

import titles
from bot.texts import speaker
from bot.words.briefing import compulsory, decider_facts
from bot.words.wording import event_lines
from engine import events as ev
from engine.finance import shares
from engine.game import Game
from engine.house.players import TitleGreedy
from engine.moves import Dividend
from storage.records import Person
from table.people import Outcome, text_of
from titles import ledger
from workshop.evening.guests import Evening, NoPictures, done, evening
from workshop.evening.positions import Position, offered, put, search

SAY = speaker("en")
START = Position(4, ())
#: Every form of every title in which things have prices.
FORMS = [
    f"{title.id}:{form.id}"
    for title in titles.known()
    for form in title.forms
    if titles.rules(title.id, form.players[0], {}, form.id).definition.priced
]


async def said(outcome: Outcome) -> str:
    assert not outcome.failed
    await outcome.settled()
    return outcome.text


def new(name: str) -> Game:
    """A game of a form, for as many as it takes up to four."""
    title, _, form = name.partition(":")
    most = min(4, titles.find(title).form(form).players[1])
    return titles.new_game(title, ["Ann", "Bo", "Cy", "Dora"][:most], {}, 3, form)


@cache
def _moves(form: str) -> list[object]:
    game = new(form)
    chance = random.Random(3)
    while not game.finished and len(game.moves) < 500:
        game.apply(TitleGreedy().choose(game, game.offer().deciders[0], chance))
    return list(game.moves)


def played(form: str) -> list[tuple[Game, list[str]]]:
    """Every position of a game, with the lines that led to it."""
    game = new(form)
    say = SAY.of(game.definition.id)
    found = []
    for move in _moves(form):
        events = game.apply(move)  # type: ignore[arg-type]
        found.append((game.copy(), event_lines(say, [event.data() for event in events], game)))
    return found


@pytest.mark.parametrize("form", FORMS)
def test_the_facts_of_whoever_decides_are_told_in_every_position(form: str) -> None:
    duties = set()
    for game, _ in played(form):
        if game.finished:
            continue
        say = SAY.of(game.definition.id)
        lines = decider_facts(say, game)
        company = game.offer().choices[0].company or (
            game.state.round.actor if game.state.round.actor in game.state.companies else ""
        )
        if company:
            line = next(line for line in lines if f"**{company}**: treasury {game.state.cash[company]} M" in line)
            trains = ", ".join(game.company(company).trains) or "–"
            # Only those that build a railway have trains and stations.
            railway = bool(game.definition.corporations[company].homes)
            assert (f"trains {trains} (limit {game.phase.train_limit})" in line) is railway
            left = game.company(company).tokens_left
            count = f"{len(left)} station{'' if len(left) == 1 else 's'} left ({', '.join(map(str, left))} M)"
            assert ((count if left else "no station left") in line) is railway
        else:
            player = game.offer().deciders[0]
            held, limit = shares.certificates(game, player), game.rules.limits.certificates(game, player)
            assert f"**{player}**: cash {game.state.cash[player]} M · certificates {held} of {limit}" in lines[0]
        told = compulsory(say, game)
        names = {choice.name for choice in game.offer().choices}
        assert not ("pass" in names and told), told
        if names & {"run", "dividend"}:
            # Own shares may be sold in any step of some titles: that raises no money for a train.
            assert "must buy a train" not in told, (names, told)
        if "buy_train" in names:
            assert "is to be raised first" not in told, (names, told)
        if "pass" not in names and not names & {"dividend", "answer"}:
            assert told, f"nobody says why {names} may not be passed"
            assert ledger.find(told.rpartition("(")[2].partition(")")[0]), told
            duties.add(told.split("(")[0])
    assert len(duties) >= 3


@pytest.mark.parametrize("form", FORMS)
def test_a_dividend_says_who_gets_what_and_privates_are_one_line(form: str) -> None:
    dividends = privates = 0
    for _, lines in played(form):
        for line in lines:
            if " M out (" in line:
                dividends += 1
        privates += sum(line.startswith("Private companies pay:") for line in lines)
        assert sum(line.startswith("Private companies pay:") for line in lines) <= 2, lines
    assert dividends > 20
    assert privates > 3 or not new(form).definition.privates


def test_what_each_gets_is_what_is_paid() -> None:
    position = search(offered("dividend"))
    game = position.game()
    choice = game.offer().find("dividend")
    assert choice is not None
    before = dict(game.state.cash)
    events = game.apply(Dividend(choice.player, choice.company, "pay"))
    line = next(line for line in event_lines(SAY, [event.data() for event in events]) if " out (" in line)
    got = {name: game.state.cash[name] - before[name] for name in game.players}
    assert all(f"{name}: {amount} M" in line for name, amount in got.items() if amount)
    assert not any(f"{name}: " in line for name, amount in got.items() if not amount)


def test_privates_pay_in_one_line_with_the_sum_of_each() -> None:
    events = [
        ev.RoundBegan("operating", 1, 1),
        ev.Paid("bank", "Ann", 5, "private", "PWB"),
        ev.Paid("bank", "Bo", 20, "private", "TF"),
        ev.Paid("bank", "Ann", 15, "private", "THS"),
    ]
    lines = event_lines(SAY, [event.data() for event in events])
    assert lines == ["Operating round 1.1 begins.", "Private companies pay: Ann +20 M, Bo +20 M."]


async def next_card(home: Evening) -> str:
    player = (await home.live()).game.offer().deciders[0]
    await done(home.person(player.lower()), "lobby", "pass")
    await home.settled()
    return text_of(home.cards()[-1])


async def test_card_and_turn_say_since_when_who_is_next_and_who_is_away(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        await put(home, START)
        seats = (await home.live()).game.from_seat((await home.live()).game.offer().deciders[0])
        away = home.person(seats[0].lower())
        await home.bot.services.people.set_person(
            Person(int(away.id), vacation_until=home.bot.service.now() + timedelta(days=3))
        )
        card = await next_card(home)
        [row] = await home.bot.store.waiting()
        assert f"asked <t:{int(row.since.timestamp())}:R>" in card
        assert f"next: {seats[2]}, {seats[0]}" in card
        assert f"{seats[0]} is on vacation until <t:" in card
        own = await said(await home.person(seats[1].lower()).slash("lobby", "turn"))
        assert seats[1] in own
        other = await said(await home.person(seats[2].lower()).slash("lobby", "turn"))
        assert f"It is the turn of **{seats[1]}**" in other
        assert "You are next." in other
        assert "You come after 1 more." in await said(await home.person(seats[0].lower()).slash("lobby", "turn"))
        listed = await said(await home.person("dora").slash("lobby", "game list"))
        assert f"waiting for {seats[1]}, asked <t:{int(row.since.timestamp())}:R>" in listed
        assert f"next: {seats[2]}, {seats[0]}" in listed
        assert f"{seats[0]} is on vacation until <t:" in listed
