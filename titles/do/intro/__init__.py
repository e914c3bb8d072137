"""The introductory game (chapter 3 of the rulebook)."""
