//! What a campaign is made of: its recipients in chunks, its canaries, its quote.

pub mod audience_chunk;
pub mod canary;
pub mod id;
pub mod pause;
pub mod quote_details;
