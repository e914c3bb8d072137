"""Money and paper: certificates, prices, the display of cards, raising money."""
