-- 8: who opened a lobby, whether its seed was typed, the house's secret, held seats, and who sat where before.
-- Reason: limits were counted by the present host, who changes; a drawn seed was known before the start; house players
-- were predictable from a public seed and threw their dice anew after an undo; a rematch seated people who had said
-- nothing; and whoever took one seat after the other saw all hidden cards.

ALTER TABLE games ADD COLUMN opener INTEGER NOT NULL DEFAULT 0;      -- never changes
ALTER TABLE games ADD COLUMN seed_typed INTEGER NOT NULL DEFAULT 0;  -- 0: it is drawn at the start
ALTER TABLE games ADD COLUMN salt TEXT NOT NULL DEFAULT '';          -- never shown to anybody
ALTER TABLE games ADD COLUMN invited TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(invited));
ALTER TABLE seats ADD COLUMN former_users TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(former_users));
ALTER TABLE seats ADD COLUMN taken INTEGER;                          -- the log's length when it last changed hands

UPDATE games SET opener = host, salt = lower(hex(randomblob(16)));
