-- 4: the form of play of a game.
-- Reason: a title has several forms, each with its own numbers of players and options.
ALTER TABLE games ADD COLUMN form TEXT NOT NULL DEFAULT '';
