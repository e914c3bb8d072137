"""18DO-Dortmund: railways, mines and breweries."""

from titles.do.hsb import hsb
from titles.do.trg import trg
from titles.registry import Form, OptionSpec, Title

TITLE = Title(
    id="do",
    name="18DO-Dortmund",
    version=1,
    forms=(
        Form(id="trg", players=(3, 5), options=(), make=trg, clause="DO-1-a"),
        Form(
            id="hsb",
            players=(3, 5),
            options=(OptionSpec("dealt", (False, True), "DO-6.2.2-f"),),
            make=hsb,
            clause="DO-1-a",
        ),
    ),
)
