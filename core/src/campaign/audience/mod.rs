//! Audiences: lists of recipients, in immutable chunks of up to 4,096, each chunk for one carrier.
//!
//! A recipient is a number, its billed pages and segments, and the values of its merge fields. Ten recipients or ten
//! million differ only in the number of chunks; nothing ever holds the whole list as strings.

mod chunk;

pub use chunk::{CHUNK_SIZE, Chunk, ChunkBuilder, Recipient, StoredChunk};
