//! Whose messages go out when, and how much of them is claimed before that.

use super::dispatch::{Limits, Step};
use super::settle_tests::{Run, accepted};
use crate::args;
use crate::both_databases;
use crate::carrier::SmsCarrier;
use crate::testing::builder::{Spot, build};

both_databases! {
    async fn no_more_is_claimed_than_a_window_and_the_run_ahead_before_answers_are_stored(store: Store) {
        build(&store, "ada").chunk(&vec![Spot::Tail; 4_096]).chunk(&vec![Spot::Tail; 4_096]).store().await;
        build(&store, "ben").chunk(&vec![Spot::Tail; 4_096]).store().await;
        let mut run = Run::start(&store).await;
        let limits = Limits::of(run.carrier.capabilities());
        let mut open = Vec::new();
        let mut stored = 0;
        for _ in 0..100 {
            // Now and then the carrier's window is almost full.
            let room = if open.len() % 3 == 0 { 7 } else { 100 };
            while run.dispatcher.step(room).await.unwrap() == Step::Worked {}
            open.append(&mut *run.carrier.submitted.lock().unwrap());
            let claimed: (i64,) =
                store.read().await.unwrap().one("SELECT CAST(SUM(cursor) AS BIGINT) FROM campaign_chunks", args![]).await.unwrap();
            assert!(claimed.0 - stored <= limits.unsettled, "{} claimed, {stored} stored", claimed.0);
            let answered = open.split_off(open.len() - open.len().min(61));
            assert!(!answered.is_empty(), "it stands still");
            stored += i64::try_from(answered.len()).unwrap();
            run.settle(answered.iter().map(|one| accepted(one.message, &one.message.0.to_string())).collect()).await;
        }
    }

    async fn users_take_turns(store: Store) {
        build(&store, "ada").chunk(&vec![Spot::Tail; 4_096]).chunk(&vec![Spot::Tail; 4_096]).store().await;
        let small = build(&store, "ben").chunk(&[Spot::Tail; 3]).store().await;
        let mut run = Run::start(&store).await;
        let sent = run.send_all().await;
        let place = sent.iter().position(|submission| submission.message.chunk() == small.chunks[0]).unwrap();
        assert!(place <= 4_096, "the small campaign waited behind {place} messages of the large one");
        assert_eq!(sent.len(), 2 * 4_096 + 3);
    }
}
