"""18DO-Dortmund: railways, mines and breweries."""

from titles.do.efs import efs
from titles.registry import Form, Title

TITLE = Title(
    id="do",
    name="18DO-Dortmund",
    version=1,
    forms=(Form(id="efs", players=(3, 5), clause="DO-3.3-a", options=(), make=efs),),
    family=("titles.rhineland",),
)
