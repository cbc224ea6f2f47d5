//! Calls that are over, settled: what was pressed in them.

use std::time::Duration;

use futures::StreamExt as _;
use talkdrum_api::call::PollAnswer;
use talkdrum_api::kind::Kind;
use talkdrum_api::purpose::{OptOutReach, Purpose};

use crate::both_databases;
use crate::campaign::control::{self, Authority};
use crate::campaign::report::voice_reports::voice_reports;
use crate::campaign::report::{campaign_list, explain, export};
use crate::carrier::voice::{CallOutcome, CallResult};
use crate::carrier::{Event, Verdict};
use crate::contact::suppression::{self, SuppressionScope};
use crate::content::{CallScript, ClipSource, Content, Poll, Pulse};
use crate::error::Error;
use crate::model::account::id::UserId;
use crate::model::account::user::Role;
use crate::model::message::id::MessageId;
use crate::model::page::{Page, RecordScope as Whose};
use crate::operate::{self, Hold, RerouteTarget};
use crate::phone::NetworkTable;
use crate::routing::RouteCarrier;
use crate::store::voice::call::{self, CallRow};
use crate::store::{Lane, Store, chunk};
use crate::testing::account::make_user;
use crate::testing::builder::{Built, START, Spot, build};
use crate::testing::trunk::ended;
use crate::testing::worker::{Run, answered};
use crate::time::Time;

fn script() -> CallScript {
    CallScript {
        clip: ClipSource::Speech { text: "Hello".into(), voice: "uk-female".into() },
        caller: None,
        length_ms: 20_000,
        tail_ms: 2_000,
        pulse: Pulse::MINUTES,
        poll: None,
    }
}

async fn calls(store: &Store, script: CallScript, size: usize) -> Built {
    let content = Content::Voice(script);
    build(store, "ada").content(&content).refund_undelivered().chunk(&vec![Spot::Tail; size]).store().await
}

/// What is told of a call that was answered, in which these keys were pressed.
fn pressed(message: MessageId, digits: &str) -> Vec<Event> {
    let result = CallResult {
        up: Duration::from_secs(12),
        answered_at: Some(START),
        digits: digits.into(),
        ..ended(CallOutcome::Answered)
    };
    let opt_out = digits.contains('9').then_some(Event::OptOut(message));
    opt_out.into_iter().chain([answered(message, Verdict::Called(Box::new(result)))]).collect()
}

async fn opt_outs(store: &Store, user: UserId) -> Vec<(String, String, String)> {
    let list = suppression::list(&mut store.read().await.unwrap(), SuppressionScope::User(user), "", 0, 100)
        .await
        .unwrap();
    let mut found: Vec<_> = list.optouts.into_iter().map(|it| (it.phone, it.source, it.note)).collect();
    found.sort();
    found
}

both_databases! {
    async fn the_key_nine_opts_a_number_out_once_and_the_message_says_so(store: Store) {
        let built = calls(&store, script(), 4).await;
        let mut run = Run::start_calling(&store, 10, 10).await;
        let sent = run.dispatch().await;
        let ids: Vec<MessageId> = sent.iter().map(|one| one.message).collect();
        let keys = ["9", "19", "1", ""];
        let all: Vec<Event> = ids.iter().zip(keys).flat_map(|(id, keys)| pressed(*id, keys)).collect();
        run.settle(all.clone()).await;
        let entry = |place: usize| {
            (sent[place].to.to_string(), "stop".to_owned(), "Pressed 9 in a call".to_owned())
        };
        let mut both = vec![entry(0), entry(1)];
        both.sort();
        assert_eq!(opt_outs(&store, built.user).await, both);
        // Heard once more, nothing changes.
        run.settle(all).await;
        assert_eq!(opt_outs(&store, built.user).await, both);
        let mut tx = store.read().await.unwrap();
        let why = async |tx: &mut _, id| {
            explain::message(tx, Whose::Own(built.user), id, NetworkTable::builtin()).await.unwrap()
        };
        let told = why(&mut tx, ids[1]).await;
        assert_eq!(told.message.reason.as_deref(), Some("The person pressed 9, so the number opted out"));
        assert!(told.explanation.starts_with("The call was answered, and the person opted out by pressing 9; "));
        assert!(told.history.last().unwrap().note.ends_with("The person pressed 9, so the number opted out"));
        let other = why(&mut tx, ids[2]).await;
        assert_eq!((other.message.status.as_str(), other.message.reason), ("delivered", None));
        drop(tx);
        run.verify().await;
        // What waits for such a number is not sent, and others are.
        let next = build(&store, "ada")
            .chunk(&[Spot::Tail; 2])
            .number(0, 0, sent[0].to)
            .number(0, 1, sent[2].to)
            .store()
            .await;
        let text = Run::start(&store).await.send_all().await;
        assert_eq!(text.iter().map(|one| one.to).collect::<Vec<_>>(), [sent[2].to], "{:?}", next.chunks);
    }

    async fn nine_ends_what_was_just_heard_and_only_that_where_it_is_advertising(store: Store) {
        let cases = [OptOutReach::Promotional, OptOutReach::All, OptOutReach::All];
        for ((purpose, reach), name) in Purpose::ALL.into_iter().zip(cases).zip(["ada", "bisi", "chidi"]) {
            let built = build(&store, name).content(&Content::Voice(script())).refund_undelivered();
            let built = built.purpose(purpose).chunk(&[Spot::Tail]).store().await;
            let mut run = Run::start_calling(&store, 10, 10).await;
            let sent = run.dispatch().await;
            run.settle(pressed(sent[0].message, "9")).await;
            let scope = SuppressionScope::User(built.user);
            let mut tx = store.read().await.unwrap();
            let found = suppression::of_number(&mut tx, scope, built.numbers[0]).await.unwrap();
            assert_eq!((found.reach, found.source.as_str()), (reach, "stop"), "{purpose:?}");
        }
    }

    async fn nine_opts_out_also_where_the_end_of_the_call_is_never_told(store: Store) {
        let built = calls(&store, script(), 1).await;
        let mut run = Run::start_calling(&store, 10, 10).await;
        let sent = run.dispatch().await;
        run.settle(vec![Event::OptOut(sent[0].message)]).await;
        assert_eq!(opt_outs(&store, built.user).await.len(), 1, "before the call is over");
        run.settle(vec![answered(sent[0].message, Verdict::Unanswered)]).await;
        assert_eq!(opt_outs(&store, built.user).await[0].0, sent[0].to.to_string());
        run.verify().await;
    }

    async fn calls_wait_for_a_busy_speech_engine_and_are_paused_for_one_that_fails(store: Store) {
        let built = calls(&store, script(), 2).await;
        let mut run = Run::start_calling(&store, 10, 10).await;
        let fails = Error::unavailable("speech_failed", "The speech engine failed");
        let status = async || {
            let own = Whose::Own(built.user);
            campaign_list::campaign(&mut store.read().await.unwrap(), own, built.campaign, false).await.unwrap().status
        };
        for (error, expected, sent) in [(fails, "paused", 0), (Error::SpeechBusy, "sending", 2)] {
            run.carrier.unspoken.lock().unwrap().push_back(error);
            assert_eq!(run.dispatch().await.len(), sent, "{expected}");
            assert_eq!(status().await, expected);
            let own = (built.campaign, built.user);
            let resumed = store.write(Lane::Interactive, own, |tx, (campaign, user)| {
                Box::pin(control::resume(tx, *campaign, Authority::Owner(*user), START))
            });
            resumed.await.unwrap();
        }
    }

    async fn calls_that_ask_a_question_are_led_only_to_a_carrier_that_can_ask_it(store: Store) {
        let admin = make_user(&store, "root", Role::Admin).await;
        let poll = Poll::parse(&["1=Yes".to_owned()], Some("2")).unwrap();
        calls(&store, CallScript { poll, ..script() }, 3).await;
        let paused = store.write(Lane::Interactive, admin, |tx, by| {
            Box::pin(operate::set(tx, "main", Hold::Paused, "by the test", *by, START))
        });
        paused.await.unwrap();
        for (keys, repeats, moved) in [(false, true, None), (true, false, None), (true, true, Some(&3))] {
            let kinds = vec![Kind::Voice];
            let spare = RouteCarrier { name: "spare".into(), kinds, keys, repeats, ..RouteCarrier::default() };
            let target = RerouteTarget::Carrier(spare);
            let led = operate::reroute(&store, "main", true, &target, admin, START).await.unwrap();
            assert_eq!(led.moved.get("spare"), moved, "{led:?}");
            let why = led.kept.keys().next().map(String::as_str);
            assert_eq!(why.is_some_and(|why| why.contains("ask a question")), moved.is_none(), "{led:?}");
        }
    }

    async fn a_poll_counts_each_answered_call_once_whatever_is_told_again(store: Store) {
        let poll = Poll::parse(&["1=Yes".to_owned(), "2==No".to_owned()], Some("2")).unwrap();
        let built = calls(&store, CallScript { poll, ..script() }, 9).await;
        let mut run = Run::start_calling(&store, 10, 10).await;
        let sent = run.dispatch().await;
        let ids: Vec<MessageId> = sent.iter().map(|one| one.message).collect();
        let keys = ["1", "21", "91", "9", "7", "", "1"];
        let mut all: Vec<Event> = keys.iter().zip(&ids).flat_map(|(keys, id)| pressed(*id, keys)).collect();
        let busy = answered(ids[7], Verdict::Called(Box::new(ended(CallOutcome::Busy))));
        let declined = answered(ids[8], Verdict::Called(Box::new(ended(CallOutcome::Rejected))));
        all.extend([busy, declined]);
        run.settle(all.clone()).await;
        let expected = [("1", "Yes", 3), ("2", "=No", 1), ("9", "Opted out", 1), ("other", "Other keys", 1), ("none", "No key", 1)];
        let own = Whose::Own(built.user);
        let told = async || {
            let mut tx = store.read().await.unwrap();
            let seen = campaign_list::campaign(&mut tx, own, built.campaign, false).await.unwrap().poll.unwrap();
            let reports = voice_reports(&mut tx, own, Page::first(), |_| String::new()).await.unwrap();
            assert_eq!(reports.voice_sms[0].poll.as_ref(), Some(&seen));
            seen
        };
        let counts = |seen: &[PollAnswer]| {
            let rows = seen.iter().map(|it| (it.key.clone(), it.label.clone(), it.count));
            rows.collect::<Vec<_>>()
        };
        let owned = expected.map(|(key, label, count)| (key.to_owned(), label.to_owned(), count));
        let first = told().await;
        assert_eq!(counts(&first), owned);
        assert_eq!(first[0].per_mille, Some(429));
        // The same outcomes once more, as after an answer of the database that was lost.
        run.settle(all).await;
        assert_eq!(counts(&told().await), owned);
        // A row that takes the place of another one takes its count, too.
        let again = CallRow { answer: Some("2".into()), ..row(&store, ids[0]).await };
        let older = CallRow { answer: Some("1".into()), ended_at: Time(1), ..again.clone() };
        for call in [again, older] {
            store.write(Lane::Background, call, |tx, call| Box::pin(async move {
                chunk::lock_all(tx, [call.message_id.chunk()].into()).await?;
                call::put(tx, std::slice::from_ref(call)).await
            })).await.unwrap();
        }
        assert_eq!((told().await[0].count, told().await[1].count), (2, 2));
        let mut pieces = export::csv(&store, own, built.campaign, NetworkTable::builtin()).await.unwrap();
        let mut text = Vec::new();
        while let Some(piece) = pieces.next().await {
            text.extend(piece.unwrap());
        }
        let mut reader = csv::Reader::from_reader(text.as_slice());
        let header = reader.headers().unwrap().clone();
        assert_eq!(header.iter().skip(11).collect::<Vec<_>>(), ["id", "keys", "answer", "purpose"]);
        let mut lines: Vec<[String; 3]> = reader
            .records()
            .map(|line| line.unwrap())
            .map(|line| [line[2].to_owned(), line[12].to_owned(), line[13].to_owned()])
            .collect();
        lines.sort();
        assert!(lines.contains(&["The person pressed 9, so the number opted out".into(), "9".into(), "Opted out".into()]));
        assert!(lines.contains(&[String::new(), "21".into(), "'=No".into()]), "no formula: {lines:?}");
        assert_eq!(lines.iter().filter(|line| line[2].is_empty()).count(), 2, "busy and declined: {lines:?}");
        run.verify().await;
    }
}

async fn row(store: &Store, message: MessageId) -> CallRow {
    call::of(&mut store.read().await.unwrap(), &[message]).await.unwrap().remove(0)
}
