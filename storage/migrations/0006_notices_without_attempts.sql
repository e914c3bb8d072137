-- 6: announcements without a number of attempts and a time of the next one.
-- Reason: what a channel refuses is held for its whole game, and the announcer paces itself; nobody read these.

ALTER TABLE notices DROP COLUMN attempts;
ALTER TABLE notices DROP COLUMN next_try;
