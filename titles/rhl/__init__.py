"""18Rhl-Rhineland: the base game by the rulebook of 2024, and the edition before it."""

from titles.registry import OptionSpec, Title
from titles.rhl.editions import make_rules

TITLE = Title(
    id="rhl",
    name="18Rhl-Rhineland",
    players=(3, 5),
    options=(
        OptionSpec("edition", "Edition", ("2024", "earlier")),
        OptionSpec("optional_2_train", "Optional 2-train", (False, True), "RHL-8.1-a"),
        OptionSpec("lower_capital", "Lower total starting capital", (False, True), "RHL-8.2-a"),
        OptionSpec("bankruptcy_end", "A bankruptcy ends the game", (False, True), "RHL-8.3-a"),
    ),
    make_rules=make_rules,
    version=2,
)
