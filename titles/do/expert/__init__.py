"""The Expert game (chapter 7): small investments and special events."""
