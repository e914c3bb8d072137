"""A game that people really played, step by step beside the engine; its record is no part of the repository."""
