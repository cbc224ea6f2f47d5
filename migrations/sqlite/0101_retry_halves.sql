-- Messages of which some parts were accepted: they go by no other carrier, and expire where theirs is gone.
CREATE INDEX IF NOT EXISTS retries_halves ON retries (carrier, due_at) WHERE parts_done <> 0;
