"""Numbered changes of the schema: `NNNN_what.sql`, each with its reason in the header. A released one never changes."""
