//! Opt-outs: numbers that get no promotional messages, or none but codes, of one user or of the whole platform.
//!
//! They are looked at when a campaign is quoted (counted, not charged) and again in the transaction of every intent to
//! send: [`OptOuts`] holds a copy in memory, and an intent is only stored while the copy's version is the database's.
//!
//! The one invariant: a number that opted out before an intent was stored is not sent to by it.

mod copy;

pub use copy::{OptOutSnapshot, OptOuts};
use talkdrum_api::contact::{OptOut, OptOuts as List};
use talkdrum_api::purpose::{OptOutReach, Purpose};

use super::entry::{digits, number_of};
pub use crate::content::poll::opts_out;
use crate::error::{Error, Result};
use crate::model::account::id::UserId;
use crate::model::contact::OPT_OUT_KEY_NOTE;
pub use crate::model::contact::OptOutSource;
use crate::model::contact::id::SuppressionId;
use crate::model::platform::audit::AuditAction;
use crate::phone::Msisdn;
use crate::platform::audit::{self, Entry};
use crate::platform::quota::Quotas;
use crate::store::Tx;
use crate::store::contact::suppression as table;
use crate::store::contact::suppression::{PLATFORM, SuppressionRow};
use crate::store::db::listing;
use crate::time::Time;

/// Characters of a note.
const NOTE_MAX: usize = 200;

/// Whose messages a number does not get.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SuppressionScope {
    /// The platform's: it holds for all users.
    Platform,
    /// One user's.
    User(UserId),
}

impl SuppressionScope {
    /// As the store knows it.
    pub(crate) const fn key(self) -> i64 {
        match self {
            Self::Platform => PLATFORM,
            Self::User(user) => user.0,
        }
    }
}

/// Adds a number; false when it is there already, even where what ended only promotional messages now ends all but codes.
pub async fn add(
    tx: &mut Tx,
    scope: SuppressionScope,
    number: Msisdn,
    how: (OptOutSource, OptOutReach),
    now: Time,
) -> Result<bool> {
    add_noted(tx, scope, number, how, "", now).await
}

/// [`add`] with a note; one that is there keeps its own.
pub async fn add_noted(
    tx: &mut Tx,
    scope: SuppressionScope,
    number: Msisdn,
    how: (OptOutSource, OptOutReach),
    note: &str,
    now: Time,
) -> Result<bool> {
    let notes = vec![Some(note.to_owned())];
    Ok(table::add(tx, scope.key(), vec![digits(number)], notes, how, now).await? == 1)
}

/// Adds numbers that pressed the key 9 in calls of this user, as STOP by text adds one: START takes them back. It ends
/// promotional messages where the calls were promotional, else all but codes. Doing it again changes nothing.
pub async fn add_by_key(
    tx: &mut Tx,
    user: UserId,
    numbers: Vec<Msisdn>,
    reach: OptOutReach,
    now: Time,
) -> Result<()> {
    let notes = vec![Some(OPT_OUT_KEY_NOTE.to_owned()); numbers.len()];
    let numbers = numbers.into_iter().map(digits).collect();
    table::add(tx, SuppressionScope::User(user).key(), numbers, notes, (OptOutSource::Stop, reach), now)
        .await
        .map(|_| ())
}

/// Removes a number; false when it is not there.
pub async fn remove(tx: &mut Tx, scope: SuppressionScope, number: Msisdn) -> Result<bool> {
    table::remove(tx, scope.key(), digits(number)).await
}

/// Takes back what STOP made of the opt-outs of a number. What a person wrote down stays: it has other reasons.
pub async fn take_back(tx: &mut Tx, scope: SuppressionScope, number: Msisdn) -> Result<()> {
    table::take_back(tx, scope.key(), digits(number)).await.map(|_| ())
}

/// Users whose messages STOP ended for a number, also before it was erased, and who wrote from this sender since a time.
pub async fn stopped_senders(tx: &mut Tx, number: Msisdn, sender: &str, since: Time) -> Result<Vec<UserId>> {
    table::stopped_senders(tx, number, sender, since).await
}

/// Those of the numbers that get no messages of this purpose from this user, in order.
pub async fn is_suppressed_many(
    tx: &mut Tx,
    user: UserId,
    numbers: &[Msisdn],
    purpose: Purpose,
) -> Result<Vec<Msisdn>> {
    let numbers: Vec<i64> = numbers.iter().map(|number| digits(*number)).collect();
    let found = table::among(tx, user.0, &numbers, purpose).await?;
    Ok(found.into_iter().filter_map(|number| Msisdn::from_digits(number.cast_unsigned())).collect())
}

/// Forgets a bounded number of the opt-outs of a user who is deleted; returns how many.
pub(super) async fn forget_user(tx: &mut Tx, user: UserId) -> Result<u64> {
    table::remove_some(tx, user.0).await
}

/// A number that is typed to be added, and its note.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewOptOut {
    /// The number.
    pub number: Msisdn,
    /// Which messages it ends.
    pub reach: OptOutReach,
    /// The note.
    pub note: String,
}

impl NewOptOut {
    /// Checks what was typed.
    ///
    /// # Errors
    /// The number is none, the reach is no reach, or the note is too long.
    pub fn parse(phone: &str, reach: Option<&str>, note: &str) -> Result<Self> {
        Ok(Self { number: number_of(phone)?, reach: reach_of(reach)?, note: note_of(note)? })
    }
}

/// [`add_noted`] for a number that was typed. What is new on the platform's list is in the audit trail.
///
/// # Errors
/// `optouts_quota` when the user has too many.
pub async fn add_typed(
    tx: &mut Tx,
    scope: SuppressionScope,
    new: &NewOptOut,
    quotas: Quotas,
    by: UserId,
    now: Time,
) -> Result<()> {
    if !add_noted(tx, scope, new.number, (OptOutSource::Manual, new.reach), &new.note, now).await? {
        return Ok(());
    }
    match scope {
        SuppressionScope::User(user) => quotas.check_opt_outs(tx, user).await,
        SuppressionScope::Platform => {
            let entry = Entry::new(by, AuditAction::OptOutAdd, new.number.to_string());
            audit::record(tx, &entry, now).await
        }
    }
}

/// Which messages an opt-out that a person writes down ends: all but codes, unless it says otherwise.
///
/// # Errors
/// `bad_reach`, which names the words.
pub fn reach_of(text: Option<&str>) -> Result<OptOutReach> {
    let text = text.map(str::trim).filter(|text| !text.is_empty());
    let Some(text) = text else { return Ok(OptOutReach::All) };
    OptOutReach::ALL.into_iter().find(|reach| reach.code() == text).ok_or_else(|| {
        let message = "An opt-out's reach is 'promotional', or 'all' for all messages but codes";
        Error::field("reach", "bad_reach", message)
    })
}

/// A note that was typed.
///
/// # Errors
/// When it is too long.
pub fn note_of(note: &str) -> Result<String> {
    let note = note.trim();
    if note.chars().count() > NOTE_MAX || note.contains('\0') {
        return Err(Error::field(
            "note",
            "note_too_long",
            format!("A note has at most {NOTE_MAX} characters"),
        ));
    }
    Ok(note.to_owned())
}

/// The opt-out of a number.
///
/// # Errors
/// 404.
pub async fn of_number(tx: &mut Tx, scope: SuppressionScope, number: Msisdn) -> Result<OptOut> {
    table::find(tx, scope.key(), digits(number)).await?.map(OptOut::from).ok_or(Error::NotFound("opt-out"))
}

/// Removes the opt-out of this id; what goes from the platform's list is in the audit trail.
///
/// # Errors
/// 404 when it is not of this scope.
pub async fn remove_by_id(
    tx: &mut Tx,
    scope: SuppressionScope,
    id: SuppressionId,
    by: UserId,
    now: Time,
) -> Result<()> {
    let row = table::by_id(tx, scope.key(), id).await?.ok_or(Error::NotFound("opt-out"))?;
    table::remove_by_id(tx, scope.key(), id).await?;
    match scope {
        SuppressionScope::User(_) => Ok(()),
        SuppressionScope::Platform => {
            let entry = Entry::new(by, AuditAction::OptOutRemove, shown(row.number));
            audit::record(tx, &entry, now).await
        }
    }
}

/// Whether every row is looked at by [`list`]: any text, also a whole number, may be a piece of a note.
pub fn is_scan(q: &str) -> bool {
    !q.is_empty()
}

/// A page of a scope's opt-outs, newest first; of those whose number or note holds `q`.
pub async fn list(tx: &mut Tx, scope: SuppressionScope, q: &str, offset: i64, limit: i64) -> Result<List> {
    let (rows, total) = if q.is_empty() {
        table::page(tx, scope.key(), offset, limit).await?
    } else {
        let is_number = q.chars().all(|sign| sign.is_ascii_digit() || " +-().".contains(sign));
        let digits: String = q.chars().filter(char::is_ascii_digit).collect();
        let digits = digits.trim_start_matches('0');
        let pattern = if is_number && !digits.is_empty() { format!("%{digits}%") } else { String::new() };
        let text = listing::like_pattern(&q.to_ascii_lowercase());
        table::search(tx, scope.key(), (&pattern, &text), offset, limit).await?
    };
    Ok(List { optouts: rows.into_iter().map(OptOut::from).collect(), total })
}

/// A stored number as it is shown.
pub(super) fn shown(number: i64) -> String {
    Msisdn::from_digits(number.cast_unsigned()).unwrap_or(Msisdn::ERASED).to_string()
}

impl From<SuppressionRow> for OptOut {
    fn from(row: SuppressionRow) -> Self {
        Self {
            id: row.id.0,
            phone: shown(row.number),
            source: row.source.code().to_owned(),
            reach: row.reach,
            note: row.note,
            created_at: row.created_at.to_rfc3339(),
        }
    }
}
