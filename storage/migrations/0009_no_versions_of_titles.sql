-- 9: games without a version of their title.
-- Reason: nobody raised it, and a raised one would have shut running games out; what a game was begun with is kept with
-- it, and whether a program leads it elsewhere is seen from its digests.

ALTER TABLE games DROP COLUMN title_version;
