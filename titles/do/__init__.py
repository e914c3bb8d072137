"""18DO-Dortmund: railways, mines and breweries."""

from titles.do.trg import trg
from titles.registry import Form, Title

TITLE = Title(
    id="do",
    name="18DO-Dortmund",
    version=1,
    forms=(
        Form(
            id="trg",
            players=(3, 5),
            clause="DO-1-a",
            weight=3,
            moves={3: 155, 4: 115, 5: 100},
            options=(),
            make=trg,
        ),
    ),
)
