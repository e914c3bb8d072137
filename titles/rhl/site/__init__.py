"""Games of the earlier edition in the JSON of 18xx.games: read (`read`) and written (`write`)."""

from titles.rhl.site.format import FORMAT

__all__ = ["FORMAT"]
