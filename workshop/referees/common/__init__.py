"""What referees share because it is no rule: hexes, track, searches for routes, the frame of a table."""
