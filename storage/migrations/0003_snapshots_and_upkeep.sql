-- 3: snapshots of positions, and one row about the file itself.
-- Reason: a game that is not in memory was replayed from its first move whenever somebody asked; two bots could use one
-- database; and a file whose write-ahead log was lost looked like an empty one.

-- Only to save time: a row that is missing or does not fit is made again from the log, which stays the truth.
CREATE TABLE snapshots (
    game   INTEGER PRIMARY KEY REFERENCES games (id),
    length INTEGER NOT NULL,                           -- the log's length that the position belongs to
    basis  TEXT    NOT NULL,                           -- a hash of everything that the position follows from
    digest TEXT    NOT NULL,                           -- the position's own
    body   BLOB    NOT NULL
) STRICT;

CREATE TABLE upkeep (
    row      INTEGER PRIMARY KEY CHECK (row = 1),
    promised INTEGER NOT NULL DEFAULT 0,               -- raised just before the write-ahead log goes into this file
    kept     INTEGER NOT NULL DEFAULT 0,               -- the same number, written just after it into the new one
    owner    TEXT CHECK (owner IS NULL OR json_valid(owner)), -- the bot that uses the database, while one does
    probe    BLOB                                      -- what is written to see whether anything can be
) STRICT;

INSERT INTO upkeep (row) VALUES (1);
