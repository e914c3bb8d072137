"""Routes: what a train may do, the search for the best, and what a path is worth."""
