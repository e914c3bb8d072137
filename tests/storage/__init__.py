"""The store: what it keeps, what it refuses, and that nothing is lost."""
