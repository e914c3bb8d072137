"""The rounds of a game, and proposals between people within them."""
