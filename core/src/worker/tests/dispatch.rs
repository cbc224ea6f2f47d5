//! Whose messages go out when, and how much of them is claimed before that.

use std::time::Duration;

use crate::campaign::report::explain;
use crate::carrier::{Capabilities, SmsCarrier};
use crate::model::message::id::MessageId;
use crate::model::message::status::MessageStatus;
use crate::model::page::RecordScope;
use crate::phone::NetworkTable;
use crate::store::{Column, Dialect, chunk};
use crate::testing::builder::{Spot, build};
use crate::testing::worker::{Run, accepted, campaign};
use crate::time::Clock as _;
use crate::worker::dispatch::{DispatchStep, Limits};
use crate::worker::jobs::recovery;
use crate::{args, both_databases};

#[test]
fn a_crash_may_leave_a_window_unknown_and_three_quarters_of_one_or_a_hundred_more() {
    let unsettled =
        |window| Limits::of(&Capabilities { kinds: Vec::new(), rate: 0, window, calls: None }).unsettled;
    assert_eq!([1, 60, 200, 1_000].map(unsettled), [101, 160, 350, 1_750]);
}

both_databases! {
    async fn calls_go_out_as_channels_get_free_however_few_these_are(store: Store) {
        for (channels, rate, size) in [(1, 2, 2), (5, 10, 6), (2, 10, 100), (10, 10, 70)] {
            build(&store, &format!("u{channels}")).chunk(&vec![Spot::Tail; size]).store().await;
            let mut run = Run::start_calling(&store, channels, rate).await;
            let mut sent = 0;
            for _ in 0..300 {
                // Two steps without work: the claim, and the turn that follows.
                let mut up = run.dispatch().await;
                up.extend(run.dispatch().await);
                assert!(up.len() <= channels as usize, "{} calls over {channels} channels", up.len());
                sent += up.len();
                run.settle(up.iter().map(|one| accepted(one.message, &one.message.0.to_string())).collect()).await;
            }
            assert_eq!(sent, size, "{channels} channels, {rate} a second");
            run.dispatcher.finish().await.unwrap();
            recovery::stop(&store, run.owner, run.clock.now()).await.unwrap();
        }
    }

    async fn braces_that_were_quoted_as_text_are_sent_as_text(store: Store) {
        // An earlier version took `{two words}` for text; its audiences have no such column.
        let text = "Pay {two words} or {other} by {{noon}}";
        let old = build(&store, "ada").text(text).chunk(&[Spot::Tail; 2]).store().await;
        let mut run = Run::start(&store).await;
        let sent = run.send_all().await;
        build(&store, "ben").text("Pay {{two words}} or {{other}} by {{noon}}").chunk(&[Spot::Tail]).store().await;
        let escaped = run.send_all().await;
        assert_eq!((sent.len(), escaped.len()), (2, 1));
        assert_eq!(sent[0].body, escaped[0].body);
        let (scope, networks) = (RecordScope::All, NetworkTable::builtin());
        let message = MessageId::new(old.chunks[0], 0);
        let why = explain::message(&mut store.read().await.unwrap(), scope, message, networks).await.unwrap();
        assert_eq!(why.text, "Pay {two words} or {other} by {noon}");
        run.verify().await;
    }

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
            while run.dispatcher.step(room).await.unwrap() == DispatchStep::Worked {}
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

    async fn a_message_to_a_few_waits_for_one_turn_whoever_sends_to_many(store: Store) {
        for user in ["ada", "ben", "cyd"] {
            build(&store, user).chunk(&[Spot::Tail; 1_000]).store().await;
        }
        let mut run = Run::start_rated(&store, 300).await;
        run.dispatcher.step(100).await.unwrap();
        let own = build(&store, "ada").chunk(&[Spot::Tail; 60]).store().await;
        let anothers = build(&store, "dan").chunk(&[Spot::Tail; 4]).store().await;
        let sent = run.send_all().await;
        for few in [own, anothers] {
            let place = sent.iter().position(|submission| submission.message.chunk() == few.chunks[0]).unwrap();
            assert!((1..=300 + 60).contains(&place), "it went out after {place} messages");
        }
        assert_eq!(sent.len(), 3_000 + 64);
    }

    async fn a_turn_is_short_where_the_carrier_is_slow(store: Store) {
        build(&store, "ada").chunk(&[Spot::Tail; 4_096]).store().await;
        let mut run = Run::start(&store).await;
        let mut few = None;
        let mut sent = 0;
        // Ten a second.
        for second in 0..40 {
            for _ in 0..10 {
                run.dispatcher.step(1).await.unwrap();
                run.clock.advance(Duration::from_millis(100));
            }
            let out = std::mem::take(&mut *run.carrier.submitted.lock().unwrap());
            if out.iter().any(|it| few.is_some_and(|chunk| it.message.chunk() == chunk)) {
                break;
            }
            sent += out.len();
            run.settle(out.iter().map(|it| accepted(it.message, &it.message.0.to_string())).collect()).await;
            if second == 20 {
                few = Some(build(&store, "ben").chunk(&[Spot::Tail]).store().await.chunks[0]);
                sent = 0;
            }
        }
        assert!(few.is_some() && sent <= 40, "it waited for {sent} messages");
    }

    async fn a_turn_that_is_cut_short_leaves_nothing_claimed_behind(store: Store) {
        let ada = build(&store, "ada").chunk(&[Spot::Tail; 4_096]).store().await.chunks[0];
        build(&store, "ben").chunk(&[Spot::Tail; 4_096]).store().await;
        let mut run = Run::start(&store).await;
        let mut of_ada = 0;
        // Thirty a second, so that the next of them are being claimed when the time is up.
        loop {
            run.dispatcher.step(3).await.unwrap();
            run.clock.advance(Duration::from_millis(100));
            let out = std::mem::take(&mut *run.carrier.submitted.lock().unwrap());
            of_ada += i64::try_from(out.iter().filter(|it| it.message.chunk() == ada).count()).unwrap();
            if out.iter().any(|it| it.message.chunk() != ada) {
                break;
            }
            run.settle(out.iter().map(|it| accepted(it.message, &it.message.0.to_string())).collect()).await;
        }
        let claimed: (i64,) = store.read().await.unwrap()
            .one("SELECT cursor FROM campaign_chunks WHERE id = $1", args![ada]).await.unwrap();
        assert_eq!(claimed.0, of_ada);
        assert!(of_ada < 300, "{of_ada}");
    }

    async fn a_turn_that_had_its_time_and_holds_nothing_is_followed_by_another(store: Store) {
        build(&store, "ada").chunk(&[Spot::Tail; 4_096]).store().await;
        let mut run = Run::start(&store).await;
        while run.dispatcher.step(100).await.unwrap() == DispatchStep::Worked {}
        let out = std::mem::take(&mut *run.carrier.submitted.lock().unwrap());
        run.settle(out.iter().map(|it| accepted(it.message, &it.message.0.to_string())).collect()).await;
        run.clock.advance(Duration::from_secs(5));
        assert_eq!(run.dispatcher.step(100).await.unwrap(), DispatchStep::Worked, "nothing is out that could be waited for");
        assert_eq!(out.len() + run.send_all().await.len(), 4_096);
    }

    async fn many_messages_to_a_few_leave_every_second_turn_to_the_others(store: Store) {
        let many = build(&store, "ada").chunk(&[Spot::Tail; 4_096]).chunk(&[Spot::Tail; 4_096]).store().await;
        let mut few = Vec::new();
        for _ in 0..7 {
            few.push(build(&store, "ada").chunk(&[Spot::Tail; 60]).store().await.chunks[0]);
        }
        let mut run = Run::start(&store).await;
        let sent = run.send_all().await;
        let after_few = sent.iter().position(|submission| submission.message.chunk() == many.chunks[0]).unwrap();
        assert_eq!(after_few, 60, "one turn of theirs");
        let last = sent.iter().position(|submission| Some(&submission.message.chunk()) == few.last()).unwrap();
        assert!(last > 2 * 4_096, "{last}");
        assert_eq!(sent.len(), 2 * 4_096 + 7 * 60);
    }

    async fn a_user_has_a_chunk_to_a_few_and_one_to_many_in_hand(store: Store) {
        build(&store, "ada").chunk(&[Spot::Tail; 1_000]).store().await;
        let mut run = Run::start_rated(&store, 300).await;
        for _ in 0..8 {
            run.dispatcher.step(100).await.unwrap();
        }
        // A chunk that was begun is claimed like a large one, in a turn.
        let begun = [vec![Spot::Answered(MessageStatus::Delivered)], vec![Spot::Tail; 9]].concat();
        let few = build(&store, "ada").chunk(&begun).store().await;
        let sent = run.send_all().await;
        let of_few: Vec<usize> = (0..sent.len()).filter(|it| sent[*it].message.chunk() == few.chunks[0]).collect();
        assert_eq!(of_few.len(), 9);
        assert!(of_few[8] <= 300 + 9, "{of_few:?}");
        assert_eq!(sent.len(), 1_000 + 9);
        run.verify().await;
    }

    async fn the_next_in_line_are_found_without_a_sort(store: Store) {
        let mut tx = store.read().await.unwrap();
        if tx.dialect() == Dialect::Postgres {
            tx.run("SET enable_seqscan = off", args![]).await.unwrap();
        }
        let plan = tx.explain(chunk::NEXT_CLAIMABLE, args!["main", 0_i64, 1_i64, false, 256_i64, true, false, vec![Column::Texts(Vec::new())]]).await;
        let plan = plan.unwrap().join("\n");
        assert!(plan.contains("campaigns_sending") && !plan.contains("TEMP B-TREE"), "{plan}");
    }

    async fn what_was_claimed_and_never_reached_the_carrier_is_queued_again_at_the_end(store: Store) {
        campaign(&store, 3).await;
        let mut run = Run::start(&store).await;
        let claimed = run.dispatch().await;
        assert_eq!(claimed.len(), 3);
        run.dispatcher.keep_back(claimed);
        run.dispatcher.finish().await.unwrap();
        assert_eq!(recovery::stop(&store, run.owner, run.clock.now()).await.unwrap(), 0, "unknown");
        let mut next = Run::start(&store).await;
        next.clock.advance(Duration::from_secs(60));
        assert_eq!(next.send_all().await.len(), 3, "each once");
        next.verify().await;
    }
}
