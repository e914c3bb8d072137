"""18BL - Bergisches Land, by the rulebook of August 2018. Its board is reconstructed in part."""

from titles.bl.rules import make_rules
from titles.registry import Title

TITLE = Title(
    id="bl",
    name="18BL - Bergisches Land",
    players=(2, 6),
    options=(),
    make_rules=make_rules,
    version=2,
)
