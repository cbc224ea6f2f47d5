//! What happens beside a resend, at the same moment.

use super::*;
use crate::model::campaign::id::QuoteId;

both_databases! {
    async fn what_is_delivered_while_its_resend_begins_is_not_sent_again(store: Store) {
        let fixture = Fixture::open(&store, "100").await;
        let (id, chunk) = campaign(&fixture, "Hello", &numbers(1)).await;
        let failed = MessageId::new(chunk, 0);
        answer(&store, failed, MessageStatus::Undelivered).await;
        let quote = QuoteId(fixture.campaigns.resend(fixture.user, id, None, None).await.unwrap().quote_id);
        let (stored, go_on) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
        let marked = async {
            stored.notified().await;
            let mark = fixture.campaigns.mark_resent(fixture.user, quote);
            let release = async {
                a_lock_is_waited_for(&fixture).await;
                go_on.notify_one();
            };
            futures::join!(mark, release).0
        };
        let settled = settle_slowly(&store, failed, MessageStatus::Delivered, &stored, &go_on);
        let (marked, ()) = futures::join!(marked, settled);
        assert_eq!(marked.unwrap_err().code(), "resend_outdated");
        assert_eq!(fixture.confirm(QuoteTarget::Quote(quote)).await.unwrap_err().code(), "resend_outdated");
    }

    async fn what_is_delivered_beside_a_resend_does_not_outdate_it(store: Store) {
        let fixture = Fixture::open(&store, "100").await;
        let (id, chunk) = campaign(&fixture, "Hello", &numbers(2)).await;
        let [quoted, later] = [0, 1].map(|place| MessageId::new(chunk, place));
        answer(&store, quoted, MessageStatus::Undelivered).await;
        let quote = QuoteId(fixture.campaigns.resend(fixture.user, id, None, None).await.unwrap().quote_id);
        answer(&store, later, MessageStatus::Undelivered).await;
        let marks = fixture.campaigns.mark_resent(fixture.user, quote).await.unwrap().unwrap();
        let go_on = Arc::new(Notify::new());
        go_on.notify_one();
        settle_slowly(&store, later, MessageStatus::Delivered, &Arc::default(), &go_on).await;
        let hold = store.write(Lane::Interactive, (marks, quote), |tx, (marks, quote)| {
            Box::pin(marks.lock(tx, *quote, 1))
        });
        hold.await.unwrap();
    }

    async fn cancelling_takes_the_turn_of_a_resend_before_the_wallet(store: Store) {
        if store.dialect() == Dialect::Sqlite {
            return;
        }
        let fixture = Fixture::open(&store, "100").await;
        let (id, chunk) = campaign(&fixture, "Hello", &numbers(2)).await;
        answer(&store, MessageId::new(chunk, 0), MessageStatus::Undelivered).await;
        let quote = QuoteId(fixture.campaigns.resend(fixture.user, id, None, None).await.unwrap().quote_id);
        let marks = fixture.campaigns.mark_resent(fixture.user, quote).await.unwrap().unwrap();
        let (cancelled, go_on) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
        let job = (id, Arc::clone(&cancelled), Arc::clone(&go_on));
        let cancel = store.write(Lane::Background, job, |tx, (id, cancelled, go_on)| Box::pin(async move {
            control::cancel(tx, *id, Authority::Admin, NOW).await?;
            cancelled.notify_waiters();
            go_on.notified().await;
            Ok(())
        }));
        let held = async {
            cancelled.notified().await;
            take_turn_in_the_way(&fixture, marks, quote, &go_on).await
        };
        let (held, cancelled) = futures::join!(held, cancel);
        cancelled.unwrap();
        held.unwrap();
    }

    async fn a_settlement_of_several_rounds_takes_turns_before_wallets(store: Store) {
        if store.dialect() == Dialect::Sqlite {
            return;
        }
        let fixture = Fixture::open(&store, "100").await;
        let (id, chunk) = campaign(&fixture, "Hello", &numbers(2)).await;
        let [other, failed] = [0, 1].map(|place| MessageId::new(chunk, place));
        answer(&store, failed, MessageStatus::Undelivered).await;
        let quote = QuoteId(fixture.campaigns.resend(fixture.user, id, None, None).await.unwrap().quote_id);
        let marks = fixture.campaigns.mark_resent(fixture.user, quote).await.unwrap().unwrap();
        let (stored, go_on) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
        let held = async {
            stored.notified().await;
            take_turn_in_the_way(&fixture, marks, quote, &go_on).await
        };
        // Its first round has nothing to do with the turn; a later one might.
        let settled = settle_slowly(&store, other, MessageStatus::Submitted, &stored, &go_on);
        let (held, ()) = futures::join!(held, settled);
        held.unwrap();
    }
}
