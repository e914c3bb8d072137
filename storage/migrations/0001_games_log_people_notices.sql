-- 1: the first schema.
-- Reason: games, their log, people's and servers' settings, who is waited for, and announcements still to be made.
-- Times are microseconds since 1970 in UTC: they compare, index and round-trip exactly. JSON is text.

CREATE TABLE games (
    id              INTEGER PRIMARY KEY AUTOINCREMENT, -- panels name games for ever: an id must not come back
    guild           INTEGER NOT NULL,
    channel         INTEGER NOT NULL,
    title           TEXT    NOT NULL,
    title_version   INTEGER NOT NULL,
    options         TEXT    NOT NULL CHECK (json_valid(options)),
    seed            INTEGER NOT NULL,
    host            INTEGER NOT NULL,
    seats_wanted    INTEGER NOT NULL,
    status          TEXT    NOT NULL CHECK (status IN ('lobby', 'playing', 'paused', 'finished', 'ended')),
    created         INTEGER NOT NULL,
    started         INTEGER,
    ended           INTEGER,
    paused          INTEGER,                           -- since when, while paused: that time does not count as waiting
    reminder_hours  TEXT    NOT NULL CHECK (json_valid(reminder_hours)),
    extension_hours INTEGER NOT NULL DEFAULT 0,
    card_message    INTEGER,
    card_seq        INTEGER,
    card_posted     INTEGER
) STRICT;

CREATE INDEX games_by_channel ON games (channel, id);
CREATE INDEX games_by_status  ON games (status, guild);

CREATE TABLE seats (
    game     INTEGER NOT NULL REFERENCES games (id),
    position INTEGER NOT NULL,
    name     TEXT    NOT NULL,
    user     INTEGER NOT NULL,
    house    TEXT    NOT NULL,
    PRIMARY KEY (game, position),
    UNIQUE (game, name)
) STRICT, WITHOUT ROWID;

CREATE INDEX seats_by_user ON seats (user, game);

-- The truth. Without rowid, so that a game's entries lie together and replaying reads them in one sweep.
CREATE TABLE log (
    game        INTEGER NOT NULL REFERENCES games (id),
    seq         INTEGER NOT NULL CHECK (seq >= 1),
    kind        TEXT    NOT NULL CHECK (kind IN ('move', 'undo')),
    body        TEXT    NOT NULL CHECK (json_valid(body)),
    user        INTEGER NOT NULL,
    player      TEXT    NOT NULL,
    interaction INTEGER,
    part        INTEGER NOT NULL,                      -- counts the entries that one interaction made, from 0
    at          INTEGER NOT NULL,
    PRIMARY KEY (game, seq)
) STRICT, WITHOUT ROWID;

-- A repeated click would be part 0 of the same interaction again.
CREATE UNIQUE INDEX log_by_interaction ON log (interaction, part) WHERE interaction IS NOT NULL;

-- The marks of undone moves. Beside the log, so that no entry of it is ever changed.
CREATE TABLE undone (
    game INTEGER NOT NULL,
    seq  INTEGER NOT NULL,
    undo INTEGER NOT NULL,                             -- the entry that took the move back
    PRIMARY KEY (game, seq),
    FOREIGN KEY (game, seq)  REFERENCES log (game, seq),
    FOREIGN KEY (game, undo) REFERENCES log (game, seq),
    CHECK (undo > seq)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER log_is_never_changed    BEFORE UPDATE ON log    BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END;
CREATE TRIGGER log_is_never_cut        BEFORE DELETE ON log    BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END;
CREATE TRIGGER undone_is_never_changed BEFORE UPDATE ON undone BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END;
CREATE TRIGGER undone_is_never_cut     BEFORE DELETE ON undone BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END;

CREATE TABLE people (
    user           INTEGER PRIMARY KEY,
    locale         TEXT    NOT NULL,
    zone           TEXT    NOT NULL,
    quiet_from     INTEGER CHECK (quiet_from BETWEEN 0 AND 23),
    quiet_to       INTEGER CHECK (quiet_to BETWEEN 0 AND 23),
    ping           TEXT    NOT NULL CHECK (ping IN ('channel', 'direct', 'off')),
    vacation_until INTEGER,
    reminder_hours TEXT    NOT NULL CHECK (json_valid(reminder_hours))
) STRICT;

CREATE TABLE servers (
    guild    INTEGER PRIMARY KEY,
    channels TEXT    NOT NULL CHECK (json_valid(channels)),
    locale   TEXT    NOT NULL
) STRICT;

-- The outbox.
CREATE TABLE notices (
    id       INTEGER PRIMARY KEY AUTOINCREMENT,        -- the order in which announcements are made
    game     INTEGER NOT NULL REFERENCES games (id),
    kind     TEXT    NOT NULL,
    seq      INTEGER NOT NULL,
    data     TEXT    NOT NULL CHECK (json_valid(data)),
    created  INTEGER NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0,
    next_try INTEGER,
    begun    INTEGER,
    done     INTEGER
) STRICT;

CREATE INDEX notices_to_make ON notices (game, id) WHERE done IS NULL;
CREATE INDEX notices_made    ON notices (done)     WHERE done IS NOT NULL;

CREATE TABLE waiting (
    game            INTEGER NOT NULL REFERENCES games (id),
    user            INTEGER NOT NULL,
    player          TEXT    NOT NULL,
    since           INTEGER NOT NULL,
    acted           INTEGER,                           -- their own last move while they go on being waited for
    steps_sent      INTEGER NOT NULL DEFAULT 0,
    last_sent       INTEGER,
    message_channel INTEGER,
    message         INTEGER,
    begun           INTEGER,                           -- a reminder to them is under way, or was when we crashed
    host_told       INTEGER,
    host_begun      INTEGER,                           -- the same of telling the host
    PRIMARY KEY (game, user)
) STRICT, WITHOUT ROWID;

CREATE INDEX waiting_by_user ON waiting (user);
