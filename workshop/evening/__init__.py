"""An evening at the local table with the real client: what tests and programs need to play there."""
