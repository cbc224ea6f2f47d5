-- A campaign has each chunk of its audience once. The index also finds the campaigns of a chunk of an audience.
CREATE UNIQUE INDEX IF NOT EXISTS campaign_chunks_once ON campaign_chunks (audience_chunk_id, campaign_id);
