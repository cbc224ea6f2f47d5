//! References that a carrier uses again: which message a receipt is about when it comes before its answer.

use std::sync::Arc;
use std::time::Duration;

use crate::carrier::{Accepted, Answer, Event, Submission, Verdict};
use crate::model::message::id::{MessageId, PartId, WHOLE};
use crate::model::message::receipt_state::ReceiptState;
use crate::phone::Msisdn;
use crate::store::message::unmatched_receipt;
use crate::store::{Lane, Store};
use crate::testing::builder::{START, Spot, build};
use crate::testing::doubt::{Doubts, coded};
use crate::testing::worker::{Run, accepted, campaign, receipt, reference};
use crate::time::{Clock as _, Time};
use crate::worker::jobs::number_index;
use crate::worker::settle::unmatched_receipts::Backfill;
use crate::{args, both_databases};

const SUBMITTED: i64 = 3;
const DELIVERED: i64 = 4;

async fn status(store: &Store, message: MessageId) -> i64 {
    let sql = "SELECT status FROM messages WHERE id = $1";
    let row: Option<(i64,)> = store.read().await.unwrap().opt(sql, args![message.0]).await.unwrap();
    row.map_or(0, |(status,)| status)
}

/// A receipt that names the handset.
fn receipt_of(name: &str, to: Msisdn, sequence: u32) -> Event {
    let Event::Receipt(mut receipt) = receipt(name, ReceiptState::Delivered, sequence) else {
        unreachable!()
    };
    receipt.to = Some(to);
    Event::Receipt(receipt)
}

/// A run with these many messages on the wire.
async fn begun(store: &Store, messages: u16) -> (Run, Vec<Submission>) {
    campaign(store, usize::from(messages)).await;
    let mut run = Run::start(store).await;
    let sent = run.dispatch().await;
    assert_eq!(sent.len(), usize::from(messages));
    (run, sent)
}

both_databases! {
    async fn a_receipt_before_its_answer_is_not_the_old_message_s_under_a_reference_that_is_still_awaited(store: Store) {
        let (mut run, sent) = begun(&store, 2).await;
        let (old, new) = (&sent[0], &sent[1]);
        run.settle(vec![accepted(old.message, "7")]).await;
        run.settle(vec![receipt_of("7", new.to, 1)]).await;
        assert_eq!(status(&store, old.message).await, SUBMITTED);
        assert_eq!((run.acknowledged(), run.settler.early()), (0, 1));
        run.settle(vec![accepted(new.message, "7")]).await;
        assert_eq!((status(&store, old.message).await, status(&store, new.message).await), (SUBMITTED, DELIVERED));
        assert_eq!((run.acknowledged(), run.settler.early()), (1, 0));
        // The old one's own receipt still finds it.
        run.settle(vec![receipt_of("7", old.to, 2)]).await;
        run.clock.advance(Duration::from_secs(3));
        run.settle(vec![]).await;
        run.clock.advance(Duration::from_secs(6));
        assert_eq!(run.settler.match_late(run.clock.now()).await.unwrap(), 1);
        assert_eq!(status(&store, old.message).await, DELIVERED);
        run.verify().await;
    }

    async fn a_receipt_before_its_answer_is_no_repetition_of_the_old_message_s(store: Store) {
        let (mut run, sent) = begun(&store, 2).await;
        let (old, new) = (&sent[0], &sent[1]);
        run.settle(vec![accepted(old.message, "7"), receipt_of("7", old.to, 1)]).await;
        assert_eq!(status(&store, old.message).await, DELIVERED);
        run.settle(vec![receipt_of("7", new.to, 2)]).await;
        assert_eq!(run.settler.early(), 1);
        run.settle(vec![accepted(new.message, "7")]).await;
        assert_eq!(status(&store, new.message).await, DELIVERED);
        run.verify().await;
    }

    async fn the_receipt_of_the_old_and_the_answer_of_the_new_in_one_batch_leave_the_new_awaited(store: Store) {
        let (mut run, sent) = begun(&store, 2).await;
        let (old, new) = (&sent[0], &sent[1]);
        run.settle(vec![accepted(old.message, "7")]).await;
        run.settle(vec![receipt_of("7", old.to, 1), accepted(new.message, "7")]).await;
        assert_eq!((status(&store, old.message).await, status(&store, new.message).await), (DELIVERED, SUBMITTED));
        assert_eq!(run.settler.awaiting.len(), 1, "the new message's receipt is awaited");
        run.settle(vec![receipt_of("7", new.to, 2)]).await;
        assert_eq!(status(&store, new.message).await, DELIVERED);
        run.verify().await;
    }

    async fn a_receipt_that_waited_too_long_goes_to_the_message_with_its_number(store: Store) {
        let (mut run, sent) = begun(&store, 3).await;
        let (old, new) = (&sent[0], &sent[1]);
        run.settle(vec![accepted(old.message, "7")]).await;
        run.settle(vec![receipt_of("7", new.to, 1)]).await;
        run.clock.advance(Duration::from_secs(3));
        run.settle(vec![]).await;
        assert_eq!((run.acknowledged(), run.settler.early()), (1, 0), "stored as unmatched");
        run.clock.advance(Duration::from_secs(6));
        assert_eq!(run.settler.match_late(run.clock.now()).await.unwrap(), 0);
        assert_eq!(status(&store, old.message).await, SUBMITTED);
        run.settle(vec![accepted(new.message, "7")]).await;
        run.clock.advance(Duration::from_secs(10));
        assert_eq!(run.settler.match_late(run.clock.now()).await.unwrap(), 1);
        assert_eq!((status(&store, old.message).await, status(&store, new.message).await), (SUBMITTED, DELIVERED));
        run.settle(vec![accepted(sent[2].message, "8")]).await;
        run.verify().await;
    }

    async fn a_reference_that_is_used_again_still_finds_the_old_message_when_the_first_write_fails(store: Store) {
        let doubts = Arc::new(Doubts::default());
        let (mut run, sent) = begun(&store.with_faults(Arc::<Doubts>::clone(&doubts)), 3).await;
        let (old, between, new) = (&sent[0], &sent[1], &sent[2]);
        run.settle(vec![accepted(old.message, "7")]).await;
        doubts.before(0, coded("57P01"));
        let both = vec![accepted(between.message, "7"), accepted(new.message, "7")];
        let (_, events) = run.settler.settle(both, run.clock.now()).await.unwrap_err();
        run.settle(events).await;
        for one in [old, between] {
            run.settle(vec![receipt_of("7", one.to, 1)]).await;
            run.clock.advance(Duration::from_secs(3));
            run.settle(vec![]).await;
            run.clock.advance(Duration::from_secs(6));
            assert_eq!(run.settler.match_late(run.clock.now()).await.unwrap(), 1);
            assert_eq!(status(&store, one.message).await, DELIVERED);
        }
        run.settle(vec![receipt_of("7", new.to, 2)]).await;
        assert_eq!(status(&store, new.message).await, DELIVERED);
        run.verify().await;
    }

    async fn after_a_restart_both_messages_of_a_reference_are_found_by_their_numbers(store: Store) {
        let (mut before, sent) = begun(&store, 2).await;
        let (old, new) = (&sent[0], &sent[1]);
        before.settle(vec![accepted(old.message, "7")]).await;
        before.settle(vec![accepted(new.message, "7")]).await;
        drop(before);
        let mut run = Run::start(&store).await;
        let mut reload = Backfill::default();
        while run.settler.reload(&mut reload, START).await.unwrap() {}
        run.settle(vec![receipt_of("7", old.to, 1), receipt_of("7", new.to, 2)]).await;
        run.clock.advance(Duration::from_secs(3));
        run.settle(vec![]).await;
        run.clock.advance(Duration::from_secs(6));
        assert_eq!(run.settler.match_late(run.clock.now()).await.unwrap(), 1);
        assert_eq!((status(&store, old.message).await, status(&store, new.message).await), (DELIVERED, DELIVERED));
        run.verify().await;
    }

    async fn parts_under_a_reference_that_is_used_again_are_told_apart_too(store: Store) {
        build(&store, "ada").text(&"long ".repeat(60)).segments(2).chunk(&[Spot::Tail; 2]).store().await;
        let mut run = Run::start(&store).await;
        let sent = run.dispatch().await;
        let (old, new) = (&sent[0], &sent[1]);
        let answer = |message, first: &str, second: &str| {
            let accepted = Accepted::Many(vec![(0, reference(first)), (1, reference(second))]);
            Event::Answer(Answer { message, verdict: Verdict::Accepted, accepted })
        };
        run.settle(vec![answer(old.message, "70", "71"), receipt_of("70", old.to, 1)]).await;
        run.settle(vec![receipt_of("71", new.to, 2)]).await;
        assert_eq!(status(&store, old.message).await, SUBMITTED);
        run.settle(vec![answer(new.message, "72", "71"), receipt_of("72", new.to, 3)]).await;
        assert_eq!((status(&store, old.message).await, status(&store, new.message).await), (SUBMITTED, DELIVERED));
        run.settle(vec![receipt_of("71", old.to, 4)]).await;
        run.clock.advance(Duration::from_secs(3));
        run.settle(vec![]).await;
        run.clock.advance(Duration::from_secs(6));
        assert_eq!(run.settler.match_late(run.clock.now()).await.unwrap(), 1);
        assert_eq!(status(&store, old.message).await, DELIVERED);
        run.verify().await;
    }

    async fn a_receipt_whose_number_nothing_else_was_sent_to_goes_by_its_reference_in_the_end(store: Store) {
        let (mut run, sent) = begun(&store, 1).await;
        run.settle(vec![accepted(sent[0].message, "7")]).await;
        run.settle(vec![receipt_of("7", Msisdn::from_digits(2_349_099_999_999).unwrap(), 1)]).await;
        run.clock.advance(Duration::from_secs(3));
        run.settle(vec![]).await;
        while number_index::tick(&store, Time(0)).await.unwrap() {}
        run.clock.advance(Duration::from_mins(5));
        assert_eq!(run.settler.match_late(run.clock.now()).await.unwrap(), 0);
        run.clock.advance(Duration::from_mins(10));
        assert_eq!(run.settler.match_late(run.clock.now()).await.unwrap(), 1);
        assert_eq!(status(&store, sent[0].message).await, DELIVERED);
        run.verify().await;
    }

    async fn a_message_that_cannot_be_read_keeps_no_other_of_its_reference_from_its_receipt_and_takes_none(store: Store) {
        let (mut before, first) = begun(&store, 2).await;
        campaign(&store, 2).await;
        let damaged = before.dispatch().await;
        campaign(&store, 1).await;
        let last = before.dispatch().await;
        let sent = [&first[1], &damaged[0], &damaged[1], &last[0]];
        let answers = sent.iter().zip(["1", "2", "3", "4"]).map(|(one, reference)| accepted(one.message, reference));
        before.settle(answers.collect()).await;
        drop(before);
        // "7" is that of the first and a damaged one, "8" of the other damaged one and the last.
        let parts = sent.iter().zip(["7", "7", "8", "8"]);
        let parts: Vec<_> = parts.map(|(one, text)| (text.to_owned(), PartId::new(one.message, WHOLE))).collect();
        let damage = store.write(Lane::Interactive, (damaged[0].message.chunk(), parts), |tx, (chunk, parts)| Box::pin(async move {
            unmatched_receipt::index_references(tx, "main", parts).await?;
            let sql = "UPDATE audience_chunks SET data = substr(data, 1, 1) \
                       WHERE id = (SELECT audience_chunk_id FROM campaign_chunks WHERE id = $1)";
            tx.run_exactly(1, sql, args![*chunk]).await
        }));
        damage.await.unwrap();
        let mut run = Run::start(&store).await;
        run.settle(vec![receipt_of("7", sent[0].to, 1), receipt_of("8", sent[2].to, 2)]).await;
        run.clock.advance(Duration::from_secs(3));
        run.settle(vec![]).await;
        run.clock.advance(Duration::from_secs(6));
        assert_eq!(run.settler.match_late(run.clock.now()).await.unwrap(), 1);
        assert_eq!(status(&store, sent[0].message).await, DELIVERED);
        // In the end a receipt goes by its reference alone, but not where it may be that of one that cannot be compared.
        run.clock.advance(Duration::from_mins(20));
        assert_eq!(run.settler.match_late(run.clock.now()).await.unwrap(), 0);
        for one in &sent[1..] {
            assert_eq!(status(&store, one.message).await, SUBMITTED);
        }
    }

    async fn receipts_under_one_reference_for_two_numbers_are_both_kept_until_their_messages_are_known(store: Store) {
        let (mut run, sent) = begun(&store, 2).await;
        run.settle(vec![receipt_of("7", sent[0].to, 1), receipt_of("7", sent[1].to, 2), receipt_of("7", sent[1].to, 3)])
            .await;
        // They waited for answers in vain, and are stored.
        run.clock.advance(Duration::from_secs(3));
        run.settle(Vec::new()).await;
        let mut tx = store.read().await.unwrap();
        let (kept,): (i64,) = tx.one("SELECT COUNT(*) FROM receipts_unmatched", args![]).await.unwrap();
        assert_eq!(kept, 2);
    }
}
