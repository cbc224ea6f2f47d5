//! Audiences and their chunks: who gets a campaign. Written once, read by workers, reports and resends.
//!
//! The invariant: a chunk is never changed; an audience goes with all its chunks, and only while no campaign uses it.

use crate::args;
use crate::campaign::audience::StoredChunk;
use crate::clock::Time;
use crate::error::Result;
use crate::store::Tx;

/// A chunk with the carrier that takes it.
#[derive(Clone, Debug)]
pub struct CarrierChunk {
    /// The carrier's name.
    pub carrier: std::sync::Arc<str>,
    /// Whether it goes out outside the quiet hours only.
    pub promotional: bool,
    /// The recipients.
    pub chunk: StoredChunk,
}

/// Makes an empty audience. `columns` are the names of its merge fields.
pub async fn insert(tx: &mut Tx, user: i64, columns: &[Box<str>], now: Time) -> Result<i64> {
    let columns = serde_json::Value::from_iter(columns.iter().map(|name| &**name)).to_string();
    let (id,): (i64,) = tx
        .one(
            "INSERT INTO audiences (user_id, columns, created_at) VALUES ($1, $2, $3) RETURNING id",
            args![user, columns, now],
        )
        .await?;
    Ok(id)
}

/// Adds chunks, in order.
pub async fn insert_chunks(tx: &mut Tx, audience: i64, chunks: &[CarrierChunk]) -> Result<()> {
    for CarrierChunk { carrier, promotional, chunk } in chunks {
        tx.run_exactly(
            1,
            "INSERT INTO audience_chunks (audience_id, carrier, size, pages, segments, data, promotional) \
             VALUES ($1, $2, $3, $4, $5, $6, $7)",
            args![
                audience,
                &**carrier,
                i64::from(chunk.size),
                chunk.pages.cast_signed(),
                chunk.segments.cast_signed(),
                chunk.data.as_slice(),
                *promotional,
            ],
        )
        .await?;
    }
    Ok(())
}

/// Removes an audience that no campaign uses, with its chunks; false when a campaign does or it is gone.
pub async fn delete_unused(tx: &mut Tx, audience: i64) -> Result<bool> {
    let touched = tx
        .run(
            "DELETE FROM audiences WHERE id = $1 \
             AND NOT EXISTS (SELECT 1 FROM campaigns WHERE audience_id = $1)",
            args![audience],
        )
        .await?;
    Ok(touched == 1)
}

/// Removes audiences made before `before` that no quote refers to: what a crash in the middle of a list left behind.
/// At most 100 a call.
pub async fn delete_orphans(tx: &mut Tx, before: Time) -> Result<u64> {
    tx.run(
        "DELETE FROM audiences WHERE id IN (SELECT a.id FROM audiences a LEFT JOIN quotes q ON q.audience_id = a.id \
         WHERE a.created_at < $1 AND q.id IS NULL ORDER BY a.id LIMIT 100)",
        args![before],
    )
    .await
}

/// The names of an audience's merge fields.
pub async fn columns(tx: &mut Tx, audience: i64) -> Result<Vec<Box<str>>> {
    let (json,): (String,) = tx.one("SELECT columns FROM audiences WHERE id = $1", args![audience]).await?;
    serde_json::from_str(&json).map_err(|error| {
        crate::Error::Corrupt(format!("the columns of audience {audience} cannot be read: {error}"))
    })
}

/// The stored form of up to `limit` chunks of an audience after `after`, in order, with their ids.
pub async fn chunks_after(tx: &mut Tx, audience: i64, after: i64, limit: i64) -> Result<Vec<(i64, Vec<u8>)>> {
    tx.all(
        "SELECT id, data FROM audience_chunks WHERE audience_id = $1 AND id > $2 ORDER BY id LIMIT $3",
        args![audience, after, limit],
    )
    .await
}
