"""Looking things up: private to the person who asks, with pictures that are really attached."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.limits import ALT_TEXT
from table import components
from table.components import Kind
from table.people import Outcome, text_of
from workshop.evening.guests import Evening, evening
from workshop.evening.positions import offered, put, search


async def looked(outcome: Outcome, reader: str) -> str:
    assert not outcome.failed
    await outcome.settled()
    assert outcome.message is not None
    assert outcome.message.reader == reader
    return outcome.text


def picture(home: Evening, outcome: Outcome, name: str) -> bytes:
    """The one picture of an answer: attached, shown by a gallery, and described."""
    message = outcome.message
    assert message is not None
    attachment, *more = message.attachments
    stem = name.removesuffix(".png")
    assert [other.filename for other in more] == [f"{stem}-{number}.png" for number in range(1, len(more) + 1)]
    assert not more or stem == "sheet"
    assert attachment.filename == name
    gallery = next(each for each in components.walk(message.components) if each["type"] == Kind.GALLERY)
    [item] = gallery["items"]
    assert name in item["media"]["url"]
    assert 10 < len(item["description"]) <= ALT_TEXT
    data = home.table.store.file(attachment.id)
    assert data is not None
    assert data.startswith(b"\x89PNG")
    return data


async def test_maps_market_sheet_and_charters(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    position = search(offered("dividend"))
    company = position.game().offer().choices[0].company
    async with evening(monkeypatch, tmp_path) as home:
        await put(home, position)
        dora = home.person("dora")
        public = [text_of(m) for m in home.person("ann").messages("lobby") if m.reader is None]
        seen: dict[str, bytes] = {}
        for name, command, options, file in (
            ("whole map", "map", {}, "map.png"),
            ("zoomed", "map", {"hex": "f11"}, "map.png"),
            ("earlier map", "map", {"move": 0}, "map.png"),
            ("market", "market", {}, "market.png"),
            ("earlier market", "market", {"move": 0}, "market.png"),
            ("sheet", "sheet", {}, "sheet.png"),
            ("earlier sheet", "sheet", {"move": 3}, "sheet.png"),
            ("charter", "company", {"name": company.lower()}, "charter.png"),
        ):
            outcome = await dora.slash("lobby", command, **options)
            text = await looked(outcome, dora.id)
            assert text.splitlines()[0].endswith(f" {options.get('move', len(position.moves))}"), name
            seen[name] = picture(home, outcome, file)
        assert len(set(seen.values())) == len(seen), "two of them are the same picture"
        for label, file in (("Map", "map.png"), ("Market", "market.png"), ("Sheet", "sheet.png")):
            outcome = await dora.click(home.cards()[-1], label)
            await looked(outcome, dora.id)
            picture(home, outcome, file)
        assert [text_of(m) for m in home.person("ann").messages("lobby") if m.reader is None] == public


async def test_pages_of_text(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    position = search(offered("dividend"))
    async with evening(monkeypatch, tmp_path) as home:
        await put(home, position)
        ann, dora = home.person("ann"), home.person("dora")
        tiles = await looked(await dora.slash("lobby", "tiles"), dora.id)
        supply = position.game().state.board.supply
        assert "yellow" in tiles
        first = dora.last("lobby").attachments[0]
        assert f"{supply['8']} × 8" in (first.description or "")
        trains = await looked(await dora.slash("lobby", "trains"), dora.id)
        left = position.game().state.depot.left
        assert f"▶ **2-trains**: 100 M, {left['2']} of 6 left, on sale now" in trains
        assert "the first one makes 2-trains obsolete" in trains
        log = await looked(await ann.slash("lobby", "log"), ann.id)
        assert f"`{len(position.moves)}`" in log
        assert "**operating round" in log
        only = await looked(await ann.slash("lobby", "log", company="rhe"), ann.id)
        assert all("RhE" in line for line in only.splitlines() if line.startswith("`"))
        first = await looked(await ann.slash("lobby", "log", round="or1.1"), ann.id)
        assert "**operating round 1.1**" in first
        assert "stock round" not in first
        assert "Nothing of that" in await looked(await ann.slash("lobby", "log", round="or9.9"), ann.id)
        refused = await looked(await ann.slash("lobby", "log", company="xyz"), ann.id)
        assert "There is no company" in refused
        info = await looked(await dora.slash("lobby", "game info"), dora.id)
        for part in (
            "Host: ",
            "Players (3 of 3): Ann",
            "Reminders after 12/24/48 hours",
            "Seed ",
            "moves so far",
            "no public source",
            "asked <t:",
        ):
            assert part in info, part
        turn = await looked(await dora.slash("lobby", "turn"), dora.id)
        assert f"It is the turn of **{position.game().offer().deciders[0]}**" in turn
        assert "operating round" in turn
        names = await dora.autocomplete("lobby", "company", "name", name="rh")
        assert "RhE" in [each["value"] for each in names]
        help_ = await looked(await dora.slash("lobby", "help"), dora.id)
        assert "`/stock buy`" in help_
