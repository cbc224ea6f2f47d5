//! What is forgotten with time, a bounded number of rows a transaction, so that other writes never wait long.

use std::time::Duration;

use futures::future::BoxFuture;
use talkdrum_core::campaign::confirm::spending_limit;
use talkdrum_core::campaign::{draft, quote};
use talkdrum_core::model::data_class::DataClass;
use talkdrum_core::operate::retention::{self, TermsInForce};
use talkdrum_core::platform::figures;
use talkdrum_core::sender::own_number;
use talkdrum_core::store::carrier::reload;
use talkdrum_core::store::operations::idempotency;
use talkdrum_core::store::webhook::delivery;
use talkdrum_core::store::{Lane, Store, Tx};
use talkdrum_core::time::Time;
use talkdrum_core::voice::library;
use talkdrum_core::voice::test_call::limits;
use talkdrum_core::webhook::KEPT_DAYS;
use talkdrum_core::{Result, account, inbound, notice, operate};

/// One step: removes a bounded number of rows that are too old by now and returns how many; 0 when none are left.
type Step = for<'a> fn(&'a mut Tx, &'a Tidying) -> BoxFuture<'a, Result<u64>>;

/// When it is tidied, and which times of retention hold.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tidying {
    pub(super) now: Time,
    /// `None` where no workers run: their configuration counts, and what has a time there is theirs to remove.
    pub(super) terms: Option<TermsInForce>,
}

/// What is purged: a name for the log, and the step.
type Purge = (&'static str, Step);

/// Everything that is forgotten with time.
pub(super) const PURGES: &[Purge] = &[
    ("sessions", |tx, at| Box::pin(account::purge(tx, at.now))),
    ("registrations and codes", |tx, at| Box::pin(account::purge_identity(tx, at.now))),
    ("notices", |tx, at| Box::pin(notice::purge(tx, at.now))),
    ("sign-ins by KingsChat", |tx, at| Box::pin(account::kingschat::flow::purge(tx, at.now))),
    ("messages to users", |tx, at| Box::pin(account::user::message::purge(tx, at.now))),
    ("webhook events", |tx, at| Box::pin(webhook_events(tx, *at))),
    ("figures", |tx, at| Box::pin(figures::purge(tx, at.now))),
    ("spending", |tx, at| Box::pin(spending_limit::purge(tx, at.now))),
    ("inbound messages", |tx, at| Box::pin(inbound_messages(tx, *at))),
    ("traces of carriers", |tx, at| Box::pin(operate::purge_trace(tx, at.now))),
    ("orders to carriers", |tx, at| Box::pin(reload::purge(tx, at.now - idempotency::KEPT_FOR))),
    ("recordings", |tx, at| Box::pin(library::purge(tx, at.now))),
    ("drafts", |tx, at| Box::pin(draft::purge(tx, at.now))),
    ("test calls", |tx, at| Box::pin(limits::purge(tx, at.now))),
    ("calls that verify numbers", |tx, at| Box::pin(own_number::purge(tx, at.now))),
    ("idempotency keys", |tx, at| Box::pin(idempotency::purge(tx, at.now))),
    ("unconfirmed quotes", |tx, at| Box::pin(quote::expire_quotes(tx, at.now))),
];

/// Audiences that a crash left without a quote. Finding them reads all audiences.
pub(super) const ORPHANS: &[Purge] =
    &[("audiences without a quote", |tx, at| Box::pin(quote::remove_orphans(tx, at.now)))];

fn days(days: i64) -> Duration {
    Duration::from_hours(days.unsigned_abs() * 24)
}

async fn webhook_events(tx: &mut Tx, at: Tidying) -> Result<u64> {
    let Some(terms) = at.terms else { return Ok(0) };
    let kept = terms.receipts.map(i64::from);
    let rows = delivery::purge(tx, at.now - days(kept.unwrap_or(KEPT_DAYS))).await?;
    if kept.is_some() {
        retention::count_rows(tx, DataClass::Receipts, rows, at.now).await?;
    }
    Ok(rows)
}

async fn inbound_messages(tx: &mut Tx, at: Tidying) -> Result<u64> {
    let Some(terms) = at.terms else { return Ok(0) };
    let kept = terms.inbound.map(|kept| days(kept.into()));
    let rows = inbound::purge(tx, kept, at.now).await?;
    if kept.is_some() {
        retention::count_rows(tx, DataClass::Inbound, rows, at.now).await?;
    }
    Ok(rows)
}

/// Runs each purge step by step until nothing is left. `rest` waits between two steps and says whether to go on. What
/// fails is logged, and tried again the next time.
pub(super) async fn everything<Rest>(store: &Store, at: Tidying, purges: &[Purge], rest: impl Fn() -> Rest)
where
    Rest: Future<Output = bool>,
{
    for (what, step) in purges {
        let mut removed = 0;
        loop {
            match store.write(Lane::Background, at, *step).await {
                Ok(0) => break,
                Ok(rows) => removed += rows,
                Err(error) => {
                    tracing::warn!(what, code = error.code(), %error, "what is too old was kept");
                    break;
                }
            }
            if !rest().await {
                return;
            }
        }
        if removed > 0 {
            tracing::debug!(what, removed, "what was too old is forgotten");
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use talkdrum_core::args;
    use talkdrum_core::model::user::Role;
    use talkdrum_core::store::PURGED_AT_ONCE;
    use talkdrum_core::store::platform::setting;
    use talkdrum_core::testing::account::make_user;
    use talkdrum_core::testing::database::for_each_database;

    use super::*;

    const NOW: Time = Time(1_800_000_000_000);

    async fn keys(store: &Store) -> i64 {
        let mut tx = store.read().await.unwrap();
        tx.one::<(i64,)>("SELECT COUNT(*) FROM idempotency", args![]).await.unwrap().0
    }

    #[tokio::test]
    async fn a_large_purge_takes_several_transactions_and_others_write_between_them() {
        for_each_database(|store| async move {
            let user = make_user(&store, "ada", Role::User).await;
            let fill = store.write(Lane::Interactive, user, |tx, user| {
                Box::pin(async move {
                    for key in 0..1_700_i64 {
                        let args = args![*user, key.to_string(), vec![1_u8], Time(5)];
                        tx.run(
                            "INSERT INTO idempotency (user_id, key, operation, input_hash, reference, created_at) \
                             VALUES ($1, $2, 'op', $3, 'made', $4)",
                            args,
                        )
                        .await?;
                    }
                    Ok(())
                })
            });
            fill.await.unwrap();
            let left = Mutex::new(Vec::new());
            let at = Tidying { now: NOW, terms: None };
            everything(&store, at, PURGES, || async {
                let write = store.write(Lane::Interactive, user, |tx, user| {
                    Box::pin(async move { setting::put(tx, "between", "steps", *user, NOW).await })
                });
                write.await.unwrap();
                let rows = keys(&store).await;
                left.lock().unwrap().push(rows);
                true
            })
            .await;
            let step = PURGED_AT_ONCE.cast_signed();
            assert_eq!(*left.lock().unwrap(), [1_700 - step, 1_700 - 2 * step, 1_700 - 3 * step, 0]);
        })
        .await;
    }

    #[tokio::test]
    async fn what_handsets_sent_and_programs_were_told_goes_after_the_times_of_retention() {
        for_each_database(|store| async move {
            let user = make_user(&store, "ada", Role::User).await;
            let day = |days: u64| NOW - Duration::from_hours(24 * days);
            let held = make_user(&store, "bola", Role::User).await;
            let rows = [(user, day(10)), (user, day(3)), (held, day(10))];
            let fill = store.write(Lane::Interactive, (rows, held), |tx, (rows, held)| {
                Box::pin(async move {
                    let sql = "INSERT INTO legal_holds (user_id, reason, held_at, held_by) VALUES ($1, 'x', 1, $1)";
                    tx.run(sql, args![*held]).await?;
                    for (user, at) in rows.iter() {
                        tx.run(
                            "INSERT INTO inbound_messages (carrier, sender, recipient, text, user_id, received_at, handled_at) \
                             VALUES ('main', '1', '2', 'Hello', $1, $2, $2)",
                            args![*user, *at],
                        )
                        .await?;
                        tx.run(
                            "INSERT INTO webhook_events (user_id, type, body, created_at) VALUES ($1, 'x', '{}', $2)",
                            args![*user, *at],
                        )
                        .await?;
                    }
                    Ok(())
                })
            });
            fill.await.unwrap();
            let kept = async |terms| {
                everything(&store, Tidying { now: NOW, terms }, PURGES, || async { true }).await;
                let sql = "SELECT (SELECT COUNT(*) FROM inbound_messages), (SELECT COUNT(*) FROM webhook_events)";
                store.read().await.unwrap().one::<(i64, i64)>(sql, args![]).await.unwrap()
            };
            let terms = TermsInForce::default();
            assert_eq!(kept(Some(terms)).await, (3, 3));
            assert_eq!(kept(Some(TermsInForce { inbound: Some(5), ..terms })).await, (2, 3));
            assert_eq!(kept(None).await, (2, 3), "a daemon without workers knows no times");
            assert_eq!(kept(Some(TermsInForce { receipts: Some(5), ..terms })).await, (2, 2), "those of a customer under a hold stay");
            let sql = "SELECT class, items FROM retention_days ORDER BY class";
            let counted: Vec<(String, i64)> = store.read().await.unwrap().all(sql, args![]).await.unwrap();
            assert_eq!(counted, [("inbound".to_owned(), 1), ("receipts".to_owned(), 1)]);
        })
        .await;
    }
}
