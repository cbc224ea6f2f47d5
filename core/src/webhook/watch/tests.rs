use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;

use super::*;
use crate::both_databases;
use crate::entropy::SystemEntropy;
use crate::model::account::id::UserId;
use crate::model::message::status::message_status;
use crate::model::webhook::endpoint::EndpointDraft;
use crate::model::webhook::id::{DeliveryId, WebhookId};
use crate::settings::Vault;
use crate::store::webhook::{campaign_events, delivery as deliveries};
use crate::testing::builder::{Built, Spot, build, user};
use crate::webhook::endpoint::{self, NewSecret, Reach};

const NOW: Time = Time(1_700_000_100_000);

async fn listen(store: &Store, owner: UserId, events: &[&str]) -> WebhookId {
    let vault = Vault::new([3; 32], Arc::new(SystemEntropy));
    let draft = EndpointDraft::parse("https://example.com/hook", "", events, Reach::Public).unwrap();
    let sealed = NewSecret::new(&vault, &SystemEntropy).unwrap().sealed;
    store
        .write(Lane::Interactive, (owner, draft, sealed), |tx, (owner, draft, sealed)| {
            Box::pin(async move { endpoint::create(tx, *owner, draft, sealed, NOW).await.map(|row| row.id) })
        })
        .await
        .unwrap()
}

/// What was told since the last time, oldest first.
async fn heard(store: &Store, webhook: WebhookId, after: &mut DeliveryId) -> Vec<Value> {
    let mut tx = store.read().await.unwrap();
    let mut log = deliveries::page(&mut tx, webhook, None, 1_000, 0).await.unwrap();
    log.reverse();
    let mut bodies = Vec::new();
    let last = *after;
    for row in log.into_iter().filter(|row| row.id > last) {
        *after = row.id;
        let (_, body) = deliveries::find(&mut tx, webhook, row.id).await.unwrap().unwrap();
        bodies.push(serde_json::from_str(&body).unwrap());
    }
    bodies
}

async fn look_all(store: &Store, now: Time) {
    while tick(store, NetworkTable::builtin(), now).await.unwrap() {}
}

fn kinds(bodies: &[Value]) -> Vec<&str> {
    bodies.iter().map(|body| body["type"].as_str().unwrap()).collect()
}

async fn three(store: &Store) -> Built {
    let spots =
        [Spot::Answered(MessageStatus::Delivered), Spot::Answered(MessageStatus::Submitted), Spot::InFlight];
    build(store, "ada").chunk(&spots).store().await
}

async fn change(store: &Store, sql: &'static str, id: i64) {
    store
        .write(Lane::Interactive, (sql, id), |tx, (sql, id)| {
            Box::pin(async move { tx.run(*sql, crate::args![*id]).await.map(drop) })
        })
        .await
        .unwrap();
}

both_databases! {
    async fn a_campaign_is_told_as_it_moves_and_nothing_is_told_twice(store: Store) {
        let owner = user(&store, "ada").await;
        let webhook = listen(&store, owner, &[]).await;
        let built = three(&store).await;
        let mut after = DeliveryId::BEFORE_ALL;
        look_all(&store, NOW).await;
        let first = heard(&store, webhook, &mut after).await;
        assert_eq!(kinds(&first), ["messages.updated", "campaign.sending"]);
        let told = first[0]["data"]["messages"].as_array().unwrap();
        let statuses: Vec<_> = told.iter().map(|message| message["status"].as_str().unwrap()).collect();
        assert_eq!(statuses, ["delivered", "submitted"], "what is in flight is not told");
        assert_eq!(first[1]["data"]["id"], built.campaign.0);
        look_all(&store, NOW + Duration::from_secs(600)).await;
        assert!(heard(&store, webhook, &mut after).await.is_empty());

        change(&store, concat!("UPDATE messages SET status = ", message_status!(Delivered), " WHERE id = $1 * 4096 + 1"), built.chunks[0].0).await;
        change(&store, "UPDATE campaign_chunks SET submitted = 0, delivered = 2 WHERE id = $1", built.chunks[0].0).await;
        look_all(&store, NOW + Duration::from_secs(1_200)).await;
        let second = heard(&store, webhook, &mut after).await;
        assert_eq!(kinds(&second), ["messages.updated"]);
        let told = second[0]["data"]["messages"].as_array().unwrap();
        assert_eq!((told.len(), told[0]["status"].as_str()), (1, Some("delivered")));
    }

    async fn only_what_is_subscribed_to_is_told_and_only_from_then_on(store: Store) {
        let owner = user(&store, "ada").await;
        three(&store).await;
        let webhook = listen(&store, owner, &["campaign.completed"]).await;
        let later = three(&store).await;
        let mut after = DeliveryId::BEFORE_ALL;
        look_all(&store, NOW).await;
        assert!(heard(&store, webhook, &mut after).await.is_empty());
        change(&store, "UPDATE campaigns SET status = 'completed', completed_at = 1700000200000 WHERE id = $1", later.campaign.0)
            .await;
        look_all(&store, NOW + Duration::from_secs(600)).await;
        let told = heard(&store, webhook, &mut after).await;
        assert_eq!(kinds(&told), ["campaign.completed"]);
        assert_eq!(told[0]["data"]["id"], later.campaign.0, "what was confirmed before the webhook is not told");
    }

    async fn the_watch_ends_when_everything_is_final_and_does_not_begin_again(store: Store) {
        let owner = user(&store, "ada").await;
        let webhook = listen(&store, owner, &[]).await;
        let built = build(&store, "ada").chunk(&[Spot::Answered(MessageStatus::Delivered)]).store().await;
        change(&store, "UPDATE campaigns SET status = 'completed', completed_at = 1700000050000 WHERE id = $1", built.campaign.0)
            .await;
        let mut after = DeliveryId::BEFORE_ALL;
        let watched = async || {
            let mut tx = store.read().await.unwrap();
            let (count,): (i64,) = tx.one("SELECT COUNT(*) FROM webhook_campaigns", crate::args![]).await.unwrap();
            count
        };
        look_all(&store, NOW).await;
        assert_eq!(heard(&store, webhook, &mut after).await.len(), 2);
        assert_eq!(watched().await, 1);
        for minutes in 1..4 {
            look_all(&store, NOW + Duration::from_secs(60 * minutes)).await;
        }
        assert_eq!(watched().await, 0);
        look_all(&store, NOW + Duration::from_secs(600)).await;
        assert_eq!(watched().await, 0);
        assert!(heard(&store, webhook, &mut after).await.is_empty());
    }

    async fn two_daemons_that_look_at_once_tell_once(store: Store) {
        let owner = user(&store, "ada").await;
        let webhook = listen(&store, owner, &[]).await;
        three(&store).await;
        store.write(Lane::Background, (), |tx, ()| Box::pin(discover(tx, NOW))).await.unwrap();
        let mut tx = store.read().await.unwrap();
        let due = rows::due(&mut tx, NOW, 10).await.unwrap();
        let one = look(&mut tx, NetworkTable::builtin(), due[0].clone(), NOW).await.unwrap();
        let other = one.clone();
        drop(tx);
        let tell_it = async |look: Look| {
            store.write(Lane::Background, look, |tx, look| Box::pin(tell(tx, look, NOW))).await
        };
        tell_it(one).await.unwrap();
        assert!(matches!(tell_it(other).await, Err(Error::Stale)));
        assert_eq!(heard(&store, webhook, &mut DeliveryId(0)).await.len(), 2);
    }

    async fn what_was_read_before_it_was_erased_is_read_again_before_it_is_told(store: Store) {
        let owner = user(&store, "ada").await;
        let webhook = listen(&store, owner, &[]).await;
        let built = three(&store).await;
        store.write(Lane::Background, (), |tx, ()| Box::pin(discover(tx, NOW))).await.unwrap();
        let mut tx = store.read().await.unwrap();
        let due = rows::due(&mut tx, NOW, 10).await.unwrap();
        let read = look(&mut tx, NetworkTable::builtin(), due[0].clone(), NOW).await.unwrap();
        drop(tx);
        let erase = store.write(Lane::Background, built.campaign, |tx, id| {
            Box::pin(campaign_events::look_again(tx, vec![*id]))
        });
        erase.await.unwrap();
        let told = store.write(Lane::Background, read, |tx, look| Box::pin(tell(tx, look, NOW))).await;
        assert!(matches!(told, Err(Error::Stale)));
        assert!(heard(&store, webhook, &mut DeliveryId(0)).await.is_empty());
        look_all(&store, NOW).await;
        assert_eq!(heard(&store, webhook, &mut DeliveryId(0)).await.len(), 2);
    }

    async fn a_campaign_that_cannot_be_read_holds_up_no_other_and_is_told_later(store: Store) {
        let owner = user(&store, "ada").await;
        let webhook = listen(&store, owner, &["messages.updated"]).await;
        let (damaged, whole) = (three(&store).await, three(&store).await);
        let mut after = DeliveryId::BEFORE_ALL;
        damaged.turn_first_chunk(&store).await;
        look_all(&store, NOW).await;
        let of = |heard: Vec<Value>| -> Vec<i64> {
            heard.iter().map(|body| body["data"]["messages"][0]["campaign_id"].as_i64().unwrap()).collect()
        };
        assert_eq!(of(heard(&store, webhook, &mut after).await), [whole.campaign.0]);
        damaged.turn_first_chunk(&store).await;
        look_all(&store, NOW + LOOK_DAMAGED / 2).await;
        assert!(heard(&store, webhook, &mut after).await.is_empty(), "it is not read all the time");
        look_all(&store, NOW + LOOK_DAMAGED).await;
        assert_eq!(of(heard(&store, webhook, &mut after).await), [damaged.campaign.0]);

        damaged.turn_first_chunk(&store).await;
        let sql = "UPDATE campaigns SET status = 'completed', completed_at = 1700000200000 WHERE id = $1";
        change(&store, sql, damaged.campaign.0).await;
        change(&store, concat!("UPDATE messages SET status = ", message_status!(Delivered), " WHERE id = $1 * 4096 + 1"), damaged.chunks[0].0).await;
        change(&store, "UPDATE campaign_chunks SET submitted = 0, delivered = 2 WHERE id = $1", damaged.chunks[0].0).await;
        let is_watched = async || {
            let mut tx = store.read().await.unwrap();
            let sql = "SELECT campaign_id FROM webhook_campaigns WHERE campaign_id = $1";
            tx.opt::<(i64,)>(sql, crate::args![damaged.campaign]).await.unwrap().is_some()
        };
        look_all(&store, NOW + LOOK_DAMAGED * 2).await;
        assert!(is_watched().await);
        look_all(&store, NOW + RECEIPTS_UNTIL + LOOK_DAMAGED).await;
        assert!(!is_watched().await, "it is not watched for ever");
    }

    async fn a_user_without_webhooks_costs_nothing(store: Store) {
        three(&store).await;
        look_all(&store, NOW).await;
        let mut tx = store.read().await.unwrap();
        let (count,): (i64,) = tx.one("SELECT COUNT(*) FROM webhook_campaigns", crate::args![]).await.unwrap();
        assert_eq!(count, 0);
    }
}
