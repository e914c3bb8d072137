"""Measurements, printed as tables; nothing here asserts a time."""
