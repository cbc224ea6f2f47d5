//! Calls that are over, settled: what was pressed in them.

use std::time::Duration;

use crate::both_databases;
use crate::campaign::report::explain;
use crate::carrier::voice::{CallOutcome, CallResult};
use crate::carrier::{Event, Verdict};
use crate::contact::suppression::{self, Scope};
use crate::content::{CallScript, ClipSource, Content, Pulse};
use crate::model::message_id::MessageId;
use crate::model::page::Scope as Whose;
use crate::phone::NetworkTable;
use crate::store::Store;
use crate::testing::builder::{Built, START, Spot, build};
use crate::testing::trunk::ended;
use crate::testing::worker::{Run, answered};

fn script() -> CallScript {
    CallScript {
        clip: ClipSource::Speech { text: "Hello".into(), voice: "uk-female".into() },
        caller: None,
        length_ms: 20_000,
        tail_ms: 2_000,
        pulse: Pulse::MINUTES,
    }
}

async fn calls(store: &Store, script: CallScript, size: usize) -> Built {
    let content = Content::Voice(script);
    build(store, "ada").content(&content).refund_undelivered().chunk(&vec![Spot::Tail; size]).store().await
}

/// A call that was answered, in which these keys were pressed.
fn pressed(message: MessageId, digits: &str) -> Event {
    let result = CallResult {
        up: Duration::from_secs(12),
        answered_at: Some(START),
        digits: digits.into(),
        ..ended(CallOutcome::Answered)
    };
    answered(message, Verdict::Called(Box::new(result)))
}

async fn opt_outs(store: &Store, user: i64) -> Vec<(String, String, String)> {
    let list =
        suppression::list(&mut store.read().await.unwrap(), Scope::User(user), "", 0, 100).await.unwrap();
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
        let all = vec![pressed(ids[0], "9"), pressed(ids[1], "19"), pressed(ids[2], "1"), pressed(ids[3], "")];
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
}
