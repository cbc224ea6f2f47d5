use std::collections::VecDeque;
use std::sync::Mutex;
use std::time::Duration;

use super::calls::ReceiptCalls;
use super::placeholder::{Told, filled};
use super::watch::tick;
use super::*;
use crate::both_databases;
use crate::model::account::id::UserId;
use crate::model::campaign::id::ChunkId;
use crate::model::message::id::MessageId;
use crate::model::message::status::{MessageStatus, message_status};
use crate::phone::NetworkTable;
use crate::store::webhook::receipt_call::{self, CallSlots, NewReceiptCall};
use crate::store::webhook::receipt_callback as rows;
use crate::store::webhook::receipt_callback::NewCallback;
use crate::store::{Lane, Store};
use crate::testing::builder::{Built, Spot, build, user};
use crate::time::{ManualClock, Time};
use crate::webhook::delivery::{AT_ONCE_USER, SCHEDULE_S};
use crate::webhook::http_client::{CallbackClient, PendingRequest, RequestOutcome};

const NOW: Time = Time(1_700_000_100_000);
const DAYS_8: Duration = Duration::from_hours(8 * 24);

fn callback(url: &str, mask: i64) -> ReceiptCallback {
    let text = |text: &str| text.to_owned();
    let details = CallbackDetails {
        to: text("+2348031234567"),
        from: text("Talkdrum & Co"),
        service: text("ada"),
        account: text("acc"),
        billing: text("bi"),
    };
    ReceiptCallback { url: url.to_owned(), mask, details }
}

/// A message with a callback for every spot, each told of what `mask` holds.
async fn with_callbacks(store: &Store, mask: i64, spots: &[Spot]) -> Built {
    let built = build(store, "ada").chunk(spots).store().await;
    let input = (built.chunks[0], built.user, callback("http://example.com/%I?d=%d", mask), spots.len());
    store
        .write(Lane::Interactive, input, |tx, (chunk, user, callback, count)| {
            Box::pin(async move {
                let made: Vec<_> = (0..u16::try_from(*count).unwrap_or(0))
                    .map(|place| NewCallback {
                        message: MessageId::new(*chunk, place),
                        user_id: *user,
                        callback: &*callback,
                        look_at: NOW,
                    })
                    .collect();
                rows::insert(tx, &made).await
            })
        })
        .await
        .unwrap();
    built
}

/// Has the first message of a chunk watched from a time on.
async fn watch_from(store: &Store, built: &Built, mask: i64, look_at: Time) {
    let input = (built.chunks[0], built.user, callback("http://example.com/%I?d=%d", mask), look_at);
    store
        .write(Lane::Interactive, input, |tx, (chunk, user, callback, look_at)| {
            Box::pin(async move {
                let message = MessageId::new(*chunk, 0);
                let new = NewCallback { message, user_id: *user, callback: &*callback, look_at: *look_at };
                rows::insert(tx, &[new]).await
            })
        })
        .await
        .unwrap();
}

async fn look_at(store: &Store, chunk: ChunkId) -> Time {
    let sql = "SELECT look_at FROM receipt_callback_chunks WHERE chunk_id = $1";
    store.read().await.unwrap().one::<(Time,)>(sql, crate::args![chunk]).await.unwrap().0
}

async fn change(store: &Store, sql: &'static str, id: i64) {
    store
        .write(Lane::Interactive, (sql, id), |tx, (sql, id)| {
            Box::pin(async move { tx.run(*sql, crate::args![*id]).await.map(drop) })
        })
        .await
        .unwrap();
}

/// The calls that were stored since the last time: the place of each message, and its event.
async fn heard(store: &Store, now: Time) -> Vec<(u16, String)> {
    while tick(store, NetworkTable::builtin(), now).await.unwrap() {}
    let mut tx = store.read().await.unwrap();
    let calls: Vec<(i64, String)> =
        tx.all("SELECT message_id, url FROM receipt_calls ORDER BY id", crate::args![]).await.unwrap();
    drop(tx);
    change(store, "DELETE FROM receipt_calls WHERE id > $1", 0).await;
    let event = |url: String| url.split_once("?d=").unwrap().1.to_owned();
    calls.into_iter().map(|(id, url)| (MessageId(id).place(), event(url))).collect()
}

async fn watched(store: &Store) -> (i64, i64) {
    let sql =
        "SELECT (SELECT COUNT(*) FROM receipt_callbacks), (SELECT COUNT(*) FROM receipt_callback_chunks)";
    store.read().await.unwrap().one(sql, crate::args![]).await.unwrap()
}

fn told(pairs: &[(u16, &str)]) -> Vec<(u16, String)> {
    pairs.iter().map(|(place, event)| (*place, (*event).to_owned())).collect()
}

both_databases! {
    async fn a_message_is_told_of_as_it_gets_on_and_each_event_once(store: Store) {
        let built = with_callbacks(&store, 31, &[
            Spot::InFlight,
            Spot::Answered(MessageStatus::Submitted),
            Spot::Answered(MessageStatus::Delivered),
            Spot::Answered(MessageStatus::Undelivered),
        ]).await;
        let chunk = built.chunks[0];
        let first = heard(&store, NOW).await;
        assert_eq!(first, told(&[(1, "8"), (2, "8"), (2, "1"), (3, "8"), (3, "2")]), "what happened between two looks is told, too");
        assert_eq!(watched(&store).await, (2, 1), "what ended is forgotten");
        assert_eq!(heard(&store, NOW + Duration::from_secs(600)).await, []);
        change(&store, concat!("UPDATE messages SET status = ", message_status!(Delivered), " WHERE id = $1 * 4096 + 1"), chunk.0).await;
        change(&store, "UPDATE campaign_chunks SET submitted = 0, delivered = 2 WHERE id = $1", chunk.0).await;
        assert_eq!(heard(&store, NOW + Duration::from_secs(1_200)).await, told(&[(1, "1")]));
        assert_eq!(watched(&store).await, (1, 1));
    }

    async fn only_what_the_mask_asks_for_is_told(store: Store) {
        let spots = [MessageStatus::Submitted, MessageStatus::Delivered, MessageStatus::Undelivered].map(Spot::Answered);
        with_callbacks(&store, 3, &spots).await;
        assert_eq!(heard(&store, NOW).await, told(&[(1, "1"), (2, "2")]));
        assert_eq!(watched(&store).await, (1, 1), "the first goes on");
    }

    async fn what_no_carrier_accepted_was_refused_and_what_one_accepted_has_failed(store: Store) {
        let built = with_callbacks(&store, 63, &[
            Spot::Answered(MessageStatus::Rejected),
            Spot::Answered(MessageStatus::Expired),
            Spot::Answered(MessageStatus::Rejected),
            Spot::Answered(MessageStatus::Suppressed),
            Spot::Answered(MessageStatus::Cancelled),
        ]).await;
        change(&store, "UPDATE messages SET carrier_ref = NULL WHERE id >= $1 * 4096", built.chunks[0].0).await;
        change(&store, "UPDATE messages SET carrier_ref = 'abc' WHERE id = $1 * 4096 + 2", built.chunks[0].0).await;
        assert_eq!(heard(&store, NOW).await, told(&[(0, "16"), (1, "16"), (2, "8"), (2, "2"), (3, "16"), (4, "16")]));
        assert_eq!(watched(&store).await, (0, 0), "nothing is looked at any more");
    }

    async fn of_two_daemons_that_look_at_once_one_tells(store: Store) {
        with_callbacks(&store, 31, &[Spot::Answered(MessageStatus::Submitted)]).await;
        let networks = NetworkTable::builtin();
        let (one, other) = futures::future::join(tick(&store, networks, NOW), tick(&store, networks, NOW)).await;
        assert!(!one.unwrap() && !other.unwrap());
        assert_eq!(heard(&store, NOW).await, told(&[(0, "8")]));
    }

    async fn receipts_that_do_not_come_are_not_waited_for_for_ever(store: Store) {
        let built = with_callbacks(&store, 3, &[Spot::Answered(MessageStatus::Submitted)]).await;
        heard(&store, NOW).await;
        change(&store, "UPDATE campaigns SET completed_at = 1700000100000 WHERE id = $1", built.campaign.0).await;
        heard(&store, NOW + DAYS_8 / 2).await;
        assert_eq!(watched(&store).await, (1, 1));
        heard(&store, NOW + DAYS_8).await;
        assert_eq!(watched(&store).await, (0, 0));
    }

    async fn a_call_is_made_until_it_is_taken_or_given_up(store: Store) {
        let owner = user(&store, "ada").await;
        call_for(&store, &[owner], 1).await;
        let (client, clock) = (Scripted::new(&[500, 0, 302, 200, 200]), ManualClock::new(NOW));
        for (attempt, wait) in (1..=4).zip(SCHEDULE_S) {
            make_all(&store, &client, &clock).await;
            assert_eq!(client.sent().len(), attempt, "a call is made when it is due");
            make_all(&store, &client, &clock).await;
            assert_eq!(client.sent().len(), attempt, "and not before");
            clock.advance(Duration::from_secs(wait));
        }
        assert_eq!(waiting(&store).await, 0, "it was taken");
        make_all(&store, &client, &clock).await;
        assert_eq!(client.sent().len(), 4);

        let never = Scripted::new(&[404; SCHEDULE_S.len()]);
        call_for(&store, &[owner], 1).await;
        for wait in SCHEDULE_S {
            assert_eq!(waiting(&store).await, 1);
            make_all(&store, &never, &clock).await;
            clock.advance(Duration::from_secs(wait));
        }
        assert_eq!((waiting(&store).await, never.sent().len()), (0, SCHEDULE_S.len()));
    }

    async fn a_daemon_that_dies_in_a_call_leaves_it_due_again(store: Store) {
        let owner = user(&store, "ada").await;
        call_for(&store, &[owner], 1).await;
        let slots = CallSlots { total: 64, user: 16, busy: Vec::new() };
        let until = NOW + Duration::from_secs(120);
        for (now, claimed) in [(NOW, 1), (NOW, 0), (until, 1)] {
            let input = (now, until, slots.clone());
            let due = store.write(Lane::Background, input, |tx, (now, until, slots)| {
                Box::pin(receipt_call::claim(tx, *now, *until, slots))
            });
            assert_eq!(due.await.unwrap().len(), claimed);
        }
    }

    async fn an_address_that_does_not_answer_holds_up_its_owner_alone(store: Store) {
        let (ada, eve) = (user(&store, "ada").await, user(&store, "eve").await);
        call_for(&store, &[ada; 200], 1).await;
        call_for(&store, &[eve; 20], 2).await;
        let (client, clock) = (Scripted::default(), ManualClock::new(NOW + Duration::from_secs(60)));
        let mut calls = ReceiptCalls::new(&store, &client, &clock);
        let hers = |client: &Scripted| client.sent().iter().filter(|url| url.ends_with(&format!("/{eve}"))).count();
        let all_of_hers = async {
            while hers(&client) < 20 {
                calls.start().await.unwrap();
                let over = calls.over().await;
                calls.note(over).await.unwrap();
            }
        };
        tokio::time::timeout(Duration::from_secs(30), all_of_hers).await.expect("a user waited for another one's address");
        calls.start().await.unwrap();
        assert_eq!(client.sent().len() as i64 - 20, AT_ONCE_USER);
    }

    async fn a_free_slot_goes_to_the_user_who_holds_the_fewest(store: Store) {
        let mut busy = Vec::new();
        let mut slow = UserId(0);
        for name in ["ada", "bob", "cyd", "dan"] {
            slow = user(&store, name).await;
            call_for(&store, &[slow; 20], 1).await;
            busy.extend([slow; 16]);
        }
        let eve = user(&store, "eve").await;
        call_for(&store, &[eve; 20], 2).await;
        // Hers are due last.
        change(&store, "UPDATE receipt_calls SET due_at = due_at + 1 WHERE user_id = $1", eve.0).await;
        busy.pop();
        let (now, until) = (NOW + Duration::from_secs(1), NOW + Duration::from_secs(120));
        for (total, wanted) in [(64, vec![eve]), (66, vec![eve; 3]), (63 + 17, [vec![slow], vec![eve; 16]].concat())] {
            let slots = CallSlots { total, user: 16, busy: busy.clone() };
            let claimed = store.write(Lane::Background, (now, until, slots), |tx, (now, until, slots)| Box::pin(async move {
                let claimed = receipt_call::claim(tx, *now, *until, slots).await?;
                // Given back, for the next round.
                for call in &claimed {
                    tx.run("UPDATE receipt_calls SET due_at = $2 WHERE id = $1", crate::args![call.id, *now]).await?;
                }
                Ok(claimed)
            }));
            let mut owners: Vec<UserId> = claimed.await.unwrap().iter().map(|call| call.user_id).collect();
            owners.sort_unstable();
            assert_eq!(owners, wanted, "{total}");
        }
    }

    async fn a_message_is_over_once_nothing_that_is_wanted_can_come(store: Store) {
        for (name, mask, wanted) in [("ada", 8, &[(0, "8")][..]), ("eve", 16, &[]), ("bob", 10, &[(0, "8")])] {
            let built = build(&store, name).chunk(&[Spot::Answered(MessageStatus::Submitted)]).store().await;
            watch_from(&store, &built, mask, NOW).await;
            assert_eq!(heard(&store, NOW).await, told(wanted), "{mask}");
            assert_eq!(watched(&store).await, if mask == 10 { (1, 1) } else { (0, 0) }, "{mask}");
        }
    }

    async fn a_message_that_waits_is_first_looked_at_at_its_start(store: Store) {
        let built = build(&store, "ada").chunk(&[Spot::Answered(MessageStatus::Submitted)]).store().await;
        let start = NOW + Duration::from_secs(3_600);
        watch_from(&store, &built, 31, start).await;
        assert_eq!(heard(&store, start - Duration::from_millis(1)).await, []);
        assert_eq!(heard(&store, start).await, told(&[(0, "8")]));
    }

    async fn a_chunk_is_looked_at_less_often_the_older_it_is(store: Store) {
        let built = build(&store, "ada").chunk(&[Spot::Answered(MessageStatus::Submitted)]).store().await;
        watch_from(&store, &built, 31, NOW).await;
        change(&store, "UPDATE campaigns SET started_at = 1700000100000 WHERE id = $1", built.campaign.0).await;
        heard(&store, NOW).await;
        for (age_s, wait_s) in [(1_800, 60), (36_000, 600), (360_000, 1_800)] {
            change(&store, "UPDATE receipt_callback_chunks SET quiet_looks = 20, look_at = 0 WHERE chunk_id = $1", built.chunks[0].0).await;
            let now = NOW + Duration::from_secs(age_s);
            heard(&store, now).await;
            assert_eq!(look_at(&store, built.chunks[0]).await, now + Duration::from_secs(wait_s), "{age_s}");
        }
    }

    async fn a_chunk_that_cannot_be_read_is_put_off_and_the_others_go_on(store: Store) {
        let damaged = with_callbacks(&store, 31, &[Spot::Answered(MessageStatus::Submitted)]).await;
        let sound = build(&store, "eve").chunk(&[Spot::Answered(MessageStatus::Submitted)]).store().await;
        watch_from(&store, &sound, 31, NOW).await;
        change(&store, "UPDATE receipt_callbacks SET details = 'x' WHERE message_id = $1 * 4096", damaged.chunks[0].0).await;
        assert_eq!(heard(&store, NOW).await, told(&[(0, "8")]));
        let later = NOW + Duration::from_secs(3_600);
        assert_eq!(look_at(&store, damaged.chunks[0]).await, later);
        change(&store, "UPDATE receipt_callbacks SET details = (SELECT r.details FROM receipt_callbacks r WHERE r.message_id <> $1 * 4096) \
            WHERE message_id = $1 * 4096", damaged.chunks[0].0).await;
        assert_eq!(heard(&store, later).await, told(&[(0, "8")]), "nothing of it counted as seen");
    }

    async fn a_user_who_was_deleted_meanwhile_is_not_called(store: Store) {
        let (ada, eve) = (user(&store, "ada").await, user(&store, "eve").await);
        call_for(&store, &[ada, eve], 1).await;
        let call = |user_id: UserId| NewReceiptCall { user_id, message_id: MessageId(user_id.0 * 4_096), url: "http://1.example/".into() };
        change(&store, "DELETE FROM receipt_callbacks WHERE user_id = $1", ada.0).await;
        let calls = vec![call(ada), call(eve)];
        store.write(Lane::Background, calls, |tx, calls| Box::pin(receipt_call::insert(tx, calls, NOW))).await.unwrap();
        let mut tx = store.read().await.unwrap();
        for (user, count) in [(ada, 1), (eve, 2)] {
            let sql = "SELECT COUNT(*) FROM receipt_calls WHERE user_id = $1";
            assert_eq!(tx.one::<(i64,)>(sql, crate::args![user]).await.unwrap().0, count);
        }
    }

    async fn a_user_for_whom_too_many_calls_wait_is_known(store: Store) {
        let (ada, eve) = (user(&store, "ada").await, user(&store, "eve").await);
        call_for(&store, &[ada, ada, ada, eve], 1).await;
        let mut tx = store.read().await.unwrap();
        for (user, most, full) in [(ada, 3, true), (ada, 4, false), (eve, 3, false)] {
            assert_eq!(receipt_call::is_full(&mut tx, user, most).await.unwrap(), full);
        }
    }
}

/// Stores a call of each of these users, to `/slow/...` of the first.
async fn call_for(store: &Store, users: &[UserId], host: i64) {
    let calls: Vec<NewReceiptCall> = users
        .iter()
        .map(|user| NewReceiptCall {
            user_id: *user,
            message_id: MessageId(user.0 * 4_096),
            url: format!("http://{host}.example/{user}"),
        })
        .collect();
    store
        .write(Lane::Background, calls, |tx, calls| {
            Box::pin(async move {
                for call in calls.iter() {
                    let callback = "INSERT INTO receipt_callbacks (message_id, user_id, mask, url, details) \
                                    VALUES ($1, $2, 31, '', '{}') ON CONFLICT (message_id) DO NOTHING";
                    tx.run(callback, crate::args![call.message_id, call.user_id]).await?;
                }
                receipt_call::insert(tx, calls, NOW).await
            })
        })
        .await
        .unwrap();
}

async fn waiting(store: &Store) -> i64 {
    let mut tx = store.read().await.unwrap();
    tx.one::<(i64,)>("SELECT COUNT(*) FROM receipt_calls", crate::args![]).await.unwrap().0
}

async fn make_all(store: &Store, client: &Scripted, clock: &ManualClock) {
    let mut calls = ReceiptCalls::new(store, client, clock);
    calls.start().await.unwrap();
    while !calls.is_idle() {
        let over = calls.over().await;
        calls.note(over).await.unwrap();
    }
}

/// Answers from a list; without one, the second host answers 200 and the others never.
#[derive(Debug, Default)]
struct Scripted {
    answers: Option<Mutex<VecDeque<u16>>>,
    seen: Mutex<Vec<String>>,
}

impl Scripted {
    fn new(answers: &[u16]) -> Self {
        Self { answers: Some(Mutex::new(answers.iter().copied().collect())), ..Self::default() }
    }

    fn sent(&self) -> Vec<String> {
        self.seen.lock().unwrap().clone()
    }
}

impl CallbackClient for Scripted {
    fn get(&self, url: String) -> PendingRequest<'_> {
        let answers = url.starts_with("http://2.");
        self.seen.lock().unwrap().push(url);
        let next = self.answers.as_ref().map(|answers| answers.lock().unwrap().pop_front().unwrap());
        Box::pin(async move {
            match next {
                Some(0) => RequestOutcome::Failed("no connection".into()),
                Some(status) => RequestOutcome::Answered { status, excerpt: String::new() },
                None if answers => RequestOutcome::Answered { status: 200, excerpt: String::new() },
                None => std::future::pending().await,
            }
        })
    }
}

fn delivered() -> Told {
    Told {
        event: ReceiptEvent::Delivered,
        message_id: 4_097,
        carrier_ref: "18/38".into(),
        text: "id:18 sub:001 stat:DELIVRD err:000".into(),
        has_longest_words: false,
        at: Time(1_795_761_643_999),
    }
}

#[test]
fn placeholders_are_filled_in_as_kannel_does() {
    for (pattern, wanted) in [
        ("d=%d&A=%A", "d=1&A=id%3A18+sub%3A001+stat%3ADELIVRD+err%3A000"),
        ("%a %b", "id%3A18+sub%3A001+stat%3ADELIVRD+err%3A000 id%3A18+sub%3A001+stat%3ADELIVRD+err%3A000"),
        ("%k|%s|%r", "id%3A18|sub%3A001|sub%3A001+stat%3ADELIVRD+err%3A000"),
        ("p=%p&P=%P", "p=%2B2348031234567&P=Talkdrum+%26+Co"),
        ("q=%q&Q=%Q", "q=%2B2348031234567&Q=Talkdrum+%26+Co"),
        ("%n %o %B", "ada acc bi"),
        ("F=%F&I=%I&i=%i", "F=18%2F38&I=4097&i=talkdrum"),
        ("t=%t&T=%T", "t=2026-11-27+06:40:43&T=1795761643"),
        ("%c %m %M %C %O", "-1 -1 -1 UTF-8 00"),
        ("[%D%f%S%u%v%V]", "[]"),
        ("%% %x %", "% %x %"),
        ("R=%R", "R=R%3D%25R"),
    ] {
        assert_eq!(filled(&callback(pattern, 1), &delivered()).as_deref(), Some(wanted), "{pattern}");
    }
    let details = CallbackDetails { to: "002348031234567".into(), ..CallbackDetails::default() };
    let zeros = ReceiptCallback { url: "%p %q".into(), mask: 1, details };
    assert_eq!(filled(&zeros, &delivered()).as_deref(), Some("002348031234567 %2B2348031234567"));
    assert_eq!(filled(&callback(&"%R".repeat(1_000), 1), &delivered()), None, "it grows without bound");
}

#[test]
fn no_message_fills_a_placeholder_with_more_than_the_longest_does() {
    let longest = Told::longest();
    let spread =
        ["\u{1F600}".repeat(62), format!("a {}", "\u{2F}".repeat(248)), format!("a b {}", ":".repeat(246))];
    for text in spread {
        let told = Told {
            text,
            carrier_ref: "\u{1E7}".repeat(32),
            event: ReceiptEvent::Delivered,
            at: Time(1_795_761_643_999),
            has_longest_words: false,
            ..longest.clone()
        };
        for letter in ('a'..='z').chain('A'..='Z').chain(['%']) {
            let long = |told: &Told| filled(&callback(&format!("%{letter}"), 1), told).unwrap().len();
            assert!(long(&told) <= long(&longest), "%{letter}");
        }
    }
}

#[test]
fn an_address_is_taken_with_its_placeholders_and_refused_where_it_cannot_be_called() {
    let parse =
        |url: &str, mask: Option<i64>, reach| super::parse(url, mask, CallbackDetails::default(), reach);
    for good in ["http://example.com/dlr?d=%d&to=%p", "https://example.com:8443/%I", " http://example.com/ "]
    {
        let taken = parse(good, Some(3), Reach::Public).unwrap().unwrap();
        assert_eq!((taken.url.as_str(), taken.mask), (good.trim(), 3));
    }
    for (url, mask) in [
        ("http://example.com/", None),
        ("http://example.com/", Some(0)),
        ("", Some(31)),
        ("http://example.com/", Some(36)),
    ] {
        assert_eq!(parse(url, mask, Reach::Public).unwrap(), None, "{url} {mask:?}: nothing is told");
    }
    for mask in [-1, 64] {
        assert_eq!(
            parse("http://example.com/", Some(mask), Reach::Public).unwrap_err().code(),
            "bad_dlr_mask"
        );
    }
    let long = format!("http://example.com/{}", "x".repeat(LONGEST_URL));
    let grows = format!("http://example.com/{}", "%A".repeat(40));
    for bad in [
        "ftp://example.com/",
        "example.com",
        "http://%p/",
        "http://%p.example.com/",
        "http://user:secret@example.com/",
        "http://127.0.0.1/",
        "http://localhost/",
        "http://10.0.0.1:8080/dlr",
        "http://[::1]/",
        "http://example.com/a b",
        "http://example.com/\nx",
        &long,
        &grows,
    ] {
        assert_eq!(parse(bad, Some(1), Reach::Public).unwrap_err().code(), "bad_dlr_url", "{bad}");
    }
    assert!(parse("http://127.0.0.1:9000/dlr", Some(1), Reach::Anywhere).unwrap().is_some());
}
