-- Recordings hold their sound: samples of 8 kHz, 16 bit, in pieces. A recording is there once purge_at is NULL: one that is
-- being stored, or was deleted, goes at that time. audio_url is that of daemons before this one, and empty.
ALTER TABLE voice_recordings ALTER COLUMN audio_url SET DEFAULT '';
ALTER TABLE voice_recordings ADD COLUMN name TEXT NOT NULL DEFAULT '';
ALTER TABLE voice_recordings ADD COLUMN sha256 BYTEA;
ALTER TABLE voice_recordings ADD COLUMN length_ms BIGINT NOT NULL DEFAULT 0;
ALTER TABLE voice_recordings ADD COLUMN loudness_dbfs BIGINT NOT NULL DEFAULT 0;
ALTER TABLE voice_recordings ADD COLUMN bytes BIGINT NOT NULL DEFAULT 0;
ALTER TABLE voice_recordings ADD COLUMN used_at BIGINT;
ALTER TABLE voice_recordings ADD COLUMN purge_at BIGINT;
CREATE UNIQUE INDEX voice_recordings_content ON voice_recordings (user_id, sha256) WHERE purge_at IS NULL; -- kept once
CREATE INDEX voice_recordings_purge ON voice_recordings (purge_at) WHERE purge_at IS NOT NULL; -- what goes

CREATE TABLE voice_recording_pieces (
    recording_id BIGINT NOT NULL REFERENCES voice_recordings (id),
    place        BIGINT NOT NULL,
    pcm          BYTEA  NOT NULL,
    PRIMARY KEY (recording_id, place)
);
