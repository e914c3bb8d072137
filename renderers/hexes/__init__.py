"""How a hex is drawn: its shapes, its stations, its words, and hexes side by side."""
