"""Draws docs/gallery: a picture of each kind from real positions."""

from __future__ import annotations

import argparse

import titles
from bot.picking.bands import bands, numbering
from engine.changes import View, changes
from renderers import DARK, Picture, draw_charter, draw_finances, draw_map, draw_market, draw_sheet, draw_tiles
from renderers.pages.crop import draw_crop, draw_overview
from renderers.pages.own import draw_pages
from workshop import ROOT
from workshop.gallery import games, sheets
from workshop.gallery.contact import contact_sheet

#: What else is shown: the name of its pictures, title, form, after how many moves at the least, in which kind of round.
OTHERS = (
    ("lra", "lra", "", 250, "operating"),
    ("ruhr", "ruhr", "", 280, "founding"),
    ("trg", "do", "trg", 220, "operating"),
    ("hsb", "do", "hsb", 200, "brewing"),
)
FOLDER = ROOT / "docs" / "gallery"


def main(arguments: list[str]) -> int:
    """Draw everything and describe it in a page."""
    argparse.ArgumentParser(prog="python -m workshop gallery", description=__doc__).parse_args(arguments)
    late, mid = games.late(), games.at(games.MID)
    before = View.of(games.at(len(late.moves) - 40))
    position, choice, at = games.chooser()
    busy, runner = max(
        ((game, code) for game in (mid, games.at(240), late) for code in game.state.companies),
        key=lambda pair: len(pair[0].company(pair[1]).trains),
    )
    routes = busy.best_routes(runner).routes
    found = bands(position.definition.map, choice.hexes())
    regions = [(band.name, [choice.hexes()[number] for number in band.numbers]) for band in found]
    every = numbering(position.definition.map, choice.hexes())
    numbers = {spot: every[spot] for spot in regions[0][1]}
    laid = [hex_ for hex_, _ in changes(before, late).tiles]
    richest = max(late.state.companies, key=late.prices.value)
    pictures: list[tuple[str, str, Picture]] = [
        ("map-late", "The whole map, late game", draw_map(late)),
        ("map-mid-dark", "The whole map in the middle of the game, dark, in German",
         draw_map(mid, theme=DARK, language="de")),
        ("map-routes", f"The best routes of {runner}", draw_map(busy, routes=busy.best_routes(runner).routes)),
        ("map-crop", "A part of the map for a phone, with what is new since forty moves before",
         draw_crop(late, laid[:1], since=before)),
        ("map-routes-phone", f"The best routes of {runner} for a phone",
         draw_crop(busy, sorted({word.split(":")[0] for route in routes for word in route.path}), routes=routes)),
        ("map-overview", "Where a tile can be laid: regions", draw_overview(position, regions)),
        ("map-choices", "Where a tile can be laid in a region: the numbers and names of the buttons",
         draw_crop(position, regions[0][1], numbers=numbers)),
        ("tiles", "The tiles that can be laid on one hex", draw_tiles(position, choice, at).picture),
        ("market", "Share prices, with what moved", draw_market(late, since=before)),
        ("market-part", "Share prices for a phone: only the columns in use",
         draw_market(late, since=before, part=True)),
        ("sheet", "Players, companies, depot and phase", draw_sheet(late)),
        ("sheet-mid-dark", "The same in the middle of the game, dark, in German",
         draw_sheet(mid, theme=DARK, language="de")),
        ("charter", "One company", draw_charter(late, richest)),
        ("finances", "Worth of the players and dividends", draw_finances(late)),
    ]  # fmt: skip
    other = games.late("bl")
    pictures += [
        ("bl-map", "The whole map of 18BL, late game", draw_map(other)),
        ("bl-market", "Share prices of 18BL, in German", draw_market(other, language="de")),
        ("bl-sheet", "Players, companies, depot and phase of 18BL, dark", draw_sheet(other, theme=DARK)),
    ]
    for name, title, form, number, page in OTHERS:
        game = games.reached(title, form, number, page)
        of = f"{game.definition.name}{f', {form}' if form else ''}"
        pictures += [
            (f"{name}-map", f"The whole map of {of}", draw_map(game)),
            (f"{name}-market", f"Share prices of {of}", draw_market(game)),
        ]
        if game.rules.pages(game):
            pictures.append((f"{name}-pages", f"The own tables of {of}, as a card shows them", draw_pages(game)))
    for box in titles.known():
        name = sheets.definitions(box.id)[0].name
        pictures.append((f"tiles-{box.id}", f"All tiles of {name}", contact_sheet(box.id)))
    FOLDER.mkdir(parents=True, exist_ok=True)
    lines = ["# Gallery", "", "Made by `make gallery` from games that the house played.", ""]
    for name, text, picture in pictures:
        (FOLDER / f"{name}.png").write_bytes(picture.png)
        lines += [f"## {text}", "", f"![{picture.alt['en']}]({name}.png)", ""]
        print(f"{name:<18} {picture.width:>5} x {picture.height:<5} {len(picture.png):>7} bytes")
    (FOLDER / "README.md").write_text("\n".join(lines).rstrip() + "\n", "utf-8")
    return 0
