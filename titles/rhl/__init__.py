"""18Rhl-Rhineland: the base game by the rulebook of 2024, and the edition before it."""

from engine.rules import Rules, Setup
from titles.registry import Apart, Form, OptionSpec, Title
from titles.rhl import alternative
from titles.rhl.cards import with_cards
from titles.rhl.data import definition
from titles.rhl.earlier import earlier
from titles.rhl.short import short
from titles.rhl.site import FORMAT


def make_base(setup: Setup) -> Rules:
    """The base game by the edition that was chosen."""
    return {"2024": with_cards, "earlier": earlier}[setup.options["edition"]](setup, definition(setup.options))


def make_short(setup: Setup) -> Rules:
    """The short game, which has no options (ruling 105)."""
    return short(setup, definition(PLAIN))


#: The full game's options where a form has none.
PLAIN = {"edition": "2024", "optional_2_train": False, "lower_capital": False}

TITLE = Title(
    id="rhl",
    name="18Rhl-Rhineland",
    place=1,
    family=("titles.rhineland",),
    formats=(FORMAT,),
    forms=(
        Form(
            id="base",
            players=(3, 5),
            clause="RHL-1.2-a",
            weight=3,
            moves={3: 150, 4: 120, 5: 90},
            options=(
                OptionSpec("edition", ("2024", "earlier")),
                OptionSpec("optional_2_train", (False, True), "RHL-8.1-a"),
                OptionSpec("lower_capital", (False, True), "RHL-8.2-a"),
                OptionSpec("bankruptcy_end", (False, True), "RHL-8.3-a"),
                OptionSpec("target_cards", (False, True), "RHL-8.4.1-a"),
                OptionSpec("destiny_cards", (False, True), "RHL-8.4.2-a"),
                *alternative.OPTIONS,
            ),
            make=make_base,
            apart=(
                Apart({"edition": "earlier", "target_cards": True}, why="earlier_targets"),
                Apart({"edition": "earlier", "destiny_cards": True}, why="earlier_destiny"),
                *alternative.APART,
            ),
            by_lot=alternative.drawn,
        ),
        Form(
            id="short",
            players=(3, 5),
            clause="RHL-10.1-b",
            weight=2,
            moves={3: 70, 4: 55, 5: 40},
            newcomers=True,
            options=(),
            make=make_short,
        ),
    ),
)
