"""Tests of the short game of 18Rhl and 18LRA."""
