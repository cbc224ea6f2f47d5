//! What is forgotten with time, a bounded number of rows a transaction, so that other writes never wait long.

use futures::future::BoxFuture;
use talkdrum_core::campaign::spending_limit;
use talkdrum_core::campaign::{draft, quote};
use talkdrum_core::platform::figures;
use talkdrum_core::sender::own_number;
use talkdrum_core::store::carrier::reload;
use talkdrum_core::store::operations::{daemon, idempotency};
use talkdrum_core::store::{Lane, Store, Tx};
use talkdrum_core::time::Time;
use talkdrum_core::voice::library;
use talkdrum_core::voice::test_call::limits;
use talkdrum_core::{Result, account, inbound, notice, operate};

/// One step: removes a bounded number of rows that are too old by now and returns how many; 0 when none are left.
type Step = for<'a> fn(&'a mut Tx, &'a Time) -> BoxFuture<'a, Result<u64>>;

/// What is purged: a name for the log, and the step.
type Purge = (&'static str, Step);

/// Everything that is forgotten with time.
pub(super) const PURGES: &[Purge] = &[
    ("sessions", |tx, now| Box::pin(account::purge(tx, *now))),
    ("registrations and codes", |tx, now| Box::pin(account::purge_identity(tx, *now))),
    ("notices", |tx, now| Box::pin(notice::purge(tx, *now))),
    ("sign-ins by KingsChat", |tx, now| Box::pin(account::kingschat::flow::purge(tx, *now))),
    ("messages to users", |tx, now| Box::pin(account::user::message::purge(tx, *now))),
    ("figures", |tx, now| Box::pin(figures::purge(tx, *now))),
    ("spending", |tx, now| Box::pin(spending_limit::purge(tx, *now))),
    ("parts of inbound messages", |tx, now| Box::pin(inbound::purge_parts(tx, *now))),
    ("traces of carriers", |tx, now| Box::pin(operate::purge_trace(tx, *now))),
    ("orders to carriers", |tx, now| Box::pin(reload::purge(tx, *now - idempotency::KEPT_FOR))),
    ("recordings", |tx, now| Box::pin(library::purge(tx, *now))),
    ("drafts", |tx, now| Box::pin(draft::purge(tx, *now))),
    ("test calls", |tx, now| Box::pin(limits::purge(tx, *now))),
    ("calls that verify numbers", |tx, now| Box::pin(own_number::purge(tx, *now))),
    ("writes of runs that are over", |tx, now| Box::pin(daemon::purge(tx, *now))),
    ("idempotency keys", |tx, now| Box::pin(idempotency::purge(tx, *now))),
    ("unconfirmed quotes", |tx, now| Box::pin(quote::expire_quotes(tx, *now))),
];

/// Audiences that a crash left without a quote. Finding them reads all audiences.
pub(super) const ORPHANS: &[Purge] =
    &[("audiences without a quote", |tx, now| Box::pin(quote::remove_orphans(tx, *now)))];

/// Runs each purge step by step until nothing is left. `rest` waits between two steps and says whether to go on. What
/// fails is logged, and tried again the next time.
pub(super) async fn everything<Rest>(store: &Store, now: Time, purges: &[Purge], rest: impl Fn() -> Rest)
where
    Rest: Future<Output = bool>,
{
    for (what, step) in purges {
        let mut removed = 0;
        loop {
            match store.write(Lane::Background, now, *step).await {
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
    use talkdrum_core::model::account::user::Role;
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
            everything(&store, NOW, PURGES, || async {
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
}
