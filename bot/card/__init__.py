"""The public cards: what a message in a channel shows, and the buttons that it carries."""
