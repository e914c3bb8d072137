"""The engine: replaying a recorded game, best routes, legal lays, copies and memory."""

from __future__ import annotations

import gc
import json
import statistics
import time
import tracemalloc
from typing import Any

import titles
from engine import codec
from engine.game import Game
from engine.house.players import TitleGreedy
from engine.house.simulation import play
from engine.moves import from_json, to_json
from engine.steps.track import LayTileChoice
from workshop import ORACLE
from workshop.bench import yardstick
from workshop.oracle.replay import replay
from workshop.oracle.routes import position


def percentile(values: list[float], share: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def clock(function: Any) -> float:
    began = time.perf_counter()
    function()
    return time.perf_counter() - began


def run() -> None:
    print(f"engine (Y = {1000 * yardstick.seconds():.1f} ms)")
    if (ORACLE / "rhl_game.json").exists():
        _recorded_game()
        _positions()
    else:
        print("  the recorded game is not here: its rows are left out")
    _late_game()
    for form in titles.find("do").forms:
        _deliveries(form)


def _recorded_game() -> None:
    record = json.loads((ORACLE / "rhl_game.json").read_text("utf-8"))
    game = replay(record).player.game
    data = [to_json(move) for move in game.moves]

    def again() -> None:
        fresh = titles.new_game("rhl", game.players, dict(game.rules.setup.options), game.seed)
        for item in data:
            fresh.apply(from_json(item))

    again()
    best = min(clock(again) for _ in range(5))
    yardstick.row("recorded game, all checks, a move", best / len(data), 0.0030, f"{len(data)} moves")

    fresh = titles.new_game("rhl", game.players, dict(game.rules.setup.options), game.seed)
    times: list[float] = []
    count = 0
    for item in data:
        for choice in fresh.offer().choices:
            if isinstance(choice, LayTileChoice) and not choice.permit.private:
                fresh._reaches.clear()
                began = time.perf_counter()
                count += sum(len(choice.fits(at)) for at in choice.hexes())
                times.append(time.perf_counter() - began)
        fresh.apply(from_json(item))
    note = f"{len(times)} turns, {count} lays"
    yardstick.row("all legal lays of a turn, median", statistics.median(times), 0.05, note)
    yardstick.row("all legal lays of a turn, worst", max(times))


def _positions() -> None:
    record = json.loads((ORACLE / "rhl_positions.json").read_text("utf-8"))
    times = []
    for spot in record["positions"]:
        game = position(record, spot)
        times.append(clock(lambda game=game, spot=spot: game.best_routes(spot["corporation"])))
    yardstick.row("best routes, recorded positions, median", statistics.median(times))
    yardstick.row("best routes, recorded positions, p95", percentile(times, 0.95), 0.5)
    yardstick.row("best routes, recorded positions, worst", max(times), 1.0)


#: Games of each form whose final positions are searched.
GAMES = 3


def _final_positions(title: str, form: titles.Form) -> list[Game]:
    """Games of the house, and the time for the best routes of every company at their end."""
    times: list[float] = []
    games = []
    for seed in range(GAMES):
        game = titles.new_game(title, ["ann", "bo", "cy", "di"][: form.players[1]], {}, seed, form.id)
        play(game, TitleGreedy(), seed, check=False)
        games.append(game)
        for name, company in game.state.companies.items():
            if company.trains:
                times.append(clock(lambda game=game, name=name: game.best_routes(name)))
    what = f"best routes, final positions of {title} {form.id}"
    yardstick.row(f"{what}, median", statistics.median(times), None, f"{len(times)} companies")
    yardstick.row(f"{what}, p95", percentile(times, 0.95), 0.5)
    yardstick.row(f"{what}, worst", max(times), 1.0)
    return games


def _deliveries(form: titles.Form) -> None:
    """The time for the best deliveries wherever a game of the house has some to propose; most forms have none."""
    times: list[float] = []

    def watch(game: Game) -> None:
        choice = game.offer().find("deliver_best")
        if choice is not None:
            times.append(clock(lambda: choice.tells))

    game = titles.new_game("do", ["ann", "bo", "cy", "di"][: form.players[1]], {}, 1, form.id)
    play(game, game.rules.house["greedy"], 1, check=False, watch=watch)
    if times:
        what = f"best deliveries, {form.id}"
        yardstick.row(f"{what}, median", statistics.median(times), None, f"{len(times)} positions")
        yardstick.row(f"{what}, worst", max(times), 0.1)


def _late_game() -> None:
    games = [game for title in titles.known() for form in title.forms for game in _final_positions(title.id, form)]
    game = max(games, key=lambda g: len(g.moves))
    yardstick.row("copy of a late game", min(clock(game.copy) for _ in range(50)), 0.02, f"{len(game.moves)} moves")
    text = codec.write(game)
    game.offer()
    gc.collect()
    tracemalloc.start()
    kept = titles.load_game(text)
    kept.offer()
    gc.collect()
    size, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    verdict = "ok" if size <= 1_000_000 else f"missed by {size / 1e6:.1f}x"
    print(f"  {'memory of one live late game':<46} {size / 1024:10.1f} KiB {'':>11}  <= 1 MB  {verdict}")
    yardstick.row("load and replay a late game", min(clock(lambda: titles.load_game(text)) for _ in range(3)))
