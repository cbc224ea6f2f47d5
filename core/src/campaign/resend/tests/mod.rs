mod erased;
mod races;

use std::time::Duration;

use talkdrum_api::kind::Kind;
use talkdrum_api::money::{Currency, Money};
use tokio::sync::Notify;

use super::*;
use crate::campaign::confirm::{Confirmation, QuoteTarget};
use crate::campaign::control::{self, Authority, resolve_unknown};
use crate::campaign::quote::{Form, KEPT_FOR, expire_quotes};
use crate::campaign::settlement;
use crate::ledger;
use crate::model::campaign::audience_chunk::CHUNK_SIZE;
use crate::model::campaign::id::{CampaignId, ChunkId};
use crate::model::message::outcome::MessageOutcome;
use crate::model::message::reason::PlatformReason;
use crate::model::message::status::MessageStatus;
use crate::sender::set_default_of_user;
use crate::store::message::report_columns;
use crate::store::{Dialect, Lane, Store};
use crate::testing::campaign::{Fixture, NOW, numbers, user_with};
use crate::{args, both_databases};

/// Records an answer for a message, as a worker would.
async fn answer(store: &Store, message: MessageId, status: MessageStatus) {
    store
        .write(Lane::Background, (message, status), |tx, (message, status)| {
            Box::pin(async move {
                tx.run_exactly(
                    1,
                    "INSERT INTO messages (id, status, money) VALUES ($1, $2, 1)",
                    args![message.0, status.number()],
                )
                .await?;
                let failed = i64::from(status.is_failure());
                tx.run_exactly(
                    1,
                    "UPDATE campaign_chunks SET answered = answered + 1, undelivered = undelivered + $2, \
                       delivered = delivered + 1 - $2, cursor = CASE WHEN cursor < $3 THEN $3 ELSE cursor END \
                     WHERE id = $1",
                    args![message.chunk(), failed, i64::from(message.place()) + 1],
                )
                .await
            })
        })
        .await
        .unwrap();
}

async fn become_delivered(store: &Store, message: MessageId) {
    store
        .write(Lane::Background, message, |tx, message| {
            Box::pin(tx.run_exactly(
                1,
                "UPDATE messages SET status = $2 WHERE id = $1",
                args![message.0, MessageStatus::Delivered],
            ))
        })
        .await
        .unwrap();
}

/// A confirmed campaign to `contacts`; its id and its first chunk's.
async fn campaign(fixture: &Fixture, message: &str, contacts: &str) -> (CampaignId, ChunkId) {
    let quote = fixture.quote(message, contacts).await;
    let campaign = fixture.confirm(QuoteTarget::Quote(QuoteId(quote.quote_id))).await.unwrap().campaigns[0];
    let chunk: (ChunkId,) = fixture
        .tx()
        .await
        .one("SELECT MIN(id) FROM campaign_chunks WHERE campaign_id = $1", args![campaign])
        .await
        .unwrap();
    (campaign, chunk.0)
}

async fn fail_some(store: &Store, chunk: ChunkId) {
    use MessageStatus as S;
    for (place, status) in [S::Delivered, S::Undelivered, S::Rejected, S::Submitted, S::Expired, S::Unknown]
        .into_iter()
        .enumerate()
    {
        answer(store, MessageId::new(chunk, place as u16), status).await;
    }
}

async fn marked_by(fixture: &Fixture, quote: QuoteId) -> i64 {
    let sql = "SELECT COUNT(*) FROM message_resends WHERE quote_id = $1";
    fixture.tx().await.one::<(i64,)>(sql, args![quote]).await.unwrap().0
}

/// Settles a message and stores it when it is told to go on.
async fn settle_slowly(
    store: &Store,
    message: MessageId,
    status: MessageStatus,
    stored: &Arc<Notify>,
    go_on: &Arc<Notify>,
) {
    let outcome = MessageOutcome {
        message,
        status,
        reference: None,
        submitted_at: None,
        done_at: Some(NOW),
        error: None,
        units: None,
    };
    store
        .write(
            Lane::Background,
            (outcome, Arc::clone(stored), Arc::clone(go_on)),
            |tx, (outcome, stored, go_on)| {
                Box::pin(async move {
                    settlement::settle(tx, std::slice::from_ref(outcome), NOW).await?;
                    stored.notify_waiters();
                    go_on.notified().await;
                    Ok(())
                })
            },
        )
        .await
        .unwrap();
}

/// Waits until one transaction waits for another, as it has to; SQLite has one at a time anyway.
async fn a_lock_is_waited_for(fixture: &Fixture) {
    let waits = "SELECT CAST(COUNT(*) AS BIGINT) FROM pg_stat_activity \
                 WHERE wait_event_type = 'Lock' AND datname = current_database()";
    for _ in 0..1_000 {
        if fixture.campaigns.store.dialect() == Dialect::Sqlite || fixture.count(waits).await > 0 {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("no transaction waits for another");
}

/// Takes the turn of a resend, and lets another transaction go on once one of them waits for the other.
async fn take_turn_in_the_way(fixture: &Fixture, marks: Marks, quote: QuoteId, go_on: &Notify) -> Result<()> {
    let taking = fixture
        .campaigns
        .store
        .write(Lane::Interactive, (marks, quote), |tx, (marks, quote)| Box::pin(marks.lock(tx, *quote, 1)));
    let release = async {
        a_lock_is_waited_for(fixture).await;
        go_on.notify_one();
    };
    futures::join!(taking, release).0
}

both_databases! {
    async fn only_what_failed_is_quoted_and_paid_again(store: Store) {
        let fixture = Fixture::open(&store, "100").await;
        let (id, chunk) = campaign(&fixture, &"x".repeat(157), &numbers(6)).await;
        fail_some(&store, chunk).await;
        let quote = fixture.campaigns.resend(fixture.user, id, None, None).await.unwrap();
        assert_eq!((quote.total_contacts, quote.total_pages), (3, 6));
        assert_eq!(quote.total_charges, "15".parse().unwrap());
        assert_eq!(fixture.count("SELECT COUNT(*) FROM message_resends").await, 0, "a quote marks nothing");
        let confirmed = fixture.confirm(QuoteTarget::Quote(QuoteId(quote.quote_id))).await.unwrap();
        let (resend_of,): (Option<CampaignId>,) = fixture.tx().await
            .one("SELECT resend_of FROM campaigns WHERE id = $1", args![confirmed.campaigns[0]]).await.unwrap();
        assert_eq!(resend_of, Some(id));
        let marked: Vec<(i64,)> = fixture.tx().await
            .all("SELECT message_id FROM message_resends ORDER BY message_id", args![]).await.unwrap();
        assert_eq!(marked, [1, 2, 4].map(|place| (MessageId::new(chunk, place).0,)));
    }

    async fn a_resend_is_for_what_its_campaign_was_for(store: Store) {
        let fixture = Fixture::open(&store, "100").await;
        let form = Form { purpose: Ok(Some(Purpose::Promotional)), ..fixture.form("Hello", &numbers(2)) };
        let quote = fixture.campaigns.quote(form).await.unwrap();
        let id = fixture.confirm(QuoteTarget::Quote(QuoteId(quote.quote_id))).await.unwrap().campaigns[0];
        let (chunk,): (ChunkId,) = fixture.tx().await.one("SELECT MIN(id) FROM campaign_chunks", args![]).await.unwrap();
        answer(&store, MessageId::new(chunk, 0), MessageStatus::Undelivered).await;
        // Whatever the account's default is by now.
        let job = store.write(Lane::Interactive, fixture.user, |tx, user| {
            Box::pin(set_default_of_user(tx, *user, Some(Purpose::Otp), *user, NOW))
        });
        job.await.unwrap();
        let quote = fixture.campaigns.resend(fixture.user, id, None, None).await.unwrap();
        assert_eq!(quote.purpose, Purpose::Promotional);
        let again = fixture.confirm(QuoteTarget::Quote(QuoteId(quote.quote_id))).await.unwrap().campaigns[0];
        let sql = "SELECT purpose FROM campaigns WHERE id = $1";
        let (stored,): (Purpose,) = fixture.tx().await.one(sql, args![again]).await.unwrap();
        assert_eq!(stored, Purpose::Promotional);
    }

    async fn a_message_is_resent_once(store: Store) {
        let fixture = Fixture::open(&store, "100").await;
        let (id, chunk) = campaign(&fixture, "Hello", &numbers(2)).await;
        answer(&store, MessageId::new(chunk, 0), MessageStatus::Undelivered).await;
        let first = fixture.campaigns.resend(fixture.user, id, None, None).await.unwrap();
        let second = fixture.campaigns.resend(fixture.user, id, None, None).await.unwrap();
        let confirmed = fixture.confirm(QuoteTarget::Quote(QuoteId(first.quote_id))).await.unwrap();
        let balance = fixture.balance().await;
        let error = fixture.confirm(QuoteTarget::Quote(QuoteId(second.quote_id))).await.unwrap_err();
        assert_eq!(error.code(), "resend_outdated");
        assert_eq!(fixture.balance().await, balance);
        // The one that was confirmed answers the same again.
        let again = fixture.confirm(QuoteTarget::Quote(QuoteId(first.quote_id))).await.unwrap();
        assert_eq!(again.campaigns, confirmed.campaigns);
        assert_eq!(fixture.campaigns.resend(fixture.user, id, None, None).await.unwrap_err().code(), "nothing_to_resend");
        assert_eq!(fixture.count("SELECT COUNT(*) FROM audiences").await, 3);
    }

    async fn two_resends_confirmed_at_once_send_once(store: Store) {
        let fixture = Fixture::open(&store, "100").await;
        let (id, chunk) = campaign(&fixture, "Hello", &numbers(2)).await;
        answer(&store, MessageId::new(chunk, 1), MessageStatus::Rejected).await;
        let a = QuoteId(fixture.campaigns.resend(fixture.user, id, None, None).await.unwrap().quote_id);
        let b = QuoteId(fixture.campaigns.resend(fixture.user, id, None, None).await.unwrap().quote_id);
        let (a, b) = futures::join!(fixture.confirm(QuoteTarget::Quote(a)), fixture.confirm(QuoteTarget::Quote(b)));
        assert_eq!(u8::from(a.is_ok()) + u8::from(b.is_ok()), 1);
        let refused = a.err().or(b.err()).unwrap();
        assert!(["resend_outdated", "resend_superseded"].contains(&refused.code()), "{refused}");
        assert_eq!(fixture.balance().await, "92.5".parse().unwrap());
    }

    async fn marks_of_a_quote_that_is_not_confirmed_do_not_bind(store: Store) {
        let fixture = Fixture::open(&store, "7.5").await;
        let (id, chunk) = campaign(&fixture, "Hello", &numbers(3)).await;
        answer(&store, MessageId::new(chunk, 0), MessageStatus::Undelivered).await;
        answer(&store, MessageId::new(chunk, 2), MessageStatus::Expired).await;
        let resend = || async { fixture.campaigns.resend(fixture.user, id, None, None).await.unwrap() };
        let (first, second) = (QuoteId(resend().await.quote_id), QuoteId(resend().await.quote_id));
        let marked_by = async |quote: QuoteId| marked_by(&fixture, quote).await;
        let resent_by = || async {
            report_columns::resent_by(&mut fixture.tx().await, MessageId::new(chunk, 0)).await.unwrap()
        };
        let refused = fixture.confirm(QuoteTarget::Quote(first)).await.unwrap_err();
        assert_eq!(refused.code(), "insufficient_balance");
        assert_eq!(marked_by(first).await, 0, "nothing is marked without the money");
        for quote in [first, second, first] {
            fixture.campaigns.mark_resent(fixture.user, quote).await.unwrap().unwrap();
            assert_eq!(marked_by(quote).await, 2);
            assert_eq!(resent_by().await, None);
            assert_eq!(table::count(&mut fixture.tx().await, id).await.unwrap(), 2);
            assert_eq!(resend().await.total_contacts, 2);
        }
        store.write(Lane::Interactive, fixture.user, |tx, user| Box::pin(async move {
            let money = Money { amount: "100".parse().unwrap(), currency: Currency::Naira };
            ledger::credit_by_admin(tx, *user, money, "more", NOW).await.map(|_| ())
        })).await.unwrap();
        fixture.confirm(QuoteTarget::Quote(second)).await.unwrap();
        assert_eq!((marked_by(first).await, marked_by(second).await), (0, 2));
        assert_eq!(resent_by().await, Some(second));
        assert_eq!(table::count(&mut fixture.tx().await, id).await.unwrap(), 0);
        assert_eq!(fixture.confirm(QuoteTarget::Quote(first)).await.unwrap_err().code(), "resend_outdated");
    }

    async fn one_resend_that_is_confirmed_twice_at_once_is_answered_twice_the_same(store: Store) {
        let fixture = Fixture::open(&store, "100").await;
        let (id, chunk) = campaign(&fixture, "Hello", &numbers(1)).await;
        answer(&store, MessageId::new(chunk, 0), MessageStatus::Undelivered).await;
        let quote = QuoteId(fixture.campaigns.resend(fixture.user, id, None, None).await.unwrap().quote_id);
        let confirm = || fixture.confirm_with(QuoteTarget::Quote(quote), Some("k1"));
        let (one, other) = futures::join!(confirm(), confirm());
        assert_eq!(one.unwrap().campaigns, other.unwrap().campaigns);
        assert_eq!(fixture.balance().await, "95".parse().unwrap(), "charged once");
    }

    async fn a_purge_leaves_the_marks_that_another_quote_takes_at_the_same_time(store: Store) {
        let fixture = Fixture::open(&store, "100").await;
        let (id, chunk) = campaign(&fixture, "Hello", &numbers(1)).await;
        let message = MessageId::new(chunk, 0);
        answer(&store, message, MessageStatus::Undelivered).await;
        let old = QuoteId(fixture.campaigns.resend(fixture.user, id, None, None).await.unwrap().quote_id);
        fixture.campaigns.mark_resent(fixture.user, old).await.unwrap().unwrap();
        let quote = QuoteId(fixture.campaigns.resend(fixture.user, id, None, None).await.unwrap().quote_id);
        let turn = ResendTurn { campaign: id, quote, number: 7 };
        store.write(Lane::Interactive, turn, |tx, turn| Box::pin(table::begin_turn(tx, *turn, NOW))).await.unwrap();
        let (marked, go_on) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
        let job = (turn, message, Arc::clone(&marked), Arc::clone(&go_on));
        let mark = store.write(Lane::Interactive, job, |tx, (turn, message, marked, go_on)| Box::pin(async move {
            table::mark(tx, *turn, &[*message], NOW).await?;
            marked.notify_waiters();
            go_on.notified().await;
            Ok(())
        }));
        let purge = async {
            marked.notified().await;
            store.write(Lane::Background, old, |tx, old| Box::pin(table::unmark(tx, *old))).await
        };
        let release = async {
            marked.notified().await;
            a_lock_is_waited_for(&fixture).await;
            go_on.notify_one();
        };
        let (made, purged, ()) = futures::join!(mark, purge, release);
        made.unwrap();
        assert!(!purged.unwrap(), "it has no marks any more");
        assert_eq!((marked_by(&fixture, old).await, marked_by(&fixture, quote).await), (0, 1));
    }

    async fn marks_count_only_in_the_newest_turn(store: Store) {
        let fixture = Fixture::open(&store, "100").await;
        let (id, chunk) = campaign(&fixture, "Hello", &numbers(1)).await;
        answer(&store, MessageId::new(chunk, 0), MessageStatus::Undelivered).await;
        let mut quotes = Vec::new();
        for _ in 0..2 {
            quotes.push(QuoteId(fixture.campaigns.resend(fixture.user, id, None, None).await.unwrap().quote_id));
        }
        let mark = |quote| fixture.campaigns.mark_resent(fixture.user, quote);
        // Taken back: the first quote has its turn again, and all that marks for its earlier turn is too late.
        let (early, other, late) = (mark(quotes[0]).await, mark(quotes[1]).await, mark(quotes[0]).await);
        let hold = |marks: Marks, quote| store.write(Lane::Interactive, (marks, quote), |tx, (marks, quote)| {
            Box::pin(marks.lock(tx, *quote, 1))
        });
        let [early, other, late] = [early, other, late].map(|marks| marks.unwrap().unwrap());
        assert_eq!(hold(early, quotes[0]).await.unwrap_err().code(), "resend_superseded");
        assert_eq!(hold(other, quotes[1]).await.unwrap_err().code(), "resend_superseded");
        assert_eq!(hold(late, quotes[1]).await.unwrap_err().code(), "resend_outdated");
        let forgotten = store.write(Lane::Interactive, late, |tx, late| Box::pin(table::lock_turn(tx, late.0, 2)));
        assert_eq!(forgotten.await.unwrap_err().code(), "resend_outdated", "not all are marked");
        hold(late, quotes[0]).await.unwrap();
        // As another daemon is told, until the marks are old.
        assert_eq!(mark(quotes[0]).await.unwrap_err().code(), "resend_under_way");
        let again = store.write(Lane::Interactive, (early, chunk), |tx, (early, chunk)| {
            Box::pin(async move { table::mark(tx, early.0, &[MessageId::new(*chunk, 0)], NOW).await })
        });
        assert_eq!(again.await.unwrap_err().code(), "resend_superseded");
        fixture.advance(Duration::from_secs(20));
        fixture.confirm(QuoteTarget::Quote(quotes[0])).await.unwrap();
        assert!(mark(quotes[0]).await.unwrap().is_none(), "confirmed by now");
        assert_eq!(mark(quotes[1]).await.unwrap_err().code(), "resend_outdated");
    }

    async fn a_large_resend_is_marked_in_pieces_and_forgotten_in_pieces(store: Store) {
        let fixture = Fixture::open(&store, "1000000").await;
        let size = table::MARKS_AT_ONCE as i64 + 1;
        let (id, chunk) = campaign(&fixture, "Hello", &numbers(usize::try_from(size).unwrap())).await;
        store.write(Lane::Background, (id, chunk), |tx, (id, chunk)| Box::pin(async move {
            tx.run("UPDATE campaign_chunks SET answered = size, undelivered = size, cursor = size WHERE campaign_id = $1",
                args![*id]).await?;
            tx.run("INSERT INTO messages (id, status, money) WITH RECURSIVE place (n) AS \
                (SELECT CAST(0 AS BIGINT) UNION ALL SELECT n + 1 FROM place WHERE n < 4095) \
                SELECT c.id * 4096 + n, 5, 1 FROM campaign_chunks c, place WHERE c.campaign_id = $1 AND n < c.size AND c.id >= $2",
                args![*id, *chunk]).await
        })).await.unwrap();
        let resend = || async { QuoteId(fixture.campaigns.resend(fixture.user, id, None, None).await.unwrap().quote_id) };
        let quote = resend().await;
        fixture.campaigns.mark_resent(fixture.user, quote).await.unwrap().unwrap();
        assert_eq!(marked_by(&fixture, quote).await, size);
        fixture.advance(KEPT_FOR * 3);
        let newer = resend().await;
        let purge = || store.write(Lane::Background, fixture.campaigns.now(), |tx, now| Box::pin(expire_quotes(tx, *now)));
        let mut left = Vec::new();
        while purge().await.unwrap() > 0 {
            left.push((marked_by(&fixture, quote).await, fixture.count("SELECT COUNT(*) FROM quotes").await));
        }
        assert_eq!(left, [(1, 3), (0, 3), (0, 2)], "the marks go first");
        // The client goes away while it is marked.
        let campaigns = fixture.campaigns.clone();
        let (user_id, kind, target) = (fixture.user, Kind::Text, QuoteTarget::Quote(newer));
        let confirmation = Confirmation {
            user_id,
            ordered_by: None,
            kind,
            target,
            idempotency_key: None,
            request_hash: None,
        };
        let client = tokio::spawn(async move { campaigns.confirm(confirmation).await });
        while fixture.count("SELECT COUNT(*) FROM resend_turns").await == 0 {
            tokio::task::yield_now().await;
        }
        client.abort();
        for _ in 0..3_000 {
            if fixture.count("SELECT COUNT(*) FROM campaigns").await == 2 {
                break;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        assert!(fixture.confirm(QuoteTarget::Quote(newer)).await.unwrap().was_confirmed, "confirmed all the same");
        assert_eq!(marked_by(&fixture, newer).await, size);
        assert_eq!(fixture.count("SELECT COUNT(*) FROM campaigns").await, 2);
    }

    async fn what_was_delivered_after_all_is_not_sent_again(store: Store) {
        let fixture = Fixture::open(&store, "100").await;
        let (id, chunk) = campaign(&fixture, "Hello", &numbers(2)).await;
        answer(&store, MessageId::new(chunk, 0), MessageStatus::Undelivered).await;
        let quote = fixture.campaigns.resend(fixture.user, id, None, None).await.unwrap();
        become_delivered(&store, MessageId::new(chunk, 0)).await;
        // What fails later is not in the quote either.
        answer(&store, MessageId::new(chunk, 1), MessageStatus::Undelivered).await;
        let error = fixture.confirm(QuoteTarget::Quote(QuoteId(quote.quote_id))).await.unwrap_err();
        assert_eq!(error.code(), "resend_outdated");
        assert_eq!(fixture.count("SELECT COUNT(*) FROM message_resends").await, 0);
        assert_eq!(fixture.count("SELECT COUNT(*) FROM campaigns").await, 1);
    }

    async fn what_is_delivered_after_it_was_marked_is_not_sent_again(store: Store) {
        let fixture = Fixture::open(&store, "100").await;
        let (id, chunk) = campaign(&fixture, "Hello", &numbers(2)).await;
        let (failed, other) = (MessageId::new(chunk, 0), MessageId::new(chunk, 1));
        answer(&store, failed, MessageStatus::Undelivered).await;
        let quote = QuoteId(fixture.campaigns.resend(fixture.user, id, None, None).await.unwrap().quote_id);
        let marks = fixture.campaigns.mark_resent(fixture.user, quote).await.unwrap().unwrap();
        let hold = || store.write(Lane::Interactive, (marks, quote), |tx, (marks, quote)| {
            Box::pin(marks.lock(tx, *quote, 1))
        });
        let settle = |message, status| store.write(
            Lane::Background,
            MessageOutcome { message, status, reference: None, submitted_at: None, done_at: Some(NOW), error: None, units: None },
            |tx, outcome| Box::pin(async move {
                settlement::settle(tx, std::slice::from_ref(outcome), NOW).await.map(|_| ())
            }),
        );
        answer(&store, other, MessageStatus::Delivered).await;
        hold().await.unwrap();
        settle(failed, MessageStatus::Delivered).await.unwrap();
        assert_eq!(hold().await.unwrap_err().code(), "resend_outdated");
        assert_eq!(fixture.confirm(QuoteTarget::Quote(quote)).await.unwrap_err().code(), "resend_outdated");
        assert_eq!(fixture.count("SELECT COUNT(*) FROM campaigns").await, 1);
    }

    async fn what_the_cap_of_the_day_refuses_is_not_marked(store: Store) {
        let mut fixture = Fixture::open(&store, "100").await;
        fixture.campaigns.limits.daily_naira = "7".parse().unwrap();
        // 5 are spent, and the resend costs 2.5.
        let (id, chunk) = campaign(&fixture, "Hello", &numbers(2)).await;
        answer(&store, MessageId::new(chunk, 0), MessageStatus::Undelivered).await;
        let quote = QuoteId(fixture.campaigns.resend(fixture.user, id, None, None).await.unwrap().quote_id);
        assert_eq!(fixture.confirm(QuoteTarget::Quote(quote)).await.unwrap_err().code(), "spending_cap");
        assert_eq!(fixture.count("SELECT COUNT(*) FROM message_resends").await, 0);
        assert_eq!(fixture.count("SELECT COUNT(*) FROM resend_turns").await, 0);
        fixture.campaigns.limits.daily_naira = "7.5".parse().unwrap();
        fixture.confirm(QuoteTarget::Quote(quote)).await.unwrap();
    }

    async fn merge_fields_and_chunks_are_carried_over(store: Store) {
        let fixture = Fixture::open(&store, "1000000").await;
        let rows: String = (0..=CHUNK_SIZE).map(|n| format!("0803{n:07},N{n}\n")).collect();
        let mut form = fixture.form("Hi {name}", "");
        form.sources = vec![crate::campaign::audience::RecipientSource::file(std::io::Cursor::new(format!("phone,name\n{rows}")))];
        let quote = fixture.campaigns.quote(form).await.unwrap();
        let id = fixture.confirm(QuoteTarget::Quote(QuoteId(quote.quote_id))).await.unwrap().campaigns[0];
        let chunks: Vec<(ChunkId,)> = fixture.tx().await
            .all("SELECT id FROM campaign_chunks WHERE campaign_id = $1 ORDER BY id", args![id]).await.unwrap();
        answer(&store, MessageId::new(chunks[0].0, 4_095), MessageStatus::Expired).await;
        answer(&store, MessageId::new(chunks[1].0, 0), MessageStatus::Undelivered).await;
        let quote = fixture.campaigns.resend(fixture.user, id, None, None).await.unwrap();
        assert_eq!((quote.total_contacts, &*quote.message), (2, "Hi N4095"));
        fixture.confirm(QuoteTarget::Quote(QuoteId(quote.quote_id))).await.unwrap();
        assert_eq!(fixture.count("SELECT COUNT(*) FROM message_resends").await, 2);
        let (columns, data): (String, Vec<u8>) = fixture.tx().await.one(
            "SELECT a.columns, c.data FROM audiences a JOIN audience_chunks c ON c.audience_id = a.id \
             ORDER BY c.id DESC LIMIT 1", args![]).await.unwrap();
        assert_eq!(columns, r#"["name"]"#);
        assert_eq!(&*Chunk::decode(&data).unwrap().recipient(1).unwrap().fields()[0], "N4096");
    }

    async fn an_unknown_message_is_resent_only_once_a_person_said_that_it_was_never_sent(store: Store) {
        let fixture = Fixture::open(&store, "100").await;
        let (id, chunk) = campaign(&fixture, "Hello", &numbers(3)).await;
        answer(&store, MessageId::new(chunk, 0), MessageStatus::Undelivered).await;
        let unknown = MessageId::new(chunk, 1);
        store.write(Lane::Background, unknown, |tx, unknown| Box::pin(async move {
            tx.run_exactly(1, "INSERT INTO messages (id, status, money) VALUES ($1, 8, 0)", args![unknown.0]).await?;
            tx.run_exactly(1, "UPDATE campaign_chunks SET answered = answered + 1, unknown = 1, cursor = 3 WHERE id = $1",
                args![unknown.chunk()]).await
        })).await.unwrap();
        let only = || Some(vec![unknown]);
        let error = fixture.campaigns.resend(fixture.user, id, only(), None).await.unwrap_err();
        assert_eq!(error.code(), "nothing_to_resend");
        // Charged while nothing was known, as the carrier's policy says.
        let written_off = MessageOutcome::by_platform(unknown, MessageStatus::Unknown, PlatformReason::UnknownCaptured, None);
        store.write(Lane::Background, written_off, |tx, outcome| Box::pin(async move {
            settlement::settle(tx, std::slice::from_ref(outcome), NOW).await.map(|_| ())
        })).await.unwrap();
        assert_eq!(fixture.balance().await, "92.5".parse().unwrap());
        store.write(Lane::Interactive, unknown, |tx, unknown| Box::pin(async move {
            resolve_unknown::resolve(tx, &[*unknown], resolve_unknown::Resolution::Refunded, NOW).await
        })).await.unwrap();
        let quote = fixture.campaigns.resend(fixture.user, id, only(), None).await.unwrap();
        assert_eq!(quote.total_contacts, 1, "the other failure was not named");
        assert_eq!(fixture.balance().await, "95".parse().unwrap(), "given back");
        fixture.confirm(QuoteTarget::Quote(QuoteId(quote.quote_id))).await.unwrap();
        assert_eq!(fixture.balance().await, "92.5".parse().unwrap(), "charged once");
        let marked: Vec<(i64,)> = fixture.tx().await
            .all("SELECT message_id FROM message_resends", args![]).await.unwrap();
        assert_eq!(marked, [(unknown.0,)]);
        assert_eq!(fixture.campaigns.resend(fixture.user, id, None, None).await.unwrap().total_contacts, 1);
    }

    async fn a_campaign_is_resent_by_its_owner_alone(store: Store) {
        let fixture = Fixture::open(&store, "100").await;
        let (id, chunk) = campaign(&fixture, "Hello", &numbers(1)).await;
        answer(&store, MessageId::new(chunk, 0), MessageStatus::Undelivered).await;
        let other = user_with(&store, "obi", "100").await;
        assert_eq!(fixture.campaigns.resend(other, id, None, None).await.unwrap_err().code(), "not_found");
        assert_eq!(fixture.campaigns.resend(fixture.user, CampaignId(id.0 + 1), None, None).await.unwrap_err().code(), "not_found");
    }
}
