"""Whole pictures: map, market, sheet, charter, tile chooser, finances."""
