"""The map: hexes, what lies on them, which tile fits where, and what a company reaches."""
