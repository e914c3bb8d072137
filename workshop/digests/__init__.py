"""Recorded games with a digest of every position: the proof that a change of the code leaves the rules alone.

`python -m workshop digests` makes the recorded moves anew and tells, for each game, the first move after which the
position, the events or the offer is not what was recorded, or which is refused. `view` reads a game by meaning and
is to be adapted when the engine's shape changes; `recording` says which games there are and keeps them.

A difference that is wanted (a rule was repaired) goes into `expected.toml` with its clause: `--expect "RHL-4.1-b: …"`
writes those that it finds there. `--write` then records these games in their new course (where a recorded move is
refused, the house plays on) and takes them out of that file; it also plays games whose recording was deleted. Other
games it leaves alone, unless `--only` names them: `--write --only '*'` records all anew, after a change of the view.

Some games have the whole position after every move (`--list` says which), the others at every hundredth and in the
end; what differs is told at the next of these. For any other move: `--show GAME MOVE` prints the position, the events
and the offer, here and in a checkout of the commit of the recording.
"""
