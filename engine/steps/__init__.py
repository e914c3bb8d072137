"""The parts of a turn: track, stations, runs, dividends, purchases."""
