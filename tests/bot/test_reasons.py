"""Whatever is typed and does not go gets its reason, in plain words of both languages."""

from __future__ import annotations

import random
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import titles
from bot.picking.walk import match
from bot.texts import speaker
from bot.words.refusals import _names, value_reason
from engine.game import Game
from engine.house import simulation
from engine.house.players import HOUSES
from engine.offer import Choice, Number, Options
from titles import ledger
from workshop.evening.guests import NoPictures, buttons, evening
from workshop.evening.positions import offered, put, search

ENGLISH, GERMAN = speaker("en"), speaker("de")


def spoilt(game: Game, domain: Options | Number, chance: random.Random) -> list[str]:
    """Values that are not possible: some that there are in the game, and one that there is not."""
    named = [each for each in _names(game, domain.name) if match(domain, each) is None]
    if isinstance(domain, Number):
        return ["many", str(domain.high + domain.step), str(max(domain.low - domain.step, 0))]
    return ["Z99", *chance.sample(named, min(3, len(named)))]


@pytest.mark.parametrize(("title", "form"), [(box.id, form.id) for box in titles.known() for form in box.forms])
def test_every_typed_value_that_does_not_go_has_its_reason(title: str, form: str) -> None:
    chance = random.Random(5)
    told: Counter[str] = Counter()
    mute: list[str] = []

    def ask(now: Game, choice: Choice[Any], picked: dict[str, Any]) -> None:
        domain = choice.ask(picked)
        if domain is None or domain.name in ("routes", "certificates", "card"):
            return
        for text in spoilt(now, domain, chance):
            if match(domain, text) is not None:
                continue
            reason, rule = value_reason(ENGLISH, now, choice, domain.name, text, picked)
            german, _ = value_reason(GERMAN, now, choice, domain.name, text, picked)
            assert not rule or rule in ledger.clauses()
            if not reason:
                mute.append(f"{choice.name} {domain.name} {text} {picked}")
                continue
            told[domain.name] += 1
            assert reason.endswith("."), reason
            assert german.endswith(".")
            assert german != reason
            assert not re.search(r"[a-z]_[a-z]|\\{", reason + german), "no bare key"
        value = domain.low if isinstance(domain, Number) else chance.choice(domain.options).value
        ask(now, choice, {**picked, domain.name: value})

    def watch(now: Game) -> None:
        if chance.random() < 0.12 and not now.finished:
            for choice in now.offer().choices:
                if choice.name not in ("run", "pass"):
                    ask(now, choice, {})

    box = titles.find(title).form(form)
    game = titles.new_game(title, ["Ann", "Bo", "Cy"][: box.players[1]], {}, 3, form)
    house = game.rules.house.get("greedy") or HOUSES["greedy"]()
    simulation.play(game, house, 3, check=False, watch=watch, most_moves=220)
    assert told["company"] + told["train"] + told["tile"] > 30, told
    assert len(mute) <= sum(told.values()) // 20, mute[:20]


async def test_a_typed_tile_train_and_company_are_answered_in_plain_words(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        await put(home, search(offered("lay_tile")), "lobby")
        choice = (await home.live()).game.offer().find("lay_tile")
        assert choice is not None
        person = home.person(choice.player.lower())
        at = (await person.autocomplete("lobby", "track", "hex", hex=""))[0]["value"]
        told = (await (await person.slash("lobby", "track", hex=at, tile="999")).settled()).text
        assert "There is no tile 999." in told
        tile = (await person.autocomplete("lobby", "track", "tile", hex=at, tile=""))[0]["value"]
        told = (await (await person.slash("lobby", "track", hex=at, tile=tile, rotation="9")).settled()).text
        assert "A tile is turned by 0 to 5 sixths, not by 9." in told
        told = (await (await person.slash("lobby", "track", hex=at, tile=tile, private="nix")).settled()).text
        assert "There is no private company called nix" in told
        position = search(offered("buy_train"))
        await put(home, position, "trains")
        game = position.game()
        choice = game.offer().find("buy_train")
        assert choice is not None
        person = home.person(choice.player.lower())
        told = (await (await person.slash("trains", "train buy", source="bank", train="9")).settled()).text
        assert "There is no train called 9." in told
        idle = next(code for code in game.state.companies if not game.company(code).trains and code != choice.company)
        told = (await (await person.slash("trains", "train buy", source=idle, train="2")).settled()).text
        assert f"{idle} owns no train." in told
        person.user.locale = "de"
        told = (await (await person.slash("trains", "zug kaufen", woher="bank", zug="9")).settled()).text
        assert "Einen Zug 9 gibt es nicht." in told


async def test_a_typed_company_and_its_clause(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def wanted(game: Game) -> bool:
        choice = game.offer().find("buy_share")
        return choice is not None and any(not company.director for company in game.state.companies.values())

    position = search(wanted)
    game = position.game()
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        await put(home, position)
        person = home.person(game.offer().deciders[0].lower())
        told = (await (await person.slash("lobby", "stock buy", company="XYZ")).settled()).text
        assert "There is no company called XYZ." in told
        unfounded = next(code for code, company in game.state.companies.items() if not company.director)
        refused = await (await person.slash("lobby", "stock buy", company=unfounded)).settled()
        assert f"{unfounded} must be founded first." in refused.text
        assert refused.message is not None
        assert "Why?" in buttons(refused.message)
