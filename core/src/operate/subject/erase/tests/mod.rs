use std::sync::atomic::{AtomicI64, Ordering};

use talkdrum_api::purpose::{OptOutReach, Purpose};

use super::*;
use crate::campaign::report::explain;
use crate::contact::suppression::{self, OptOutSource, OptOuts, SuppressionScope};
use crate::inbound;
use crate::ledger;
use crate::model::account::id::UserId;
use crate::model::account::user::Role;
use crate::model::contact::id::SuppressionId;
use crate::model::message::id::MessageId;
use crate::model::page::Page;
use crate::operate::subject::show;
use crate::routing::dnd::DndList;
use crate::store::Dialect;
use crate::store::message::inbound::NewInbound;
use crate::store::platform::audit as trail;
use crate::testing::account::make_user;
use crate::testing::builder::{Built, Spot, build};
use crate::testing::database::{occurrences_of, run};
use crate::time::ManualClock;
use crate::worker::jobs::number_index;
use crate::{args, both_databases};

mod forms;
mod other_key;
mod quotes;
mod words;

const NOW: Time = Time(1_700_000_900_000);

fn wanted() -> Msisdn {
    Msisdn::from_digits(2_348_031_234_567).unwrap()
}

fn other() -> Msisdn {
    Msisdn::from_digits(2_348_039_999_999).unwrap()
}

/// A clock by which a call has time for few steps.
#[derive(Debug)]
struct Hurried(AtomicI64);

impl Clock for Hurried {
    fn now(&self) -> Time {
        Time(self.0.fetch_add(7_000, Ordering::SeqCst))
    }
}

/// Erases the number to the end; what each table had of it.
async fn erase_all(store: &Store) -> Result<Vec<(String, u64)>> {
    let admin = make_admin(store).await;
    let mut tables = Vec::new();
    let mut from = None;
    loop {
        let clock = ManualClock::new(NOW);
        let networks = NetworkTable::builtin();
        let erased = erase(store, &clock, admin, (wanted(), from.as_deref()), networks).await?;
        tables.extend(erased.tables.into_iter().map(|it| (it.table, it.rows)));
        match erased.next {
            Some(next) => from = Some(next),
            None => return Ok(tables),
        }
    }
}

async fn make_admin(store: &Store) -> UserId {
    let found: Option<(UserId,)> = store
        .read()
        .await
        .unwrap()
        .opt("SELECT id FROM users WHERE username = 'root'", args![])
        .await
        .unwrap();
    match found {
        Some((id,)) => id,
        None => make_user(store, "root", Role::Admin).await,
    }
}

/// Ends all campaigns.
async fn end(store: &Store) {
    run(
        store,
        vec![
            "UPDATE quotes SET confirmed_at = 1".into(),
            "UPDATE campaign_chunks SET state = 'done'".into(),
            "UPDATE campaigns SET status = 'completed', completed_at = 1, chunks_open = 0".into(),
        ],
    )
    .await;
}

/// Rows of every other table that may hold the number.
async fn fill(store: &Store, user: UserId) {
    let number = wanted();
    let digits = number.digits();
    let mut statements = vec![
        format!(
            "INSERT INTO contact_groups (id, user_id, name, name_key, description, columns, contacts_count, created_at, \
               updated_at) VALUES (1, {user}, 'Clients', 'clients', '', '[]', 2, 1, 1)"
        ),
        format!(
            "INSERT INTO contacts (id, group_id, number, name, email, created_at, updated_at) \
             VALUES (1, 1, {digits}, 'Bisi', 'b@example.com', 1, 1), (2, 1, {}, 'Uche', '', 1, 1)",
            other().digits()
        ),
        "INSERT INTO contact_buckets (group_id, bucket, contacts) VALUES (1, 0, 2)".into(),
        format!(
            "INSERT INTO webhook_events (user_id, type, body, created_at) VALUES ({user}, 'messages.updated', \
             '{{\"data\":{{\"messages\":[{{\"id\":2,\"to\":\"{number}\"}},{{\"id\":3,\"to\":\"{}\"}}]}}}}', 1)",
            other()
        ),
        "INSERT INTO quote_rejects (quote_id, ordinal, line, value, code, reason) \
         VALUES (1, 3, 1, '0803 123-4567', 'opted_out', 'Opted out'), (1, 4, 1, '+1 803 123 4567', 'bad', 'Bad')"
            .into(),
        format!(
            "INSERT INTO drafts (user_id, form, title, fields, version, created_at, updated_at) VALUES ({user}, 'text', \
             'To 08031234567', '{{\"contacts\":\"0803 123 4567, {}\"}}', 1, 1, 1)",
            other()
        ),
        format!(
            "INSERT INTO audit (at, user_id, action, subject, before_text, after_text) \
             VALUES (1, NULL, 'optout.add', '{number}', NULL, 'all')"
        ),
    ];
    for _ in 0..150 {
        statements.push(
            "INSERT INTO inbound_messages (carrier, sender, recipient, text, received_at, handled_at) \
             VALUES ('main', '08031234567', '2347000000000', 'Hello', 1, 2)"
                .into(),
        );
    }
    run(store, statements).await;
}

/// How often the number is in the files of a SQLite database, as an integer or as text.
fn occurrences(store: &Store) -> usize {
    let integer = &wanted().digits().to_be_bytes()[2..];
    occurrences_of(store, &[integer, b"2348031234567", b"8031234567", b"0803 123-4567", b"0803 123 4567"])
}

async fn opt_out(store: &Store, scope: SuppressionScope, how: (OptOutSource, OptOutReach)) {
    let job = store.write(Lane::Interactive, (scope, how), |tx, (scope, how)| {
        Box::pin(suppression::add_noted(tx, *scope, wanted(), *how, "asked at 0803 123 4567", NOW))
    });
    job.await.unwrap();
}

async fn texts(store: &Store, built: &Built) -> [String; 3] {
    let sql = "SELECT c.content, q.content, q.details FROM campaigns c JOIN quotes q ON q.id = c.quote_id WHERE c.id = $1";
    let (campaign, quote, details): (String, String, String) =
        store.read().await.unwrap().one(sql, args![built.campaign]).await.unwrap();
    [campaign, quote, details]
}

both_databases! {
    async fn an_erased_number_is_nowhere_found_and_the_campaign_is_as_it_was(store: Store) {
        let networks = NetworkTable::builtin();
        let mut spots = vec![Spot::Answered(S::Delivered); 40];
        spots[7] = Spot::Answered(S::Rejected);
        let built = build(&store, "ada").chunk(&spots).chunk(&spots).number(0, 3, wanted()).number(1, 7, wanted());
        let built = built.store().await;
        built.merge_packed(&store).await;
        let single = build(&store, "ngozi").text("Your code is 4711").chunk(&spots[..1]).number(0, 0, wanted());
        let single = single.store().await;
        single.merge_all(&store).await;
        end(&store).await;
        for (built, to) in [(&built, wanted()), (&single, wanted())] {
            let details = format!("{{\"message\":\"Your code is 4711\",\"message_to\":\"{to}\",\"total_pages\":9}}");
            run(&store, vec![format!("UPDATE quotes SET details = '{details}' WHERE id = {}", built.quote)]).await;
        }
        let page = async || {
            let mut tx = store.read().await.unwrap();
            let filter = report::Filter::All;
            report::page(&mut tx, RecordScope::All, built.campaign, filter, Page::new(1, 100), networks).await.unwrap()
        };
        let before = page().await;
        fill(&store, built.user).await;
        opt_out(&store, SuppressionScope::Platform, (OptOutSource::Stop, OptOutReach::All)).await;
        if store.dialect() == Dialect::Sqlite {
            assert!(occurrences(&store) > 150, "the search of the file finds nothing");
        }
        let erased = erase_all(&store).await.unwrap();
        let erased: Vec<(&str, u64)> = erased.iter().map(|(table, rows)| (&**table, *rows)).collect();
        assert_eq!(erased, [
            ("messages", 3), ("contacts", 1), ("suppressions", 1), ("quote_rejects", 1), ("drafts", 1),
            ("inbound_messages", 150), ("webhook_events", 1), ("audit", 1),
        ]);
        let after = page().await;
        assert_eq!(after.total, before.total);
        for (place, (after, before)) in after.messages.iter().zip(&before.messages).enumerate() {
            let expected = if [3, 47].contains(&place) { "erased" } else { &*before.to };
            assert_eq!(after.to, expected);
            let both = [after, before].map(|it| (&*it.status, &*it.network, it.pages, it.price, it.id));
            assert_eq!(both[0], both[1]);
        }
        let [campaign, quote, details] = texts(&store, &built).await;
        assert_eq!(details, r#"{"message":"","total_pages":9}"#, "it was the first recipient");
        assert!(!campaign.contains("\"\"") && !quote.contains("\"\""), "others got this text: {campaign} {quote}");
        let words = texts(&store, &single).await;
        assert!(words.iter().all(|text| !text.contains("4711")), "{words:?}");
        let mut tx = store.read().await.unwrap();
        assert!(number_search::ids(&mut tx, RecordScope::All, wanted(), 10).await.unwrap().is_empty());
        let findings = ledger::verify::verify(&mut tx).await.unwrap();
        assert!(findings.0.is_empty(), "{findings:?}");
        let (title, fields, version): (String, String, i64) =
            tx.one("SELECT title, fields, version FROM drafts", args![]).await.unwrap();
        let expected = format!("{{\"contacts\":\"erased, {}\"}}", other());
        assert_eq!((&*title, fields, version), ("To erased", expected, 3), "raised by each column");
        let (body,): (String,) = tx.one("SELECT body FROM webhook_events", args![]).await.unwrap();
        assert!(body.contains("\"to\":\"erased\"") && body.contains(&other().to_string()), "{body}");
        let counted: (i64, i64) = tx
            .one("SELECT g.contacts_count, b.contacts FROM contact_groups g JOIN contact_buckets b ON b.group_id = g.id", args![])
            .await
            .unwrap();
        assert_eq!(counted, (1, 1));
        let entries = trail::newest(&mut tx, 3).await.unwrap();
        let entries: Vec<_> = entries.iter().map(|it| (&*it.subject, it.after.as_deref())).collect();
        let name = "a number that ends in 4567";
        let expected = [(name, Some("complete")), (name, Some("begun at messages")), ("erased", Some("all"))];
        assert_eq!(entries, expected);
        let told = explain::message(&mut tx, RecordScope::All, MessageId::new(single.chunks[0], 0), networks).await.unwrap();
        assert_eq!((&*told.message.to, &*told.message.network, &*told.text), ("erased", "mtn", ""));
        drop(tx);
        let left = show(&store, &DndList::default(), wanted(), networks).await.unwrap();
        let left: Vec<_> = left.tables.iter().map(|it| (&*it.table, it.count, &*it.on_erase)).collect();
        assert_eq!(left, [("suppressions", 1, "digest")]);
        if store.dialect() == Dialect::Sqlite {
            assert_eq!(occurrences(&store), 0);
        }
        assert_eq!(erase_all(&store).await.unwrap(), [], "a second time there is nothing to do");
    }

    async fn a_number_with_a_message_that_is_not_over_is_refused_and_stays(store: Store) {
        for spot in [Spot::Tail, Spot::Retry, Spot::InFlight, Spot::Answered(S::Unknown), Spot::Answered(S::Submitted)] {
            let built = build(&store, "ada").chunk(&[spot]).number(0, 0, wanted()).store().await;
            built.merge_packed(&store).await;
            let refused = erase_all(&store).await.unwrap_err();
            assert_eq!(refused.code(), "messages_open", "{spot:?}");
            let mut tx = store.read().await.unwrap();
            assert!(!number_search::ids(&mut tx, RecordScope::All, wanted(), 10).await.unwrap().is_empty());
        }
    }

    async fn a_number_that_is_being_merged_into_the_index_is_refused_until_it_is(store: Store) {
        let spots = [Spot::Answered(S::Delivered); 2];
        let built = build(&store, "ada").chunk(&spots).chunk(&spots).number(0, 0, wanted()).store().await;
        end(&store).await;
        // As a crash leaves it: the rows are there, and the audience waits to be merged again.
        built.merge_one(&store).await;
        assert_eq!(erase_all(&store).await.unwrap_err().code(), "messages_open");
        while number_index::tick(&store, NOW).await.unwrap() {}
        assert_eq!(erase_all(&store).await.unwrap(), [("messages".to_owned(), 1)]);
    }

    async fn events_that_are_still_being_told_stay_as_they_are(store: Store) {
        let built = build(&store, "ada").chunk(&[Spot::Answered(S::Delivered)]).store().await;
        end(&store).await;
        let user = built.user;
        fill(&store, user).await;
        run(&store, vec![
            format!(
                "INSERT INTO webhooks (id, user_id, url, description, events, secret, is_active, created_at, updated_at) \
                 VALUES (1, {user}, 'https://example.com', '', 'messages.updated', 'x', 1 = 1, 1, 1)"
            ),
            "INSERT INTO webhook_deliveries (webhook_id, event_id, status, due_at) SELECT 1, id, 'pending', 1 FROM webhook_events"
                .into(),
        ])
        .await;
        let admin = make_admin(&store).await;
        let clock = ManualClock::new(NOW);
        let answer = erase(&store, &clock, admin, (wanted(), None), NetworkTable::builtin()).await.unwrap();
        let stays = answer.stays.iter().map(|it| (&*it.table, it.rows)).collect::<Vec<_>>();
        assert_eq!((stays, answer.next.as_deref()), (vec![("webhook_events", 1)], None));
        let said = "SELECT after_text FROM audit ORDER BY id DESC LIMIT 1";
        let said: (String,) = store.read().await.unwrap().one(said, args![]).await.unwrap();
        assert_eq!(said.0, "complete but for what is not over: 1 of webhook_events");
        assert!(answer.tables.iter().all(|it| it.table != "webhook_events"), "{answer:?}");
        // One that was turned off is told nothing any more.
        run(&store, vec!["UPDATE webhooks SET is_active = 1 = 0".into()]).await;
        assert_eq!(erase_all(&store).await.unwrap(), [("webhook_events".to_owned(), 1)]);
    }

    async fn start_takes_back_what_stop_made_and_nothing_that_a_person_wrote_down(store: Store) {
        // Who wrote to it is not known any more; the other customer has another sender.
        let ada = build(&store, "ada").sender("WEBSMS").chunk(&[Spot::Answered(S::Delivered)]).store().await;
        let eve = build(&store, "eve").sender("OTHER").chunk(&[Spot::Answered(S::Delivered)]).store().await;
        end(&store).await;
        for user in [ada.user, eve.user] {
            opt_out(&store, SuppressionScope::User(user), (OptOutSource::Stop, OptOutReach::All)).await;
        }
        opt_out(&store, SuppressionScope::Platform, (OptOutSource::Manual, OptOutReach::All)).await;
        erase_all(&store).await.unwrap();
        // Beside the digest of what an administrator wrote down.
        opt_out(&store, SuppressionScope::Platform, (OptOutSource::Stop, OptOutReach::All)).await;
        let text = |text: &'static str| {
            store.write(Lane::Interactive, text, |tx, text| {
                Box::pin(async move {
                    let message = NewInbound {
                        sender: "08031234567".into(),
                        recipient: "WEBSMS".into(),
                        text: (*text).into(),
                        reference: None,
                        mark: None,
                        part: None,
                    };
                    inbound::take(tx, "main", &[message], NOW).await
                })
            })
        };
        text("START").await.unwrap();
        inbound::tick(&store, NOW).await.unwrap();
        let mut tx = store.read().await.unwrap();
        let left: Vec<(i64, OptOutSource)> =
            tx.all("SELECT scope, source FROM suppressions ORDER BY id", args![]).await.unwrap();
        assert_eq!(left, [(eve.user.0, OptOutSource::Stop), (0, OptOutSource::Manual)], "ada's is gone though the history is");
        let counted: Vec<(i64,)> = tx.all("SELECT numbers FROM suppression_scopes ORDER BY scope", args![]).await.unwrap();
        assert_eq!(counted, [(1,), (0,), (1,)]);
    }

    async fn what_was_written_down_is_told_from_what_stop_made_wider_after_the_erasure_too(store: Store) {
        let copies = OptOuts::default();
        let scope = SuppressionScope::User(UserId(7));
        let ended = async || {
            let snapshot = copies.of(&store, UserId(7)).await.unwrap();
            Purpose::ALL.map(|purpose| snapshot.contains(wanted(), purpose))
        };
        let start = async || {
            let job = store.write(Lane::Interactive, scope, |tx, scope| {
                Box::pin(suppression::take_back(tx, *scope, wanted()))
            });
            job.await.unwrap();
        };
        opt_out(&store, scope, (OptOutSource::Manual, OptOutReach::Promotional)).await;
        opt_out(&store, scope, (OptOutSource::Stop, OptOutReach::All)).await;
        erase_all(&store).await.unwrap();
        assert_eq!(ended().await, [true, true, false]);
        start().await;
        assert_eq!(ended().await, [true, false, false]);
        // Beside what was erased, and as one with it.
        opt_out(&store, scope, (OptOutSource::Stop, OptOutReach::All)).await;
        erase_all(&store).await.unwrap();
        assert_eq!(ended().await, [true, true, false]);
        start().await;
        assert_eq!(ended().await, [true, false, false]);
    }

    async fn an_opt_out_outlives_the_number_and_can_be_taken_back(store: Store) {
        let copies = OptOuts::default();
        let ended = async || {
            let snapshot = copies.of(&store, UserId(7)).await.unwrap();
            let by_copy = Purpose::ALL.map(|purpose| snapshot.contains(wanted(), purpose));
            let mut tx = store.read().await.unwrap();
            let mut by_rows = [false; 3];
            for (ended, purpose) in by_rows.iter_mut().zip(Purpose::ALL) {
                *ended = suppression::is_suppressed_many(&mut tx, UserId(7), &[other(), wanted()], purpose).await.unwrap() == [wanted()];
            }
            assert_eq!(by_copy, by_rows);
            assert!(!snapshot.contains(other(), Purpose::Promotional));
            by_copy
        };
        let scope = SuppressionScope::User(UserId(7));
        opt_out(&store, scope, (OptOutSource::Stop, OptOutReach::Promotional)).await;
        opt_out(&store, SuppressionScope::Platform, (OptOutSource::Manual, OptOutReach::Promotional)).await;
        assert_eq!(ended().await, [true, false, false]);
        erase_all(&store).await.unwrap();
        assert_eq!(ended().await, [true, false, false]);
        let list = async |scope| {
            let mut tx = store.read().await.unwrap();
            let found = suppression::list(&mut tx, scope, "", 0, 10).await.unwrap();
            let shown: Vec<_> = found.optouts.iter().map(|it| (it.phone.clone(), it.note.clone(), it.reach)).collect();
            (found.total, shown)
        };
        let erased = |reach| (1, vec![("erased".to_owned(), String::new(), reach)]);
        assert_eq!(list(scope).await, erased(OptOutReach::Promotional));
        // STOP ALL after the erasure is written down beside it, and becomes one with it when it is erased.
        opt_out(&store, scope, (OptOutSource::Stop, OptOutReach::All)).await;
        assert_eq!((ended().await, list(scope).await.0), ([true, true, false], 2));
        erase_all(&store).await.unwrap();
        assert_eq!((ended().await, list(scope).await), ([true, true, false], erased(OptOutReach::All)));
        let take_back = async |scope| {
            let job = store.write(Lane::Interactive, scope, |tx, scope| {
                Box::pin(suppression::remove(tx, *scope, wanted()))
            });
            job.await.unwrap()
        };
        assert!(take_back(scope).await && !take_back(scope).await);
        assert_eq!(list(scope).await, (0, vec![]));
        assert_eq!(ended().await, [true, false, false], "the platform's stays");
        let id = store.read().await.unwrap().one::<(SuppressionId,)>("SELECT id FROM suppressions", args![]).await.unwrap().0;
        let admin = make_admin(&store).await;
        let job = store.write(Lane::Interactive, (id, admin), |tx, (id, admin)| {
            Box::pin(suppression::remove_by_id(tx, SuppressionScope::Platform, *id, *admin, NOW))
        });
        job.await.unwrap();
        let noted = trail::newest(&mut store.read().await.unwrap(), 1).await.unwrap().remove(0);
        assert_eq!((&*noted.action, &*noted.subject), ("optout.remove", "erased"));
        assert_eq!(ended().await, [false; 3]);
    }

    async fn a_call_goes_on_after_the_rows_that_the_one_before_looked_at(store: Store) {
        let admin = make_admin(&store).await;
        // Rows with more digits before the number, which only look like it.
        let entry = |_| "INSERT INTO audit (at, action, subject) VALUES (1, 'x', '18031234567')".to_owned();
        run(&store, (0..1_050).map(entry).collect()).await;
        let (clock, networks) = (Hurried(AtomicI64::new(NOW.0)), NetworkTable::builtin());
        let (mut from, mut calls) = (None, 0);
        loop {
            let erased = erase(&store, &clock, admin, (wanted(), from.as_deref()), networks).await.unwrap();
            assert!(erased.next.is_none() || erased.next != from, "it begins where it began: {from:?}");
            calls += 1;
            assert!(calls < 200, "it does not end: {from:?}");
            from = erased.next;
            if from.is_none() {
                break;
            }
        }
        assert!(calls > 10);
    }

    async fn a_number_that_a_customer_under_a_hold_has_in_a_list_alone_is_not_erased(store: Store) {
        let user = make_user(&store, "ada", Role::User).await;
        run(&store, vec![
            format!("INSERT INTO contact_groups (id, user_id, name, name_key, description, columns, contacts_count, created_at, \
                       updated_at) VALUES (1, {user}, 'Clients', 'clients', '', '[]', 2, 1, 1)"),
            format!("INSERT INTO contacts (id, group_id, number, name, email, created_at, updated_at) \
                     VALUES (1, 1, {}, 'Bisi', 'b@example.com', 1, 1), (2, 1, {}, 'Uche', '', 1, 1)",
                wanted().digits(), other().digits()),
            "INSERT INTO contact_buckets (group_id, bucket, contacts) VALUES (1, 0, 2)".into(),
        ]).await;
        let count = async |sql| store.read().await.unwrap().one::<(i64,)>(sql, args![]).await.unwrap().0;
        run(&store, vec![format!("INSERT INTO legal_holds (user_id, reason, held_at, held_by) VALUES ({user}, 'x', 1, {user})")]).await;
        assert_eq!(erase_all(&store).await.unwrap_err().code(), "legal_hold");
        assert_eq!(count("SELECT COUNT(*) FROM contacts").await, 2);
        run(&store, vec!["DELETE FROM legal_holds".into()]).await;
        erase_all(&store).await.unwrap();
        assert_eq!(count("SELECT COUNT(*) FROM contacts").await, 1);
    }

    async fn what_is_no_table_is_refused(store: Store) {
        let admin = make_admin(&store).await;
        let clock = ManualClock::new(NOW);
        let networks = NetworkTable::builtin();
        for from in ["users; --", "audit:", "audit:0:1", "audit:999:1", "audit:x:1", "contacts:0:-1", "contacts:0:x", "contacts:0:1:1"] {
            let refused = erase(&store, &clock, admin, (wanted(), Some(from)), networks).await.unwrap_err();
            assert_eq!(refused.code(), "bad_table", "{from}");
        }
        let erased = erase(&store, &clock, admin, (wanted(), Some("audit")), networks).await.unwrap();
        assert_eq!(erased.next, None);
    }
}
