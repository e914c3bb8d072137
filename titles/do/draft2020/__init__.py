"""The games with breweries by the draft of January 2020."""
