//! Imports as their user sees them: one, a page of them, what could not be taken and why.

use talkdrum_api::contact::{Import, ImportColumns, Imports};

use super::{numbers, read};
use crate::contact::field;
use crate::error::{Error, Result};
use crate::model::account::id::UserId;
use crate::model::contact::id::ImportId;
use crate::model::contact::{FileColumns, ImportTarget};
use crate::phone::{RejectReason, unread_notice};
use crate::store::Tx;
use crate::store::contact::import as table;
use crate::store::contact::import::{ImportRejectRow, ImportRow};
use crate::time::Time;

/// Rejects read at a time.
const REJECTS_AT_ONCE: i64 = 2_000;

/// An import of a user.
///
/// # Errors
/// 404.
pub async fn show(tx: &mut Tx, user: UserId, id: ImportId) -> Result<Import> {
    find(tx, user, id).await?.try_into()
}

/// An import of a user, as it is stored.
///
/// # Errors
/// 404.
pub async fn find(tx: &mut Tx, user: UserId, id: ImportId) -> Result<ImportRow> {
    table::by_id(tx, user, id).await?.ok_or(Error::NotFound("import"))
}

/// A page of a user's imports, newest first.
pub async fn list(tx: &mut Tx, user: UserId, offset: i64, limit: i64) -> Result<Imports> {
    let (rows, total) = table::page(tx, user, offset, limit).await?;
    Ok(Imports { imports: rows.into_iter().map(Import::try_from).collect::<Result<_>>()?, total })
}

/// A slice of what an import of a user could not take, from the ordinal `from` on: empty at the end.
///
/// # Errors
/// 404.
pub async fn rejects(tx: &mut Tx, user: UserId, id: ImportId, from: i64) -> Result<Vec<ImportRejectRow>> {
    find(tx, user, id).await?;
    table::rejects(tx, id, from, REJECTS_AT_ONCE).await
}

/// Why an entry was not taken, in words.
pub fn reason(code: &str) -> String {
    match RejectReason::from_code(code) {
        Some(reason) => reason.to_string(),
        None if code == read::BROKEN_EMAIL => {
            "Its e-mail address is none: the contact was taken without it".to_owned()
        }
        None if code == read::TOO_MANY_NUMBERS => format!(
            "A row with columns is the contacts of {} numbers at most: give the others rows of their own",
            read::ROW_NUMBERS_MAX
        ),
        None if code == read::BAD_REACH => {
            "Its reach is neither 'promotional' nor 'all': nothing was stored for it".to_owned()
        }
        None if code == field::TOO_LONG => field::too_long(),
        None => code.to_owned(),
    }
}

impl TryFrom<ImportRow> for Import {
    type Error = Error;

    fn try_from(row: ImportRow) -> Result<Self> {
        let columns = FileColumns::from_json(&row.columns, row.id)?;
        let is_sendable = numbers::are_kept(&row);
        Ok(Self {
            id: row.id.0,
            file_name: row.file_name,
            group_id: (row.target == ImportTarget::Group).then_some(row.target_id),
            target: row.target.code().to_owned(),
            status: row.status.code().to_owned(),
            error: row.error,
            columns: shown(columns),
            rows_read: row.rows_read,
            valid: row.valid,
            added: row.added,
            updated: row.updated,
            unchanged: row.unchanged,
            duplicates: row.duplicates,
            invalid: row.invalid,
            warnings: row.warnings,
            is_sendable,
            created_at: row.created_at.to_rfc3339(),
            finished_at: row.finished_at.map(Time::to_rfc3339),
        })
    }
}

/// The columns as they are shown: with a notice of each that was not read.
fn shown(columns: FileColumns) -> ImportColumns {
    let FileColumns { phone, phones, unread, name, email, fields } = columns;
    let notices = unread.iter().map(|column| unread_notice(column)).collect();
    ImportColumns { phone, phones, unread, notices, name, email, fields }
}
