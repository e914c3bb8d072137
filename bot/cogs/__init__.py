"""Features of the bot, one in each module."""
