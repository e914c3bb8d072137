"""The private panel: a person on the way through their turn, one step after the other."""
