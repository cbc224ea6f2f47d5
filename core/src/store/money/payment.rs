//! The rows of payments.
//!
//! A settled payment is never touched again; every change locks its row first, so of many that learn of
//! a success at once one posts it.

use talkdrum_api::money::{Currency, Money};

use crate::args;
use crate::error::Result;
use crate::model::account::id::UserId;
use crate::model::money::ledger::{AccountId, TransferId};
use crate::model::money::payment::{
    Payment, PaymentEventId, PaymentId, PaymentMode, PaymentStatus, Provider,
};
use crate::store::Tx;
use crate::time::Time;

/// A payment to be stored, before its provider is called.
#[derive(Clone, Debug)]
pub struct NewPayment {
    pub user_id: UserId,
    pub provider: Provider,
    pub reference: String,
    pub money: Money,
    pub narration: String,
    pub product_sku: Option<String>,
    pub nonce: String,
    pub mode: PaymentMode,
    pub note: &'static str,
    pub next_check_at: Time,
    pub expires_at: Time,
}

macro_rules! columns {
    () => {
        "id, user_id, provider, reference, provider_ref, checkout_url, amount_micros, currency, narration, \
         product_sku, nonce, mode, status, note, settled_by, checks, next_check_at, expires_at, \
         created_at, settled_at"
    };
}

/// Stores a payment as `initiated`, at its place among the ledger's entries.
pub async fn insert(tx: &mut Tx, it: &NewPayment, now: Time) -> Result<PaymentId> {
    let row: (PaymentId,) = tx
        .one(
            "INSERT INTO payments (user_id, provider, reference, amount_micros, currency, narration, product_sku, nonce, \
             mode, status, note, ledger_position, checks, next_check_at, expires_at, created_at, updated_at) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 'initiated', $10, \
             COALESCE((SELECT MAX(id) FROM transfers), 0), 0, $11, $12, $13, $13) RETURNING id",
            args![
                it.user_id,
                it.provider,
                &it.reference,
                it.money.amount,
                it.money.currency,
                &it.narration,
                it.product_sku.as_deref(),
                &it.nonce,
                it.mode,
                it.note,
                it.next_check_at,
                it.expires_at,
                now,
            ],
        )
        .await?;
    Ok(row.0)
}

/// How many payments of a user wait for their payer.
pub async fn count_open(tx: &mut Tx, user: UserId, now: Time) -> Result<i64> {
    let row: (i64,) = tx
        .one(
            "SELECT COUNT(*) FROM payments WHERE user_id = $1 AND status IN ('initiated', 'pending') AND expires_at > $2",
            args![user, now],
        )
        .await?;
    Ok(row.0)
}

/// The payment with our reference.
pub async fn by_reference(tx: &mut Tx, reference: &str) -> Result<Option<Payment>> {
    tx.opt(concat!("SELECT ", columns!(), " FROM payments WHERE reference = $1"), args![reference]).await
}

/// The payment with this id.
pub async fn by_id(tx: &mut Tx, id: PaymentId) -> Result<Option<Payment>> {
    tx.opt(concat!("SELECT ", columns!(), " FROM payments WHERE id = $1"), args![id]).await
}

/// The payment with this reference, ours or its provider's, in whatever case it was typed; one in the very case comes
/// first, then one in `currency`.
pub async fn by_any_reference(tx: &mut Tx, reference: &str, currency: Currency) -> Result<Option<Payment>> {
    tx.opt(
        concat!(
            "SELECT ",
            columns!(),
            " FROM payments WHERE lower(reference) = lower($1) OR lower(provider_ref) = lower($1) \
             ORDER BY CASE WHEN reference = $1 OR provider_ref = $1 THEN 0 ELSE 1 END, \
               CASE WHEN currency = $2 THEN 0 ELSE 1 END, id LIMIT 1"
        ),
        args![reference, currency],
    )
    .await
}

/// The payment that a provider knows by this reference, ours or its own.
pub async fn by_either_reference(
    tx: &mut Tx,
    provider: Provider,
    reference: &str,
) -> Result<Option<Payment>> {
    tx.opt(
        concat!(
            "SELECT ",
            columns!(),
            " FROM payments WHERE provider = $1 AND (reference = $2 OR provider_ref = $2) ORDER BY id LIMIT 1"
        ),
        args![provider, reference],
    )
    .await
}

/// Locks an unsettled payment until the end of the transaction and returns it; `None` when it is settled.
pub async fn lock_unsettled(tx: &mut Tx, id: PaymentId, now: Time) -> Result<Option<Payment>> {
    tx.opt(
        concat!(
            "UPDATE payments SET updated_at = $2 WHERE id = $1 AND status <> 'settled' RETURNING ",
            columns!()
        ),
        args![id, now],
    )
    .await
}

/// Notes what the provider gave us at the beginning: its reference, and where the payer is sent. Of several pages that
/// the provider opened for one payment the first that is noted counts: its reference is the one that is asked for.
pub async fn set_checkout(
    tx: &mut Tx,
    id: PaymentId,
    provider_ref: Option<&str>,
    url: &str,
    note: &str,
    next_check_at: Time,
) -> Result<()> {
    tx.run(
        "UPDATE payments SET provider_ref = COALESCE(provider_ref, $2), checkout_url = $3, note = $4, \
         next_check_at = $5, status = CASE WHEN status = 'initiated' THEN 'pending' ELSE status END \
         WHERE id = $1 AND checkout_url IS NULL",
        args![id, provider_ref, url, note, next_check_at],
    )
    .await
    .map(|_| ())
}

/// Moves an unsettled payment to another status that is not settled.
pub async fn set_status(tx: &mut Tx, id: PaymentId, status: PaymentStatus, note: &str) -> Result<()> {
    tx.run_exactly(
        1,
        "UPDATE payments SET status = $2, note = $3 WHERE id = $1 AND status <> 'settled'",
        args![id, status, note],
    )
    .await
}

/// Ends the asking for a payment.
pub async fn stop_checks(tx: &mut Tx, id: PaymentId) -> Result<()> {
    tx.run_exactly(1, "UPDATE payments SET next_check_at = NULL WHERE id = $1", args![id]).await
}

/// Settles a locked payment by the ledger entry that credited it.
pub async fn set_settled(
    tx: &mut Tx,
    id: PaymentId,
    transfer: TransferId,
    by: Option<UserId>,
    note: &str,
    now: Time,
) -> Result<()> {
    tx.run_exactly(
        1,
        "UPDATE payments SET status = 'settled', transfer_id = $2, settled_by = $3, note = $4, settled_at = $5, \
         next_check_at = NULL WHERE id = $1 AND status <> 'settled'",
        args![id, transfer, by, note, now],
    )
    .await
}

/// Makes a payment due at once.
pub async fn hasten(tx: &mut Tx, id: PaymentId, now: Time) -> Result<()> {
    tx.run("UPDATE payments SET next_check_at = $2 WHERE id = $1 AND status <> 'settled'", args![id, now])
        .await?;
    Ok(())
}

const DUE: &str = concat!(
    "SELECT ",
    columns!(),
    " FROM payments WHERE next_check_at IS NOT NULL AND next_check_at <= $1 ORDER BY next_check_at LIMIT $2"
);

/// Payments whose provider is to be asked.
pub async fn due(tx: &mut Tx, now: Time, limit: i64) -> Result<Vec<Payment>> {
    tx.all(DUE, args![now, limit]).await
}

/// Takes a due payment by moving its next check ahead: of several daemons one does.
pub async fn claim(tx: &mut Tx, id: PaymentId, now: Time, next: Time) -> Result<bool> {
    let touched = tx
        .run(
            "UPDATE payments SET next_check_at = $3, checks = checks + 1 \
             WHERE id = $1 AND next_check_at IS NOT NULL AND next_check_at <= $2 AND status <> 'settled'",
            args![id, now, next],
        )
        .await?;
    Ok(touched == 1)
}

/// A payment is not looked after any more.
pub async fn end_checks(tx: &mut Tx, id: PaymentId) -> Result<()> {
    tx.run("UPDATE payments SET next_check_at = NULL WHERE id = $1", args![id]).await.map(|_| ())
}

/// The account through which a provider's money comes.
pub async fn clearing(tx: &mut Tx, provider: Provider, currency: Currency) -> Result<Option<AccountId>> {
    let row: Option<(AccountId,)> = tx
        .opt(
            "SELECT id FROM accounts WHERE kind = 'clearing' AND currency = $1 AND gateway = $2",
            args![currency, provider],
        )
        .await?;
    Ok(row.map(|row| row.0))
}

/// Which payments a list holds. What is missing or empty means any.
#[derive(Clone, Debug, Default)]
pub struct PaymentSelection {
    pub user: Option<UserId>,
    pub status: Option<PaymentStatus>,
    pub provider: Option<Provider>,
    /// A `LIKE` pattern in lower case, escaped by a backslash.
    pub pattern: String,
}

/// A payment with its payer's name.
#[derive(Clone, Debug, sqlx_macros::FromRow)]
pub struct ListedRow {
    #[sqlx(flatten)]
    pub payment: Payment,
    pub username: String,
}

macro_rules! selected {
    ($where:literal) => {
        concat!(
            " FROM payments p WHERE ",
            $where,
            " AND ($2 = '' OR p.provider = $2) AND ($3 = '' OR lower((p.reference || ' ' || \
             COALESCE(p.provider_ref, '') || ' ' || p.narration || ' ' || COALESCE(p.product_sku, '')) COLLATE \"binary\") LIKE $3 ESCAPE '\\' \
             OR EXISTS (SELECT 1 FROM users s WHERE s.id = p.user_id AND s.username LIKE $3 ESCAPE '\\'))"
        )
    };
}
macro_rules! listed {
    ($where:literal) => {
        concat!(
            "SELECT l.*, u.username FROM (SELECT p.*",
            selected!($where),
            " ORDER BY p.id DESC LIMIT $4 OFFSET $5) AS l JOIN users u ON u.id = l.user_id ORDER BY l.id DESC"
        )
    };
}
macro_rules! counted {
    ($where:literal) => {
        concat!("SELECT COUNT(*)", selected!($where))
    };
}

const OF_USER: &str = listed!("p.user_id = $6 AND ($1 = '' OR p.status = $1)");
const OF_STATUS: &str = listed!("p.status = $1");
const OF_ALL: &str = listed!("$1 = ''");

/// A page of payments, newest first, and how many there are.
pub async fn list(
    tx: &mut Tx,
    it: &PaymentSelection,
    skip: i64,
    limit: i64,
) -> Result<(Vec<ListedRow>, i64)> {
    let (page, count): (&'static str, &'static str) = match (it.user, it.status) {
        (Some(_), _) => (OF_USER, counted!("p.user_id = $4 AND ($1 = '' OR p.status = $1)")),
        (None, None) => (OF_ALL, counted!("$1 = ''")),
        (None, Some(_)) => (OF_STATUS, counted!("p.status = $1")),
    };
    let status = it.status.map_or("", PaymentStatus::code);
    let provider = it.provider.map_or("", Provider::code);
    let mut page_args = args![status, provider, &it.pattern, limit, skip];
    let mut count_args = args![status, provider, &it.pattern];
    if let Some(user) = it.user {
        page_args.push(user.into());
        count_args.push(user.into());
    }
    let (total,): (i64,) = tx.one(count, count_args).await?;
    Ok((tx.all(page, page_args).await?, total))
}

/// A provider's word on a refund or a dispute.
#[derive(Clone, Debug)]
pub struct NewPaymentEvent {
    pub provider: Provider,
    /// Its kind in the provider's own word, of which there may be new ones any day.
    pub event: String,
    pub reference: Option<String>,
    pub payment_id: Option<PaymentId>,
    pub summary: String,
    pub body_hash: Vec<u8>,
}

/// Keeps an event; false when this very delivery was kept before.
pub async fn insert_event(tx: &mut Tx, it: &NewPaymentEvent, now: Time) -> Result<bool> {
    let touched = tx
        .run(
            "INSERT INTO payment_events (provider, event, reference, payment_id, summary, body_hash, received_at) \
             VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (body_hash) DO NOTHING",
            args![
                it.provider,
                &it.event,
                it.reference.as_deref(),
                it.payment_id,
                &it.summary,
                it.body_hash.clone(),
                now,
            ],
        )
        .await?;
    Ok(touched == 1)
}

/// An event as stored, with the payer's name where the payment is ours.
#[derive(Clone, Debug, sqlx_macros::FromRow)]
pub struct EventRow {
    pub id: PaymentEventId,
    pub provider: Provider,
    /// See [`NewPaymentEvent::event`].
    pub event: String,
    pub reference: Option<String>,
    pub payment_id: Option<PaymentId>,
    pub user_id: Option<UserId>,
    pub username: Option<String>,
    pub summary: String,
    pub received_at: Time,
}

/// A page of events, newest first, and how many there are.
pub async fn events(tx: &mut Tx, skip: i64, limit: i64) -> Result<(Vec<EventRow>, i64)> {
    let (total,): (i64,) = tx.one("SELECT COUNT(*) FROM payment_events", args![]).await?;
    let rows = tx
        .all(
            "SELECT e.id, e.provider, e.event, e.reference, e.payment_id, p.user_id, u.username, e.summary, e.received_at \
             FROM (SELECT * FROM payment_events ORDER BY id DESC LIMIT $1 OFFSET $2) AS e \
             LEFT JOIN payments p ON p.id = e.payment_id LEFT JOIN users u ON u.id = p.user_id ORDER BY e.id DESC",
            args![limit, skip],
        )
        .await?;
    Ok((rows, total))
}

/// Settled payments whose ledger entry is not theirs, and ledger entries of payments that are not settled.
pub async fn that_disagree(tx: &mut Tx) -> Result<Vec<(String, String)>> {
    tx.all(
        "SELECT 'payment ' || CAST(p.id AS TEXT), p.reference FROM payments p JOIN transfers t ON t.id = p.transfer_id \
         WHERE p.settled_by IS NULL AND (t.code <> 'payment' OR t.amount_micros <> p.amount_micros \
           OR t.currency <> p.currency OR t.reference <> p.provider || ':' || COALESCE(p.provider_ref, p.reference)) \
         UNION ALL \
         SELECT 'transfer ' || CAST(t.id AS TEXT), t.reference FROM transfers t WHERE t.code = 'payment' AND NOT EXISTS \
           (SELECT 1 FROM payments p WHERE p.transfer_id = t.id) LIMIT 100",
        args![],
    )
    .await
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::both_databases;
    use crate::store::{Dialect, Store};

    async fn plan(store: &Store, sql: &'static str, given: Vec<crate::store::Arg>) -> String {
        let mut tx = store.read().await.unwrap();
        if store.dialect() == Dialect::Postgres {
            tx.run("SET enable_seqscan = off", args![]).await.unwrap();
            tx.run("SET enable_bitmapscan = off", args![]).await.unwrap();
        }
        let plan = tx.explain(sql, given).await.unwrap().join("\n");
        if store.dialect() == Dialect::Postgres {
            tx.run("RESET ALL", args![]).await.unwrap();
        }
        plan
    }

    both_databases! {
        async fn lists_and_the_sweeper_walk_their_indexes(store: Store) {
            let due = plan(&store, DUE, args![Time(1), 20_i64]).await;
            assert!(due.contains("payments_due"), "{due}");
            let own = plan(&store, OF_USER, args!["", "", "", 20_i64, 0_i64, 1_i64]).await;
            assert!(own.contains("payments_user"), "{own}");
            let status = plan(&store, OF_STATUS, args!["failed", "", "", 20_i64, 0_i64]).await;
            assert!(status.contains("payments_status"), "{status}");
        }
    }
}
