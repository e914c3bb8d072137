"""18DO-Dortmund: railways, mines and breweries."""
