use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use super::*;
use crate::both_databases;
use crate::entropy::SystemEntropy;
use crate::model::account::id::UserId;
use crate::model::account::user::Role;
use crate::model::webhook::endpoint::EndpointDraft;
use crate::model::webhook::id::{DeliveryId, WebhookId};
use crate::store::{AgedRow, webhook as addresses};
use crate::testing::account::make_user;
use crate::time::ManualClock;
use crate::webhook::endpoint::{NewSecret, Reach};
use crate::webhook::http_client::PendingRequest;

const START: Time = Time(1_700_000_000_000);

/// Answers from a list, then 200 for ever.
#[derive(Debug, Default)]
struct Scripted {
    answers: Mutex<VecDeque<u16>>,
    seen: Mutex<Vec<WebhookRequest>>,
}

impl WebhookClient for Scripted {
    fn post(&self, request: WebhookRequest) -> PendingRequest<'_> {
        self.seen.lock().unwrap().push(request);
        let status = self.answers.lock().unwrap().pop_front().unwrap_or(200);
        Box::pin(async move {
            match status {
                0 => RequestOutcome::Failed("nobody there".into()),
                status => RequestOutcome::Answered { status, excerpt: "said".into() },
            }
        })
    }
}

/// Some addresses never answer, the others at once.
#[derive(Debug, Default)]
struct Slow {
    seen: Mutex<Vec<String>>,
}

impl Slow {
    fn count(&self, prefix: &str) -> usize {
        self.seen.lock().unwrap().iter().filter(|url| url.starts_with(prefix)).count()
    }
}

impl WebhookClient for Slow {
    fn post(&self, request: WebhookRequest) -> PendingRequest<'_> {
        let is_slow = request.url.contains("/slow/");
        self.seen.lock().unwrap().push(request.url);
        Box::pin(async move {
            if is_slow {
                std::future::pending::<()>().await;
            }
            RequestOutcome::Answered { status: 200, excerpt: String::new() }
        })
    }
}

struct Rig {
    store: Store,
    vault: Vault,
    client: Scripted,
    clock: ManualClock,
    user: UserId,
    webhook: WebhookId,
}

impl Rig {
    async fn new(store: Store, answers: &[u16]) -> Self {
        let vault = Vault::new([3; 32], Arc::new(SystemEntropy));
        let user = make_user(&store, "ada", Role::User).await;
        let draft =
            EndpointDraft::parse("https://example.com/hook", "", &[] as &[&str], Reach::Public).unwrap();
        let made = NewSecret::new(&vault, &SystemEntropy).unwrap();
        let webhook = store
            .write(Lane::Interactive, (user, draft, made.sealed), |tx, (user, draft, sealed)| {
                Box::pin(
                    async move { endpoint::create(tx, *user, draft, sealed, START).await.map(|row| row.id) },
                )
            })
            .await
            .unwrap();
        let client =
            Scripted { answers: Mutex::new(answers.iter().copied().collect()), ..Scripted::default() };
        Self { store, vault, client, clock: ManualClock::new(START), user, webhook }
    }

    async fn trial(&self) -> DeliveryId {
        let input = (self.user, self.webhook, crate::Clock::now(&self.clock));
        self.store
            .write(Lane::Interactive, input, |tx, (user, webhook, now)| {
                Box::pin(endpoint::test(tx, *user, *webhook, *now))
            })
            .await
            .unwrap()
    }

    async fn tick(&self) {
        let mut deliveries = Deliveries::new(&self.store, &self.vault, &self.client, &self.clock);
        deliveries.start().await.unwrap();
        while !deliveries.is_idle() {
            let over = deliveries.over().await;
            deliveries.note(over).await.unwrap();
        }
    }

    async fn state(&self, delivery: DeliveryId) -> (&'static str, i64, i64) {
        let mut tx = self.store.read().await.unwrap();
        let (row, _) = rows::find(&mut tx, self.webhook, delivery).await.unwrap().unwrap();
        let webhook = addresses::by_id(&mut tx, self.webhook).await.unwrap().unwrap();
        (row.status.code(), row.attempts, webhook.pending)
    }

    fn sent(&self) -> usize {
        self.client.seen.lock().unwrap().len()
    }
}

both_databases! {
    async fn a_delivery_that_is_taken_is_made_once_and_signed(store: Store) {
        let rig = Rig::new(store, &[200]).await;
        let delivery = rig.trial().await;
        rig.tick().await;
        rig.tick().await;
        assert_eq!(rig.state(delivery).await, ("delivered", 1, 0));
        let seen = rig.client.seen.lock().unwrap().clone();
        assert_eq!(seen.len(), 1);
        assert!(seen[0].body.starts_with(r#"{"type":"webhook.test""#), "{}", seen[0].body);
        assert_eq!((seen[0].timestamp_s, seen[0].signature.split(' ').count()), (1_700_000_000, 1));
    }

    async fn a_failing_address_is_tried_by_the_schedule_and_then_given_up(store: Store) {
        let rig = Rig::new(store, &[500, 0, 302, 404, 500, 500, 500, 500, 200]).await;
        let delivery = rig.trial().await;
        for (attempt, wait) in (1..).zip(SCHEDULE_S) {
            rig.tick().await;
            assert_eq!(rig.sent(), attempt, "an attempt is made when it is due");
            rig.tick().await;
            assert_eq!(rig.sent(), attempt, "and not before");
            rig.clock.advance(Duration::from_secs(wait));
        }
        assert_eq!(rig.state(delivery).await, ("failed", ATTEMPTS, 0));
        let again = rig
            .store
            .write(Lane::Interactive, (rig.webhook, delivery), |tx, (webhook, id)| {
                Box::pin(rows::again(tx, *webhook, *id, Time(i64::MAX / 4)))
            })
            .await;
        assert!(again.unwrap());
        rig.clock.set(Time(i64::MAX / 4));
        rig.tick().await;
        assert_eq!(rig.state(delivery).await, ("delivered", 1, 0), "redelivered by hand");
    }

    async fn an_address_that_is_gone_or_fails_for_five_days_is_turned_off(store: Store) {
        let rig = Rig::new(store, &[500, 200, 410]).await;
        rig.trial().await;
        rig.tick().await;
        rig.clock.advance(Duration::from_secs(6 * 24 * 3_600));
        rig.tick().await;
        let row = addresses::by_id(&mut rig.store.read().await.unwrap(), rig.webhook).await.unwrap().unwrap();
        assert!(row.is_active && row.failing_since.is_none(), "one success forgives");
        rig.trial().await;
        rig.tick().await;
        let row = addresses::by_id(&mut rig.store.read().await.unwrap(), rig.webhook).await.unwrap().unwrap();
        assert_eq!((row.is_active, row.inactive_reason.as_deref()), (false, Some("The address answered 410 Gone")));
        let refused = rig
            .store
            .write(Lane::Interactive, (rig.user, rig.webhook), |tx, (user, webhook)| {
                Box::pin(endpoint::test(tx, *user, *webhook, START))
            })
            .await;
        assert_eq!(refused.unwrap_err().code(), "webhook_inactive");
    }

    async fn a_new_secret_signs_beside_the_old_one_for_a_day(store: Store) {
        let rig = Rig::new(store, &[]).await;
        let made = NewSecret::new(&rig.vault, &SystemEntropy).unwrap();
        rig.store
            .write(Lane::Interactive, (rig.user, rig.webhook, made.sealed), |tx, (user, webhook, sealed)| {
                Box::pin(async move { endpoint::rotate(tx, *user, *webhook, sealed, START).await.map(drop) })
            })
            .await
            .unwrap();
        for (wait_h, signatures) in [(23, 2), (2, 1)] {
            rig.clock.advance(Duration::from_secs(wait_h * 3_600));
            rig.trial().await;
            rig.tick().await;
            let last = rig.client.seen.lock().unwrap().last().cloned().unwrap();
            assert_eq!(last.signature.split(' ').count(), signatures);
            let own = made.secret.sign(&last.id, last.timestamp_s, &last.body).unwrap();
            assert!(last.signature.starts_with(&own));
        }
    }

    async fn a_daemon_that_dies_in_an_attempt_leaves_it_due_again(store: Store) {
        let rig = Rig::new(store, &[]).await;
        let delivery = rig.trial().await;
        let claim = async |now: Time| {
            rig.store
                .write(Lane::Background, now, |tx, now| {
                    let slots = Slots { total: 64, each: 8, user: 16, busy: Vec::new() };
                    Box::pin(async move { rows::claim(tx, *now, *now + CLAIM, &slots).await })
                })
                .await
                .unwrap()
                .len()
        };
        assert_eq!(claim(START).await, 1);
        assert_eq!(claim(START).await, 0, "nobody else takes it meanwhile");
        rig.clock.advance(CLAIM);
        rig.tick().await;
        assert_eq!(rig.state(delivery).await, ("delivered", 2, 0));
    }

    async fn one_address_never_takes_all_places(store: Store) {
        let rig = Rig::new(store, &[]).await;
        for _ in 0..AT_ONCE_EACH + 3 {
            rig.trial().await;
        }
        rig.tick().await;
        assert_eq!(rig.sent() as i64, AT_ONCE_EACH);
        rig.tick().await;
        assert_eq!(rig.sent() as i64, AT_ONCE_EACH + 3);
    }

    async fn one_user_never_delays_another(store: Store) {
        let rig = Rig::new(store, &[]).await;
        // 20 addresses with 60 old events each: more than are looked at in one go.
        for address in 0..20 {
            let draft =
                EndpointDraft::parse(&format!("https://example.com/{address}"), "", &[] as &[&str], Reach::Public).unwrap();
            let made = NewSecret::new(&rig.vault, &SystemEntropy).unwrap();
            rig.store
                .write(Lane::Interactive, (rig.user, draft, made.sealed), |tx, (user, draft, sealed)| {
                    Box::pin(async move {
                        let id = crate::store::webhook::insert(tx, *user, draft, sealed.as_str(), START).await?;
                        for _ in 0..60 {
                            rows::insert_one(tx, &crate::model::webhook::event::NewEvent::test(*user, id, START)?, id, START).await?;
                        }
                        Ok(())
                    })
                })
                .await
                .unwrap();
        }
        let eve = make_user(&rig.store, "eve", Role::User).await;
        let draft = EndpointDraft::parse("https://example.org/eve", "", &[] as &[&str], Reach::Public).unwrap();
        let made = NewSecret::new(&rig.vault, &SystemEntropy).unwrap();
        rig.clock.advance(Duration::from_secs(60));
        let input = (eve, draft, made.sealed, crate::Clock::now(&rig.clock));
        rig.store
            .write(Lane::Interactive, input, |tx, (eve, draft, sealed, now)| {
                Box::pin(async move {
                    let id = endpoint::create(tx, *eve, draft, sealed, *now).await?.id;
                    endpoint::test(tx, *eve, id, *now).await
                })
            })
            .await
            .unwrap();
        rig.tick().await;
        let seen = rig.client.seen.lock().unwrap().clone();
        let hers = seen.iter().filter(|request| request.url == "https://example.org/eve").count();
        assert_eq!((hers, seen.len() as i64), (1, AT_ONCE_USER + 1), "the other user's event is among the first");
    }

    async fn a_slow_address_delays_nobody_else_and_holds_its_own_slots_only(store: Store) {
        let rig = Rig::new(store, &[]).await;
        let eve = make_user(&rig.store, "eve", Role::User).await;
        for (user, url, events) in [
            (eve, "https://example.org/slow/1", 20),
            (eve, "https://example.org/slow/2", 20),
            (rig.user, "https://example.com/hook/2", 18),
        ] {
            let draft = EndpointDraft::parse(url, "", &[] as &[&str], Reach::Public).unwrap();
            let made = NewSecret::new(&rig.vault, &SystemEntropy).unwrap();
            rig.store
                .write(Lane::Interactive, (user, draft, made.sealed, events), |tx, (user, draft, sealed, events)| {
                    Box::pin(async move {
                        let id = crate::store::webhook::insert(tx, *user, draft, sealed.as_str(), START).await?;
                        for _ in 0..*events {
                            rows::insert_one(tx, &crate::model::webhook::event::NewEvent::test(*user, id, START)?, id, START).await?;
                        }
                        Ok(())
                    })
                })
                .await
                .unwrap();
        }
        let client = Slow::default();
        let mut deliveries = Deliveries::new(&rig.store, &rig.vault, &client, &rig.clock);
        let all_of_hers = async {
            while client.count("https://example.com") < 18 {
                deliveries.start().await.unwrap();
                let over = deliveries.over().await;
                deliveries.note(over).await.unwrap();
            }
        };
        tokio::time::timeout(Duration::from_secs(30), all_of_hers).await.expect("nobody waits for a slow address");
        deliveries.start().await.unwrap();
        assert_eq!(client.count("https://example.org") as i64, AT_ONCE_USER, "in all, however often it is claimed");
        for address in 1..=2 {
            assert_eq!(client.count(&format!("https://example.org/slow/{address}")) as i64, AT_ONCE_EACH);
        }
    }

    async fn a_free_slot_goes_to_the_user_who_holds_the_fewest(store: Store) {
        let rig = Rig::new(store, &[]).await;
        let eve = make_user(&rig.store, "eve", Role::User).await;
        let draft = EndpointDraft::parse("https://example.org/eve", "", &[] as &[&str], Reach::Public).unwrap();
        let made = NewSecret::new(&rig.vault, &SystemEntropy).unwrap();
        let input = (rig.user, rig.webhook, eve, draft, made.sealed);
        let claimed = rig.store.write(Lane::Background, input, |tx, (user, webhook, eve, draft, sealed)| {
            Box::pin(async move {
                let hers = addresses::insert(tx, *eve, draft, sealed.as_str(), START).await?;
                let later = START + Duration::from_secs(1);
                // The first user's were there before hers.
                for (user, webhook, at) in [(*user, *webhook, START), (*eve, hers, later)] {
                    for _ in 0..3 {
                        let event = crate::model::webhook::event::NewEvent::test(user, webhook, at)?;
                        rows::insert_one(tx, &event, webhook, at).await?;
                    }
                }
                let busy = vec![(*user, *webhook); 6];
                let slots = Slots { total: 8, each: 8, user: 8, busy };
                let claimed = rows::claim(tx, later, later + CLAIM, &slots).await?;
                Ok(claimed.into_iter().map(|due| due.webhook.user_id).collect::<Vec<UserId>>())
            })
        });
        assert_eq!(claimed.await.unwrap(), [eve, eve]);
    }

    async fn tests_and_redeliveries_have_a_bounded_backlog(store: Store) {
        let rig = Rig::new(store, &[]).await;
        for _ in 0..20 {
            rig.trial().await;
        }
        let input = (rig.user, rig.webhook);
        let refused = rig
            .store
            .write(Lane::Interactive, input, |tx, (user, webhook)| {
                Box::pin(endpoint::test(tx, *user, *webhook, START))
            })
            .await;
        assert_eq!(refused.unwrap_err().code(), "too_many_waiting");
        let again = rig
            .store
            .write(Lane::Interactive, rig.webhook, |tx, webhook| {
                Box::pin(async move {
                    tx.run("UPDATE webhook_deliveries SET status = 'failed'", crate::args![]).await?;
                    tx.run("UPDATE webhooks SET pending = 9995", crate::args![]).await?;
                    rows::failed_again(tx, *webhook, START).await
                })
            })
            .await;
        assert_eq!(again.unwrap(), 5);
    }

    async fn what_is_old_is_forgotten_and_counted_off(store: Store) {
        let rig = Rig::new(store, &[]).await;
        rig.trial().await;
        let old = rows::aged(&mut rig.store.read().await.unwrap(), START + Duration::from_secs(1), AgedRow::FIRST).await.unwrap();
        let ids: Vec<i64> = old.iter().map(|row| row.id).collect();
        let removed = rig.store.write(Lane::Background, ids, |tx, ids| Box::pin(rows::remove(tx, ids.clone()))).await;
        assert_eq!(removed.unwrap(), 1);
        let mut tx = rig.store.read().await.unwrap();
        assert_eq!(addresses::by_id(&mut tx, rig.webhook).await.unwrap().unwrap().pending, 0);
        assert_eq!(rows::count(&mut tx, rig.webhook, None).await.unwrap(), 0);
    }
}
