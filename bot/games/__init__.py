"""Games in memory and in the database."""
