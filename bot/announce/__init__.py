"""Telling channels what happened."""
