//! What is done about messages from handsets, and how their parts come together.

use std::sync::Arc;

use talkdrum_api::purpose::{OptOutReach, Purpose};
use tokio::sync::Notify;

use super::*;
use crate::carrier::InboundPart;
use crate::model::account::user::Role;
use crate::model::message::id::InboundId;
use crate::model::message::status::MessageStatus as S;
use crate::testing::account::make_user;
use crate::testing::builder::{Built, START, Spot, build};
use crate::{args, both_databases};

fn message(from: Msisdn, to: &str, text: &str) -> NewInbound {
    NewInbound { sender: from.to_string(), recipient: to.into(), text: text.into(), ..NewInbound::default() }
}

async fn keep(store: &Store, messages: Vec<NewInbound>, now: Time) {
    store
        .write(Lane::Background, (messages, now), |tx, (messages, now)| {
            Box::pin(take(tx, "main", messages, *now))
        })
        .await
        .unwrap();
}

async fn came(store: &Store, from: Msisdn, to: &str, text: &str) {
    keep(store, vec![message(from, to, text)], START).await;
    assert!(!tick(store, START).await.unwrap());
}

const HANDSET: u64 = 2_348_099_999_999;

/// A part of a message to 30012.
fn part(reference: u32, (place, total): (u8, u8), script: Script, octets: &[u8]) -> NewInbound {
    let from = Msisdn::from_digits(HANDSET).unwrap();
    let part = InboundPart::new(reference, total, place, script, octets);
    assert!(part.is_some());
    NewInbound { part, ..message(from, "30012", "") }
}

async fn all(store: &Store) -> Vec<(String, i64, i64, Option<String>)> {
    let mut tx = store.read().await.unwrap();
    let shown = list(&mut tx, Whose::All, "", Page::first()).await.unwrap();
    let rows = shown.messages.into_iter().rev();
    rows.map(|it| (it.text, it.parts_total, it.parts_missing, it.action)).collect()
}

fn whole(text: &str, total: i64, action: &str) -> (String, i64, i64, Option<String>) {
    (text.to_owned(), total, 0, Some(action.to_owned()))
}

async fn opt_outs(store: &Store) -> Vec<(i64, String)> {
    let mut tx = store.read().await.unwrap();
    tx.all("SELECT scope, source FROM suppressions ORDER BY scope", args![]).await.unwrap()
}

/// Says that the transaction it is called in holds what it wrote, and lets another one come to it.
async fn hold(held: Option<&Notify>) {
    if let Some(held) = held {
        held.notify_one();
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}

/// A customer writes an opt-out down, in a transaction that may hold it for a while; whether it is new.
async fn types(store: &Store, it: (UserId, Msisdn, OptOutReach), held: Option<Arc<Notify>>) -> bool {
    let job = store.write(Lane::Interactive, (it, held), |tx, ((user, number, reach), held)| {
        Box::pin(async move {
            let (scope, how) = (SuppressionScope::User(*user), (OptOutSource::Manual, *reach));
            let added = suppression::add_noted(tx, scope, *number, how, "by phone", START).await?;
            hold(held.as_deref()).await;
            Ok(added)
        })
    });
    job.await.unwrap()
}

async fn remove(store: &Store, built: &Built) {
    let job = store.write(Lane::Interactive, (built.user, built.numbers[0]), |tx, (user, number)| {
        Box::pin(suppression::remove(tx, SuppressionScope::User(*user), *number))
    });
    assert!(job.await.unwrap());
}

#[test]
fn stop_is_understood_however_it_is_written_and_nothing_else_is() {
    for text in ["STOP", " stop. ", "Stop!!", "Opt-out", "unsubscribe", "\"END\""] {
        assert_eq!(InboundAction::of(text), InboundAction::Stop, "{text}");
    }
    for text in [
        "",
        "Please stop by tomorrow",
        "stopping",
        "don't stop",
        "STOP it",
        "Startup",
        "STOP ALL ads",
        "all stop",
        "ALL",
    ] {
        assert_eq!(InboundAction::of(text), InboundAction::None, "{text}");
    }
    for text in [
        "STOP ALL",
        "StopAll",
        " stop-all! ",
        "Stop. All.",
        "stop all.",
        "STOPALL.",
        "stop\u{a0} ALL",
        "\tStop\r\n\r\nall ",
        "«STOP ALL»",
        "STOP, ALL!",
    ] {
        assert_eq!(InboundAction::of(text), InboundAction::StopAll, "{text}");
    }
    assert_eq!(InboundAction::of("start"), InboundAction::Start);
}

both_databases! {
    async fn stop_reaches_whoever_wrote_to_the_number_from_that_sender(store: Store) {
        let ada = build(&store, "ada").chunk(&[Spot::Answered(S::Delivered)]).store().await;
        let number = ada.numbers[0];
        build(&store, "eve").chunk(&[Spot::Answered(S::Delivered)]).store().await;
        came(&store, number, "+2347000000", "Stop.").await;
        assert_eq!(opt_outs(&store).await, [(ada.user.0, "stop".to_owned())]);
        // Once more, and a chat, change nothing; START takes it back.
        came(&store, number, "2347000000", "STOP").await;
        came(&store, number, "2347000000", "Thank you").await;
        assert_eq!(opt_outs(&store).await.len(), 1);
        came(&store, number, "2347000000", "START").await;
        assert_eq!(opt_outs(&store).await, []);
        let shown = list(&mut store.read().await.unwrap(), Whose::Own(ada.user), "thank", Page::first()).await.unwrap();
        assert_eq!((shown.total, shown.messages[0].text.as_str()), (1, "Thank you"));
        assert_eq!(shown.messages[0].action.as_deref(), Some("none"));
    }

    async fn stop_to_a_virtual_number_is_its_owners_and_from_a_stranger_it_is_the_platforms(store: Store) {
        let owner = make_user(&store, "ada", Role::User).await;
        let stranger = Msisdn::from_digits(2_348_099_999_999).unwrap();
        store
            .write(Lane::Interactive, owner, |tx, owner| {
                Box::pin(async move {
                    tx.run(
                        "INSERT INTO virtual_numbers (user_id, virtual_num, status, created_at) \
                         VALUES ($1, '2347005', 'approved', 1)",
                        args![*owner],
                    )
                    .await
                })
            })
            .await
            .unwrap();
        came(&store, stranger, "+2347005", "STOP").await;
        assert_eq!(opt_outs(&store).await, [(owner.0, "stop".to_owned())]);
        came(&store, stranger, "30012", "STOP").await;
        assert_eq!(opt_outs(&store).await, [(0, "stop".to_owned()), (owner.0, "stop".to_owned())]);
        // What a person noted stays when START comes.
        let other = Msisdn::from_digits(2_348_088_888_888).unwrap();
        store
            .write(Lane::Interactive, (owner, other), |tx, (owner, other)| {
                Box::pin(suppression::add(tx, SuppressionScope::User(*owner), *other, (OptOutSource::Manual, OptOutReach::All), START))
            })
            .await
            .unwrap();
        came(&store, other, "2347005", "START").await;
        assert_eq!(opt_outs(&store).await.len(), 3);
    }

    async fn start_takes_back_no_opt_out_that_was_typed_where_stop_had_come_before(store: Store) {
        let ada = build(&store, "ada").chunk(&[Spot::Answered(S::Delivered)]).store().await;
        for (said, typed, reach) in [
            ("STOP", OptOutReach::Promotional, "promotional"),
            ("STOP", OptOutReach::All, "all"),
            ("STOP ALL", OptOutReach::Promotional, "promotional"),
            ("STOP ALL", OptOutReach::All, "all"),
        ] {
            came(&store, ada.numbers[0], "2347000000", said).await;
            let added = types(&store, (ada.user, ada.numbers[0], typed), None).await;
            assert!(!added, "it is one opt-out");
            came(&store, ada.numbers[0], "2347000000", "START").await;
            let mut tx = store.read().await.unwrap();
            let optout = suppression::of_number(&mut tx, SuppressionScope::User(ada.user), ada.numbers[0]).await;
            drop(tx);
            let optout = optout.unwrap();
            assert_eq!((&*optout.source, optout.reach.code(), &*optout.note), ("manual", reach, "by phone"));
            remove(&store, &ada).await;
        }
    }

    async fn start_leaves_of_an_opt_out_that_stop_all_made_wider_what_was_typed(store: Store) {
        let ada = build(&store, "ada").chunk(&[Spot::Answered(S::Delivered)]).store().await;
        let number = ada.numbers[0];
        let reach = async || {
            let mut tx = store.read().await.unwrap();
            let optout = suppression::of_number(&mut tx, SuppressionScope::User(ada.user), number).await.unwrap();
            (optout.source.to_string(), optout.reach.code())
        };
        let manual = |reach| ("manual".to_owned(), reach);
        types(&store, (ada.user, number, OptOutReach::Promotional), None).await;
        for _ in 0..2 {
            came(&store, number, "2347000000", "STOP ALL").await;
            assert_eq!(reach().await, manual("all"));
        }
        let mut tx = store.read().await.unwrap();
        let ended = suppression::is_suppressed_many(&mut tx, ada.user, &[number], Purpose::Transactional).await.unwrap();
        drop(tx);
        assert_eq!(ended, [number]);
        came(&store, number, "2347000000", "START").await;
        assert_eq!(reach().await, manual("promotional"));
        // A second START finds nothing of STOP.
        came(&store, number, "2347000000", "START").await;
        assert_eq!(reach().await, manual("promotional"));
        // What was typed as wide as STOP ALL made it stays so.
        came(&store, number, "2347000000", "STOP ALL").await;
        types(&store, (ada.user, number, OptOutReach::All), None).await;
        came(&store, number, "2347000000", "START").await;
        assert_eq!(reach().await, manual("all"));
    }

    async fn of_a_start_and_a_typed_opt_out_at_once_the_typed_one_stays(store: Store) {
        let ada = build(&store, "ada").chunk(&[Spot::Answered(S::Delivered)]).store().await;
        for start_is_first in [true, false] {
            came(&store, ada.numbers[0], "2347000000", "STOP").await;
            keep(&store, vec![message(ada.numbers[0], "2347000000", "START")], START).await;
            // The one that comes first holds the list when the other one comes.
            let held = Arc::new(Notify::new());
            let first = |is_first: bool| is_first.then(|| Arc::clone(&held));
            let takes_back = async {
                if !start_is_first {
                    held.notified().await;
                }
                let mut tx = store.read().await.unwrap();
                let rows = table::unhandled(&mut tx, 1).await.unwrap();
                let decision = decide(&mut tx, &rows[0], START).await.unwrap();
                drop(tx);
                let job = store.write(Lane::Background, (decision, first(start_is_first)), |tx, (decision, held)| {
                    Box::pin(async move {
                        apply(tx, decision, START).await?;
                        hold(held.as_deref()).await;
                        Ok(())
                    })
                });
                job.await.unwrap();
            };
            let types = async {
                if start_is_first {
                    held.notified().await;
                }
                types(&store, (ada.user, ada.numbers[0], OptOutReach::All), first(!start_is_first)).await
            };
            let ((), was_new) = futures::join!(takes_back, types);
            assert_eq!(was_new, start_is_first, "the second waited for the first");
            assert_eq!(opt_outs(&store).await, [(ada.user.0, "manual".to_owned())]);
            remove(&store, &ada).await;
        }
    }

    async fn what_two_daemons_look_at_is_handled_once(store: Store) {
        let ada = build(&store, "ada").chunk(&[Spot::Answered(S::Delivered)]).store().await;
        came(&store, ada.numbers[0], "1", "STOP").await;
        let decision = InboundDecision { id: InboundId(1), action: InboundAction::Start, from: Some(ada.numbers[0]), users: vec![ada.user], stopped: vec![] };
        store
            .write(Lane::Background, decision, |tx, decision| Box::pin(apply(tx, decision, START)))
            .await
            .unwrap();
        assert_eq!(opt_outs(&store).await.len(), 1, "the second look did nothing");
    }

    async fn parts_are_joined_in_their_order_and_a_character_may_lie_across_two(store: Store) {
        // "Ẹ káàbọ̀ 🙂" with the surrogate pair cut in two, the last part first, and one of them twice.
        let units: Vec<u8> = "Ẹ káàbọ̀ 🙂".encode_utf16().flat_map(u16::to_be_bytes).collect();
        let (first, second) = units.split_at(units.len() - 2);
        keep(&store, vec![part(7, (2, 2), Script::Ucs2, second)], START).await;
        assert!(!tick(&store, START).await.unwrap());
        assert_eq!(all(&store).await, [], "it waits for the other one");
        let later = START + Duration::from_secs(5);
        let again = vec![part(7, (1, 2), Script::Ucs2, first), part(7, (1, 2), Script::Ucs2, first)];
        keep(&store, again, later).await;
        tick(&store, later).await.unwrap();
        assert_eq!(all(&store).await, [whole("Ẹ káàbọ̀ 🙂", 2, "none")]);
        // The carrier sends a part again that it saw no answer to.
        keep(&store, vec![part(7, (2, 2), Script::Ucs2, second)], later).await;
        tick(&store, later + PARTS_WAIT + PARTS_WAIT).await.unwrap();
        assert_eq!(all(&store).await.len(), 1);
    }

    async fn stop_in_two_parts_is_a_stop_and_messages_of_others_are_not_mixed_in(store: Store) {
        let mut parts = vec![
            part(7, (1, 2), Script::Gsm7, b"ST"),
            part(8, (1, 2), Script::Gsm7, b"Go "),
            part(7, (1, 3), Script::Gsm7, b"a"),
        ];
        let mut another = part(7, (2, 2), Script::Gsm7, b"ay");
        another.sender = "2348031111111".into();
        parts.push(another);
        keep(&store, parts, START).await;
        tick(&store, START).await.unwrap();
        assert_eq!(all(&store).await, []);
        keep(&store, vec![part(8, (2, 2), Script::Gsm7, b"on"), part(7, (2, 2), Script::Gsm7, b"OP")], START).await;
        tick(&store, START).await.unwrap();
        assert_eq!(all(&store).await, [whole("STOP", 2, "stop"), whole("Go on", 2, "none")]);
        assert_eq!(opt_outs(&store).await, [(0, "stop".to_owned())]);
    }

    async fn a_message_whose_parts_never_all_come_is_shown_as_what_came_and_does_nothing(store: Store) {
        let parts = vec![part(7, (2, 4), Script::Gsm7, b"STOP"), part(7, (3, 4), Script::Gsm7, b" it")];
        keep(&store, parts, START).await;
        tick(&store, START + PARTS_WAIT - Duration::from_millis(1)).await.unwrap();
        assert_eq!(all(&store).await, []);
        // The handset is at the same reference again, and its second message is not all there yet.
        let later = START + PARTS_WAIT;
        keep(&store, vec![part(7, (2, 4), Script::Gsm7, b"new")], later).await;
        tick(&store, later).await.unwrap();
        let came = ("[…]STOP it[…]".to_owned(), 4, 2, Some("none".to_owned()));
        assert_eq!(all(&store).await, [came]);
        assert_eq!(opt_outs(&store).await, []);
        // What was joined is forgotten after a while, what still waits is not.
        let after = later + Duration::from_mins(29);
        store
            .write(Lane::Background, after + PARTS_WAIT, |tx, now| Box::pin(purge_parts(tx, *now)))
            .await
            .unwrap();
        let mut tx = store.read().await.unwrap();
        let left: Vec<(Vec<u8>,)> = tx.all("SELECT octets FROM inbound_parts", args![]).await.unwrap();
        assert_eq!(left, [(b"new".to_vec(),)]);
    }

    async fn a_providers_id_that_comes_again_is_the_same_message_and_no_octet_is_refused(store: Store) {
        let from = Msisdn::from_digits(HANDSET).unwrap();
        let named = |reference: &str, text: &str| NewInbound { reference: Some(reference.into()), ..message(from, "1", text) };
        keep(&store, vec![named("a", "one"), named("a", "one"), named("b", "two\0")], START).await;
        keep(&store, vec![named("a", "one"), message(from, "1", "one"), message(from, "1", "one")], START).await;
        tick(&store, START).await.unwrap();
        let texts: Vec<String> = all(&store).await.into_iter().map(|it| it.0).collect();
        assert_eq!(texts, ["one", "two\u{FFFD}", "one", "one"], "without a name each is its own");
    }

    async fn the_same_text_under_the_same_mark_is_one_message_for_half_an_hour_and_without_one_it_is_two(store: Store) {
        let from = Msisdn::from_digits(HANDSET).unwrap();
        let marked = |mark: &str, to: &str, text: &str| NewInbound { mark: Some(mark.into()), ..message(from, to, text) };
        let yes = || marked("id 1", "30012", "YES");
        keep(&store, vec![yes(), yes(), marked("id 2", "30012", "YES"), marked("id 1", "30012", "NO")], START).await;
        keep(&store, vec![marked("id 1", "30013", "YES"), message(from, "30012", "YES")], START).await;
        keep(&store, vec![message(from, "30012", "YES")], START).await;
        let count = async || all(&store).await.len();
        assert_eq!(count().await, 6, "one of them was a repeat");
        keep(&store, vec![yes()], START + PARTS_WAIT - Duration::from_millis(1)).await;
        assert_eq!(count().await, 6, "the daemon may have been started again");
        keep(&store, vec![yes()], START + PARTS_WAIT).await;
        assert_eq!(count().await, 7, "the number came round");
        let other = NewInbound { sender: "2348031111111".into(), ..yes() };
        keep(&store, vec![other], START).await;
        assert_eq!(count().await, 8);
    }

    async fn when_too_many_wait_the_oldest_are_shown_as_what_came(store: Store) {
        let count = u32::try_from(PARTS_MAX).unwrap() + 2;
        let many: Vec<NewInbound> = (0..count).map(|it| part(it, (1, 2), Script::Gsm7, b"x")).collect();
        for (index, some) in many.chunks(2_000).enumerate() {
            keep(&store, some.to_vec(), START + Duration::from_millis(index as u64)).await;
        }
        let now = START + Duration::from_secs(1);
        let mut waiting = PARTS_MAX;
        while tick(&store, now).await.unwrap() {
            let mut tx = store.read().await.unwrap();
            (waiting,) = tx
                .one("SELECT COUNT(*) FROM inbound_parts WHERE message_id IS NULL", args![])
                .await
                .unwrap();
        }
        assert!((PARTS_MAX - 2_000..=PARTS_MAX).contains(&waiting), "{waiting}");
    }
}
