-- 2: quotas, and games that cannot be announced.
-- Reason: nobody may fill a server with lobbies, and a channel that refuses announcements for a while must not lose
-- them: since when and why it does, and whether the host has been told, outlives a restart.

CREATE TABLE quotas (
    guild INTEGER NOT NULL,
    what  TEXT    NOT NULL,
    most  INTEGER NOT NULL CHECK (most >= 0),
    PRIMARY KEY (guild, what)
) STRICT, WITHOUT ROWID;

CREATE TABLE held (
    game      INTEGER PRIMARY KEY REFERENCES games (id),
    since     INTEGER NOT NULL,
    why       TEXT    NOT NULL,
    host_told INTEGER
) STRICT;
