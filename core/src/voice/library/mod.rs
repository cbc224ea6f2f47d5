//! The recordings that customers keep: stored piece by piece, seen once they are whole, each content once a user.
//!
//! They are in the database, because workers of other machines call with them.

use std::ops::Range;

use futures::stream::{self, BoxStream, StreamExt as _};
use sha2::{Digest as _, Sha256};
use talkdrum_api::voice::VoiceRecord;

use crate::content::{CallScript, ClipSource, Content};
use crate::error::{Error, Result};
use crate::model::account::id::UserId;
use crate::model::account::user::UserStatus;
use crate::model::page::Page;
use crate::model::voice::id::RecordingId;
use crate::platform::quota::Quotas;
use crate::store::account::user;
use crate::store::db::pieces::PIECE_BYTES;
use crate::store::operations::idempotency::{self, Claim, once};
use crate::store::voice::recording::{self as rows, NewRecording, RECORDINGS, RecordingRow};
use crate::store::{Lane, Store, Tx};
use crate::time::{Clock, Time};
use crate::voice::recording::{Recording, loudness_word};

/// The longest name, in characters.
pub const NAME_CHARS_MAX: usize = 100;

/// A recording that was added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AddedRecording {
    /// Its id.
    pub id: RecordingId,
    /// Whether it is stored now; false where its owner has the same already, whose id this is.
    pub is_new: bool,
}

/// The name of a recording: the given one, else that of its file without its ending.
///
/// # Errors
/// A name of more than [`NAME_CHARS_MAX`] characters.
pub fn name_of(given: Option<&str>, file: Option<&str>) -> Result<String> {
    let cleaned = |name: &str| {
        let plain = name.replace(char::is_control, " ");
        plain.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    if let Some(name) = given.map(cleaned).filter(|name| !name.is_empty()) {
        let characters = name.chars().count();
        if characters > NAME_CHARS_MAX {
            return Err(Error::field(
                "name",
                "recording_name_too_long",
                format!("The name has {characters} characters, and may have {NAME_CHARS_MAX}: shorten it"),
            ));
        }
        return Ok(name);
    }
    let file = file.unwrap_or_default().rsplit(['/', '\\']).next().unwrap_or_default();
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    let stem: String = cleaned(stem).chars().take(NAME_CHARS_MAX).collect();
    Ok(if stem.is_empty() { "Recording".to_owned() } else { stem })
}

/// Stores a recording, or finds the one with the same samples.
///
/// # Errors
/// `recordings_quota` when its owner keeps as many, or as much, as a user may; `account_inactive` when the owner was
/// deactivated or deleted before it was stored; a conflict when the key of the claim was used for something else.
pub async fn add(
    store: &Store,
    clock: &dyn Clock,
    (user_id, name): (UserId, String),
    recording: &Recording,
    quotas: Quotas,
    claim: Option<Claim>,
) -> Result<AddedRecording> {
    let pcm = recording.clip.pcm();
    let new = NewRecording {
        user_id,
        name,
        sha256: Sha256::digest(pcm).into(),
        length_ms: recording.length_ms,
        loudness_dbfs: i64::from(recording.loudness_dbfs),
        bytes: i64::try_from(pcm.len()).unwrap_or(i64::MAX),
    };
    let input = (new.clone(), quotas, claim.clone(), clock.now());
    let begin = store.write(Lane::Interactive, input, |tx, (new, quotas, claim, now)| {
        Box::pin(begin(tx, new, quotas, claim.as_ref(), *now))
    });
    let id = match begin.await? {
        Begun::There(id) => return Ok(AddedRecording { id, is_new: false }),
        Begun::New(id) => id,
    };
    let stored = store_pieces(store, clock, id, pcm, (new, claim)).await;
    if !matches!(stored, Ok(kept) if kept == id) {
        let input = (id, clock.now());
        let abandon = store
            .write(Lane::Background, input, |tx, (id, now)| Box::pin(RECORDINGS.abandon(tx, id.0, *now)))
            .await;
        if let Err(error) = abandon {
            tracing::warn!(code = error.code(), %error, recording = id.0, "a recording is left to be purged");
        }
    }
    stored.map(|kept| AddedRecording { id: kept, is_new: kept == id })
}

enum Begun {
    /// There is the same already.
    There(RecordingId),
    /// This one is to be filled.
    New(RecordingId),
}

async fn begin(
    tx: &mut Tx,
    new: &NewRecording,
    quotas: &Quotas,
    claim: Option<&Claim>,
    now: Time,
) -> Result<Begun> {
    require_active(tx, new.user_id).await?;
    if let Some(done) = idempotency::look_if_any(tx, claim).await? {
        let id = done.parse().map_err(|_| Error::Corrupt(format!("'{done}' is no id of a recording")))?;
        return Ok(Begun::There(id));
    }
    if let Some(id) = rows::by_content(tx, new.user_id, &new.sha256).await? {
        return Ok(Begun::There(once(tx, claim, now, async |_| Ok(id)).await?));
    }
    let id = rows::begin(tx, new, now).await?;
    quotas.check_recordings(tx, new.user_id, now).await?;
    Ok(Begun::New(id))
}

/// Until the transaction ends its user is not deleted, who would leave the recording behind.
async fn require_active(tx: &mut Tx, user: UserId) -> Result<()> {
    if user::lock_active(tx, user).await? { Ok(()) } else { Err(Error::inactive()) }
}

/// Stores the samples, a piece a transaction, and makes the recording seen; the one that is kept.
async fn store_pieces(
    store: &Store,
    clock: &dyn Clock,
    id: RecordingId,
    pcm: &[u8],
    (new, claim): (NewRecording, Option<Claim>),
) -> Result<RecordingId> {
    for (place, piece) in (0_i64..).zip(pcm.chunks(PIECE_BYTES)) {
        let input = (id, place, piece.to_vec());
        let put = store.write(Lane::Background, input, |tx, (id, place, piece)| {
            Box::pin(RECORDINGS.put(tx, id.0, *place, piece))
        });
        put.await?;
    }
    let input = (id, new, claim, clock.now());
    let complete = store.write(Lane::Interactive, input, |tx, (id, new, claim, now)| {
        Box::pin(async move {
            require_active(tx, new.user_id).await?;
            once(tx, claim.as_ref(), *now, async |tx| rows::complete(tx, *id, new, *now).await).await
        })
    });
    complete.await
}

/// A page of a user's recordings, newest first, and how many there are. `url` says where one is heard.
pub async fn page(
    tx: &mut Tx,
    user: UserId,
    page: Page,
    url: impl Fn(&RecordingRow) -> String,
) -> Result<(Vec<VoiceRecord>, i64)> {
    let (rows, total) = rows::page(tx, user, page).await?;
    Ok((rows.into_iter().map(|row| shown(row, &url)).collect(), total))
}

/// One recording of a user.
///
/// # Errors
/// 404 when the user has none with this id.
pub async fn show(
    tx: &mut Tx,
    user: UserId,
    id: RecordingId,
    url: impl Fn(&RecordingRow) -> String,
) -> Result<VoiceRecord> {
    let row = rows::by_id(tx, id).await?.filter(|row| row.user_id == user);
    Ok(shown(row.ok_or(Error::NotFound("recording"))?, &url))
}

fn shown(row: RecordingRow, url: &impl Fn(&RecordingRow) -> String) -> VoiceRecord {
    VoiceRecord {
        id: row.id.0,
        audio_file_url: url(&row),
        name: row.name,
        length_ms: row.length_ms,
        loudness: loudness_word(row.loudness_dbfs).to_owned(),
        loudness_dbfs: row.loudness_dbfs,
        bytes: row.bytes,
        used_at: row.used_at.map(Time::to_rfc3339),
        created_at: row.created_at.to_rfc3339(),
    }
}

/// Deletes a recording of a user.
///
/// # Errors
/// 404 when the user has none with this id; `recording_in_use` while a campaign that is not over plays it.
pub async fn delete(tx: &mut Tx, user: UserId, id: RecordingId, now: Time) -> Result<()> {
    // First, so that a confirmation under way is waited for, and one that comes later finds it gone.
    if !rows::delete(tx, user, id, now).await? {
        return Err(Error::NotFound("recording"));
    }
    for (campaign, content) in rows::contents_in_use(tx, user).await? {
        let is_it =
            |script: &CallScript| matches!(&script.clip, ClipSource::Recording { id: of, .. } if *of == id.0);
        let content = Content::from_json(&content).map_err(|error| error.in_row("campaign", campaign))?;
        if content.as_call().is_some_and(is_it) {
            return Err(Error::conflict(
                "recording_in_use",
                format!("Campaign {campaign} plays this recording: delete it when that is over or cancelled"),
            ));
        }
    }
    Ok(())
}

/// Bytes of the samples of a recording that can be heard, and its owner.
///
/// # Errors
/// 404 when no recording has both this id and this time of creation (after a restore the id may belong to another one), or
/// when its owner is not active any more.
pub async fn pcm_bytes(tx: &mut Tx, id: RecordingId, created_at: Time) -> Result<(u64, UserId)> {
    let row = rows::by_id(tx, id).await?.filter(|row| row.created_at == created_at);
    let row = row.ok_or(Error::NotFound("recording"))?;
    let owner = user::by_id(tx, row.user_id).await?;
    owner.filter(|owner| owner.status == UserStatus::Active).ok_or(Error::NotFound("recording"))?;
    let bytes = u64::try_from(row.bytes);
    let bytes = bytes.map_err(|_| Error::Corrupt(format!("recording {id} has {} bytes", row.bytes)))?;
    Ok((bytes, row.user_id))
}

/// A range of the bytes of a recording's samples, a piece at a time: no transaction is open between two of them. It ends
/// with an error where the recording is purged meanwhile.
pub fn pcm(store: Store, id: RecordingId, range: Range<u64>) -> BoxStream<'static, Result<Vec<u8>>> {
    let piece = PIECE_BYTES as u64;
    let pieces = stream::try_unfold((store, range), move |(store, range)| async move {
        if range.is_empty() {
            return Ok(None);
        }
        let place = range.start / piece;
        let first = i64::try_from(place).unwrap_or(i64::MAX);
        let pcm = RECORDINGS.read(&mut store.read().await?, id.0, first).await?;
        let end = range.end.min((place + 1) * piece);
        let wanted = (range.start - place * piece) as usize..(end - place * piece) as usize;
        let wanted = pcm.as_deref().and_then(|pcm| pcm.get(wanted));
        let wanted = wanted.ok_or(Error::NotFound("recording"))?.to_vec();
        Ok(Some((wanted, (store, end..range.end))))
    });
    pieces.boxed()
}

/// Removes a bounded part of what was deleted or never stored to its end; 0 when there is nothing left.
pub async fn purge(tx: &mut Tx, now: Time) -> Result<u64> {
    RECORDINGS.purge(tx, now).await
}

#[cfg(test)]
mod tests;
