//! The queue of the platform's own e-mails and text messages.
//!
//! A notice is claimed before it is handed over; a text message that may have gone out is never handed
//! over again; a body is kept no longer than it is needed.

use crate::error::Result;
use crate::model::message::reason::PlatformReason;
use crate::model::platform::id::NoticeId;
use crate::model::platform::notice::{Channel, NoticePurpose, NoticeStatus, notice_priority};
use crate::store::Tx;
use crate::store::operations::purge::bounded;
use crate::time::Time;
use crate::{args, sql};

/// A notice to be queued.
#[derive(Clone, Debug)]
pub struct NewNotice {
    /// How it goes.
    pub channel: Channel,
    /// What it is for.
    pub purpose: NoticePurpose,
    /// A number's digits, or an e-mail address.
    pub destination: String,
    /// Of an e-mail.
    pub subject: String,
    /// Sealed.
    pub body: String,
    /// The carrier of a text message; empty for e-mail.
    pub carrier: String,
    /// The carriers that may take it over, in their order, one a line; empty where none may.
    pub spares: String,
    /// When it is of no use any more.
    pub expires_at: Time,
}

/// A claimed notice.
#[derive(Clone, Debug, sqlx_macros::FromRow)]
pub struct NoticeRow {
    /// The notice's id.
    pub id: NoticeId,
    /// A number's digits, or an e-mail address.
    pub destination: String,
    /// Of an e-mail.
    pub subject: String,
    /// Sealed.
    pub body: Option<String>,
    /// How often it was handed over to this carrier, this time counted.
    pub tries: i64,
    /// Why it was not sent before; `None` at the first try.
    pub error: Option<String>,
    /// Bit n: part n was accepted before.
    pub parts_done: i64,
    /// When it is of no use any more.
    pub expires_at: Time,
}

/// Queues a notice and returns its id.
pub async fn insert(tx: &mut Tx, notice: &NewNotice, now: Time) -> Result<NoticeId> {
    let (id,): (NoticeId,) = tx
        .one(
            "INSERT INTO notices (channel, purpose, priority, destination, subject, body, carrier, spares, status, \
             due_at, expires_at, created_at) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 'queued', $9, $10, $9) RETURNING id",
            args![
                notice.channel,
                notice.purpose,
                notice.purpose.priority(),
                &notice.destination,
                &notice.subject,
                &notice.body,
                &notice.carrier,
                &notice.spares,
                now,
                notice.expires_at,
            ],
        )
        .await?;
    Ok(id)
}

/// Whether `limit` notices or more of a purpose are waiting.
pub async fn is_share_full(tx: &mut Tx, purpose: NoticePurpose, limit: i64) -> Result<bool> {
    let (waiting,): (i64,) = tx.one(SHARE, args![purpose.priority(), limit]).await?;
    Ok(waiting >= limit)
}

pub(crate) const SHARE: &str = "SELECT COUNT(*) FROM (\
     SELECT priority FROM notices WHERE priority = $1 AND status = 'queued' LIMIT $2) AS waiting";

/// How many e-mails with a subject an address was to get since `since`; counted up to `limit`.
pub async fn emails_of(
    tx: &mut Tx,
    destination: &str,
    subject: &str,
    since: Time,
    limit: i64,
) -> Result<i64> {
    let (emails,): (i64,) = tx.one(EMAILS_OF, args![destination, subject, since, limit]).await?;
    Ok(emails)
}

pub(crate) const EMAILS_OF: &str = "SELECT COUNT(*) FROM (\
     SELECT created_at FROM notices WHERE channel = 'email' AND destination = $1 AND subject = $2 \
     AND created_at > $3 LIMIT $4) AS emails";

/// Whether `limit` notices or more are waiting.
pub async fn is_crowded(tx: &mut Tx, limit: i64) -> Result<bool> {
    let (waiting,): (i64,) = tx
        .one(
            "SELECT COUNT(*) FROM (SELECT id FROM notices WHERE status = 'queued' LIMIT $1) AS waiting",
            args![limit],
        )
        .await?;
    Ok(waiting >= limit)
}

/// When the first of a priority is due.
macro_rules! due_of {
    ($purpose:ident) => {
        concat!(
            "SELECT MIN(due_at) AS due FROM notices \
             WHERE channel = $1 AND carrier = $2 AND status = 'queued' AND priority = ",
            notice_priority!($purpose)
        )
    };
}

pub(crate) const NEXT_DUE: &str = concat!(
    "SELECT MIN(due) FROM (",
    due_of!(Code),
    " UNION ALL ",
    due_of!(Alert),
    " UNION ALL ",
    due_of!(Message),
    ") AS earliest"
);

/// When the next notice of a channel and carrier is due, if one is queued.
pub async fn next_due(tx: &mut Tx, channel: Channel, carrier: &str) -> Result<Option<Time>> {
    let (due,): (Option<Time>,) = tx.one(NEXT_DUE, args![channel, carrier]).await?;
    Ok(due)
}

pub(crate) const CLAIM: &str = "UPDATE notices SET status = 'submitting', tries = tries + 1, due_at = $4 \
     WHERE status = 'queued' AND carrier = $2 AND id IN (SELECT id FROM notices WHERE channel = $1 AND carrier = $2 \
     AND status = 'queued' AND due_at <= $3 ORDER BY priority, due_at, id LIMIT $5) \
     RETURNING id, destination, subject, body, tries, error, parts_done, expires_at";

/// Claims what is due, codes first; the lease ends at `until`. What another carrier took over meanwhile is left to that one.
pub async fn claim(
    tx: &mut Tx,
    channel: Channel,
    carrier: &str,
    now: Time,
    until: Time,
    limit: i64,
) -> Result<Vec<NoticeRow>> {
    tx.all(CLAIM, args![channel, carrier, now, until, limit]).await
}

/// When the next test of a carrier is due, if one is queued.
pub async fn next_test_due(tx: &mut Tx, carrier: &str) -> Result<Option<Time>> {
    let (due,): (Option<Time>,) = tx
        .one(
            concat!(
                "SELECT MIN(n.due_at) FROM notices n JOIN carrier_tests t ON t.notice_id = n.id \
                 WHERE n.channel = 'sms' AND n.carrier = $1 AND n.status = 'queued' AND n.priority = ",
                notice_priority!(Code)
            ),
            args![carrier],
        )
        .await?;
    Ok(due)
}

/// Claims the tests of a carrier that are due; the lease ends at `until`.
pub async fn claim_tests(
    tx: &mut Tx,
    carrier: &str,
    now: Time,
    until: Time,
    limit: i64,
) -> Result<Vec<NoticeRow>> {
    tx.all(
        concat!(
            "UPDATE notices SET status = 'submitting', tries = tries + 1, due_at = $3 \
             WHERE status = 'queued' AND id IN (SELECT n.id FROM notices n JOIN carrier_tests t ON t.notice_id = n.id \
             WHERE n.channel = 'sms' AND n.carrier = $1 AND n.status = 'queued' AND n.priority = ",
            notice_priority!(Code),
            " AND n.due_at <= $2 ORDER BY n.due_at, n.id LIMIT $4) \
             RETURNING id, destination, subject, body, tries, error, parts_done, expires_at"
        ),
        args![carrier, now, until, limit],
    )
    .await
}

/// Queues a claimed notice again for `due`. False when its claim is over.
pub async fn put_back(tx: &mut Tx, id: NoticeId, due: Time, parts_done: i64, error: &str) -> Result<bool> {
    let touched = tx
        .run(
            "UPDATE notices SET status = 'queued', due_at = $2, parts_done = parts_done | $3, error = $4 \
             WHERE id = $1 AND status = 'submitting'",
            args![id, due, parts_done, error],
        )
        .await?;
    Ok(touched == 1)
}

/// A text message in hand that its carrier refused.
#[derive(Clone, Debug, sqlx_macros::FromRow)]
pub struct Refused {
    /// The carriers that may take it over.
    pub spares: String,
    /// How often it was handed over to this carrier.
    pub tries: i64,
}

/// The notice, where a carrier has it in hand, no part of it was accepted and others may take it over; locked.
pub async fn refused(tx: &mut Tx, id: NoticeId, carrier: &str) -> Result<Option<Refused>> {
    let sql = sql!(
        "SELECT spares, tries FROM notices WHERE id = $1 AND carrier = $2 AND status = 'submitting' \
         AND parts_done = 0 AND spares <> '' FOR UPDATE"
    );
    tx.opt(sql, args![id, carrier]).await
}

/// Queues a notice in hand for another carrier; `spares` are those that may take it over from that one.
pub async fn go_on(tx: &mut Tx, id: NoticeId, to: &str, spares: &str, error: &str, now: Time) -> Result<()> {
    tx.run_exactly(
        1,
        "UPDATE notices SET status = 'queued', carrier = $2, spares = $3, error = $4, tries = 0, due_at = $5 \
         WHERE id = $1 AND status = 'submitting'",
        args![id, to, spares, error, now],
    )
    .await
}

/// The carriers at which text messages wait, in the order of their names.
pub async fn carriers_waited_for(tx: &mut Tx) -> Result<Vec<String>> {
    tx.each_text(NEXT_CARRIER, args![]).await
}

pub(crate) const NEXT_CARRIER: &str = "SELECT carrier FROM notices \
     WHERE channel = 'sms' AND carrier > $1 AND status = 'queued' ORDER BY carrier LIMIT 1";

/// How many text messages wait at a carrier; counted up to `limit`.
pub async fn waiting_at(tx: &mut Tx, carrier: &str, limit: i64) -> Result<i64> {
    let (waiting,): (i64,) = tx.one(WAITING_AT, args![carrier, limit]).await?;
    Ok(waiting)
}

pub(crate) const WAITING_AT: &str = "SELECT COUNT(*) FROM (SELECT id FROM notices \
     WHERE channel = 'sms' AND carrier = $1 AND status = 'queued' LIMIT $2) AS waiting";

/// Which carriers may take over what waits at one: each list once.
pub async fn lists_at(tx: &mut Tx, carrier: &str) -> Result<Vec<(String,)>> {
    tx.all(LISTS_AT, args![carrier]).await
}

pub(crate) const LISTS_AT: &str = "SELECT DISTINCT spares FROM notices \
     WHERE channel = 'sms' AND carrier = $1 AND status = 'queued' AND spares <> '' LIMIT 100";

/// Text messages that go on from a carrier that takes none.
#[derive(Clone, Debug)]
pub struct GoingOn {
    /// Where they wait.
    pub from: String,
    /// The list that they have there.
    pub spares: String,
    /// The carrier that takes them over.
    pub to: String,
    /// The list that they have there.
    pub spares_there: String,
    /// How many of them at most, codes first.
    pub limit: i64,
}

/// Queues what waits at a carrier for another one: what is of use still, and of which no part went out. Returns how many.
pub async fn lead_on(tx: &mut Tx, going: &GoingOn, now: Time) -> Result<u64> {
    let GoingOn { from, spares, to, spares_there, limit } = going;
    let error = PlatformReason::Unsent.code();
    tx.run(LEAD_ON, args![from, spares, to, spares_there, *limit, now, error]).await
}

pub(crate) const LEAD_ON: &str = "UPDATE notices SET carrier = $3, spares = $4, tries = 0, due_at = $6, \
     error = COALESCE(error, $7) \
     WHERE status = 'queued' AND carrier = $1 AND spares = $2 AND parts_done = 0 AND id IN (SELECT id FROM notices WHERE channel = 'sms' AND carrier = $1 \
     AND status = 'queued' AND spares = $2 AND parts_done = 0 AND expires_at > $6 \
     ORDER BY priority, due_at, id LIMIT $5)";

/// Records the outcome of a claimed notice and removes its body. Does nothing where a receipt came first.
pub async fn finish(
    tx: &mut Tx,
    id: NoticeId,
    status: NoticeStatus,
    error: Option<&str>,
    now: Time,
) -> Result<()> {
    tx.run(
        "UPDATE notices SET status = $2, error = $3, body = NULL, done_at = $4 \
         WHERE id = $1 AND status IN ('queued', 'submitting', 'unknown')",
        args![id, status, error, now],
    )
    .await?;
    Ok(())
}

/// Keeps a carrier's reference of an accepted part. A carrier that uses one twice means the newer notice.
pub async fn keep_reference(tx: &mut Tx, carrier: &str, reference: &str, id: NoticeId) -> Result<()> {
    tx.run(
        "INSERT INTO notice_references (carrier, carrier_ref, notice_id) \
         SELECT $1, $2, id FROM notices WHERE id = $3 \
         ON CONFLICT (carrier, carrier_ref) DO UPDATE SET notice_id = excluded.notice_id",
        args![carrier, reference, id],
    )
    .await?;
    Ok(())
}

/// The notice that a carrier's reference belongs to.
pub async fn of_reference(tx: &mut Tx, carrier: &str, reference: &str) -> Result<Option<NoticeId>> {
    let row: Option<(NoticeId,)> = tx
        .opt(
            "SELECT notice_id FROM notice_references WHERE carrier = $1 AND carrier_ref = $2",
            args![carrier, reference],
        )
        .await?;
    Ok(row.map(|(id,)| id))
}

/// Notes a receipt: one part that did not arrive outweighs those that did.
pub async fn note_receipt(
    tx: &mut Tx,
    id: NoticeId,
    status: NoticeStatus,
    error: Option<&str>,
    now: Time,
) -> Result<()> {
    tx.run(
        "UPDATE notices SET status = $2, error = $3, body = NULL, done_at = $4 WHERE id = $1 \
         AND status IN ('submitting', 'sent', 'unknown', 'delivered')",
        args![id, status, error, now],
    )
    .await?;
    Ok(())
}

/// Gives up what is of no use any more; returns how many.
pub async fn expire(tx: &mut Tx, now: Time) -> Result<u64> {
    tx.run(
        "UPDATE notices SET status = 'expired', body = NULL, done_at = $1 \
         WHERE status = 'queued' AND expires_at <= $1",
        args![now],
    )
    .await
}

/// Ends the claims of daemons that died. A text message may have gone out and becomes unknown; an e-mail is queued again,
/// as two of the same do less harm than none. Returns how many of each.
pub async fn rescue(tx: &mut Tx, now: Time) -> Result<(u64, u64)> {
    let unknown = tx
        .run(
            "UPDATE notices SET status = 'unknown', body = NULL, done_at = $1 \
             WHERE status = 'submitting' AND due_at <= $1 AND channel = 'sms'",
            args![now],
        )
        .await?;
    let again = tx
        .run(
            "UPDATE notices SET status = 'queued' \
             WHERE status = 'submitting' AND due_at <= $1 AND channel = 'email'",
            args![now],
        )
        .await?;
    Ok((unknown, again))
}

/// Drops a bounded number of notices older than `before` whose fate is known.
pub async fn purge(tx: &mut Tx, before: Time) -> Result<u64> {
    let old = bounded!("notices", "id", "created_at < $1 AND status NOT IN ('queued', 'submitting')");
    tx.run(old, args![before]).await
}

/// How many notices of a channel wait to be handed over.
pub async fn waiting(tx: &mut Tx, channel: Channel) -> Result<i64> {
    let (waiting,): (i64,) = tx
        .one("SELECT COUNT(*) FROM notices WHERE status = 'queued' AND channel = $1", args![channel])
        .await?;
    Ok(waiting)
}

/// How many notices of a channel failed or expired since `since`.
pub async fn lost(tx: &mut Tx, channel: Channel, since: Time) -> Result<i64> {
    let (lost,): (i64,) = tx
        .one(
            "SELECT COUNT(*) FROM notices WHERE status IN ('failed', 'expired') AND channel = $1 AND done_at >= $2",
            args![channel, since],
        )
        .await?;
    Ok(lost)
}

/// How many notices there are of each status.
pub async fn counts(tx: &mut Tx) -> Result<Vec<(NoticeStatus, i64)>> {
    tx.all("SELECT status, COUNT(*) FROM notices GROUP BY status", args![]).await
}

/// Gives up a notice that was handed over so often.
pub async fn give_up_after(tx: &mut Tx, id: NoticeId, tries: i64, now: Time) -> Result<()> {
    tx.run(
        "UPDATE notices SET status = 'failed', body = NULL, done_at = $3 \
         WHERE id = $1 AND status = 'queued' AND tries >= $2",
        args![id, tries, now],
    )
    .await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_one_due_is_looked_for_in_every_priority() {
        for purpose in NoticePurpose::ALL {
            let priority = format!("priority = {}", purpose.priority());
            assert_eq!(NEXT_DUE.matches(&priority).count(), 1, "{priority}");
        }
    }
}
