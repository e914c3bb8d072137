"""Databases that earlier states of the program have written, and what today's program makes of them.

`python -m workshop upgrades make --commits 100` goes back so many commits, lets the program of then play running
games of every form with its own code, and keeps their database. `python -m workshop upgrades` tells the verdicts as
a table.

At a release `python -m workshop upgrades release` keeps running games that this very program has written, and from
then on `python -m workshop upgrades guard` (and the tests) tell which of them a change leads elsewhere.
"""
