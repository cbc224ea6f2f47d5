//! The rows of recordings. Their sound is in pieces, each in a transaction of its own; a recording is seen from the
//! transaction behind the last piece on, until it is deleted. What is not seen goes by [`purge`].

use std::time::Duration;

use crate::error::{Error, Result};
use crate::model::page::Page;
use crate::store::Tx;
use crate::store::account::quota;
use crate::store::campaign::campaign_statuses;
use crate::time::Time;
use crate::{args, sql};

/// Bytes of a piece, the last one aside: 16 seconds.
pub const PIECE_BYTES: usize = 256 << 10;
/// How long a recording may take to be stored.
const STORED_WITHIN: Duration = Duration::from_secs(600);

/// A recording.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct RecordingRow {
    pub id: i64,
    pub user_id: i64,
    pub name: String,
    pub length_ms: i64,
    pub loudness_dbfs: i64,
    pub bytes: i64,
    pub used_at: Option<Time>,
    pub created_at: Time,
}

/// A recording that is to be stored.
#[derive(Clone, Debug)]
pub struct NewRecording {
    /// Whose it is.
    pub user_id: i64,
    /// What its owner calls it.
    pub name: String,
    /// The digest of its samples.
    pub sha256: [u8; 32],
    /// How long it takes.
    pub length_ms: i64,
    /// Its root mean square.
    pub loudness_dbfs: i64,
    /// Bytes of its samples.
    pub bytes: i64,
}

/// What a user keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct Kept {
    /// Recordings, also those that are being stored.
    pub recordings: i64,
    /// Bytes of their samples.
    pub bytes: i64,
    /// Recordings that are deleted or given up, and still in the database.
    pub leaving: i64,
    /// Bytes of their samples.
    pub leaving_bytes: i64,
}

macro_rules! columns {
    ($tail:literal) => {
        concat!(
            "SELECT id, user_id, name, length_ms, loudness_dbfs, bytes, used_at, created_at FROM voice_recordings ",
            $tail
        )
    };
}

/// A page of a user's recordings, newest first, and how many there are.
pub async fn page(tx: &mut Tx, user: i64, page: Page) -> Result<(Vec<RecordingRow>, i64)> {
    let (total,): (i64,) = tx
        .one("SELECT COUNT(*) FROM voice_recordings WHERE user_id = $1 AND purge_at IS NULL", args![user])
        .await?;
    let rows = tx
        .all(
            columns!("WHERE user_id = $1 AND purge_at IS NULL ORDER BY id DESC LIMIT $2 OFFSET $3"),
            args![user, page.size(), page.skip()],
        )
        .await?;
    Ok((rows, total))
}

/// One recording that can be heard.
pub async fn by_id(tx: &mut Tx, id: i64) -> Result<Option<RecordingRow>> {
    tx.opt(columns!("WHERE id = $1 AND purge_at IS NULL"), args![id]).await
}

/// The recording of a user with these samples.
pub async fn by_content(tx: &mut Tx, user: i64, sha256: &[u8; 32]) -> Result<Option<i64>> {
    let row: Option<(i64,)> = tx
        .opt(
            "SELECT id FROM voice_recordings WHERE user_id = $1 AND sha256 = $2 AND purge_at IS NULL",
            args![user, sha256.to_vec()],
        )
        .await?;
    Ok(row.map(|(id,)| id))
}

/// Begins to store a recording; its id.
pub async fn begin(tx: &mut Tx, new: &NewRecording, now: Time) -> Result<i64> {
    let (id,): (i64,) = tx
        .one(
            "INSERT INTO voice_recordings \
               (user_id, audio_url, name, sha256, length_ms, loudness_dbfs, bytes, created_at, purge_at) \
             VALUES ($1, '', $2, $3, $4, $5, $6, $7, $8) RETURNING id",
            args![
                new.user_id,
                new.name.as_str(),
                new.sha256.to_vec(),
                new.length_ms,
                new.loudness_dbfs,
                new.bytes,
                now,
                now + STORED_WITHIN
            ],
        )
        .await?;
    Ok(id)
}

/// What a user keeps.
pub async fn kept(tx: &mut Tx, user: i64, now: Time) -> Result<Kept> {
    tx.one(
        "SELECT COUNT(*) - COUNT(gone) AS recordings, CAST(COALESCE(SUM(bytes), 0) - COALESCE(SUM(gone), 0) AS BIGINT) AS bytes, \
           COUNT(gone) AS leaving, CAST(COALESCE(SUM(gone), 0) AS BIGINT) AS leaving_bytes FROM \
           (SELECT bytes, CASE WHEN purge_at <= $2 THEN bytes END AS gone FROM voice_recordings WHERE user_id = $1) AS kept",
        args![user, now],
    )
    .await
}

/// Stores the piece at a place, once.
pub async fn put_piece(tx: &mut Tx, id: i64, place: i64, pcm: &[u8]) -> Result<()> {
    tx.run(
        "INSERT INTO voice_recording_pieces (recording_id, place, pcm) VALUES ($1, $2, $3) \
         ON CONFLICT (recording_id, place) DO NOTHING",
        args![id, place, pcm],
    )
    .await?;
    Ok(())
}

/// Ends the storing of a recording: from here on it is seen. Where its owner has the same samples already, that one is
/// returned, and this one is not seen.
///
/// # Errors
/// `Corrupt` when pieces are missing.
pub async fn complete(tx: &mut Tx, id: i64, new: &NewRecording, now: Time) -> Result<i64> {
    quota::lock(tx, vec![new.user_id]).await?;
    if let Some(same) = by_content(tx, new.user_id, &new.sha256).await? {
        return Ok(same);
    }
    // Before its pieces are counted: from here on no purge removes them.
    tx.run_exactly(
        1,
        "UPDATE voice_recordings SET purge_at = NULL WHERE id = $1 AND purge_at > $2",
        args![id, now],
    )
    .await?;
    let (stored,): (i64,) = tx
        .one(
            "SELECT CAST(COALESCE(SUM(LENGTH(pcm)), 0) AS BIGINT) FROM voice_recording_pieces WHERE recording_id = $1",
            args![id],
        )
        .await?;
    if stored != new.bytes {
        return Err(Error::Corrupt(format!("recording {id} has {stored} of {} bytes", new.bytes)));
    }
    Ok(id)
}

/// Gives up a recording that was begun and not completed: it goes by [`purge`].
pub async fn abandon(tx: &mut Tx, id: i64, now: Time) -> Result<()> {
    let sql = "UPDATE voice_recordings SET purge_at = $2 WHERE id = $1 AND purge_at > $2";
    tx.run(sql, args![id, now]).await?;
    Ok(())
}

/// The piece at a place.
pub async fn piece(tx: &mut Tx, id: i64, place: i64) -> Result<Option<Vec<u8>>> {
    let row: Option<(Vec<u8>,)> = tx
        .opt(
            "SELECT pcm FROM voice_recording_pieces WHERE recording_id = $1 AND place = $2",
            args![id, place],
        )
        .await?;
    Ok(row.map(|(pcm,)| pcm))
}

/// Notes that a user's recording is called with.
pub async fn note_use(tx: &mut Tx, user: i64, id: i64, now: Time) -> Result<()> {
    let sql = "UPDATE voice_recordings SET used_at = $3 WHERE id = $1 AND user_id = $2 AND purge_at IS NULL";
    tx.run(sql, args![id, user, now]).await?;
    Ok(())
}

/// Deletes a recording of a user; false when there is none. Its pieces go by [`purge`].
pub async fn delete(tx: &mut Tx, user: i64, id: i64, now: Time) -> Result<bool> {
    let deleted = tx
        .run(
            "UPDATE voice_recordings SET purge_at = $3 WHERE id = $1 AND user_id = $2 AND purge_at IS NULL",
            args![id, user, now],
        )
        .await?;
    Ok(deleted > 0)
}

/// Keeps a recording of a user from being deleted until the transaction ends, and notes that it is used; false when there
/// is none.
pub async fn hold(tx: &mut Tx, id: i64, user: i64, now: Time) -> Result<bool> {
    let held = tx
        .run(
            "UPDATE voice_recordings SET used_at = $3 WHERE id = $1 AND user_id = $2 AND purge_at IS NULL",
            args![id, user, now],
        )
        .await?;
    Ok(held > 0)
}

/// The content of a user's calls that are not over, each with its campaign.
pub async fn contents_in_use(tx: &mut Tx, user: i64) -> Result<Vec<(i64, String)>> {
    tx.all(
        concat!(
            "SELECT id, content FROM campaigns WHERE user_id = $1 AND kind = 'voice' AND status IN (",
            campaign_statuses!(open),
            ") ORDER BY id"
        ),
        args![user],
    )
    .await
}

/// Removes some pieces of a recording; how many.
async fn remove_pieces(tx: &mut Tx, id: i64) -> Result<u64> {
    tx.run(
        "DELETE FROM voice_recording_pieces WHERE recording_id = $1 AND place IN \
           (SELECT place FROM voice_recording_pieces WHERE recording_id = $1 ORDER BY place LIMIT 8)",
        args![id],
    )
    .await
}

/// Removes a bounded part of a recording that was deleted or never stored to its end; how many rows, 0 when there is none
/// left.
pub async fn purge(tx: &mut Tx, now: Time) -> Result<u64> {
    // Each daemon removes another one, and its row only once it has no pieces.
    let next = sql!(
        "SELECT id FROM voice_recordings WHERE purge_at <= $1 ORDER BY purge_at, id LIMIT 1 FOR UPDATE SKIP LOCKED"
    );
    let Some((id,)) = tx.opt::<(i64,)>(next, args![now]).await? else { return Ok(0) };
    match remove_pieces(tx, id).await? {
        0 => {
            // Of one whose user is being deleted others remove pieces, too.
            let sql = "DELETE FROM voice_recordings WHERE id = $1 AND NOT EXISTS \
                       (SELECT 1 FROM voice_recording_pieces WHERE recording_id = $1)";
            tx.run(sql, args![id]).await
        }
        pieces => Ok(pieces),
    }
}

/// Removes a bounded number of pieces of a user's recordings; true when there are none left.
pub async fn forget_pieces_of(tx: &mut Tx, user: i64) -> Result<bool> {
    let next: Option<(i64,)> = tx
        .opt(
            "SELECT r.id FROM voice_recordings r WHERE r.user_id = $1 AND EXISTS \
               (SELECT 1 FROM voice_recording_pieces p WHERE p.recording_id = r.id) ORDER BY r.id LIMIT 1",
            args![user],
        )
        .await?;
    let Some((id,)) = next else { return Ok(true) };
    remove_pieces(tx, id).await?;
    Ok(false)
}
