"""The one private panel of a turn: it stays, goes on, says what it cost, and knows when it is out of date."""

from __future__ import annotations

import random
import time
from pathlib import Path

import discord
import pytest

import titles
from bot.announce.rate_limit import RateLimit
from bot.card.turn import Card
from bot.picking.bands import numbering
from bot.picking.effects import passing, same_again, turn_of
from bot.picking.entries import asks_tile, band_entries, banded, entries, spread
from bot.picking.walk import walk
from bot.texts import LANGUAGES, speaker
from bot.words.wording import step_text
from engine.game import Game
from engine.house import simulation
from engine.house.players import HOUSES
from engine.moves import Dividend, Pass, Run
from engine.offer import Options
from renderers.pages.chooser import PER_PAGE
from table.model import Message
from table.people import text_of
from tests.bot.test_refusals import passes_twice
from workshop.evening.guests import Evening, Guest, NoPictures, buttons, evening, made, pass_of, presses
from workshop.evening.house import running_table
from workshop.evening.positions import Position, offered, put, search, sources

SAY = speaker("en")


async def opened(home: Evening, position: Position, name: str = "") -> tuple[Guest, Message]:
    """Somebody with the panel of a position, from `/turn`."""
    await put(home, position)
    guest = Guest(home, (name or position.game().offer().deciders[0]).lower(), random.Random(1))
    panel = (await (await guest.person.slash("lobby", "turn")).settled()).message
    assert panel is not None
    return guest, panel


def panels(guest: Guest) -> list[str]:
    return [each.id for each in guest.person.messages("lobby") if each.reader == guest.person.id]


async def test_the_panel_goes_on_after_a_move_and_after_a_restart(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    position = search(passes_twice)
    async with running_table() as table:
        table.rates.enforced = False
        async with evening(monkeypatch, tmp_path, table=table, pictures=NoPictures()) as home:
            guest, panel = await opened(home, position)
            await guest.press(panel, pass_of(panel))
            now = guest.person.find(panel)
            assert made(now)
            label = pass_of(now)
            record = await home.record()
            await home.settled()
        # Another process takes over; the panel is the same message.
        async with evening(monkeypatch, tmp_path, table=table, pictures=NoPictures()) as later:
            guest = Guest(later, guest.person.user.name, random.Random(1))
            await guest.press(guest.person.find(panel), label)
            await later.settled()
            assert made(guest.person.find(panel))
            assert len(await later.bot.store.log(record.id)) == len(position.moves) + 2
            assert panels(guest) == [panel.id], "no trail of boxes"


async def test_after_an_undo_the_panel_says_what_is_different_and_goes_on(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    position = search(passes_twice)
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        guest, panel = await opened(home, position)
        first = pass_of(panel)
        await guest.press(panel, first)
        await (await guest.person.slash("lobby", "undo")).settled()
        await home.settled()
        # The answer is the panel now, and the older one is gone.
        anew = guest.person.last("lobby")
        assert "has taken back 1 move" in text_of(anew)
        assert panel.id not in {each.id for each in guest.person.messages("lobby")}
        assert pass_of(anew) == first
        await guest.press(anew, first)
        assert made(guest.person.find(anew))


async def test_a_run_and_its_dividend_are_two_moves_saved_together(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def wanted(game: Game) -> bool:
        choice = game.offer().find("run")
        return choice is not None and game.rules.trains.revenue(game.best_routes(choice.company).routes) > 0

    position = search(wanted)
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        guest, panel = await opened(home, position)
        company = position.game().state.round.actor
        assert [label.split(" ")[0] for label in buttons(panel)[:3]] == ["Pay", "Withhold", "By"]
        await guest.press(panel, next(label for label in buttons(panel) if label.startswith("Withhold")))
        await home.settled()
        record = await home.record()
        run, dividend = (await home.bot.store.log(record.id))[len(position.moves) :]
        assert (run.move["type"], dividend.move["type"]) == ("run", "dividend")
        assert run.interaction == dividend.interaction is not None
        before, after = position.game().state.cash[company], (await home.live()).game.state.cash[company]
        assert f"{company}: {before} → **{after} M**" in text_of(guest.person.find(panel)), "what it brought is told"
        # Taken back one by one: then only the revenue is to be used again.
        await (await guest.person.slash("lobby", "undo")).settled()
        await home.settled()
        again = (await (await guest.person.slash("lobby", "turn")).settled()).message
        assert again is not None
        assert [label.split(" ")[0] for label in buttons(again)[:2]] == ["Pay", "Withhold"]
        assert "By hand" not in buttons(again)


async def test_a_proposal_stands_on_the_card_and_is_answered_there_by_the_one_who_is_asked(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def wanted(game: Game) -> bool:
        choice = game.offer().find("buy_train")
        return choice is not None and any(whose == "other" for _, whose in sources(choice))

    position = search(wanted)
    game = position.game()
    choice = game.offer().find("buy_train")
    assert choice is not None
    seller = next(source for source, whose in sources(choice) if whose == "other")
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        guest, panel = await opened(home, position)
        offer = next(label for label in buttons(panel) if f"from {seller}, with its director" in label)
        await guest.press(panel, offer)
        assert "Another number …" in buttons(guest.person.find(panel))
        await guest.press(panel, "Confirm")
        await home.settled()
        card = home.cards()[-1]
        told = text_of(card)
        assert f"**{choice.company}** offers 1 M for **{seller}**'s" in told
        assert f"your turn for **{seller}**" in told
        assert {"Accept", "Decline", "Counter"} <= set(buttons(card))
        refused = await (await guest.person.click(card, "Accept")).settled()
        assert "not for you" in refused.text
        asked = Guest(home, game.company(seller).director.lower(), random.Random(1))
        await asked.follow(await asked.click(card, "Accept"))
        await home.settled()
        assert asked.taps == 1
        assert not (await home.live()).game.state.pauses


def test_passing_says_what_it_does_and_what_it_ends() -> None:
    labels: dict[str, set[str]] = {}
    game = titles.new_game("rhl", ["Ann", "Bo", "Cy"], {}, 2)

    def watch(now: Game) -> None:
        if now.finished or now.offer().find("pass") is None:
            return
        player = now.offer().deciders[0]
        found = passing(SAY, now, player)
        after = now.copy()
        events = after.apply(Pass(player))
        kind = now.state.round.step or now.state.round.kind
        labels.setdefault(kind, set()).add(found.label)
        assert found.line.startswith(f"-# {found.label} → ")
        told = found.line.partition(" → ")[2]
        if any(event.data()["type"] == "RoundBegan" for event in events):
            assert "ends the " in told
            assert "round" in told or "package" in told
        elif turn_of(after) != turn_of(now):
            assert told == f"ends the turn; next is {', '.join(after.offer().deciders)}"
        else:
            assert told == step_text(SAY, after)

    simulation.play(game, HOUSES["greedy"](), 2, check=False, watch=watch, most_moves=300)
    assert labels["track"] >= {"Skip track"}
    assert labels["station"] == {"No station"}
    assert labels["trains"] == {"No train, end turn"}
    assert labels["trade"] == {"Pass in the stock round"}


FORMS = [(box.id, form.id, min(4, form.players[1])) for box in titles.known() for form in box.forms]


@pytest.mark.parametrize(("title", "form", "players"), FORMS)
def test_no_step_of_any_form_is_merely_passed(title: str, form: str, players: int) -> None:
    """A button that only said "Pass" would not say what is given up, nor the line beside it what follows."""
    seen = set()
    for house in ("greedy", "random"):
        game, chance = titles.new_game(title, ["Ann", "Bo", "Cy", "Dee"][:players], {}, 3, form), random.Random(3)
        for _ in range(260):
            if game.finished:
                break
            place = (game.state.round.kind, game.state.round.step, *(pause.kind for pause in game.state.pauses[:1]))
            choice = game.offer().find("pass")
            place = (*place, game.offer().find("run") is not None)
            if choice is not None and place not in seen:
                seen.add(place)
                for language in LANGUAGES:
                    say = speaker(language, title)
                    found = passing(say, game, choice.player)
                    assert found.label != say("pass.other"), place
                    runs = game.offer().find("run") is not None
                    assert runs or not found.label.startswith(say("pass.run")), "there is nothing to run"
                    assert found.line.startswith(f"-# {found.label} → "), place
                    assert found.line.partition(" → ")[2].strip(), place
            game.apply(HOUSES[house]().choose(game, game.offer().deciders[0], chance))
    assert seen


def test_a_question_is_not_passed_by_the_name_of_the_step_in_which_it_comes() -> None:
    def asked(game: Game) -> bool:
        return bool(game.state.pauses) and game.state.pauses[0].kind == "granted_station"

    game = search(asked).game()
    assert passing(SAY, game, game.offer().deciders[0]).label == "No station"
    assert passing(speaker("de"), game, game.offer().deciders[0]).label == "Kein Bahnhof"


@pytest.mark.parametrize("title", ["rhl", "bl"])
def test_the_rest_of_a_turn_does_nothing_new_and_never_what_is_compulsory(title: str) -> None:
    game = titles.new_game(title, ["Ann", "Bo", "Cy"], {}, 5)
    found = {"offered": 0, "compulsory": 0}

    def watch(now: Game) -> None:
        for player in now.offer().deciders:
            own = {choice.name for choice in now.offer().of(player)}
            rest = same_again(now, player, lambda: False)
            if now.state.pauses or not own & {"pass", "run", "dividend"}:
                assert rest is None
                found["compulsory"] += 1
            if rest is None:
                continue
            found["offered"] += 1
            assert all(isinstance(move, Pass | Run | Dividend) and move.player == player for move in rest.moves)
            after = now.copy()
            for move in rest.moves:
                assert turn_of(after) == turn_of(now)
                after.apply(move)
            assert turn_of(after) != turn_of(now)
            assert after.state.digest() == rest.effect.after.state.digest()
            company = now.state.round.actor
            kinds = [m.kind for m in now.moves if isinstance(m, Dividend) and m.company == company]
            assert all(move.kind == kinds[-1] for move in rest.moves if isinstance(move, Dividend))

    simulation.play(game, HOUSES["greedy"](), 5, check=False, watch=watch, most_moves=250)
    assert found["offered"] > 20
    assert found["compulsory"] > 0


async def test_what_happens_too_fast_for_a_channel_is_told_together_a_little_later(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        position = Position(4, ())
        record = await put(home, position)
        home.bot.announcer.rate = RateLimit(most=2, seconds=1.0)
        sent = len([each for each in home.table.requests if "/messages" in each])
        began = time.monotonic()
        for number in range(8):
            live = await home.live()
            choice = live.game.offer().find("pass") or live.game.offer().find("buy_lot")
            assert choice is not None
            picked = {} if choice.name == "pass" else {"lot": choice.ask({}).options[0].value}  # type: ignore[union-attr]
            user = live.seat(choice.player).user
            await home.bot.service.play(record.id, user, choice.move(picked), interaction=number, expected=live.length)
            await home.bot.announcer.idle() if number == 0 else None
        await home.settled()
        assert time.monotonic() - began >= 1.0
        writes = len([each for each in home.table.requests if "/messages" in each]) - sent
        assert writes <= 6, "moves that came too fast share a card; each card closes the one before it"
        lines = [line for card in home.cards() for line in text_of(card).splitlines() if line.startswith("- ")]
        assert sum("passes" in line or "gets" in line for line in lines) == 8, "and each of them stands in a record"
        other = home.bot.announcer.rate
        assert other.wait(record.id + 1) == 0.0, "other games do not wait"


async def test_slash_commands_count_only_when_they_are_confirmed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    position = search(offered("lay_tile"))
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        record = await put(home, position)
        guest = Guest(home, position.game().offer().deciders[0].lower(), random.Random(1))
        # What is missing is asked for, in the same panel.
        at = (await guest.person.autocomplete("lobby", "track", "hex", hex=""))[0]["value"]
        tile = (await guest.person.autocomplete("lobby", "track", "tile", hex=at, tile=""))[0]["value"]
        outcome = await (await guest.person.slash("lobby", "track", hex=at, tile=tile)).settled()
        assert len(await home.bot.store.log(record.id)) == len(position.moves)
        await guest.follow(outcome)
        log = await home.bot.store.log(record.id)
        assert [entry.move["type"] for entry in log[len(position.moves) :]] == ["lay_tile"]
        assert log[-1].move["hex"] == at


async def test_back_from_a_tile_leads_to_the_part_of_the_map_that_was_shown(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Of many hexes those of a region are shown at a time; the card has a button for each region."""

    def many(game: Game) -> bool:
        track = [number for number, choice in enumerate(game.offer().choices) if choice.name == "lay_tile"]
        found = banded(walk(game, track[0], "")) if len(track) == 1 else ()
        return len(found) > 2 and len(found[-1].numbers) > 1

    position = search(many, title="bl")
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        await put(home, position)
        game = position.game()
        number, choice = next((n, c) for n, c in enumerate(game.offer().choices) if c.name == "lay_tile")
        found = banded(walk(game, number, ""))
        player = Guest(home, choice.player.lower(), random.Random(1))
        card = player.card("lobby")
        assert card is not None
        regions = [entry.text for entry in band_entries(SAY, walk(game, number, ""))]
        names = [f"Lay track: {region}" for region in regions]
        assert [label for label in buttons(card) if label.startswith("Lay track")] == names
        outcome = await (await player.click(card, names[-1])).settled()
        panel = outcome.message
        assert panel is not None
        domain = choice.ask({})
        assert isinstance(domain, Options)
        last = [domain.options[index].value for index in found[-1].numbers]
        numbers = numbering(game.definition.map, [option.value for option in domain.options])
        shown = buttons(player.person.find(panel))
        for label, at in zip(shown, last, strict=False):
            name = game.definition.map.hexes[at].name or at
            assert label.startswith(f"{numbers[at]} {name.partition(' (')[0].partition(' / ')[0]}")
        assert shown[len(last) :] == [*regions[:-1], "Back"]
        await player.press(player.person.find(panel), shown[0])
        assert shown != buttons(player.person.find(panel))
        await player.press(player.person.find(panel), "Back")
        assert buttons(player.person.find(panel)) == shown, "back goes to what was shown last"
        await player.press(player.person.find(panel), "Back")
        assert buttons(player.person.find(panel))[: len(found)] == regions


async def test_back_from_a_tile_leads_to_the_page_of_candidates_that_was_shown(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def crowded(game: Game) -> tuple[int, str]:
        found = spread(SAY, game, game.offer().deciders[0], panel=True) if offered("lay_tile")(game) else None
        for entry in found.entries if found is not None else ():
            step = walk(game, entry.number, entry.code)
            if entry.code and asks_tile(step) and len(entries(SAY, step)) > PER_PAGE:
                return entry.number, entry.code
        return 0, ""

    position = search(lambda game: bool(crowded(game)[1]))
    number, code = crowded(position.game())
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        guest, panel = await opened(home, position)

        async def press(verb: str, wanted: str) -> list[str]:
            found = [each for each in presses(guest.person.find(panel)) if (each.number, each.code) == (number, wanted)]
            await guest.press(guest.person.find(panel), next(each.label for each in found if each.verb == verb))
            return buttons(guest.person.find(panel))

        first = await press("open", code)
        await guest.press(guest.person.find(panel), "▶")
        second = buttons(guest.person.find(panel))
        assert second != first
        last = entries(SAY, walk(position.game(), number, code))[-1]
        assert "Confirm" in await press("open", last.code)
        await guest.press(guest.person.find(panel), "Back")
        assert buttons(guest.person.find(panel)) == second, "the page that was shown, not the first"
        assert last.text in second


def test_an_amount_stands_in_one_line_with_its_unit() -> None:
    card = Card("costs 125 M, 10 % of it", foot="at 5 M.\nM 4")
    told = [item.content for item in card.walk_children() if isinstance(item, discord.ui.TextDisplay)]
    assert told == ["costs 125\N{NO-BREAK SPACE}M, 10\N{NO-BREAK SPACE}% of it", "at 5\N{NO-BREAK SPACE}M.\nM 4"]
