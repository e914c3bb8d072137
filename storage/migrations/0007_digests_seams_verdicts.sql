-- 7: a digest with every move, seams, what a game was begun with, and verdicts.
-- Reason: a game outlives the program it was begun with. Whether a later program leads its moves to the same positions
-- is seen from the digests; where it does not, the position as it stood goes into the log as a seam, from which the game
-- is replayed then. The log is made anew, for its check of kinds cannot be changed.

PRAGMA defer_foreign_keys = ON;

CREATE TABLE log_anew (
    game        INTEGER NOT NULL REFERENCES games (id),
    seq         INTEGER NOT NULL CHECK (seq >= 1),
    kind        TEXT    NOT NULL CHECK (kind IN ('move', 'undo', 'seam')),
    body        TEXT    NOT NULL CHECK (json_valid(body)),
    user        INTEGER NOT NULL,
    player      TEXT    NOT NULL,
    interaction INTEGER,
    part        INTEGER NOT NULL,                      -- counts the entries that one interaction made, from 0
    at          INTEGER NOT NULL,
    digest      BLOB,                                  -- of the position after a move, by meaning; older moves have none
    PRIMARY KEY (game, seq)
) STRICT, WITHOUT ROWID;

INSERT INTO log_anew (game, seq, kind, body, user, player, interaction, part, at)
    SELECT game, seq, kind, body, user, player, interaction, part, at FROM log;
DROP TABLE log;
ALTER TABLE log_anew RENAME TO log;

CREATE UNIQUE INDEX log_by_interaction ON log (interaction, part) WHERE interaction IS NOT NULL;
CREATE TRIGGER log_is_never_changed BEFORE UPDATE ON log BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END;
CREATE TRIGGER log_is_never_cut     BEFORE DELETE ON log BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END;

-- The tables of a definition after all options, as JSON, once for all games that were begun with them.
CREATE TABLE definitions (
    fingerprint TEXT PRIMARY KEY,
    tables      BLOB NOT NULL                          -- JSON, packed
) STRICT, WITHOUT ROWID;

CREATE TABLE begun (
    game        INTEGER PRIMARY KEY REFERENCES games (id),
    version     TEXT    NOT NULL,                      -- the program's
    fingerprint TEXT    NOT NULL REFERENCES definitions (fingerprint),
    drawn       BLOB    NOT NULL                       -- the digest of the position before the first move
) STRICT;

-- One a game: what the present program makes of it. One that needs an answer stands until the host has given it.
CREATE TABLE verdicts (
    game    INTEGER PRIMARY KEY REFERENCES games (id),
    program TEXT    NOT NULL,                          -- a hash of the program that gave it
    length  INTEGER NOT NULL,                          -- the log's length that it was given for
    body    TEXT    NOT NULL CHECK (json_valid(body))
) STRICT;
