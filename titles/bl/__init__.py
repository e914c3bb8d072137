"""18BL - Bergisches Land, by the rulebook of August 2018. Its board is reconstructed in part."""

from titles.bl.main import base
from titles.registry import Form, Title

TITLE = Title(
    id="bl",
    name="18BL - Bergisches Land",
    place=3,
    forms=(
        Form(
            id="base",
            players=(2, 6),
            clause="BL-2.2-a",
            weight=3,
            moves={2: 280, 3: 195, 4: 160, 5: 135, 6: 110},
            options=(),
            make=base,
        ),
    ),
)
