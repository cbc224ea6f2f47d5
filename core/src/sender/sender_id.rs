//! Sender ids: requested by a user, approved or disapproved by an administrator. The transitions are drawn in the
//! room's head.

use talkdrum_api::sender::{SenderIdRecord, SenderIds};

use crate::model::account::id::UserId;
use crate::model::platform::audit::AuditAction;
use crate::model::sender::SenderStatus;
use crate::model::sender::id::SenderRecordId;
use std::fmt;
use std::str::FromStr;

use super::reserved::check_reserved;
use super::{DEFAULT_SENDER, pause_campaigns_from};
use crate::error::{Error, Result};
use crate::model::page::Page;
use crate::platform::audit::{self, Entry};
use crate::store::db::listing::Listing;
use crate::store::sender::{Decision, SenderIdRow};
use crate::store::{Tx, sender as table};
use crate::time::Time;

/// The longest sender id with letters in it, in characters, spaces included.
const CHARACTERS_MAX: usize = 11;
/// The longest sender id of digits alone.
const DIGITS_MAX: usize = 14;
/// How many may be requested at once.
pub const MOST_AT_ONCE: usize = 20;
/// How many a user may have, in whatever status.
pub const MOST_OF_A_USER: i64 = 200;
/// The longest reason, in characters.
const REASON_MAX: usize = 500;

/// The text of a sender id: at most 11 characters that every network shows (ASCII), or 14 digits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SenderId(String);

impl SenderId {
    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// One that was accepted before.
    pub(super) fn stored(text: &str) -> Self {
        Self(text.to_owned())
    }
}

impl Default for SenderId {
    /// [`DEFAULT_SENDER`].
    fn default() -> Self {
        Self(DEFAULT_SENDER.to_owned())
    }
}

impl fmt::Display for SenderId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for SenderId {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let text = text.trim();
        let refuse = |code, message: &'static str| Err(Error::field("senderid", code, message));
        let strange = text.chars().find(|sign| !is_shown_everywhere(*sign));
        let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        match text.chars().count() {
            0 => refuse("sender_required", "Sender ID is required"),
            count if is_number && count > DIGITS_MAX => {
                refuse("sender_too_long", "Sender ID cannot be more than 14 digits.")
            }
            count if !is_number && count > CHARACTERS_MAX => {
                refuse("sender_too_long", "Sender ID cannot be more than 11 characters.")
            }
            _ => match strange {
                Some(sign) => Err(Error::field("senderid", "sender_invalid", cannot_hold(sign))),
                None => Ok(Self(text.to_owned())),
            },
        }
    }
}

fn cannot_hold(sign: char) -> String {
    format!(
        "Sender ID cannot hold '{}', which not every network shows in a sender's name: use letters from A to Z, digits, \
         spaces and the signs . , - _ & ' ! ? / +",
        sign.escape_debug()
    )
}

/// Signs that are the same in ASCII and in the alphabet of the networks (GSM 03.38), as senders are written.
fn is_shown_everywhere(sign: char) -> bool {
    sign.is_ascii_alphanumeric() || " .,-_&'!?/+".contains(sign)
}

/// Reads the sender ids of a request, each once. The list is counted before its entries are read and compared.
///
/// # Errors
/// The specification's rules on `sender_ids`; `too_many_senders` beyond [`MOST_AT_ONCE`] entries; `sender_reserved`, see
/// [`check_reserved`].
pub fn parse_list(texts: &[String], notice_sender: &str) -> Result<Vec<SenderId>> {
    let texts: Vec<&str> = texts.iter().map(|text| text.trim()).filter(|text| !text.is_empty()).collect();
    if texts.is_empty() {
        return Err(refused("sender_required", "Please add a sender ID"));
    }
    if texts.len() > MOST_AT_ONCE {
        return Err(refused("too_many_senders", format!("At most {MOST_AT_ONCE} can be requested at once")));
    }
    let mut wanted: Vec<SenderId> = Vec::with_capacity(texts.len());
    for text in texts {
        let sender_id: SenderId = text.parse().map_err(of_list)?;
        check_reserved(sender_id.as_str(), notice_sender)?;
        if !wanted.contains(&sender_id) {
            wanted.push(sender_id);
        }
    }
    Ok(wanted)
}

/// Asks for sender ids; all of them or none. What was disapproved may be asked for again.
///
/// # Errors
/// `sender_requested`, `sender_approved`, `too_many_senders` beyond [`MOST_OF_A_USER`].
pub async fn request(
    tx: &mut Tx,
    user: UserId,
    wanted: &[SenderId],
    now: Time,
) -> Result<Vec<SenderRecordId>> {
    let mut ids = Vec::with_capacity(wanted.len());
    for sender_id in wanted {
        ids.push(request_one(tx, user, sender_id, now).await?);
    }
    if table::count_of(tx, user).await? > MOST_OF_A_USER {
        return Err(refused(
            "too_many_senders",
            format!("An account has at most {MOST_OF_A_USER} sender IDs"),
        ));
    }
    Ok(ids)
}

async fn request_one(tx: &mut Tx, user: UserId, sender_id: &SenderId, now: Time) -> Result<SenderRecordId> {
    if sender_id.as_str().eq_ignore_ascii_case(DEFAULT_SENDER) {
        return Err(refused(
            "sender_approved",
            format!("{DEFAULT_SENDER} is there for all users and need not be requested"),
        ));
    }
    if let Some(id) = table::request(tx, user, sender_id.as_str(), now).await? {
        return Ok(id);
    }
    if table::is_approved(tx, user, sender_id.as_str(), false).await? {
        return Err(refused("sender_approved", format!("The sender ID '{sender_id}' is approved already")));
    }
    Err(refused(
        "sender_requested",
        format!("The sender ID '{sender_id}' was requested before and waits for its approval"),
    ))
}

fn refused(code: &'static str, message: impl Into<std::borrow::Cow<'static, str>>) -> Error {
    Error::field("sender_ids", code, message)
}

/// The same refusal under the name of the request's list.
fn of_list(error: Error) -> Error {
    match error {
        Error::Rule { code, message, .. } => Error::Rule { code, message, field: Some("sender_ids") },
        other => other,
    }
}

/// What a decision changed.
#[derive(Clone, Debug)]
pub struct Decided {
    /// The sender id as it is now.
    pub sender_id: SenderIdRecord,
    /// Where it is now.
    pub status: SenderStatus,
    /// Where it was before.
    pub before: SenderStatus,
    /// Campaigns that were paused for it.
    pub paused: u64,
}

/// Lets its owner send from it. Approving what is approved changes nothing.
///
/// # Errors
/// 404 when there is none.
pub async fn approve(tx: &mut Tx, id: SenderRecordId, by: UserId, now: Time) -> Result<Decided> {
    let before = locked(tx, id).await?;
    let was = before.status;
    if was != SenderStatus::Approved {
        table::decide(
            tx,
            id,
            &Decision { status: SenderStatus::Approved, reason: None, by: Some(by), at: now },
        )
        .await?;
        let entry = Entry::new(by, AuditAction::SenderApprove, subject(&before)).before(Some(was.code()));
        audit::record(tx, &entry.after(Some(SenderStatus::Approved.code())), now).await?;
    }
    Ok(Decided {
        sender_id: one_sender_id(tx, id).await?,
        status: SenderStatus::Approved,
        before: was,
        paused: 0,
    })
}

/// Refuses it, or takes it back: campaigns that were using it pause.
///
/// # Errors
/// 404 when there is none; `reason_required`, `reason_too_long`; a conflict when it is disapproved already.
pub async fn reject(tx: &mut Tx, id: SenderRecordId, reason: &str, by: UserId, now: Time) -> Result<Decided> {
    let reason = reason.trim();
    if reason.is_empty() {
        return Err(Error::field("reason", "reason_required", "Reason is required"));
    }
    if reason.chars().count() > REASON_MAX {
        return Err(Error::field("reason", "reason_too_long", "Reason can have at most 500 characters"));
    }
    disapprove(tx, id, reason, Some(by), now).await
}

/// [`reject`] by an administrator, or by the platform itself.
pub(super) async fn disapprove(
    tx: &mut Tx,
    id: SenderRecordId,
    reason: &str,
    by: Option<UserId>,
    now: Time,
) -> Result<Decided> {
    let before = locked(tx, id).await?;
    let was = before.status;
    if was == SenderStatus::Disapproved {
        return Err(Error::conflict(
            "sender_disapproved",
            format!("The sender ID '{}' is disapproved already", before.sender_id),
        ));
    }
    table::decide(tx, id, &Decision { status: SenderStatus::Disapproved, reason: Some(reason), by, at: now })
        .await?;
    let entry = Entry {
        by,
        action: AuditAction::SenderDisapprove,
        subject: subject(&before),
        before: Some(was.code().to_owned()),
        after: Some(format!("disapproved: {reason}")),
    };
    audit::record(tx, &entry, now).await?;
    let paused = pause_campaigns_from(tx, before.user_id, &before.sender_id).await?;
    Ok(Decided {
        sender_id: one_sender_id(tx, id).await?,
        status: SenderStatus::Disapproved,
        before: was,
        paused,
    })
}

/// What the audit trail calls it.
pub(super) fn subject(row: &SenderIdRow) -> String {
    format!("sender ID '{}' of user {}", row.sender_id, row.user_id)
}

pub(super) async fn locked(tx: &mut Tx, id: SenderRecordId) -> Result<SenderIdRow> {
    table::lock(tx, id).await?.ok_or(Error::NotFound("sender ID"))
}

/// One sender id.
///
/// # Errors
/// 404 when there is none.
pub async fn one_sender_id(tx: &mut Tx, id: SenderRecordId) -> Result<SenderIdRecord> {
    table::by_id(tx, id).await?.map(SenderIdRecord::from).ok_or(Error::NotFound("sender ID"))
}

/// A user's sender ids. What may be sent from begins with [`DEFAULT_SENDER`], which has the id 0.
pub async fn list_sender_ids(tx: &mut Tx, user: UserId, listing: &Listing) -> Result<SenderIds> {
    // A user has few, so the page is cut in memory.
    let every = Listing { page: Page::first(), ..listing.clone() };
    let (rows, _) = table::page(tx, Some(user), &every).await?;
    let mut all: Vec<SenderIdRecord> = Vec::with_capacity(rows.len() + 1);
    let wanted = listing.status.is_empty() || listing.status == SenderStatus::Approved.code();
    if wanted && DEFAULT_SENDER.to_lowercase().contains(&listing.q.trim().to_lowercase()) {
        all.push(everybodys());
    }
    all.extend(rows.into_iter().map(SenderIdRecord::from));
    let total = i64::try_from(all.len()).unwrap_or(i64::MAX);
    Ok(SenderIds { sender_ids: listing.page.of(&all).to_vec(), total })
}

/// All users' sender ids, and how many there are.
pub async fn list_all_sender_ids(tx: &mut Tx, listing: &Listing) -> Result<(Vec<SenderIdRecord>, i64)> {
    let (rows, total) = table::page(tx, None, listing).await?;
    Ok((rows.into_iter().map(SenderIdRecord::from).collect(), total))
}

/// What a user requested, whatever became of it, and how much of it there is.
pub async fn list_all_sender_ids_of(
    tx: &mut Tx,
    user: UserId,
    listing: &Listing,
) -> Result<(Vec<SenderIdRecord>, i64)> {
    let (rows, total) = table::page(tx, Some(user), listing).await?;
    Ok((rows.into_iter().map(SenderIdRecord::from).collect(), total))
}

fn everybodys() -> SenderIdRecord {
    SenderIdRecord {
        id: 0,
        user_id: None,
        username: None,
        sender_id: DEFAULT_SENDER.to_owned(),
        status: SenderStatus::Approved.code().to_owned(),
        reason: None,
        created_at: None,
        decided_at: None,
        purpose: None,
    }
}

impl From<SenderIdRow> for SenderIdRecord {
    fn from(row: SenderIdRow) -> Self {
        Self {
            id: row.id.0,
            user_id: Some(row.user_id.0),
            username: Some(row.username),
            sender_id: row.sender_id,
            status: row.status.code().to_owned(),
            reason: row.reason,
            created_at: Some(row.created_at.to_rfc3339()),
            decided_at: row.decided_at.map(Time::to_rfc3339),
            purpose: row.purpose,
        }
    }
}
