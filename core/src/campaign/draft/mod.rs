//! Drafts: what a customer writes and has not sent, with its files, so that it is there after a reload and on another
//! device.
//!
//! A draft may have a key, which the page that begins it makes: by it the page finds a draft whose id it never heard of,
//! as the answer was lost, and begins no second one.
//!
//! A draft has a version, and a change names the one that it is of: of two devices the second is refused, and overwrites
//! nothing unseen. Files are stored piece by piece and are part of the draft once they are whole. Sending reads no drafts:
//! a page that goes on with one reads its files back and sends them as any others, so that quotes and their
//! digests know nothing of drafts.

use std::io::Read as _;

use futures::stream::{self, BoxStream, StreamExt as _};
use talkdrum_api::draft::{DraftFile, FormDraft};
use tempfile::SpooledTempFile;

use crate::error::{Error, Result};
use crate::model::account::id::UserId;
use crate::model::campaign::id::{DraftFileId, DraftId};
use crate::model::file_name;
use crate::platform::quota::Quotas;
use crate::store::account::{quota, user};
use crate::store::campaign::draft::{self as rows, DraftContent, DraftRow, FILES, FileRow};
use crate::store::db::pieces::PIECE_BYTES;
use crate::store::operations::idempotency::{Claim, once};
use crate::store::{Lane, Store, Tx};
use crate::time::{Clock, Time};

pub use rows::purge;

/// Drafts of a user.
pub const DRAFTS_MAX: i64 = 20;
/// Files of a draft: as many as of a form.
pub const FILES_MAX: usize = 50;
/// Bytes of the fields.
pub const FIELDS_BYTES_MAX: usize = 256 << 10;
/// Characters of what a draft is shown as; what is longer is cut.
const TITLE_CHARS_MAX: usize = 100;
/// Characters of a file's name; what is longer is cut.
const NAME_CHARS_MAX: usize = 200;
/// Characters of the key of a draft.
const KEY_CHARS_MAX: usize = 100;
/// A draft as a change of it names it: its owner, its id, and the version that is changed.
pub type Version = (UserId, DraftId, i64);

/// What can be drafted.
const FORMS: [&str; 2] = ["sms", "call"];

/// What a draft is of.
///
/// # Errors
/// 400 for anything but `sms` and `call`.
pub fn form_of(text: &str) -> Result<&'static str> {
    let known = FORMS.into_iter().find(|form| *form == text.trim());
    known.ok_or_else(|| Error::field("form", "bad_form", "The form of a draft is sms or call"))
}

/// What a draft says, checked.
///
/// # Errors
/// 400 when the fields are too long, or no object in JSON.
pub fn written(title: &str, fields: String) -> Result<DraftContent> {
    if fields.len() > FIELDS_BYTES_MAX {
        let most = FIELDS_BYTES_MAX >> 10;
        let message = format!("A draft's fields may take {most} KiB: attach long lists as files");
        return Err(Error::field("fields", "draft_too_long", message));
    }
    let is_object = fields.trim_start().starts_with('{')
        && serde_json::from_str::<serde::de::IgnoredAny>(&fields).is_ok();
    if !is_object {
        return Err(Error::field("fields", "bad_fields", "The fields of a draft are an object in JSON"));
    }
    Ok(DraftContent { title: file_name::in_one_line(title, TITLE_CHARS_MAX), fields })
}

/// The key that a page made for a draft; `None` where it made none.
///
/// # Errors
/// 400 for anything but visible ASCII characters, and for too many.
pub fn key_of(text: Option<&str>) -> Result<Option<String>> {
    let Some(key) = text.filter(|text| !text.is_empty()) else { return Ok(None) };
    if key.len() > KEY_CHARS_MAX || !key.bytes().all(|byte| byte.is_ascii_graphic()) {
        let message = format!("The key of a draft has at most {KEY_CHARS_MAX} visible ASCII characters");
        return Err(Error::field("key", "bad_key", message));
    }
    Ok(Some(key.to_owned()))
}

/// The name of a file as its draft shows it.
fn name_of(given: Option<&str>) -> String {
    let name = file_name::shown(given, NAME_CHARS_MAX);
    if name.is_empty() { "recipients.txt".to_owned() } else { name }
}

/// A user's drafts of a form, or all, the last changed first.
pub async fn list(tx: &mut Tx, user: UserId, form: Option<&str>) -> Result<Vec<FormDraft>> {
    let mut files = rows::files(tx, user, None).await?;
    let drafts = rows::list(tx, user, form, DRAFTS_MAX).await?;
    let shown = drafts.into_iter().map(|row| {
        let own = files.extract_if(.., |file| file.draft_id == row.id).collect();
        FormDraft { fields: None, ..shown(row, own) }
    });
    Ok(shown.collect())
}

/// A user's draft.
///
/// # Errors
/// 404 when the user has none with this id.
pub async fn show(tx: &mut Tx, user: UserId, id: DraftId) -> Result<FormDraft> {
    let row = rows::by_id(tx, user, id).await?.ok_or(Error::NotFound("draft"))?;
    let files = rows::files(tx, user, Some(id)).await?;
    Ok(shown(row, files))
}

fn shown(row: DraftRow, files: Vec<FileRow>) -> FormDraft {
    FormDraft {
        id: row.id.0,
        form: row.form,
        title: row.title,
        fields: Some(row.fields),
        version: row.version,
        key: row.client_key,
        files: files.into_iter().map(shown_file).collect(),
        updated_at: row.updated_at.to_rfc3339(),
        created_at: row.created_at.to_rfc3339(),
    }
}

fn shown_file(row: FileRow) -> DraftFile {
    let created_at = row.created_at.to_rfc3339();
    DraftFile { id: row.id.0, name: row.name, bytes: row.bytes, created_at }
}

/// Begins a draft; its id. Where the user has one with this key it is that one, as it is by now.
///
/// # Errors
/// `drafts_full` when the user has as many as there may be; `account_inactive`.
pub async fn create(
    tx: &mut Tx,
    claim: Option<&Claim>,
    (user, key): (UserId, Option<&str>),
    form: &str,
    written: &DraftContent,
    now: Time,
) -> Result<DraftId> {
    once(tx, claim, now, async |tx| {
        require_active(tx, user).await?;
        let Some(id) = rows::insert(tx, (user, key), form, written, now).await? else {
            let made = rows::by_key(tx, user, key.unwrap_or_default()).await?;
            return made.ok_or(Error::NotFound("draft"));
        };
        quota::lock(tx, vec![user]).await?;
        if rows::count(tx, user).await? > DRAFTS_MAX {
            let message = format!("You keep {DRAFTS_MAX} drafts: send or delete one first");
            return Err(Error::conflict("drafts_full", message));
        }
        Ok(id)
    })
    .await
}

/// Until the transaction ends its user is not deleted, who would leave the rows behind.
async fn require_active(tx: &mut Tx, user: UserId) -> Result<()> {
    if user::lock_active(tx, user).await? { Ok(()) } else { Err(Error::inactive()) }
}

/// Saves what a user's draft says. Saving the same again, as after an answer that was lost, changes nothing.
///
/// # Errors
/// `draft_changed` when the draft has another version; 404 when there is none.
pub async fn save(
    tx: &mut Tx,
    (user, id, version): Version,
    written: &DraftContent,
    now: Time,
) -> Result<()> {
    if rows::save(tx, (user, id, version), written, now).await? {
        return Ok(());
    }
    let row = rows::by_id(tx, user, id).await?.ok_or(Error::NotFound("draft"))?;
    let is_saved = version.checked_add(1) == Some(row.version)
        && (&row.title, &row.fields) == (&written.title, &written.fields);
    if is_saved { Ok(()) } else { Err(changed()) }
}

fn changed() -> Error {
    let message = "This draft was changed elsewhere: read it again, or save over its present version";
    Error::conflict("draft_changed", message)
}

/// Counts a change of a user's draft of this version.
async fn touch(tx: &mut Tx, (user, id, version): Version, now: Time) -> Result<()> {
    if rows::touch(tx, (user, id, version), now).await? {
        return Ok(());
    }
    rows::by_id(tx, user, id).await?.ok_or(Error::NotFound("draft"))?;
    Err(changed())
}

/// Deletes a user's draft with its files, where a version is named only that one.
///
/// # Errors
/// 404 when there is none; `draft_changed`.
pub async fn delete(
    tx: &mut Tx,
    (user, id): (UserId, DraftId),
    version: Option<i64>,
    now: Time,
) -> Result<()> {
    if rows::delete(tx, (user, id), version, now).await? {
        return Ok(());
    }
    rows::by_id(tx, user, id).await?.ok_or(Error::NotFound("draft"))?;
    Err(changed())
}

/// The same of the draft with this key.
///
/// # Errors
/// 404 when there is none; `draft_changed`.
pub async fn delete_by_key(
    tx: &mut Tx,
    (user, key): (UserId, &str),
    version: Option<i64>,
    now: Time,
) -> Result<()> {
    let id = rows::by_key(tx, user, key).await?.ok_or(Error::NotFound("draft"))?;
    delete(tx, (user, id), version, now).await
}

/// Takes a file out of a user's draft of this version.
///
/// # Errors
/// `draft_changed`; 404 when it is not there.
pub async fn remove_file(
    tx: &mut Tx,
    (user, id, version): Version,
    file: DraftFileId,
    now: Time,
) -> Result<()> {
    // Of another version it is not known which files it has.
    touch(tx, (user, id, version), now).await?;
    let removed = rows::remove_file(tx, user, id, file, now).await?;
    if removed { Ok(()) } else { Err(Error::NotFound("file")) }
}

/// A file that is to be added to a draft.
#[derive(Debug)]
pub struct NewFile {
    /// Its name as the client gave it.
    pub name: Option<String>,
    /// Its bytes, read from the beginning.
    pub file: SpooledTempFile,
    /// How many they are.
    pub bytes: u64,
}

/// Adds a file to a user's draft of this version; its id.
///
/// # Errors
/// `drafts_quota` when the user keeps too much; `too_many_files`; `draft_changed`; `account_inactive`; 404 when there is no
/// such draft.
pub async fn add_file(
    store: &Store,
    clock: &dyn Clock,
    draft: Version,
    new: NewFile,
    quotas: Quotas,
) -> Result<DraftFileId> {
    let bytes = i64::try_from(new.bytes).unwrap_or(i64::MAX);
    let input = (draft, name_of(new.name.as_deref()), bytes, quotas, clock.now());
    let begin = store.write(Lane::Interactive, input, |tx, (draft, name, bytes, quotas, now)| {
        Box::pin(begin_file(tx, *draft, name, *bytes, quotas, *now))
    });
    let id = begin.await?;
    let stored = store_pieces(store, clock, (id, bytes), new.file, draft).await;
    if stored.is_err() {
        let input = (id, clock.now());
        let abandon = store
            .write(Lane::Background, input, |tx, (id, now)| Box::pin(FILES.abandon(tx, id.0, *now)))
            .await;
        if let Err(error) = abandon {
            tracing::warn!(code = error.code(), %error, file = id.0, "a file of a draft is left to be purged");
        }
    }
    stored.map(|()| id)
}

async fn begin_file(
    tx: &mut Tx,
    draft: Version,
    name: &str,
    bytes: i64,
    quotas: &Quotas,
    now: Time,
) -> Result<DraftFileId> {
    let (user, id, version) = draft;
    require_active(tx, user).await?;
    let row = rows::by_id(tx, user, id).await?.ok_or(Error::NotFound("draft"))?;
    if row.version != version {
        return Err(changed());
    }
    if rows::files(tx, user, Some(id)).await?.len() >= FILES_MAX {
        let message = format!("A draft may have {FILES_MAX} files: join some of them");
        return Err(Error::field("file", "too_many_files", message));
    }
    let file = rows::begin_file(tx, (user, id), name, bytes, now).await?;
    quotas.check_draft_files(tx, user, now).await?;
    Ok(file)
}

/// Stores a file, a piece a transaction, and makes it part of its draft.
async fn store_pieces(
    store: &Store,
    clock: &dyn Clock,
    (id, bytes): (DraftFileId, i64),
    mut file: SpooledTempFile,
    draft: Version,
) -> Result<()> {
    for place in 0_i64.. {
        let (rest, piece) = next_piece(file).await?;
        file = rest;
        if piece.is_empty() {
            break;
        }
        let put = store.write(Lane::Background, (id, place, piece), |tx, (id, place, piece)| {
            Box::pin(FILES.put(tx, id.0, *place, piece))
        });
        put.await?;
    }
    let input = (id, bytes, draft, clock.now());
    let complete = store.write(Lane::Interactive, input, |tx, (id, bytes, draft, now)| {
        Box::pin(async move {
            require_active(tx, draft.0).await?;
            touch(tx, *draft, *now).await?;
            FILES.complete(tx, id.0, *bytes, *now).await
        })
    });
    complete.await
}

/// The next piece of a file, which may be on disk; empty at its end.
async fn next_piece(mut file: SpooledTempFile) -> Result<(SpooledTempFile, Vec<u8>)> {
    let read = tokio::task::spawn_blocking(move || {
        let mut piece = Vec::new();
        let read = (&mut file).take(PIECE_BYTES as u64).read_to_end(&mut piece);
        read.map(|_| (file, piece)).map_err(|error| Error::io("reading the file of a draft", error))
    });
    read.await.map_err(|error| Error::Corrupt(format!("a file of a draft was not read: {error}")))?
}

/// The bytes of a file of a user's draft, a piece at a time: no transaction is open between two of them. It ends with an
/// error where the file is purged meanwhile.
///
/// # Errors
/// 404 when it is not there.
pub async fn content(
    store: &Store,
    (user, draft, file): (UserId, DraftId, DraftFileId),
) -> Result<(DraftFile, BoxStream<'static, Result<Vec<u8>>>)> {
    let row = rows::file(&mut store.read().await?, user, draft, file).await?;
    let row = row.ok_or(Error::NotFound("file"))?;
    let pieces = row.bytes.unsigned_abs().div_ceil(PIECE_BYTES as u64).cast_signed();
    let store = store.clone();
    let content = stream::iter(0..pieces).then(move |place| {
        let store = store.clone();
        async move {
            let piece = FILES.read(&mut store.read().await?, file.0, place).await?;
            piece.ok_or(Error::NotFound("file"))
        }
    });
    Ok((shown_file(row), content.boxed()))
}

#[cfg(test)]
mod tests;
