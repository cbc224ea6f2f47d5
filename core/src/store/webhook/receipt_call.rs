//! Calls that tell the senders of messages what became of them: one row a call, gone once it was taken or given up.

use std::collections::BTreeMap;

use crate::error::Result;
use crate::model::account::id::UserId;
use crate::model::message::id::MessageId;
use crate::model::webhook::id::ReceiptCallId;
use crate::store::{Column, Sql, Tx};
use crate::time::Time;
use crate::{args, sql};

/// A call to be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewReceiptCall {
    /// Whose message it is about.
    pub user_id: UserId,
    /// The message.
    pub message_id: MessageId,
    /// The address, with placeholders filled in.
    pub url: String,
}

/// A call that is due.
#[derive(Clone, Debug)]
pub struct DueCall {
    /// The call.
    pub id: ReceiptCallId,
    /// Whose message it is about.
    pub user_id: UserId,
    /// The message.
    pub message_id: MessageId,
    /// The address.
    pub url: String,
    /// Attempts made, with the one that was just claimed.
    pub attempts: i64,
}

/// What came of an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FinishedCall {
    /// The call.
    pub id: ReceiptCallId,
    /// When it is made again; `None` when it was taken or is given up.
    pub next_at: Option<Time>,
}

/// Stores calls to be made, due at once, of messages whose callback is still there: a user who is deleted meanwhile is not
/// called.
pub async fn insert(tx: &mut Tx, calls: &[NewReceiptCall], now: Time) -> Result<()> {
    if calls.is_empty() {
        return Ok(());
    }
    let rows = vec![
        Column::of(calls.iter().map(|call| call.user_id)),
        Column::of(calls.iter().map(|call| call.message_id)),
        Column::of(calls.iter().map(|call| &call.url)),
        Column::of((0..).take(calls.len())),
    ];
    tx.run(INSERT, args![now, rows]).await.map(|_| ())
}

/// The callback's row is locked: a deletion of the user waits, and finds the call, or went before, and there is none.
const INSERT: Sql = sql!(
    "INSERT INTO receipt_calls (user_id, message_id, url, due_at) SELECT j.owner, j.message, j.url, $1 \
     FROM UNNEST($2::BIGINT[], $3::BIGINT[], $4::TEXT[], $5::BIGINT[]) AS j (owner, message, url, place) \
     CROSS JOIN receipt_callbacks r WHERE r.message_id = j.message ORDER BY j.place FOR UPDATE OF r"
);

/// Whether a user has as many calls waiting as there may be.
pub async fn is_full(tx: &mut Tx, user_id: UserId, most: i64) -> Result<bool> {
    let row: Option<(i64,)> = tx
        .opt(
            "SELECT id FROM receipt_calls WHERE user_id = $1 ORDER BY due_at, id LIMIT 1 OFFSET $2",
            args![user_id, (most - 1).max(0)],
        )
        .await?;
    Ok(row.is_some())
}

/// Which calls are due: of each user the oldest few, none of users without a free slot; $4 says how many slots users hold.
/// Users take turns, so that no backlog hides another one's: each is found by one step in the index, whatever waits for the
/// one before. The slots that a user holds count as turns: a free one goes to the user who holds the fewest. Two texts for the
/// reasons of `webhook/delivery.rs: DUE`.
const DUE: Sql = Sql::each(
    "WITH RECURSIVE owners (user_id) AS (SELECT MIN(user_id) FROM receipt_calls UNION ALL \
       SELECT (SELECT MIN(c.user_id) FROM receipt_calls c WHERE c.user_id > o.user_id) FROM owners o \
       WHERE o.user_id IS NOT NULL) \
     SELECT id FROM (SELECT p.id, p.due_at, COALESCE(b.value ->> 1, 0) \
         + ROW_NUMBER() OVER (PARTITION BY p.user_id ORDER BY p.due_at, p.id) AS turn \
       FROM owners o LEFT JOIN jsonb_each($4) AS b ON b.value ->> 0 = o.user_id \
       CROSS JOIN receipt_calls p ON p.id IN (SELECT q.id FROM receipt_calls q \
         WHERE q.user_id = o.user_id AND q.due_at <= $1 ORDER BY q.due_at, q.id LIMIT $3) \
       WHERE COALESCE(b.value ->> 1, 0) < $3) AS few \
     WHERE turn <= $3 ORDER BY turn, due_at, id LIMIT $2",
    "SELECT p.id FROM receipt_calls p WHERE p.id IN ( \
       WITH RECURSIVE owners (user_id) AS (SELECT MIN(user_id) FROM receipt_calls UNION ALL \
         SELECT (SELECT MIN(c.user_id) FROM receipt_calls c WHERE c.user_id > o.user_id) FROM owners o \
         WHERE o.user_id IS NOT NULL) \
       SELECT id FROM (SELECT d.id, d.due_at, COALESCE(b.held, 0) \
           + ROW_NUMBER() OVER (PARTITION BY o.user_id ORDER BY d.due_at, d.id) AS turn \
         FROM owners o LEFT JOIN UNNEST($4::BIGINT[], $5::BIGINT[]) AS b (user_id, held) ON b.user_id = o.user_id \
         CROSS JOIN LATERAL (SELECT q.id, q.due_at FROM receipt_calls q \
           WHERE q.user_id = o.user_id AND q.due_at <= $1 ORDER BY q.due_at, q.id LIMIT $3) AS d \
         WHERE COALESCE(b.held, 0) < $3) AS few \
       WHERE turn <= $3 ORDER BY turn, due_at, id LIMIT $2) \
     AND p.due_at <= $1 FOR UPDATE SKIP LOCKED",
);

/// How many attempts may be under way, and of which users those are that are.
#[derive(Clone, Debug)]
pub struct CallSlots {
    /// In all.
    pub total: i64,
    /// Of one user.
    pub user: i64,
    /// The user of each under way.
    pub busy: Vec<UserId>,
}

/// Claims calls that are due, as many as there are free slots. Until `again_at` no other call takes them.
pub async fn claim(tx: &mut Tx, now: Time, again_at: Time, slots: &CallSlots) -> Result<Vec<DueCall>> {
    let mut held: BTreeMap<UserId, i64> = BTreeMap::new();
    slots.busy.iter().for_each(|user| *held.entry(*user).or_default() += 1);
    let free = slots.total - slots.busy.len() as i64;
    let busy = vec![Column::of(held.keys()), Column::of(held.values())];
    let due: Vec<(ReceiptCallId,)> = tx.all(DUE, args![now, free.max(0), slots.user, busy]).await?;
    let mut claimed = Vec::with_capacity(due.len());
    for (id,) in due {
        let row: (UserId, MessageId, String) =
            tx.one("SELECT user_id, message_id, url FROM receipt_calls WHERE id = $1", args![id]).await?;
        let (user_id, message_id, url) = row;
        let of_user = held.entry(user_id).or_default();
        // What finds no slot any more stays due.
        if *of_user >= slots.user {
            continue;
        }
        *of_user += 1;
        let (attempts,): (i64,) = tx
            .one(
                "UPDATE receipt_calls SET attempts = attempts + 1, due_at = $2 WHERE id = $1 RETURNING attempts",
                args![id, again_at],
            )
            .await?;
        claimed.push(DueCall { id, user_id, message_id, url, attempts });
    }
    Ok(claimed)
}

/// Notes what came of an attempt.
pub async fn finish(tx: &mut Tx, finished: FinishedCall) -> Result<()> {
    let FinishedCall { id, next_at } = finished;
    match next_at {
        Some(at) => tx.run("UPDATE receipt_calls SET due_at = $2 WHERE id = $1", args![id, at]).await?,
        None => tx.run("DELETE FROM receipt_calls WHERE id = $1", args![id]).await?,
    };
    Ok(())
}
