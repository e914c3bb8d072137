"""House players, whole simulated games, and what must hold after every move."""
