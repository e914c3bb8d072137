-- 10: the position in which a game began, whole: its seats, cards and scenario.
-- Reason: all of it followed from the seed by the order of rows in tables; a program that draws otherwise could say so,
-- but not go on with the game. Packed JSON: `position` and the names at the table then, in the order of the seats.

ALTER TABLE begun ADD COLUMN opening BLOB;
