//! The rows of calls that verify own numbers: what each was charged, where it is and how it ended. They are what such calls
//! are counted by, too.
//!
//! A call ends once: the transaction that gives money back is the one that [`close`] let in.

use talkdrum_api::money::{Amount, Currency};

use crate::args;
use crate::error::Result;
use crate::model::account::id::UserId;
use crate::model::platform::id::RunId;
use crate::model::sender::id::OwnCallId;
use crate::model::sender::{OwnCallOutcome, OwnCallStatus};
use crate::store::Tx;
use crate::store::db::advisory_lock::AdvisoryLock;
use crate::store::operations::purge::bounded;
use crate::time::Time;

/// A call.
#[derive(Clone, Debug, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct OwnCallRow {
    /// Its id.
    pub id: OwnCallId,
    /// Whose number is to be verified.
    pub user_id: UserId,
    /// The number, digits of E.164.
    pub number: String,
    /// What it is paid in.
    pub currency: Currency,
    /// The price of a pulse.
    #[sqlx(rename = "unit_price_micros")]
    pub unit_price: Amount,
    /// Pulses that were charged when it began.
    pub pulses: i64,
    /// Of these, those that were not given back.
    pub kept_pulses: i64,
    /// Where it is.
    pub status: OwnCallStatus,
    /// How it ended.
    pub outcome: Option<OwnCallOutcome>,
    /// The same in words.
    pub message: Option<String>,
    /// The number that it is from.
    pub caller: Option<String>,
    /// Trunks that took it.
    pub attempts: i64,
    /// When it began.
    pub created_at: Time,
    /// When it rang.
    pub ringing_at: Option<Time>,
    /// When it was picked up.
    pub answered_at: Option<Time>,
    /// When it ended.
    pub ended_at: Option<Time>,
    /// How long it was up, in ms.
    pub up_ms: i64,
    /// The day whose spending holds its charge; `None` where none does.
    pub counted_on: Option<String>,
    /// When its code came back; `None` where it did not, and once the number was taken back.
    pub verified_at: Option<Time>,
    /// When 9 was pressed in it; `None` where it was not.
    pub refused_at: Option<Time>,
}

macro_rules! columns {
    () => {
        "id, user_id, number, currency, unit_price_micros, pulses, kept_pulses, status, outcome, message, caller, \
         attempts, created_at, ringing_at, answered_at, ended_at, up_ms, counted_on, verified_at, refused_at"
    };
}

/// A call that begins.
#[derive(Clone, Copy, Debug)]
pub struct NewCall<'a> {
    /// Whose number is to be verified.
    pub user: UserId,
    /// The number.
    pub number: &'a str,
    /// What it is paid in.
    pub currency: Currency,
    /// The price of a pulse.
    pub unit_price: Amount,
    /// Pulses that are charged now.
    pub pulses: i64,
    /// The run of a daemon that places it.
    pub owner: RunId,
    /// Whether the user had paid money in.
    pub has_paid_in: bool,
}

/// Until the transaction ends, no other one counts such calls.
pub async fn lock(tx: &mut Tx) -> Result<()> {
    AdvisoryLock::OwnNumberCalls.take(tx).await
}

/// How a user stands with those who place calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct CallTrust {
    /// Whether money ever came into a wallet of the account, from anywhere.
    pub is_funded: bool,
    /// Whether money was paid or credited to it, and not only given by other users. An account that an administrator
    /// proved counts as such, and so does an administrator's.
    pub has_paid_in: bool,
}

/// How a user stands; `None` where there is none. Of each wallet the first hundred credits are looked at.
pub async fn trust(tx: &mut Tx, user: UserId) -> Result<Option<CallTrust>> {
    tx.opt(TRUST, args![user]).await
}

pub(crate) const TRUST: &str = "SELECT s.is_trusted OR EXISTS (SELECT 1 FROM accounts a \
       JOIN transfers t ON t.credit_account_id = a.id WHERE a.user_id = $1 AND a.kind = 'wallet') AS is_funded, \
     s.is_trusted OR EXISTS (SELECT 1 FROM accounts a WHERE a.user_id = $1 AND a.kind = 'wallet' AND EXISTS (\
       SELECT 1 FROM (SELECT t.code FROM transfers t WHERE t.credit_account_id = a.id ORDER BY t.id LIMIT 100) AS firsts \
       WHERE firsts.code IN ('payment', 'credit'))) AS has_paid_in \
     FROM (SELECT u.role = 'admin' OR g.proven_at IS NOT NULL AS is_trusted \
       FROM users u LEFT JOIN guards g ON g.user_id = u.id WHERE u.id = $1) AS s";

/// Where calls of a user went and when they began, since `since`, newest first.
pub async fn began_by(tx: &mut Tx, user: UserId, since: Time, limit: i64) -> Result<Vec<(String, Time)>> {
    tx.all(
        "SELECT number, created_at FROM own_number_calls WHERE user_id = $1 AND created_at > $2 \
         ORDER BY created_at DESC LIMIT $3",
        args![user, since, limit],
    )
    .await
}

/// When calls of all users to a number began since `since`, newest first.
pub async fn began_to(tx: &mut Tx, number: &str, since: Time, limit: i64) -> Result<Vec<Time>> {
    let rows: Vec<(Time,)> = tx
        .all(
            "SELECT created_at FROM own_number_calls WHERE number = $1 AND created_at > $2 \
             ORDER BY created_at DESC LIMIT $3",
            args![number, since, limit],
        )
        .await?;
    Ok(rows.into_iter().map(|(at,)| at).collect())
}

/// When the newest but `after` of all calls since `since` began, or of those of users who had paid no money in; `None` when
/// there were not so many.
pub async fn nth_newest(tx: &mut Tx, since: Time, after: i64, even_paid_in: bool) -> Result<Option<Time>> {
    let row: Option<(Time,)> = tx
        .opt(
            "SELECT created_at FROM own_number_calls WHERE created_at > $1 AND ($3 OR NOT paid_in) \
             ORDER BY created_at DESC LIMIT 1 OFFSET $2",
            args![since, after, even_paid_in],
        )
        .await?;
    Ok(row.map(|(at,)| at))
}

/// Whether a user ever had this number called, as far as it is remembered.
pub async fn was_called(tx: &mut Tx, user: UserId, number: &str) -> Result<bool> {
    let sql = "SELECT id FROM own_number_calls WHERE user_id = $1 AND number = $2 LIMIT 1";
    let row: Option<(i64,)> = tx.opt(sql, args![user, number]).await?;
    Ok(row.is_some())
}

/// Whether a code of a user's call to this number came back, as far as it is remembered.
#[cfg(test)]
pub(crate) async fn was_verified(tx: &mut Tx, user: UserId, number: &str) -> Result<bool> {
    let sql = "SELECT id FROM own_number_calls WHERE user_id = $1 AND number = $2 AND verified_at IS NOT NULL LIMIT 1";
    let row: Option<(i64,)> = tx.opt(sql, args![user, number]).await?;
    Ok(row.is_some())
}

/// Notes that the code of a user's call came back which began at this time.
pub async fn note_verified(tx: &mut Tx, user: UserId, number: &str, began_at: Time, now: Time) -> Result<()> {
    tx.run(
        "UPDATE own_number_calls SET verified_at = $4 WHERE user_id = $1 AND number = $2 AND created_at = $3",
        args![user, number, began_at, now],
    )
    .await?;
    Ok(())
}

/// Forgets that codes of a user's calls to this number came back: what was proven by them is taken back.
pub async fn forget_verified(tx: &mut Tx, user: UserId, number: &str) -> Result<u64> {
    tx.run(
        "UPDATE own_number_calls SET verified_at = NULL \
         WHERE user_id = $1 AND number = $2 AND verified_at IS NOT NULL",
        args![user, number],
    )
    .await
}

/// Notes in which day's spending the charge of a call is.
pub async fn note_counted(tx: &mut Tx, id: OwnCallId, day: &str) -> Result<()> {
    tx.run_exactly(1, "UPDATE own_number_calls SET counted_on = $2 WHERE id = $1", args![id, day]).await
}

/// Calls under way, at most `limit`, each with its user and number.
pub async fn open(tx: &mut Tx, limit: i64) -> Result<Vec<(OwnCallId, UserId, String)>> {
    tx.all(
        "SELECT id, user_id, number FROM own_number_calls WHERE status <> 'ended' ORDER BY id LIMIT $1",
        args![limit],
    )
    .await
}

/// Notes that one begins; its id.
pub async fn insert(tx: &mut Tx, call: &NewCall<'_>, now: Time) -> Result<OwnCallId> {
    let NewCall { user, number, currency, unit_price, pulses, owner, has_paid_in } = *call;
    let row: (OwnCallId,) = tx
        .one(
            "INSERT INTO own_number_calls (user_id, number, currency, unit_price_micros, pulses, kept_pulses, owner, \
               status, attempts, created_at, up_ms, paid_in) \
             VALUES ($1, $2, $3, $4, $5, $5, $6, 'calling', 0, $7, 0, $8) RETURNING id",
            args![user, number, currency, unit_price, pulses, owner, now, has_paid_in],
        )
        .await?;
    Ok(row.0)
}

/// The call of a user that a run began at this time.
pub async fn begun_at(tx: &mut Tx, user: UserId, owner: RunId, at: Time) -> Result<Option<OwnCallId>> {
    let row: Option<(OwnCallId,)> = tx
        .opt(
            "SELECT id FROM own_number_calls WHERE user_id = $1 AND owner = $2 AND created_at = $3 \
             AND status <> 'ended'",
            args![user, owner, at],
        )
        .await?;
    Ok(row.map(|(id,)| id))
}

/// A call.
pub async fn by_id(tx: &mut Tx, id: OwnCallId) -> Result<Option<OwnCallRow>> {
    tx.opt(concat!("SELECT ", columns!(), " FROM own_number_calls WHERE id = $1"), args![id]).await
}

/// The newest call of a user.
pub async fn newest_of(tx: &mut Tx, user: UserId) -> Result<Option<OwnCallRow>> {
    tx.opt(
        concat!(
            "SELECT ",
            columns!(),
            " FROM own_number_calls WHERE user_id = $1 ORDER BY created_at DESC, id DESC LIMIT 1"
        ),
        args![user],
    )
    .await
}

/// Notes that a trunk took it.
pub async fn placed(tx: &mut Tx, id: OwnCallId, caller: &str) -> Result<()> {
    tx.run(
        "UPDATE own_number_calls SET status = 'calling', caller = $2, attempts = attempts + 1, ringing_at = NULL, \
           answered_at = NULL \
         WHERE id = $1 AND status <> 'ended'",
        args![id, caller],
    )
    .await?;
    Ok(())
}

/// Notes that it rings.
pub async fn rings(tx: &mut Tx, id: OwnCallId, now: Time) -> Result<()> {
    tx.run(
        "UPDATE own_number_calls SET status = 'ringing', ringing_at = $2 WHERE id = $1 AND status = 'calling'",
        args![id, now],
    )
    .await?;
    Ok(())
}

/// Notes that it was picked up.
pub async fn answered(tx: &mut Tx, id: OwnCallId, now: Time) -> Result<()> {
    tx.run(
        "UPDATE own_number_calls SET status = 'answered', answered_at = $2 \
         WHERE id = $1 AND status IN ('calling', 'ringing')",
        args![id, now],
    )
    .await?;
    Ok(())
}

/// Notes that 9 was pressed in it, and returns it; `None` where that is known.
pub async fn note_refused(tx: &mut Tx, id: OwnCallId, now: Time) -> Result<Option<OwnCallRow>> {
    tx.opt(
        concat!(
            "UPDATE own_number_calls SET refused_at = $2 WHERE id = $1 AND refused_at IS NULL RETURNING ",
            columns!()
        ),
        args![id, now],
    )
    .await
}

/// Whether 9 was pressed in a call to a number that began since `since`, whichever user's it was.
pub async fn was_refused(tx: &mut Tx, number: &str, since: Time) -> Result<bool> {
    let sql = "SELECT id FROM own_number_calls WHERE number = $1 AND created_at > $2 AND refused_at IS NOT NULL LIMIT 1";
    let row: Option<(i64,)> = tx.opt(sql, args![number, since]).await?;
    Ok(row.is_some())
}

/// How a call ended.
#[derive(Clone, Copy, Debug)]
pub struct End<'a> {
    /// In a word.
    pub outcome: OwnCallOutcome,
    /// In words.
    pub message: &'a str,
    /// Pulses that stay charged.
    pub kept_pulses: i64,
    /// When it rang.
    pub ringing_at: Option<Time>,
    /// When it was picked up.
    pub answered_at: Option<Time>,
    /// When it ended.
    pub ended_at: Time,
    /// How long it was up, in ms.
    pub up_ms: i64,
}

/// Closes a call that is not over and returns it; `None` where another transaction closed it. [`note_end`]
/// follows in the same transaction.
pub async fn close(tx: &mut Tx, id: OwnCallId, now: Time) -> Result<Option<OwnCallRow>> {
    tx.opt(
        concat!(
            "UPDATE own_number_calls SET status = 'ended', outcome = 'unknown', ended_at = $2 \
             WHERE id = $1 AND status <> 'ended' RETURNING ",
            columns!()
        ),
        args![id, now],
    )
    .await
}

/// Notes how a call ended that this transaction closed.
pub async fn note_end(tx: &mut Tx, id: OwnCallId, end: &End<'_>) -> Result<()> {
    tx.run_exactly(
        1,
        "UPDATE own_number_calls SET outcome = $2, message = $3, kept_pulses = $4, ringing_at = $5, answered_at = $6, \
           ended_at = $7, up_ms = $8 WHERE id = $1 AND status = 'ended'",
        args![
            id,
            end.outcome,
            end.message,
            end.kept_pulses,
            end.ringing_at,
            end.answered_at,
            end.ended_at,
            end.up_ms
        ],
    )
    .await
}

/// Calls under way that runs placed which are over, in order of their ids.
pub async fn owned_by_the_dead(tx: &mut Tx, me: RunId, limit: i64) -> Result<Vec<OwnCallId>> {
    let rows: Vec<(OwnCallId,)> = tx
        .all(
            "SELECT c.id FROM own_number_calls c LEFT JOIN daemons d ON d.id = c.owner \
             WHERE c.status <> 'ended' AND c.owner <> $1 AND (d.id IS NULL OR d.stopped_at IS NOT NULL) \
             ORDER BY c.id LIMIT $2",
            args![me, limit],
        )
        .await?;
    Ok(rows.into_iter().map(|(id,)| id).collect())
}

/// Calls whose charge, or what was given back of it, is another one in the ledger.
pub async fn that_disagree(tx: &mut Tx) -> Result<Vec<(OwnCallId,)>> {
    tx.all(
        "SELECT id FROM (SELECT c.id, c.pulses * c.unit_price_micros AS charged, \
             (c.pulses - c.kept_pulses) * c.unit_price_micros AS refunded, \
             COALESCE((SELECT amount_micros FROM transfers WHERE code = 'charge' \
               AND reference = 'own_number_call:' || CAST(c.id AS TEXT)), 0) AS ledger_charged, \
             COALESCE((SELECT amount_micros FROM transfers WHERE code = 'refund' \
               AND reference = 'own_number_call:' || CAST(c.id AS TEXT)), 0) AS ledger_refunded \
           FROM own_number_calls c) AS sums \
         WHERE charged <> ledger_charged OR refunded <> ledger_refunded LIMIT 100",
        args![],
    )
    .await
}

/// Forgets some of those that are over: of accounts that are erased those that began before `erased_before` and were not
/// refused, of others those before `before`; how many.
pub async fn purge(tx: &mut Tx, before: Time, erased_before: Time) -> Result<u64> {
    tx.run(
        bounded!(
            "own_number_calls",
            "id",
            "status = 'ended' AND (created_at < $1 OR created_at < $2 \
               AND refused_at IS NULL AND user_id IN (SELECT id FROM users WHERE anonymised_at IS NOT NULL))"
        ),
        args![before, erased_before],
    )
    .await
}
