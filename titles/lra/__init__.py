"""18LRA-Lower Rhine Area, by the rulebook of 2024."""

from titles.lra.data import DRAWN, FEW
from titles.lra.investor import investor
from titles.lra.main import base
from titles.lra.short import short
from titles.registry import Form, OptionSpec, Title

TITLE = Title(
    id="lra",
    name="18LRA-Lower Rhine Area",
    place=2,
    family=("titles.rhineland",),
    forms=(
        Form(
            id="base",
            players=(3, 4),
            clause="LRA-1.2-a",
            weight=3,
            moves={3: 120, 4: 115},
            options=(
                OptionSpec("scenario", (DRAWN, "1", "2", "3", "4"), "LRA-3.3-d", by_lot=DRAWN, players=(FEW,)),
                OptionSpec("homes", ("table", "other"), "LRA-4.2.3-a"),
                OptionSpec("optional_2_train", (False, True), "RHL-8.1-a"),
                OptionSpec("lower_capital", (False, True), "RHL-8.2-a"),
                OptionSpec("bankruptcy_end", (False, True), "RHL-8.3-a"),
            ),
            make=base,
        ),
        Form(
            id="investor",
            players=(2, 2),
            clause="LRA-1.2-a",
            weight=4,
            moves={2: 140},
            options=(
                OptionSpec("scenario", (DRAWN, "1", "2", "3", "4"), "LRA-9.1-a", by_lot=DRAWN),
                OptionSpec("card_offer", (False, True), "LRA-9.4-a"),
                OptionSpec("homes", ("table", "other"), "LRA-4.2.3-a"),
                OptionSpec("optional_2_train", (False, True), "RHL-8.1-a"),
                OptionSpec("lower_capital", (False, True), "RHL-8.2-a"),
                OptionSpec("bankruptcy_end", (False, True), "RHL-8.3-a"),
            ),
            make=investor,
        ),
        Form(
            id="short",
            players=(3, 5),
            clause="RHL-10.1-b",
            weight=2,
            moves={3: 75, 4: 55, 5: 40},
            newcomers=True,
            options=(OptionSpec("homes", ("table", "other"), "LRA-4.2.3-a"),),
            make=short,
        ),
    ),
)
