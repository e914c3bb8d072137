"""Where games, moves, people's settings, reminders and announcements are kept."""
