"""The referees of 18DO's forms, each read from its own chapter of the rulebook."""
