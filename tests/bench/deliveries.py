"""18DO's beer market: the best deliveries of a brewery with much equipment, on markets full of demand."""

from __future__ import annotations

import random
import statistics

import titles
from tests.bench import yardstick
from tests.bench.engine import clock, percentile
from titles.do import beer, delivering
from titles.do.hsb_tables import HsbTables

MARKETS, PIECES, MOST_CUBES = 2000, 5, 8


def run() -> None:
    """Measure and print."""
    print(f"deliveries (Y = {1000 * yardstick.seconds():.1f} ms)")
    players = 3
    tables: HsbTables = titles.rules("do", players, form="hsb").definition.tables
    chance = random.Random(18)
    times = []
    for _ in range(MARKETS):
        market = beer.lay_out(tables, players)
        for customers in (beer.REGULAR, beer.NEW):
            market[customers] = [chance.randint(0, MOST_CUBES) for _ in tables.segment]
        free = delivering.units(tables, chance.choices(list(tables.types), k=PIECES))
        times.append(clock(lambda market=market, free=free: delivering.best(tables, market, free)))
    what = "best deliveries, full markets of do"
    yardstick.row(f"{what}, median", statistics.median(times), None, f"{MARKETS} markets")
    yardstick.row(f"{what}, p95", percentile(times, 0.95), 0.5)
    yardstick.row(f"{what}, worst", max(times), 1.0)


if __name__ == "__main__":
    run()
