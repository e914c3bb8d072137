"""Heat, Sweat & Beer (chapter 6): breweries, the beer market, beer on trains."""
