//! Events and their deliveries: what is sent to which address, when it is tried again, and the log.
//!
//! `webhooks.pending` is the number of its deliveries in status `pending`.

use std::collections::BTreeMap;

use crate::error::{Error, Result};
use crate::model::account::id::UserId;
use crate::model::webhook::event::{DeliveryStatus, EventType, NewEvent};
use crate::model::webhook::id::{DeliveryId, EventId, WebhookId};
use crate::store::webhook::WebhookRow;
use crate::store::{AgedRow, Column, PURGED_AT_ONCE, Sql, Tx};
use crate::time::Time;
use crate::{args, sql};

/// Deliveries one address may have before it: with more, it is turned off.
pub const BACKLOG: i64 = 10_000;

/// A delivery that is due, with its address.
#[derive(Clone, Debug)]
pub struct DueDelivery {
    /// The delivery.
    pub id: DeliveryId,
    /// The event.
    pub event_id: EventId,
    /// Attempts made, with the one that was just claimed.
    pub attempts: i64,
    /// The request's body.
    pub body: String,
    /// Where to.
    pub webhook: WebhookRow,
}

/// What came of an attempt.
#[derive(Clone, Debug)]
pub struct FinishedAttempt {
    /// The delivery.
    pub id: DeliveryId,
    /// Its address.
    pub webhook_id: WebhookId,
    /// Whether it was taken.
    pub taken: bool,
    /// When it is tried again; `None` after the last attempt.
    pub next_at: Option<Time>,
    /// The answer's HTTP status.
    pub answer: Option<i64>,
    /// The answer's beginning, or why there was none.
    pub note: String,
    /// Since when the address fails.
    pub failing_since: Option<Time>,
    /// Before when the address is left in peace.
    pub quiet_until: Time,
    /// Why the address is turned off.
    pub turned_off: Option<&'static str>,
    /// When it was finished.
    pub at: Time,
}

/// A line of the log.
#[derive(Clone, Debug, sqlx_macros::FromRow)]
pub struct DeliveryRow {
    /// The delivery.
    pub id: DeliveryId,
    /// Its address.
    pub webhook_id: WebhookId,
    /// The event, whose id in requests is `msg_` and this.
    pub event_id: EventId,
    /// The event's type.
    #[sqlx(rename = "type")]
    pub kind: EventType,
    /// Where it stands.
    pub status: DeliveryStatus,
    /// Attempts made.
    pub attempts: i64,
    /// When it is tried next; of no meaning unless pending.
    pub due_at: Time,
    /// The last attempt.
    pub tried_at: Option<Time>,
    /// HTTP status of the last attempt.
    pub answer: Option<i64>,
    /// The beginning of the answer, or why there was none.
    pub note: Option<String>,
    /// When it was taken.
    pub delivered_at: Option<Time>,
    /// When it happened.
    pub created_at: Time,
}

/// Stores an event for every active address of its user that wants it; whether there is one. An address with too long
/// a backlog is turned off instead.
pub async fn insert(tx: &mut Tx, event: &NewEvent, now: Time) -> Result<bool> {
    tx.run(
        "UPDATE webhooks SET is_active = false, inactive_reason = 'More than 10,000 deliveries were waiting for it', \
         updated_at = $2 WHERE user_id = $1 AND is_active AND pending >= $3",
        args![event.user_id, now, BACKLOG],
    )
    .await?;
    let wanting: Vec<(WebhookId,)> = tx
        .all(
            "SELECT id FROM webhooks WHERE user_id = $1 AND is_active AND ',' || events || ',' LIKE '%,' || $2 || ',%'",
            args![event.user_id, event.kind],
        )
        .await?;
    if wanting.is_empty() {
        return Ok(false);
    }
    let event_id = store(tx, event, now).await?;
    for (webhook_id,) in wanting {
        deliver(tx, webhook_id, event_id, now).await?;
    }
    Ok(true)
}

/// Stores an event for one address and returns the delivery's id.
pub async fn insert_one(
    tx: &mut Tx,
    event: &NewEvent,
    webhook_id: WebhookId,
    now: Time,
) -> Result<DeliveryId> {
    let event_id = store(tx, event, now).await?;
    deliver(tx, webhook_id, event_id, now).await
}

async fn store(tx: &mut Tx, event: &NewEvent, now: Time) -> Result<EventId> {
    let (id,): (EventId,) = tx
        .one(
            "INSERT INTO webhook_events (user_id, type, campaign_id, body, created_at) VALUES ($1, $2, $3, $4, $5) \
             RETURNING id",
            args![event.user_id, event.kind, event.campaign_id, &event.body, now],
        )
        .await?;
    Ok(id)
}

async fn deliver(tx: &mut Tx, webhook_id: WebhookId, event_id: EventId, now: Time) -> Result<DeliveryId> {
    tx.run_exactly(1, "UPDATE webhooks SET pending = pending + 1 WHERE id = $1", args![webhook_id]).await?;
    let (id,): (DeliveryId,) = tx
        .one(
            "INSERT INTO webhook_deliveries (webhook_id, event_id, status, due_at) VALUES ($1, $2, 'pending', $3) \
             RETURNING id",
            args![webhook_id, event_id, now],
        )
        .await?;
    Ok(id)
}

/// Which deliveries are due: of each address the oldest few, none of one that is off or left in peace, and none of
/// addresses ($5) and users that have no free slot; $6 says how many slots users hold. Users take turns, and the addresses of
/// a user among themselves, so that no backlog hides another one's. The slots that a user holds count as turns: a free one
/// goes to the user who holds the fewest. Two texts, as SQLite has no `LATERAL`, and PostgreSQL can only lock rows that
/// are ranked within a query of their own.
const DUE: Sql = Sql::each(
    "SELECT id, webhook_id FROM (SELECT id, webhook_id, due_at, \
       held + ROW_NUMBER() OVER (PARTITION BY user_id ORDER BY place, due_at, id) AS turn \
     FROM (SELECT d.id, d.webhook_id, d.due_at, w.user_id, COALESCE(b.value ->> 1, 0) AS held, \
         ROW_NUMBER() OVER (PARTITION BY d.webhook_id ORDER BY d.due_at, d.id) AS place \
       FROM webhooks w LEFT JOIN jsonb_each($6) AS b ON b.value ->> 0 = w.user_id \
       CROSS JOIN webhook_deliveries d ON d.id IN (SELECT p.id FROM webhook_deliveries p \
         WHERE p.webhook_id = w.id AND p.status = 'pending' AND p.due_at <= $1 ORDER BY p.due_at, p.id LIMIT $3) \
       WHERE w.is_active AND w.pending > 0 AND w.quiet_until <= $1 \
         AND w.id NOT IN (SELECT value ->> 0 FROM jsonb_each($5)) \
         AND COALESCE(b.value ->> 1, 0) < $4) AS few) AS ranked \
     WHERE turn <= $4 ORDER BY turn, due_at, id LIMIT $2",
    "SELECT p.id, p.webhook_id FROM webhook_deliveries p WHERE p.id IN ( \
       SELECT id FROM (SELECT id, due_at, \
         held + ROW_NUMBER() OVER (PARTITION BY user_id ORDER BY place, due_at, id) AS turn \
       FROM (SELECT d.id, d.due_at, w.user_id, COALESCE(b.held, 0) AS held, \
           ROW_NUMBER() OVER (PARTITION BY w.id ORDER BY d.due_at, d.id) AS place \
         FROM webhooks w \
         LEFT JOIN UNNEST($6::BIGINT[], $7::BIGINT[]) AS b (user_id, held) ON b.user_id = w.user_id \
         CROSS JOIN LATERAL (SELECT q.id, q.due_at FROM webhook_deliveries q \
           WHERE q.webhook_id = w.id AND q.status = 'pending' AND q.due_at <= $1 ORDER BY q.due_at, q.id LIMIT $3) AS d \
         WHERE w.is_active AND w.pending > 0 AND w.quiet_until <= $1 \
           AND w.id <> ALL($5::BIGINT[]) AND COALESCE(b.held, 0) < $4) AS few) AS ranked \
       WHERE turn <= $4 ORDER BY turn, due_at, id LIMIT $2) \
     AND p.status = 'pending' AND p.due_at <= $1 FOR UPDATE SKIP LOCKED",
);

/// How many attempts may be under way, and which are.
#[derive(Clone, Debug)]
pub struct Slots {
    /// In all.
    pub total: i64,
    /// To one address.
    pub each: i64,
    /// To the addresses of one user.
    pub user: i64,
    /// Those under way: the user and the address of each.
    pub busy: Vec<(UserId, WebhookId)>,
}

impl Slots {
    /// The address is taken into account, if it and its user have a free slot.
    fn take(&mut self, user_id: UserId, webhook_id: WebhookId) -> bool {
        let of_user = self.busy.iter().filter(|(user, _)| *user == user_id).count();
        let of_address = self.busy.iter().filter(|(_, webhook)| *webhook == webhook_id).count();
        let is_free = (of_user as i64) < self.user && (of_address as i64) < self.each;
        if is_free {
            self.busy.push((user_id, webhook_id));
        }
        is_free
    }

    /// How many of those under way each of these ids has.
    fn held<Id: Ord>(&self, id: impl Fn(&(UserId, WebhookId)) -> Id) -> BTreeMap<Id, i64> {
        let mut counted = BTreeMap::<Id, i64>::new();
        self.busy.iter().for_each(|busy| *counted.entry(id(busy)).or_default() += 1);
        counted
    }
}

/// Claims deliveries that are due, as many as there are free slots. Until `again_at` no other call takes them.
pub async fn claim(tx: &mut Tx, now: Time, again_at: Time, slots: &Slots) -> Result<Vec<DueDelivery>> {
    let mut slots = slots.clone();
    let free = slots.total - slots.busy.len() as i64;
    let addresses = slots.held(|busy| busy.1).into_iter();
    let full: Vec<WebhookId> = addresses.filter(|(_, held)| *held >= slots.each).map(|(id, _)| id).collect();
    let (users, held): (Vec<UserId>, Vec<i64>) = slots.held(|busy| busy.0).into_iter().unzip();
    let due: Vec<(DeliveryId, WebhookId)> = tx
        .all(
            DUE,
            args![
                now,
                free.max(0),
                slots.each,
                slots.user,
                vec![Column::of(full)],
                vec![Column::of(users), Column::Ints(held)],
            ],
        )
        .await?;
    let mut claimed = Vec::with_capacity(due.len());
    for (id, webhook_id) in due {
        // What finds no slot any more stays due.
        let webhook = crate::store::webhook::by_id(tx, webhook_id).await?;
        let Some(webhook) = webhook.filter(|it| slots.take(it.user_id, it.id)) else { continue };
        let row: Option<(EventId, i64, String)> = tx
            .opt(
                "UPDATE webhook_deliveries SET attempts = attempts + 1, due_at = $2, tried_at = $3 WHERE id = $1 \
                 RETURNING event_id, attempts, (SELECT body FROM webhook_events e WHERE e.id = event_id)",
                args![id, again_at, now],
            )
            .await?;
        if let Some((event_id, attempts, body)) = row {
            claimed.push(DueDelivery { id, event_id, attempts, body, webhook });
        }
    }
    Ok(claimed)
}

/// Notes what came of an attempt. A delivery that was deleted or settled meanwhile stays as it is.
pub async fn finish(tx: &mut Tx, finished: &FinishedAttempt) -> Result<()> {
    let status = match (finished.taken, finished.next_at) {
        (true, _) => DeliveryStatus::Delivered,
        (false, Some(_)) => DeliveryStatus::Pending,
        (false, None) => DeliveryStatus::Failed,
    };
    let touched = tx
        .run(
            "UPDATE webhook_deliveries SET status = $2, due_at = $3, answer = $4, note = $5, delivered_at = $6 \
             WHERE id = $1 AND status = 'pending'",
            args![
                finished.id,
                status,
                finished.next_at.unwrap_or(finished.at),
                finished.answer,
                &finished.note,
                finished.taken.then_some(finished.at),
            ],
        )
        .await?;
    let settled = i64::from(touched == 1 && status != DeliveryStatus::Pending);
    tx.run(
        "UPDATE webhooks SET pending = pending - $2, failing_since = $3, quiet_until = $4, \
         is_active = CASE WHEN $5 IS NULL THEN is_active ELSE false END, \
         inactive_reason = COALESCE($5, inactive_reason) WHERE id = $1",
        args![
            finished.webhook_id,
            settled,
            finished.failing_since,
            finished.quiet_until,
            finished.turned_off,
        ],
    )
    .await?;
    Ok(())
}

macro_rules! log_rows {
    ($where:literal) => {
        concat!(
            "SELECT d.id, d.webhook_id, d.event_id, e.type, d.status, d.attempts, d.due_at, d.tried_at, d.answer, \
             d.note, d.delivered_at, e.created_at FROM webhook_deliveries d \
             JOIN webhook_events e ON e.id = d.event_id WHERE ",
            $where
        )
    };
}

/// A slice of an address's log, newest first; of all statuses where none is given.
pub async fn page(
    tx: &mut Tx,
    webhook_id: WebhookId,
    status: Option<DeliveryStatus>,
    limit: i64,
    offset: i64,
) -> Result<Vec<DeliveryRow>> {
    tx.all(
        log_rows!("d.webhook_id = $1 AND ($2 = '' OR d.status = $2) ORDER BY d.id DESC LIMIT $3 OFFSET $4"),
        args![webhook_id, status.map_or("", DeliveryStatus::code), limit, offset],
    )
    .await
}

/// How many lines [`page`] goes through.
pub async fn count(tx: &mut Tx, webhook_id: WebhookId, status: Option<DeliveryStatus>) -> Result<i64> {
    let (count,): (i64,) = tx
        .one(
            "SELECT COUNT(*) FROM webhook_deliveries WHERE webhook_id = $1 AND ($2 = '' OR status = $2)",
            args![webhook_id, status.map_or("", DeliveryStatus::code)],
        )
        .await?;
    Ok(count)
}

/// A line of an address's log, with the body that was sent.
pub async fn find(
    tx: &mut Tx,
    webhook_id: WebhookId,
    id: DeliveryId,
) -> Result<Option<(DeliveryRow, String)>> {
    let row: Option<DeliveryRow> =
        tx.opt(log_rows!("d.webhook_id = $1 AND d.id = $2"), args![webhook_id, id]).await?;
    let Some(row) = row else { return Ok(None) };
    let (body,): (String,) =
        tx.one("SELECT body FROM webhook_events WHERE id = $1", args![row.event_id]).await?;
    Ok(Some((row, body)))
}

/// Makes a delivery due again at once, with all its attempts before it; whether there is one of these ids.
pub async fn again(tx: &mut Tx, webhook_id: WebhookId, id: DeliveryId, now: Time) -> Result<bool> {
    let was: Option<(DeliveryStatus,)> = tx
        .opt("SELECT status FROM webhook_deliveries WHERE id = $2 AND webhook_id = $1", args![webhook_id, id])
        .await?;
    let Some((was,)) = was else { return Ok(false) };
    let waits = was == DeliveryStatus::Pending;
    if !waits && room(tx, webhook_id).await? == 0 {
        return Err(backlog_full());
    }
    tx.run_exactly(
        1,
        "UPDATE webhook_deliveries SET status = 'pending', attempts = 0, due_at = $2, delivered_at = NULL WHERE id = $1",
        args![id, now],
    )
    .await?;
    tx.run_exactly(
        1,
        "UPDATE webhooks SET pending = pending + $2, quiet_until = 0 WHERE id = $1",
        args![webhook_id, i64::from(!waits)],
    )
    .await?;
    Ok(true)
}

/// How many deliveries more may wait for an address. Its row is locked: calls at once see each other's.
pub async fn room(tx: &mut Tx, webhook_id: WebhookId) -> Result<i64> {
    let (pending,): (i64,) =
        tx.one(sql!("SELECT pending FROM webhooks WHERE id = $1 FOR UPDATE"), args![webhook_id]).await?;
    Ok((BACKLOG - pending).max(0))
}

/// The refusal of a test or redelivery while too much waits.
pub fn backlog_full() -> Error {
    Error::rule(
        "too_many_waiting",
        "Too many deliveries are waiting for this webhook: try again when some of them are through",
    )
}

/// Makes an address's failed deliveries due again, up to 1,000 and as many as its backlog has room for; how many.
pub async fn failed_again(tx: &mut Tx, webhook_id: WebhookId, now: Time) -> Result<u64> {
    let room = room(tx, webhook_id).await?.min(1_000);
    let count = tx
        .run(
            "UPDATE webhook_deliveries SET status = 'pending', attempts = 0, due_at = $2 WHERE id IN (SELECT id FROM \
             webhook_deliveries WHERE webhook_id = $1 AND status = 'failed' ORDER BY id LIMIT $3)",
            args![webhook_id, now, room],
        )
        .await?;
    tx.run_exactly(
        1,
        "UPDATE webhooks SET pending = pending + $2, quiet_until = 0 WHERE id = $1",
        args![webhook_id, i64::try_from(count).unwrap_or(0)],
    )
    .await?;
    Ok(count)
}

/// The next events that happened before a time, in the order of their age, a bounded number.
pub async fn aged(tx: &mut Tx, before: Time, after: AgedRow) -> Result<Vec<AgedRow>> {
    tx.all(AGED, args![before, after.at, after.id, PURGED_AT_ONCE.cast_signed()]).await
}

const AGED: &str = "SELECT id, user_id, created_at AS at FROM webhook_events \
     WHERE created_at < $1 AND (created_at, id) > ($2, $3) ORDER BY created_at, id LIMIT $4";

/// Forgets these events, with their deliveries; how many. Those that still waited are counted off their addresses.
pub async fn remove(tx: &mut Tx, events: Vec<i64>) -> Result<u64> {
    let list = || vec![Column::of(&events)];
    tx.run(
        sql!(
            "UPDATE webhooks SET pending = pending - (SELECT COUNT(*) FROM webhook_deliveries d \
               WHERE d.webhook_id = webhooks.id AND d.status = 'pending' AND d.event_id = ANY($1::BIGINT[])) \
             WHERE pending > 0",
        ),
        args![list()],
    )
    .await?;
    tx.run(sql!("DELETE FROM webhook_events WHERE id = ANY($1::BIGINT[])"), args![list()]).await
}

/// Whether any active address of this user wants this event, so that no event is computed in vain.
pub async fn is_wanted(tx: &mut Tx, user_id: UserId, kind: EventType) -> Result<bool> {
    let row: Option<(i64,)> = tx
        .opt(
            "SELECT id FROM webhooks WHERE user_id = $1 AND is_active AND ',' || events || ',' LIKE '%,' || $2 || ',%' \
             LIMIT 1",
            args![user_id, kind],
        )
        .await?;
    Ok(row.is_some())
}
