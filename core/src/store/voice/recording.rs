//! The rows of recordings, whose sound is in [`RECORDINGS`].

use std::time::Duration;

use crate::args;
use crate::error::Result;
use crate::model::account::id::UserId;
use crate::model::campaign::id::CampaignId;
use crate::model::page::Page;
use crate::model::voice::id::RecordingId;
use crate::store::Tx;
use crate::store::account::quota;
use crate::store::campaign::campaign_statuses;
use crate::store::db::pieces::{Pieces, pieces};
use crate::time::Time;

/// The pieces of recordings.
pub static RECORDINGS: Pieces =
    pieces!("recording", "voice_recordings", "voice_recording_pieces"("recording_id", "pcm"));

/// How long a recording may take to be stored.
const STORED_WITHIN: Duration = Duration::from_secs(600);

/// A recording.
#[derive(Clone, Debug, sqlx_macros::FromRow)]
pub struct RecordingRow {
    pub id: RecordingId,
    pub user_id: UserId,
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
    pub user_id: UserId,
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct RecordingUsage {
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
pub async fn page(tx: &mut Tx, user: UserId, page: Page) -> Result<(Vec<RecordingRow>, i64)> {
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
pub async fn by_id(tx: &mut Tx, id: RecordingId) -> Result<Option<RecordingRow>> {
    tx.opt(columns!("WHERE id = $1 AND purge_at IS NULL"), args![id]).await
}

/// The recording of a user with these samples.
pub async fn by_content(tx: &mut Tx, user: UserId, sha256: &[u8; 32]) -> Result<Option<RecordingId>> {
    let row: Option<(RecordingId,)> = tx
        .opt(
            "SELECT id FROM voice_recordings WHERE user_id = $1 AND sha256 = $2 AND purge_at IS NULL",
            args![user, sha256.to_vec()],
        )
        .await?;
    Ok(row.map(|(id,)| id))
}

/// Begins to store a recording; its id.
pub async fn begin(tx: &mut Tx, new: &NewRecording, now: Time) -> Result<RecordingId> {
    let (id,): (RecordingId,) = tx
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
pub async fn kept(tx: &mut Tx, user: UserId, now: Time) -> Result<RecordingUsage> {
    tx.one(
        "SELECT COUNT(*) - COUNT(gone) AS recordings, CAST(COALESCE(SUM(bytes), 0) - COALESCE(SUM(gone), 0) AS BIGINT) AS bytes, \
           COUNT(gone) AS leaving, CAST(COALESCE(SUM(gone), 0) AS BIGINT) AS leaving_bytes FROM \
           (SELECT bytes, CASE WHEN purge_at <= $2 THEN bytes END AS gone FROM voice_recordings WHERE user_id = $1) AS kept",
        args![user, now],
    )
    .await
}

/// Ends the storing of a recording: from here on it is seen. Where its owner has the same samples already, that one is
/// returned, and this one is not seen.
///
/// # Errors
/// `Corrupt` when pieces are missing.
pub async fn complete(tx: &mut Tx, id: RecordingId, new: &NewRecording, now: Time) -> Result<RecordingId> {
    quota::lock(tx, vec![new.user_id]).await?;
    if let Some(same) = by_content(tx, new.user_id, &new.sha256).await? {
        return Ok(same);
    }
    RECORDINGS.complete(tx, id.0, new.bytes, now).await?;
    Ok(id)
}

/// Notes that a user's recording is called with.
pub async fn note_use(tx: &mut Tx, user: UserId, id: RecordingId, now: Time) -> Result<()> {
    let sql = "UPDATE voice_recordings SET used_at = $3 WHERE id = $1 AND user_id = $2 AND purge_at IS NULL";
    tx.run(sql, args![id, user, now]).await?;
    Ok(())
}

/// Deletes a recording of a user; false when there is none. Its pieces go by [`Pieces::purge`].
pub async fn delete(tx: &mut Tx, user: UserId, id: RecordingId, now: Time) -> Result<bool> {
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
pub async fn lock(tx: &mut Tx, id: RecordingId, user: UserId, now: Time) -> Result<bool> {
    let held = tx
        .run(
            "UPDATE voice_recordings SET used_at = $3 WHERE id = $1 AND user_id = $2 AND purge_at IS NULL",
            args![id, user, now],
        )
        .await?;
    Ok(held > 0)
}

/// The content of a user's calls that are not over, each with its campaign.
pub async fn contents_in_use(tx: &mut Tx, user: UserId) -> Result<Vec<(CampaignId, String)>> {
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
