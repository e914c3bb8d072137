"""18DO-Dortmund: railways, mines and breweries."""

from titles.do.brewery.game import hsb
from titles.do.draft2020.edition import draft_hsb
from titles.do.draft2020.expert_game import draft_exp
from titles.do.expert.game import exp
from titles.do.intro.game import efs
from titles.do.railways.game import trg
from titles.do.two.brewery_game import hsb2
from titles.do.two.railway_game import trg2
from titles.registry import Form, OptionSpec, Title

#: Both readings of 6.4.4: as a ruling has it for the board of these forms, or as the book prints it.
LIMITS = OptionSpec("limits", ("board", "book"), "DO-6.4.4-a")

TITLE = Title(
    id="do",
    name="18DO-Dortmund",
    place=5,
    forms=(
        Form(
            id="efs",
            players=(3, 5),
            clause="DO-3.3-a",
            weight=1,
            moves={3: 80, 4: 55, 5: 40},
            newcomers=True,
            options=(),
            make=efs,
        ),
        Form(
            id="trg",
            players=(3, 5),
            clause="DO-1-a",
            weight=3,
            moves={3: 155, 4: 115, 5: 100},
            options=(),
            make=trg,
        ),
        Form(
            id="trg2",
            players=(2, 2),
            clause="DO-8-a",
            weight=3,
            moves={2: 205},
            options=(OptionSpec("card_offer", (False, True), "DO-8.3.5-b"),),
            make=trg2,
        ),
        Form(
            id="hsb",
            players=(3, 5),
            clause="DO-1-a",
            weight=4,
            moves={3: 145, 4: 140, 5: 150},
            options=(OptionSpec("dealt", (False, True), "DO-6.2.2-f"), LIMITS),
            make=hsb,
        ),
        Form(
            id="exp",
            players=(3, 5),
            clause="DO-7-a",
            weight=5,
            moves={3: 145, 4: 175, 5: 170},
            options=(OptionSpec("dealt", (False, True), "DO-6.2.2-f"), LIMITS),
            make=exp,
        ),
        Form(
            id="draft-hsb",
            edition_of="hsb",
            players=(3, 5),
            clause="DO-1-a",
            weight=4,
            moves={3: 145, 4: 135, 5: 130},
            options=(OptionSpec("dealt", (False, True), "DO-6.2.2-f"),),
            make=draft_hsb,
        ),
        Form(
            id="draft-exp",
            edition_of="exp",
            players=(3, 5),
            clause="DO-7-a",
            weight=5,
            moves={3: 165, 4: 160, 5: 160},
            options=(OptionSpec("dealt", (False, True), "DO-6.2.2-f"),),
            make=draft_exp,
        ),
        Form(
            id="hsb2",
            players=(2, 2),
            clause="DO-8-a",
            weight=4,
            moves={2: 125},
            options=(LIMITS,),
            make=hsb2,
        ),
    ),
    family=("titles.rhineland",),
)
