"""The rules that all titles share: pure Python, no input or output, no clock, no randomness of its own."""
