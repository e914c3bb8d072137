-- 5: the cards of a game, its lobby's place, where games live, and earlier names of a seat.
-- Reason: old cards are closed when the turn has passed on, also after a restart, so what they tell is kept; the
-- lobby card stays in its channel while the game has a thread of its own; and a seat shows the name of whoever sits
-- there now, while the log has the names of those who made the moves.

CREATE TABLE cards (
    game INTEGER PRIMARY KEY REFERENCES games (id),
    data TEXT    NOT NULL CHECK (json_valid(data))
) STRICT;

ALTER TABLE games ADD COLUMN lobby_channel INTEGER;
ALTER TABLE seats ADD COLUMN former TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(former));
ALTER TABLE servers ADD COLUMN place TEXT NOT NULL DEFAULT 'thread' CHECK (place IN ('thread', 'here'));
