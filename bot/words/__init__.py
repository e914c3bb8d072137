"""Sentences in a person's language: what happened, what may not be done, and what to know before deciding."""
