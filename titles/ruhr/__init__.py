"""18Ruhr: railways and mines."""

from titles.registry import Form, OptionSpec, Title
from titles.ruhr.main import base

TITLE = Title(
    id="ruhr",
    name="18Ruhr",
    place=4,
    forms=(
        Form(
            id="base",
            players=(3, 6),
            clause="RUHR-2.2-a",
            weight=5,
            moves={3: 180, 4: 155, 5: 130, 6: 100},
            options=(
                OptionSpec(
                    "scenario",
                    ("drawn", "hellweg", "metropolis", "ruhr_valley", "emscher_valley", "north_and_south"),
                    "RUHR-2.3-a",
                ),
                OptionSpec("optional_cards", (False, True), "RUHR-0-b"),
            ),
            make=base,
        ),
    ),
)
