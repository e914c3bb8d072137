"""18LRA's data with the number of players, the scenario and the options applied."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from engine.definition import Definition, Home
from engine.rules import Setup
from titles import loading
from titles.lra.tables import Tables

PACKAGE = "titles.lra"
FILES = ("game.toml", "investor.toml", "map.toml", "tiles.toml")
#: With so many players or fewer only the corporations of a scenario are used.
FEW = 3
#: The value of the option that leaves the scenario to the lot.
DRAWN = "drawn"


@cache
def printed() -> Definition:
    """The title's data without any option."""
    return loading.load(loading.sheets(PACKAGE, *FILES), Tables)


def definition(setup: Setup) -> Definition:
    """The title's data for a form, its options and a number of players; a form has the options that it knows."""
    found = whole(setup)
    tables: Tables = found.tables
    number = scenario(setup)
    if number:
        used = tables.scenario[number - 1].corporations
        corporations = {name: found.corporations[name] for name in found.corporations if name in used}
        found = replace(found, corporations=corporations)
    return found


def whole(setup: Setup) -> Definition:
    """The data with all corporations, whatever the scenario."""
    found = printed()
    tables: Tables = found.tables
    options = setup.options
    if setup.players in tables.bank.money:
        found = replace(found, bank=tables.bank.money[setup.players])
    if options.get("optional_2_train"):
        trains = tuple(replace(train, count=train.count + train.optional) for train in found.trains)
        found = replace(found, trains=trains)
    if options.get("lower_capital"):
        found = replace(found, starting_cash=tables.lower_capital.starting_cash)
    if options.get("homes") == "other":
        homes = tables.other_homes.home
        corporations = {
            name: replace(corporation, homes=(Home(homes[name], 0),)) if name in homes else corporation
            for name, corporation in found.corporations.items()
        }
        found = replace(found, corporations=corporations)
    return found


def scenario(setup: Setup) -> int:
    """The number of the scenario, 0 where all corporations are used."""
    chosen = str(setup.options.get("scenario", DRAWN))
    return int(chosen) if setup.players <= FEW and chosen != DRAWN else 0


def covered(setup: Setup) -> tuple[Home, ...]:
    """The homes of the corporations that are not used: blank tokens lie there."""
    used = definition(setup).corporations
    unused = [corporation for name, corporation in whole(setup).corporations.items() if name not in used]
    return tuple(home for corporation in unused for home in corporation.homes)
