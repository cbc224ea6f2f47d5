//! What a write overlooks that has to wait for a row on PostgreSQL: nothing that was committed meanwhile.

use std::time::Duration;

use sqlx::postgres::PgConnection;
use talkdrum_api::money::Amount;
use talkdrum_api::purpose::OptOutReach;
use tokio::task::JoinHandle;

use super::retry::{self, DueRetries};
use super::{Intent, claim, small_chunks, store_intent};
use crate::args;
use crate::campaign::control::{self, Authority};
use crate::error::Result;
use crate::model::account::id::UserId;
use crate::model::campaign::id::{CampaignId, ChunkId};
use crate::model::carrier::Hold;
use crate::model::contact::OptOutSource;
use crate::model::message::id::MessageId;
use crate::model::platform::id::RunId;
use crate::store::campaign::confirm;
use crate::store::campaign::spending::{self, UserLimitsRow};
use crate::store::carrier::state;
use crate::store::contact::suppression;
use crate::store::db::write_job::Work;
use crate::store::operations::generation;
use crate::store::{Lane, Store};
use crate::testing::builder::{Built, START, Spot, build};
use crate::testing::database::{POSTGRES_VARIABLE, PostgresDatabase};
use crate::time::Time;

const ME: RunId = RunId(7);
const NOW: Time = Time(START.0 + 60_000);

/// What is decided while a write waits.
#[derive(Clone, Copy, Debug)]
enum Decision {
    Nothing,
    Pause,
    OptOut,
    DispatchHold,
    CarrierHold,
}

async fn decide(store: &Store, built: &Built, decision: Decision) {
    let write = store.write(Lane::Interactive, (built.campaign, built.user, decision), |tx, input| {
        let (campaign, user, decision) = *input;
        Box::pin(async move {
            match decision {
                Decision::Nothing => Ok(()),
                Decision::Pause => control::pause(tx, campaign, Authority::Admin, "by the test").await,
                Decision::OptOut => suppression::add(
                    tx,
                    user.0,
                    vec![2_348_030_000_000],
                    vec![None],
                    (OptOutSource::Manual, OptOutReach::All),
                    NOW,
                )
                .await
                .map(|_| ()),
                Decision::DispatchHold => generation::hold(tx, "by the test", NOW).await,
                Decision::CarrierHold => {
                    state::set(tx, "main", Hold::Paused, None, user, NOW).await.map(|_| ())
                }
            }
        })
    });
    write.await.unwrap();
}

/// Runs `job` while another transaction has just run `held`, and `meanwhile` once the job waits for that.
async fn while_held<I, T>(
    store: &Store,
    held: &'static str,
    id: i64,
    (input, job): (I, Work<I, T>),
    meanwhile: impl Future<Output = ()>,
) -> Result<T>
where
    I: Send + Sync + 'static,
    T: Send + 'static,
{
    let Ok(pool) = store.writers() else { panic!("a pool") };
    let mut holder = pool.begin().await.unwrap();
    sqlx::query(held).bind(id).execute(&mut *holder).await.unwrap();
    let connection: &mut PgConnection = &mut holder;
    let (me,): (i32,) = sqlx::query_as("SELECT pg_backend_pid()").fetch_one(connection).await.unwrap();
    let running = store.clone();
    let job: JoinHandle<Result<T>> =
        tokio::spawn(async move { running.write(Lane::Intent, input, job).await });
    let waits =
        "SELECT EXISTS (SELECT 1 FROM pg_stat_activity WHERE CAST($1 AS INT) = ANY(pg_blocking_pids(pid)))";
    while !store.read().await.unwrap().one::<(bool,)>(waits, args![i64::from(me)]).await.unwrap().0 {
        assert!(!job.is_finished(), "it did not wait");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    meanwhile.await;
    holder.commit().await.unwrap();
    job.await.unwrap()
}

const CHUNK: &str = "SELECT id FROM campaign_chunks WHERE id = $1 FOR NO KEY UPDATE";
const CAMPAIGN: &str = "SELECT id FROM campaigns WHERE id = $1 FOR NO KEY UPDATE";

async fn with_postgres(test: impl AsyncFn(&Store)) {
    let Ok(server) = std::env::var(POSTGRES_VARIABLE) else { return };
    let database = PostgresDatabase::create(&server).await;
    let store = database.open().await;
    test(&store).await;
    store.close().await;
    database.drop().await;
}

async fn release(store: &Store) {
    let write = store.write(Lane::Interactive, (), |tx, ()| {
        Box::pin(async move {
            generation::release(tx).await?;
            tx.run("TRUNCATE carrier_states", args![]).await
        })
    });
    write.await.unwrap();
}

#[tokio::test]
async fn an_intent_that_waited_for_its_chunk_is_refused_by_what_was_decided_meanwhile() {
    with_postgres(async |store| {
        for (decision, stored) in [
            (Decision::Nothing, true),
            (Decision::Pause, false),
            (Decision::OptOut, false),
            (Decision::DispatchHold, false),
            (Decision::CarrierHold, false),
        ] {
            let built =
                build(store, &format!("{decision:?}").to_lowercase()).chunk(&[Spot::Tail; 3]).store().await;
            let claimed = store
                .write(Lane::Intent, built.chunks[0], |tx, id| Box::pin(claim(tx, "main", *id, ME, NOW)))
                .await
                .unwrap()
                .unwrap();
            let intent = Intent {
                chunk: claimed.id,
                attempt: claimed.attempt,
                owner: ME,
                from: 0,
                to: 2,
                opt_outs: 0,
                even_held: false,
            };
            let job: (Intent, Work<Intent, bool>) =
                (intent, |tx, intent| Box::pin(store_intent(tx, *intent)));
            let answer = while_held(store, CHUNK, claimed.id.0, job, decide(store, &built, decision)).await;
            assert_eq!(answer.unwrap(), stored, "{decision:?}");
            release(store).await;
        }
    })
    .await;
}

#[tokio::test]
async fn chunks_that_were_waited_for_are_not_claimed_whole_against_what_was_decided_meanwhile() {
    with_postgres(async |store| {
        for (decision, claimed) in
            [(Decision::Nothing, 1), (Decision::DispatchHold, 0), (Decision::CarrierHold, 0)]
        {
            for held in [CHUNK, CAMPAIGN] {
                let built = build(store, "ada").chunk(&[Spot::Tail; 3]).store().await;
                let id = if held == CHUNK { built.chunks[0].0 } else { built.campaign.0 };
                let job: (Vec<ChunkId>, Work<Vec<ChunkId>, usize>) = (built.chunks.clone(), |tx, chunks| {
                    Box::pin(async move { Ok(small_chunks::claim(tx, "main", chunks, ME, NOW).await?.len()) })
                });
                let answer = while_held(store, held, id, job, decide(store, &built, decision)).await;
                assert_eq!(answer.unwrap(), claimed, "{decision:?} {held}");
                release(store).await;
            }
        }
    })
    .await;
}

#[tokio::test]
async fn retries_that_were_waited_for_are_not_taken_against_what_was_decided_meanwhile() {
    with_postgres(async |store| {
        for (decision, taken) in [
            (Decision::Pause, 0),
            (Decision::DispatchHold, 0),
            (Decision::CarrierHold, 0),
            (Decision::Nothing, 1),
        ] {
            let built = build(store, &format!("{decision:?}").to_lowercase())
                .chunk(&[Spot::Retry, Spot::Tail])
                .store()
                .await;
            let due = DueRetries {
                now: NOW,
                started_before: Time(i64::MAX),
                quiet: false,
                limit: 9,
                even_held: false,
                only_spared: false,
                only_own: false,
            };
            let job: (DueRetries, Work<DueRetries, usize>) =
                (due, |tx, due| Box::pin(async move { Ok(retry::claim(tx, "main", ME, *due).await?.len()) }));
            let answer =
                while_held(store, CHUNK, built.chunks[0].0, job, decide(store, &built, decision)).await;
            assert_eq!(answer.unwrap(), taken, "{decision:?}");
            store
                .write(Lane::Interactive, (), |tx, ()| Box::pin(tx.run("TRUNCATE retries", args![])))
                .await
                .unwrap();
            release(store).await;
        }
    })
    .await;
}

#[tokio::test]
async fn a_message_that_is_lent_again_is_not_forgotten() {
    with_postgres(async |store| {
        let built = build(store, "ada").chunk(&[Spot::Retry]).store().await;
        let message = MessageId::new(built.chunks[0], 0).0;
        store
            .write(Lane::Interactive, message, |tx, message| {
                let sql = "INSERT INTO lent_retries (message_id, owner) VALUES ($1, $2)";
                Box::pin(tx.run(sql, args![*message, ME]))
            })
            .await
            .unwrap();
        // As a claim does: its retry goes, and its row says the same of its owner as before.
        let again = "WITH taken AS (DELETE FROM retries WHERE message_id = $1) \
                     UPDATE lent_retries SET owner = owner WHERE message_id = $1";
        let job: (RunId, Work<RunId, ()>) = (ME, |tx, owner| Box::pin(retry::forget_lent(tx, *owner)));
        while_held(store, again, message, job, async {}).await.unwrap();
        let lent: (i64,) =
            store.read().await.unwrap().one("SELECT COUNT(*) FROM lent_retries", args![]).await.unwrap();
        assert_eq!(lent.0, 1);
    })
    .await;
}

#[tokio::test]
async fn a_confirmation_that_waited_for_its_user_sees_the_cap_that_was_set_meanwhile() {
    with_postgres(async |store| {
        let user = crate::testing::builder::user(store, "ada").await;
        let job: (UserId, Work<UserId, UserLimitsRow>) = (user, |tx, user| {
            Box::pin(async move {
                let mut active = confirm::lock_active(tx, [*user].into()).await?;
                Ok(active.remove(user).unwrap().user_limits)
            })
        });
        let limit = async {
            let write = store.write(Lane::Interactive, user, |tx, user| {
                let row = UserLimitsRow { daily_espees: Some(Amount(5)), ..UserLimitsRow::default() };
                Box::pin(spending::set(tx, *user, row, *user))
            });
            write.await.unwrap();
        };
        let held = "UPDATE users SET updated_at = updated_at WHERE id = $1";
        let seen = while_held(store, held, user.0, job, limit).await.unwrap();
        assert_eq!(seen.daily_espees, Some(Amount(5)));
    })
    .await;
}

#[tokio::test]
async fn a_resume_that_waited_for_the_owner_sees_the_deactivation_meanwhile() {
    with_postgres(async |store| {
        let built = build(store, "ada").chunk(&[Spot::Tail; 3]).store().await;
        let input = (built.campaign, built.user);
        let pause = store.write(Lane::Interactive, input, |tx, (campaign, user)| {
            Box::pin(control::pause(tx, *campaign, Authority::Owner(*user), "by the test"))
        });
        pause.await.unwrap();
        let job: ((CampaignId, UserId), Work<(CampaignId, UserId), ()>) = (input, |tx, (campaign, user)| {
            Box::pin(
                async move { control::resume(tx, *campaign, Authority::Owner(*user), NOW).await.map(|_| ()) },
            )
        });
        let held = "UPDATE users SET status = 'inactive' WHERE id = $1";
        let resumed = while_held(store, held, built.user.0, job, async {}).await;
        assert_eq!(resumed.unwrap_err().code(), "account_inactive");
    })
    .await;
}
