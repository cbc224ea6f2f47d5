use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::*;
use crate::campaign::filled_form;
use crate::campaign::report::{self, explain, number_search};
use crate::contact::suppression::{self, SuppressionScope};
use crate::error::{Error, Result};
use crate::ledger::verify;
use crate::model::account::id::UserId;
use crate::model::account::user::Role;
use crate::model::campaign::audience_chunk::{Chunk, ChunkBuilder};
use crate::model::campaign::id::AudienceChunkId;
use crate::model::message::id::MessageId;
use crate::model::message::status::MessageStatus as S;
use crate::model::page::{Page, RecordScope};
use crate::operate::user::{deletion, legal_hold};
use crate::phone::{Msisdn, NetworkTable};
use crate::store::message::number_runs;
use crate::store::{Dialect, WriteFaults};
use crate::testing::account::make_user;
use crate::testing::builder::{Built, START, Spot, build};
use crate::testing::database::{occurrences_of, run};
use crate::{args, both_databases};

mod details;
mod terms;

const DAYS: u32 = 30;

/// What was over at [`START`] is past its time.
fn later() -> Time {
    START + Duration::from_hours(24 * 40)
}

fn wanted() -> Msisdn {
    Msisdn::from_digits(2_348_031_234_567).unwrap()
}

/// Ends a campaign, when it was confirmed.
async fn end(store: &Store, built: &Built) {
    run(
        store,
        vec![
            format!("UPDATE quotes SET confirmed_at = {} WHERE id = {}", START.0, built.quote),
            format!(
                "UPDATE campaign_chunks SET state = 'done', cursor = answered, tail_cancelled = size - answered \
                 WHERE campaign_id = {}",
                built.campaign
            ),
            format!(
                "UPDATE campaigns SET status = 'completed', completed_at = {}, chunks_open = 0 WHERE id = {}",
                START.0, built.campaign
            ),
        ],
    )
    .await;
}

/// Has a time hold for long.
async fn hold_for(store: &Store, class: DataClass, days: u32) {
    let known = table::term(&mut store.read().await.unwrap(), class).await.unwrap();
    if known.is_some_and(|(known, _)| known == Some(i64::from(days))) {
        return;
    }
    let job = store.write(Lane::Interactive, (class, days), |tx, (class, days)| {
        Box::pin(table::set_term(tx, *class, Some(i64::from(*days)), START - GRACE))
    });
    job.await.unwrap();
}

async fn all(store: &Store, class: DataClass, now: Time) -> Result<u64> {
    hold_for(store, class, DAYS).await;
    let mut steps = 0;
    while tick(store, class, DAYS, now).await? {
        steps += 1;
        assert!(steps < 1_000, "it does not end");
    }
    Ok(steps)
}

async fn both(store: &Store) {
    for class in WALKED {
        all(store, class, later()).await.unwrap();
    }
}

async fn texts(store: &Store, built: &Built) -> [String; 3] {
    let sql = "SELECT c.content, q.content, q.details FROM campaigns c JOIN quotes q ON q.id = c.quote_id WHERE c.id = $1";
    let (campaign, quote, details): (String, String, String) =
        store.read().await.unwrap().one(sql, args![built.campaign]).await.unwrap();
    [campaign, quote, details]
}

/// Numbers of a campaign that are not erased.
async fn numbers(store: &Store, built: &Built) -> usize {
    let mut tx = store.read().await.unwrap();
    let chunks = table::chunks_of(&mut tx, vec![built.audience]).await.unwrap();
    let decode = |(_, data): &(AudienceChunkId, Vec<u8>)| Chunk::decode(data).unwrap();
    chunks.iter().map(decode).map(|it| it.numbers().iter().filter(|it| !it.is_erased()).count()).sum()
}

/// Recipients in the index of numbers, packed or not.
async fn index(store: &Store) -> usize {
    let mut tx = store.read().await.unwrap();
    let (rows,): (i64,) = tx.one("SELECT COUNT(*) FROM number_index", args![]).await.unwrap();
    rows as usize + number_runs::all(&mut tx).await.unwrap().len()
}

fn delivered(count: usize) -> Vec<Spot> {
    vec![Spot::Answered(S::Delivered); count]
}

/// How often the number or the text is in the files of a SQLite database.
fn occurrences(store: &Store) -> usize {
    let integer = &wanted().digits().to_be_bytes()[2..];
    occurrences_of(store, &[integer, b"2348031234567", b"8031234567", b"Sale at 4711", b"Bisi"])
}

async fn page(store: &Store, built: &Built) -> Vec<(i64, String, String, String, i64)> {
    let mut tx = store.read().await.unwrap();
    let networks = NetworkTable::builtin();
    let page = Page::new(1, 100);
    let found = report::page(&mut tx, RecordScope::All, built.campaign, report::Filter::All, page, networks);
    let rows = found.await.unwrap().messages;
    rows.into_iter().map(|it| (it.id, it.status, it.network, format!("{:?}", it.price), it.pages)).collect()
}

both_databases! {
    async fn what_is_past_its_time_is_gone_and_everything_else_is_as_it_was(store: Store) {
        let mut spots = delivered(40);
        spots[7] = Spot::Answered(S::Rejected);
        let built = build(&store, "ada").text("Sale at 4711").chunk(&spots).chunk(&spots).number(0, 3, wanted());
        let built = built.store().await;
        built.merge_packed(&store).await;
        end(&store, &built).await;
        let details = format!("{{\"message\":\"Bisi, Sale at 4711\",\"message_to\":\"{}\",\"total_pages\":9}}", wanted());
        run(&store, vec![
            format!("UPDATE quotes SET details = '{details}' WHERE id = {}", built.quote),
            format!("INSERT INTO quote_rejects (quote_id, ordinal, line, value, code, reason) \
                     VALUES ({}, 1, 1, '0803 bad', 'bad', 'Bad')", built.quote),
            format!("INSERT INTO suppressions (scope, number, source, created_at, note) VALUES (7, {}, 'manual', 1, '')", 2_348_039_999_999_i64),
        ]).await;
        let before = page(&store, &built).await;
        let scope = SuppressionScope::User(UserId(7));
        let optouts = async || suppression::list(&mut store.read().await.unwrap(), scope, "", 0, 10).await.unwrap().optouts.len();
        let listed = optouts().await;
        // The day before it is past its time nothing happens.
        for class in WALKED {
            assert_eq!(all(&store, class, START + Duration::from_hours(24 * 30 - 1)).await.unwrap(), 0);
        }
        assert_eq!((numbers(&store, &built).await, index(&store).await), (80, 80));
        both(&store).await;
        assert_eq!((numbers(&store, &built).await, index(&store).await), (0, 0));
        assert_eq!(page(&store, &built).await, before, "status, network, price and pages stay");
        assert_eq!(optouts().await, listed);
        let said = texts(&store, &built).await;
        assert!(said.iter().all(|text| !text.contains("4711") && !text.contains("Bisi")), "{said:?}");
        assert!(said[2].contains("total_pages"), "{said:?}");
        let mut tx = store.read().await.unwrap();
        let rejects: (i64,) = tx.one("SELECT COUNT(*) FROM quote_rejects", args![]).await.unwrap();
        assert_eq!(rejects.0, 0);
        let counted = "SELECT campaigns, items FROM retention_days WHERE class = 'numbers'";
        let counted: (i64, i64) = tx.one(counted, args![]).await.unwrap();
        assert_eq!(counted, (1, 81), "recipients, and the rejected row");
        let findings = verify::verify(&mut tx).await.unwrap();
        assert!(findings.0.is_empty(), "{findings:?}");
        let networks = NetworkTable::builtin();
        assert!(number_search::ids(&mut tx, RecordScope::All, wanted(), 10).await.unwrap().is_empty());
        let told = explain::message(&mut tx, RecordScope::All, MessageId::new(built.chunks[0], 3), networks).await.unwrap();
        assert_eq!((&*told.message.to, &*told.message.network), ("erased", "mtn"));
        let shown = report::progress::view(&mut tx, RecordScope::All, built.campaign).await.unwrap();
        assert_eq!(shown.msg, "text erased");
        let refused = filled_form::of_campaign(&mut tx, built.user, built.campaign).await.unwrap_err();
        assert_eq!(refused.code(), "text_erased");
        drop(tx);
        store.clean().await.unwrap();
        if store.dialect() == Dialect::Sqlite {
            assert_eq!(occurrences(&store), 0);
        }
        for class in WALKED {
            assert_eq!(all(&store, class, later()).await.unwrap(), 0, "a second time there is nothing to do");
        }
    }

    async fn a_text_that_is_kept_for_less_time_than_its_numbers_is_shown_as_erased(store: Store) {
        let built = build(&store, "ada").text("Sale at 4711").chunk(&delivered(2)).store().await;
        built.merge_all(&store).await;
        end(&store, &built).await;
        all(&store, DataClass::Texts, later()).await.unwrap();
        let mut tx = store.read().await.unwrap();
        let id = MessageId::new(built.chunks[0], 1);
        let told = explain::message(&mut tx, RecordScope::All, id, NetworkTable::builtin()).await.unwrap();
        assert_eq!((&*told.text, &*told.message.to), ("text erased", &*built.numbers[1].to_string()));
        drop(tx);
        assert_eq!(numbers(&store, &built).await, 2);
    }

    async fn texts_that_each_recipient_has_for_themselves_go_with_the_text_and_not_with_the_number(store: Store) {
        let built = build(&store, "ada").text("{ Message|Hello}").chunk(&delivered(3_000)).chunk(&delivered(2_000)).store().await;
        let small = build(&store, "ada").text("{message}").chunk(&delivered(2)).store().await;
        let texted = async |built: &Built| {
            let mut places = 0;
            for id in &built.audience_chunks {
                let mut tx = store.read().await.unwrap();
                let (data,): (Vec<u8>,) = tx.one("SELECT data FROM audience_chunks WHERE id = $1", args![*id]).await.unwrap();
                let chunk = Chunk::decode(&data).unwrap();
                let has_text = |place: &usize| chunk.recipient(*place).unwrap().fields().iter().any(|it| !it.is_empty());
                places += (0..chunk.len()).filter(has_text).count();
            }
            places
        };
        for built in [&built, &small] {
            end(&store, built).await;
            for id in &built.audience_chunks {
                let mut tx = store.read().await.unwrap();
                let (data,): (Vec<u8>,) = tx.one("SELECT data FROM audience_chunks WHERE id = $1", args![*id]).await.unwrap();
                drop(tx);
                let held = Chunk::decode(&data).unwrap();
                let mut builder = ChunkBuilder::new(1);
                for number in held.numbers() {
                    builder.push(*number, 1, 1, ["Your code is 4711"]);
                }
                let chunks = vec![(*id, builder.take().unwrap().unwrap().data)];
                let job = store.write(Lane::Interactive, chunks, |tx, chunks| Box::pin(table::rewrite_chunks(tx, chunks)));
                job.await.unwrap();
            }
        }
        assert_eq!((texted(&built).await, texted(&small).await), (5_000, 2));
        // It dies between the campaign's text and those of its chunks.
        hold_for(&store, DataClass::Texts, DAYS).await;
        let dying = store.with_faults(Arc::new(DiesAt(AtomicUsize::new(0), 1)));
        assert!(all(&dying, DataClass::Texts, later()).await.is_err());
        assert!(!texts(&store, &built).await[0].contains("Message"), "it cannot be sent again without its texts");
        all(&store, DataClass::Texts, later()).await.unwrap();
        assert_eq!((texted(&built).await, texted(&small).await), (0, 0));
        assert!(texts(&store, &built).await.iter().all(|it| !it.contains("essage}") && !it.contains("Message")));
        assert_eq!((numbers(&store, &built).await, numbers(&store, &small).await), (5_000, 2));
    }

    async fn a_campaign_that_is_not_over_stays_and_is_taken_up_when_it_is(store: Store) {
        for spot in [Spot::Tail, Spot::InFlight, Spot::Answered(S::Unknown)] {
            let built = build(&store, "ada").chunk(&[spot]).store().await;
            built.merge_all(&store).await;
            let over = build(&store, "bola").chunk(&delivered(1)).store().await;
            over.merge_packed(&store).await;
            end(&store, &over).await;
            if spot == Spot::Answered(S::Unknown) {
                end(&store, &built).await;
            }
            both(&store).await;
            assert_eq!((numbers(&store, &built).await, numbers(&store, &over).await), (1, 0), "{spot:?}");
            run(&store, vec![
                format!("UPDATE campaign_chunks SET delivered = delivered + unknown, unknown = 0 WHERE campaign_id = {}", built.campaign),
            ]).await;
            end(&store, &built).await;
            both(&store).await;
            assert_eq!(numbers(&store, &built).await, 1, "it is looked at again a day later");
            for class in WALKED {
                all(&store, class, later() + Duration::from_hours(25)).await.unwrap();
            }
            assert_eq!(numbers(&store, &built).await, 0, "{spot:?}");
            assert!(!texts(&store, &built).await[0].contains("Hello"));
        }
    }

    async fn one_that_was_confirmed_lately_is_waited_for_and_not_passed_over(store: Store) {
        let open = build(&store, "ada").chunk(&[Spot::Tail]).store().await;
        let over = build(&store, "bola").chunk(&delivered(1)).store().await;
        over.merge_all(&store).await;
        open.merge_all(&store).await;
        end(&store, &over).await;
        let soon = START + Duration::from_hours(24 * 31);
        all(&store, DataClass::Numbers, soon).await.unwrap();
        assert_eq!(numbers(&store, &over).await, 1, "it waits behind the other");
        end(&store, &open).await;
        all(&store, DataClass::Numbers, soon).await.unwrap();
        assert_eq!((numbers(&store, &over).await, numbers(&store, &open).await), (0, 0));
    }

    async fn of_an_audience_with_several_runs_nothing_goes_before_the_last_is_past_its_time(store: Store) {
        let built = build(&store, "ada").chunk(&delivered(3)).store().await;
        built.merge_all(&store).await;
        end(&store, &built).await;
        let other = build(&store, "ada").chunk(&[Spot::Tail; 3]).store().await;
        run(&store, vec![
            format!("UPDATE campaigns SET quote_id = {}, run = 1, audience_id = {} WHERE id = {}",
                built.quote, built.audience, other.campaign),
            format!("UPDATE campaign_chunks SET audience_chunk_id = {} WHERE campaign_id = {}",
                built.audience_chunks[0], other.campaign),
        ]).await;
        both(&store).await;
        assert_eq!(numbers(&store, &built).await, 3);
        assert!(texts(&store, &built).await[0].contains("Hello"));
        end(&store, &other).await;
        for class in WALKED {
            all(&store, class, later() + Duration::from_hours(25)).await.unwrap();
        }
        assert_eq!(numbers(&store, &built).await, 0);
        assert!(!texts(&store, &built).await[0].contains("Hello") && !texts(&store, &other).await[0].contains("Hello"));
    }

    async fn nothing_of_a_customer_under_a_hold_goes_until_it_is_lifted(store: Store) {
        let admin = make_user(&store, "root", Role::Admin).await;
        let held = build(&store, "ada").chunk(&delivered(2)).number(0, 0, wanted()).store().await;
        let free = build(&store, "bola").chunk(&delivered(2)).store().await;
        for built in [&held, &free] {
            built.merge_packed(&store).await;
            end(&store, built).await;
        }
        let put = async |reason: &'static str| {
            let input = (held.user, reason, admin);
            let job = store.write(Lane::Interactive, input, |tx, (user, reason, by)| {
                Box::pin(legal_hold::put(tx, *user, reason, *by, later()))
            });
            job.await
        };
        assert_eq!(put(" ").await.unwrap_err().code(), "reason_required");
        put("Case 17").await.unwrap();
        both(&store).await;
        assert_eq!((numbers(&store, &held).await, numbers(&store, &free).await), (2, 0));
        let clock = crate::time::ManualClock::new(later());
        let erased = crate::operate::subject::erase(
            &store, &clock, admin, (wanted(), None), NetworkTable::builtin(),
        );
        assert_eq!(erased.await.unwrap_err().code(), "legal_hold");
        let deleted = store.write(Lane::Interactive, (held.user, admin), |tx, (user, by)| {
            Box::pin(deletion::delete_user(tx, *user, *by, later()))
        });
        assert_eq!(deleted.await.unwrap_err().code(), "legal_hold");
        let lift = store.write(Lane::Interactive, (held.user, admin), |tx, (user, by)| {
            Box::pin(legal_hold::lift(tx, *user, *by, later()))
        });
        lift.await.unwrap();
        both(&store).await;
        assert_eq!(numbers(&store, &held).await, 0);
        assert!(!texts(&store, &held).await[0].contains("Hello"));
        let sql = "SELECT action, before_text, after_text FROM audit ORDER BY id";
        let told: Vec<(String, Option<String>, Option<String>)> = store.read().await.unwrap().all(sql, args![]).await.unwrap();
        let case = || Some("Case 17".to_owned());
        assert_eq!(told, [("user.hold".to_owned(), None, case()), ("user.unhold".to_owned(), case(), None)]);
    }

    async fn a_kill_between_any_two_steps_leaves_nothing_that_is_not_taken_up(store: Store) {
        // Three chunks of a campaign that is larger than a step, then small ones.
        let large = build(&store, "ada").chunk(&delivered(2_000)).chunk(&delivered(2_000)).chunk(&delivered(2_000));
        let large = large.store().await;
        let small = build(&store, "ada").chunk(&delivered(3)).store().await;
        large.merge_packed(&store).await;
        small.merge_all(&store).await;
        for built in [&large, &small] {
            end(&store, built).await;
        }
        hold_for(&store, DataClass::Numbers, DAYS).await;
        for dies_at in 0..6 {
            let dying = store.with_faults(Arc::new(DiesAt(AtomicUsize::new(0), dies_at)));
            match all(&dying, DataClass::Numbers, later()).await {
                Ok(_) => break,
                Err(error) => assert!(matches!(error, Error::Crashed), "{error}"),
            }
            let left = numbers(&store, &large).await + numbers(&store, &small).await;
            assert_eq!(index(&store).await, left, "a number leaves its chunk and the index together");
        }
        all(&store, DataClass::Numbers, later()).await.unwrap();
        assert_eq!((numbers(&store, &large).await, numbers(&store, &small).await, index(&store).await), (0, 0, 0));
        let sql = "SELECT campaigns, items FROM retention_days";
        let counted: (i64, i64) = store.read().await.unwrap().one(sql, args![]).await.unwrap();
        assert_eq!(counted, (2, 6_003), "each was counted once");
        let tomorrow = later() + Duration::from_hours(24);
        note_days(&store, tomorrow).await.unwrap();
        note_days(&store, tomorrow).await.unwrap();
        let sql = "SELECT subject, after_text FROM audit WHERE action = 'retention.erase'";
        let told: Vec<(String, String)> = store.read().await.unwrap().all(sql, args![]).await.unwrap();
        assert_eq!(told, [("2023-12-24".to_owned(), "numbers: 2 campaigns, 6003 recipients or rows".to_owned())]);
    }

    async fn what_would_go_is_told_before_it_does_and_what_is_behind_after(store: Store) {
        let held = build(&store, "ada").chunk(&delivered(2)).store().await;
        let free = build(&store, "bola").chunk(&delivered(3)).store().await;
        build(&store, "bola").chunk(&[Spot::Tail]).store().await;
        for built in [&held, &free] {
            end(&store, built).await;
        }
        run(&store, vec![format!("INSERT INTO legal_holds (user_id, reason, held_at, held_by) VALUES ({}, 'x', 1, 1)", held.user)]).await;
        let days = RetentionDays { numbers: Some(DAYS), inbound: Some(90), ..RetentionDays::default() };
        let said = async |now| {
            let all = forecast(&store, days, now).await.unwrap();
            all.iter().map(ToString::to_string).collect::<Vec<_>>()
        };
        let early = START + Duration::from_hours(24 * 29);
        assert_eq!(said(early).await[0], "numbers: kept for 30 days; 0 campaigns with 0 recipients are past it; it holds a day after a daemon is started with it");
        in_force(&store, days, later()).await.unwrap();
        assert_eq!(said(later()).await, [
            "numbers: kept for 30 days; 2 campaigns with 5 recipients are past it, of which 1 campaigns are under a legal hold and stay; it holds from 2023-12-25T22:13:20.000Z on",
            "inbound: kept for 90 days; it holds from 2023-12-25T22:13:20.000Z on",
        ]);
        let behind = async |now| lag(&mut store.read().await.unwrap(), DataClass::Numbers, DAYS, now).await.unwrap();
        assert_eq!(behind(later()).await, Duration::ZERO, "the time does not hold yet");
        assert_eq!(behind(later() + GRACE).await, Duration::from_hours(24 * 11));
        all(&store, DataClass::Numbers, later() + GRACE).await.unwrap();
        assert_eq!(behind(later() + GRACE).await, Duration::ZERO);
    }

    async fn a_campaign_that_cannot_be_read_or_is_from_the_future_keeps_no_other(store: Store) {
        let mut built = Vec::new();
        for name in ["ada", "bola", "chi", "dayo"] {
            let one = build(&store, name).text("Sale at 4711").chunk(&delivered(2)).store().await;
            end(&store, &one).await;
            built.push(one);
        }
        let [damaged, ahead] = [&built[1], &built[2]].map(|it| it.campaign);
        run(&store, vec![
            format!("UPDATE campaigns SET content = '{{' WHERE id = {damaged}"),
            format!("UPDATE campaigns SET created_at = {} WHERE id = {ahead}", (later() + Duration::from_hours(24 * 900)).0),
        ]).await;
        all(&store, DataClass::Texts, later()).await.unwrap();
        let said = async |at: usize| texts(&store, &built[at]).await[0].contains("4711");
        assert_eq!([said(0).await, said(2).await, said(3).await], [false, true, false]);
        // Both are looked at again each day, and nothing else is done for them.
        assert_eq!(all(&store, DataClass::Texts, later()).await.unwrap(), 0);
        assert!(all(&store, DataClass::Texts, later() + Duration::from_hours(25)).await.unwrap() > 0);
    }
}

/// Dies before its write of this number.
#[derive(Debug)]
struct DiesAt(AtomicUsize, usize);

impl WriteFaults for DiesAt {
    fn crash_before(&self) -> bool {
        self.0.fetch_add(1, Ordering::SeqCst) == self.1
    }

    fn crash_after(&self) -> bool {
        false
    }
}
