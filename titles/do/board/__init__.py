"""What all forms of 18DO share: the box and its data, links, track, stations, trains and shares."""
