"""What 18Rhl and 18LRA share: they have one rulebook. This is no title."""
