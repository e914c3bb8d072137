"""From the offer to a tap: picks kept in a button's id, buttons that survive a restart, and what a move would do."""
