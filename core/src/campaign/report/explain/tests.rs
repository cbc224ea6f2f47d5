use talkdrum_api::money::Currency;

use super::*;
use crate::args;
use crate::ledger::post;
use crate::model::account::id::UserId;
use crate::model::campaign::id::ChunkId;
use crate::model::message::status::MessageStatus as S;
use crate::model::money::ledger::{AccountId, Transfer};
use crate::store::message::reroute_rows as rows;
use crate::store::{Lane, Store};
use crate::testing::builder::{Built, Spot, build};
use crate::testing::database::for_each_database;

async fn told(store: &Store, built: &Built, place: u16) -> Why {
    let id = MessageId::new(built.chunks[0], place);
    let mut tx = store.read().await.unwrap();
    message(&mut tx, RecordScope::Own(built.user), id, NetworkTable::builtin()).await.unwrap()
}

fn codes(why: &Why) -> Vec<&str> {
    why.entries.iter().map(|entry| entry.code.as_str()).collect()
}

/// Moves from the campaign's reserve as a settlement would.
async fn settle(store: &Store, built: &Built, code: Code, reference: String, credit: AccountId) {
    let transfer = Transfer {
        debit: if code == Code::Refund { AccountId::revenue(Currency::Espees) } else { built.reserve },
        credit,
        money: Money { amount: Amount(1_000), currency: Currency::Espees },
        code,
        reference,
        narration: "of a test".into(),
        campaign: Some(built.campaign),
    };
    store
        .write(Lane::Interactive, transfer, |tx, transfer| {
            Box::pin(async move { post(tx, transfer, Time(5)).await.map(|_| ()) })
        })
        .await
        .unwrap();
}

#[tokio::test]
async fn every_fate_names_its_ledger_entries() {
    for_each_database(|store| async move {
        let built = build(&store, "ada")
            .text("Dear {name}, hello")
            .column("Name")
            .cancelled_chunk(&[
                Spot::Answered(S::Delivered),
                Spot::Answered(S::Rejected),
                Spot::Retry,
                Spot::InFlight,
                Spot::Tail,
            ])
            .store()
            .await;
        let chunk = built.chunks[0];
        settle(
            &store,
            &built,
            Code::Capture,
            format!("chunk:{chunk}:1"),
            AccountId::revenue(Currency::Espees),
        )
        .await;
        settle(&store, &built, Code::Release, format!("chunk:{chunk}:2"), built.wallet).await;
        settle(&store, &built, Code::Release, format!("cancel:{}", built.campaign), built.wallet).await;
        let delivered = told(&store, &built, 0).await;
        assert_eq!(codes(&delivered), ["reserve", "capture"]);
        assert_eq!(delivered.entries[1].share, delivered.message.price);
        assert_eq!(delivered.text, "Dear Name 0, hello");
        assert_eq!(
            delivered.history.iter().map(|step| step.status.as_str()).collect::<Vec<_>>(),
            ["queued", "submitted", "delivered"]
        );
        assert_eq!(delivered.explanation, "It was delivered; 0.5 ESPEES was charged for 1 page.");
        let rejected = told(&store, &built, 1).await;
        assert_eq!(codes(&rejected), ["reserve", "release"]);
        assert!(rejected.explanation.ends_with("was refunded."), "{}", rejected.explanation);
        let retried = told(&store, &built, 2).await;
        assert_eq!((retried.message.status.as_str(), codes(&retried)), ("queued", vec!["reserve"]));
        assert!(retried.history[1].note.starts_with("Will be tried again"));
        let in_flight = told(&store, &built, 3).await;
        assert_eq!(in_flight.message.status, "submitting");
        let cancelled = told(&store, &built, 4).await;
        assert_eq!(cancelled.entries[1].reference, format!("cancel:{}", built.campaign));
        assert_eq!(cancelled.message.status, "cancelled");
    })
    .await;
}

#[tokio::test]
async fn what_the_platform_left_out_says_for_what_reason() {
    for_each_database(|store| async move {
        let fates = [
            (S::Suppressed, "platform:opted_out", "because the number opted out;"),
            (S::Suppressed, "platform:dnd", "because the number is on the Do-Not-Disturb list;"),
            (S::Suppressed, "house:dnd", "because the number is on the Do-Not-Disturb list;"),
            (S::Rejected, "platform:unfit", "It could not be encoded;"),
            (S::Rejected, "0xb", "The carrier refused it;"),
        ];
        let spots: Vec<Spot> = fates.iter().map(|(status, ..)| Spot::Answered(*status)).collect();
        let built = build(&store, "ada").chunk(&spots).store().await;
        for (place, (_, code, words)) in (0_u16..).zip(fates) {
            let input = (MessageId::new(built.chunks[0], place), code);
            let write = store.write(Lane::Interactive, input, |tx, (id, code)| {
                Box::pin(async move {
                    tx.run("UPDATE messages SET error = $2 WHERE id = $1", args![*id, *code]).await
                })
            });
            write.await.unwrap();
            let why = told(&store, &built, place).await;
            assert!(why.explanation.contains(words), "{code}: {}", why.explanation);
        }
    })
    .await;
}

#[tokio::test]
async fn a_refund_follows_its_capture() {
    for_each_database(|store| async move {
        let built = build(&store, "ada").chunk(&[Spot::Refunded]).store().await;
        let (chunk, id) = (built.chunks[0], MessageId::new(built.chunks[0], 0));
        settle(
            &store,
            &built,
            Code::Capture,
            format!("chunk:{chunk}:1"),
            AccountId::revenue(Currency::Espees),
        )
        .await;
        settle(&store, &built, Code::Refund, format!("refund:{}", id.0), built.wallet).await;
        let why = told(&store, &built, 0).await;
        assert_eq!(codes(&why), ["reserve", "capture", "refund"]);
        assert!(why.explanation.contains("charged and then refunded"));
    })
    .await;
}

#[tokio::test]
async fn administrators_read_whose_a_message_is_and_the_carrier_it_went_by_after_a_reroute() {
    for_each_database(|store| async move {
        let built = build(&store, "ada").chunk(&[Spot::Answered(S::Delivered), Spot::Tail]).store().await;
        let chunk = built.chunks[0];
        store
            .write(Lane::Interactive, chunk, |tx, chunk| {
                Box::pin(async move {
                    let row = table::chunks(tx, vec![*chunk]).await?.remove(0);
                    Reroutes::of(tx, *chunk, &row.carrier).await?.reroute(tx, "spare", 1, &[]).await?;
                    rows::reroute(tx, *chunk, "spare", &rows::Manners::default()).await
                })
            })
            .await
            .unwrap();
        let mut tx = store.snapshot().await.unwrap();
        let networks = NetworkTable::builtin();
        let ids = [MessageId::new(chunk, 0), MessageId::new(chunk, 1)];
        let mut seen = Vec::new();
        for id in ids {
            seen.push(message(&mut tx, RecordScope::All, id, networks).await.unwrap().message);
        }
        let carriers: Vec<_> = seen.iter().map(|row| row.carrier.as_deref()).collect();
        assert_eq!(carriers, [Some("main"), Some("spare")]);
        assert_eq!((seen[0].user_id, seen[0].username.as_deref()), (Some(built.user.0), Some("ada")));
        let listed = crate::campaign::report::rows(&mut tx, RecordScope::All, &ids, networks).await.unwrap();
        assert_eq!(format!("{listed:?}"), format!("{seen:?}"));
        let own = message(&mut tx, RecordScope::Own(built.user), ids[0], networks).await.unwrap().message;
        assert_eq!((own.user_id, own.username, own.carrier), (None, None, None));
    })
    .await;
}

#[tokio::test]
async fn a_message_that_another_carrier_took_over_says_so_and_one_that_was_rerouted_does_not() {
    for_each_database(|store| async move {
        let spots = [Spot::Answered(S::Submitted), Spot::Answered(S::Submitted)];
        let built = build(&store, "ada").chunk(&spots).spares(&["spare"]).store().await;
        let [spared, rerouted] = [0, 1].map(|place| MessageId::new(built.chunks[0], place));
        store
            .write(Lane::Interactive, [(spared, "spare"), (rerouted, "other")], |tx, led| {
                Box::pin(crate::store::message::reroute::lead_places(tx, led))
            })
            .await
            .unwrap();
        let steps = [told(&store, &built, 0).await, told(&store, &built, 1).await]
            .map(|why| why.history.iter().filter(|step| step.note.contains("as main was down")).count());
        assert_eq!(steps, [1, 0]);
    })
    .await;
}

#[tokio::test]
async fn strangers_and_wrong_ids_find_nothing() {
    for_each_database(|store| async move {
        let built = build(&store, "ada").chunk(&[Spot::Tail]).store().await;
        let mut tx = store.read().await.unwrap();
        let networks = NetworkTable::builtin();
        for (scope, id) in [
            (RecordScope::Own(UserId(built.user.0 + 1)), MessageId::new(built.chunks[0], 0)),
            (RecordScope::All, MessageId::new(built.chunks[0], 1)),
            (RecordScope::All, MessageId::new(ChunkId(built.chunks[0].0 + 99), 0)),
        ] {
            assert!(matches!(message(&mut tx, scope, id, networks).await, Err(Error::NotFound("message"))));
        }
    })
    .await;
}
