//! Which carrier takes over what, and what stays.

use std::sync::Arc;
use std::time::Duration;

use super::{AT_ONCE, NoticeFailover, PATIENCE, PATIENT_TRIES, TEXT_TRIES_MAX};
use crate::carrier::vitals::{Bind, Line, Vitals};
use crate::carrier::{Accepted, Answer, Health, Reference, Refusal, Submission, Verdict};
use crate::model::account::user::Role;
use crate::model::carrier::{BindRole, CarrierHealth, Hold};
use crate::model::platform::id::{NoticeId, RunId};
use crate::model::platform::notice::NoticePurpose;
use crate::notice::{DueTexts, NoticeAnswer, answer};
use crate::phone::Msisdn;
use crate::routing::RouteCarrier;
use crate::store::carrier::state;
use crate::store::db::once::Once;
use crate::store::operations::daemon;
use crate::store::platform::notice::{LEAD_ON, LISTS_AT, NEXT_CARRIER, WAITING_AT, counts};
use crate::store::{Dialect, Lane, Store};
use crate::testing::account::make_user;
use crate::testing::notice::{NoticeHouse, ScriptedMailer};
use crate::time::{Clock as _, ManualClock, Time};
use crate::{args, both_databases};

const NOW: Time = Time(1_700_000_000_000);
const SECOND: Duration = Duration::from_secs(1);

/// The queue of a daemon with `main`, from which `spare` and then `last` take over.
struct Fixture {
    store: Store,
    house: NoticeHouse,
    failover: NoticeFailover,
    owner: RunId,
}

impl Fixture {
    /// All carriers are up.
    async fn new(store: &Store) -> Self {
        let clock = Arc::new(ManualClock::new(NOW));
        let mailer = Arc::new(ScriptedMailer::failing(vec![]));
        let house = NoticeHouse::with_spares(store, &clock, mailer, &["spare", "last"]);
        let started = store.write(Lane::Interactive, (), |tx, ()| Box::pin(daemon::start(tx, NOW)));
        let failover = NoticeFailover::new(&house.notices);
        let it = Self { store: store.clone(), owner: started.await.unwrap(), failover, house };
        it.all_are_up().await;
        it
    }

    async fn shows(&self, name: &str, vitals: Vitals) {
        let seen = vec![(name.to_owned(), vitals)];
        let input = (self.owner, self.house.clock.now(), seen);
        let noted = self.store.write(Lane::Interactive, input, |tx, (owner, now, seen)| {
            Box::pin(state::note_vitals(tx, *owner, *now, seen))
        });
        noted.await.unwrap();
    }

    async fn is_up(&self, name: &str, is_up: bool) {
        let health = if is_up { CarrierHealth::Up } else { CarrierHealth::Connecting };
        self.shows(name, Vitals { health, window: 100, ..Vitals::default() }).await;
    }

    async fn all_are_up(&self) {
        for name in ["main", "spare", "last"] {
            self.is_up(name, true).await;
        }
    }

    /// Looks once more after so many seconds; returns how many messages went on.
    async fn after(&mut self, seconds: u32) -> u64 {
        self.house.clock.advance(SECOND * seconds);
        self.failover.tick(self.house.clock.now()).await.unwrap()
    }

    async fn queue(&self, text: &str) -> NoticeId {
        let to = Msisdn::from_digits(2_348_031_234_567).unwrap();
        self.house.notices.sms(to, text, NoticePurpose::Code).await.unwrap()
    }

    async fn claim(&self, carrier: &str) -> Vec<Submission> {
        let claims = Once::new(self.store.clone(), RunId(0), "test");
        let now = self.house.clock.now();
        self.house.notices.claim_sms(&claims, carrier, DueTexts::All, 64, now).await.unwrap().batch
    }

    async fn claim_all(&self, carrier: &str) {
        while !self.claim(carrier).await.is_empty() {}
    }

    /// Hands over the one message that waits at a carrier, which answers this.
    async fn answers(&self, carrier: &str, verdict: Verdict, parts: &[u8]) {
        let message = self.claim(carrier).await[0].message;
        let parts = parts.iter().map(|part| (*part, Reference(format!("r{part}").into())));
        let answered = Answer { message, verdict, accepted: Accepted::Many(parts.collect()) };
        let input = (NoticeAnswer::of(&answered).unwrap(), carrier.to_owned(), self.house.clock.now());
        let written = self.store.write(Lane::Background, input, |tx, (answered, carrier, now)| {
            Box::pin(answer(tx, carrier, answered, *now))
        });
        written.await.unwrap();
    }

    /// Carrier, list, status and tries of each message, in the order of ids.
    async fn shown(&self) -> Vec<String> {
        let sql = "SELECT carrier, spares, status, tries FROM notices ORDER BY id";
        let rows: Vec<(String, String, String, i64)> =
            self.store.read().await.unwrap().all(sql, args![]).await.unwrap();
        let line = |(carrier, spares, status, tries): (String, String, String, i64)| {
            format!("{carrier} [{}] {status} {tries}", spares.replace('\n', " "))
        };
        rows.into_iter().map(line).collect()
    }

    async fn statuses(&self) -> String {
        let counts = counts(&mut self.store.read().await.unwrap()).await.unwrap();
        let mut words: Vec<_> =
            counts.iter().map(|(status, count)| format!("{}:{count}", status.code())).collect();
        words.sort_unstable();
        words.join(" ")
    }
}

fn refused(is_carriers: bool) -> Verdict {
    Verdict::Refused(Refusal { code: 4, reason: "the bind does not allow it".into(), is_carriers })
}

fn throttled(is_carriers: bool) -> Verdict {
    Verdict::Throttled(Refusal { code: 0x58, reason: "busy".into(), is_carriers })
}

both_databases! {
    async fn a_code_goes_on_from_a_carrier_that_is_down_and_comes_back_where_the_next_one_is(store: Store) {
        let mut it = Fixture::new(&store).await;
        it.queue("code").await;
        assert_eq!(it.after(15).await, 0, "it is up");
        it.all_are_up().await;
        it.is_up("main", false).await;
        assert_eq!(it.after(0).await + it.after(9).await, 0, "it may be up again in a moment");
        assert_eq!(it.after(1).await, 1);
        assert_eq!(it.shown().await, ["spare [last main] queued 0"]);
        assert!(it.claim("main").await.is_empty());

        // It was tried there and not taken: tries start again at the next one.
        it.answers("spare", Verdict::Unsent, &[]).await;
        assert_eq!(it.shown().await, ["spare [last main] queued 1"]);
        it.is_up("spare", false).await;
        it.is_up("last", false).await;
        it.is_up("main", true).await;
        assert_eq!(it.after(0).await + it.after(10).await, 1);
        assert_eq!(it.shown().await, ["main [last spare] queued 0"]);
        it.answers("main", Verdict::Accepted, &[0]).await;
        assert_eq!(it.statuses().await, "sent:1");
    }

    async fn the_first_that_takes_messages_now_takes_over(store: Store) {
        let mut it = Fixture::new(&store).await;
        it.is_up("main", false).await;
        let line = Line::new(Vec::new(), 0, true);
        it.shows("spare", Vitals { health: CarrierHealth::Up, window: 100, line, ..Vitals::default() }).await;
        it.queue("code").await;
        assert_eq!(it.after(0).await + it.after(10).await, 1);
        assert_eq!(it.shown().await, ["last [spare main] queued 0"], "the other is asked to pause");
        it.is_up("last", false).await;
        assert_eq!(it.after(0).await + it.after(100).await, 0, "none takes it");
        assert_eq!(it.shown().await, ["last [spare main] queued 0"]);
    }

    async fn a_carrier_that_a_person_holds_keeps_what_waits_and_one_without_a_daemon_does_not(store: Store) {
        let mut it = Fixture::new(&store).await;
        let admin = make_user(&store, "root", Role::Admin).await;
        it.queue("code").await;
        it.is_up("main", false).await;
        let hold = async |hold: Hold| {
            store
                .write(Lane::Interactive, (admin, hold), |tx, (admin, hold)| {
                    Box::pin(state::set(tx, "main", *hold, None, *admin, NOW))
                })
                .await
                .unwrap();
        };
        hold(Hold::Paused).await;
        assert_eq!(it.after(0).await + it.after(30).await, 0);
        hold(Hold::Open).await;
        // Its daemon is silent: what it said last is not believed for long.
        it.is_up("main", true).await;
        assert_eq!(it.after(19).await, 0);
        for name in ["spare", "last"] {
            it.is_up(name, true).await;
        }
        assert_eq!(it.after(1).await + it.after(9).await, 0);
        assert_eq!(it.after(1).await, 1);
    }

    async fn a_carrier_of_which_a_newer_daemon_says_what_is_not_understood_is_left_alone(store: Store) {
        let mut it = Fixture::new(&store).await;
        it.queue("code").await;
        let strange = "UPDATE carrier_vitals SET vitals = '{\"health\":\"asleep\"}' WHERE carrier = 'main'";
        store.write(Lane::Interactive, strange, |tx, strange| Box::pin(tx.run(*strange, args![]))).await.unwrap();
        assert_eq!(it.after(0).await + it.after(15).await, 0);
    }

    async fn as_many_go_on_as_the_other_carrier_takes_within_seconds(store: Store) {
        let mut it = Fixture::new(&store).await;
        for _ in 0..15 {
            it.queue("code").await;
        }
        it.is_up("main", false).await;
        it.shows("spare", Vitals { health: CarrierHealth::Up, rate: 1, ..Vitals::default() }).await;
        it.is_up("last", false).await;
        assert_eq!(it.after(0).await + it.after(10).await, 10);
        assert_eq!(it.after(1).await, 0, "they wait there");
        it.claim("spare").await;
        assert_eq!(it.after(1).await, 5);
    }

    async fn a_provider_that_failed_is_tried_with_one_message_where_no_other_carrier_takes_any(store: Store) {
        let mut it = Fixture::new(&store).await;
        for _ in 0..3 {
            it.queue("code").await;
        }
        it.is_up("main", false).await;
        let down = Health::Connecting { reason: "its key was refused".into() };
        let line = Line::new(vec![Bind::new(BindRole::Http, down, None)], 0, false);
        it.shows("spare", Vitals { health: CarrierHealth::Connecting, window: 100, line, ..Vitals::default() }).await;
        assert_eq!(it.after(0).await + it.after(10).await, 3);
        assert!(it.shown().await.iter().all(|one| one.starts_with("last ")), "another is up");
        it.is_up("last", false).await;
        it.is_up("main", false).await;
        assert_eq!(it.after(0).await, 0);
        for name in ["main", "last"] {
            it.is_up(name, false).await;
        }
        let line = Line::new(vec![Bind::new(BindRole::Http, Health::Connecting { reason: "gone".into() }, None)], 0, false);
        it.shows("spare", Vitals { health: CarrierHealth::Connecting, line, ..Vitals::default() }).await;
        assert_eq!(it.after(10).await, 1);
        assert_eq!(it.after(1).await, 0, "until that one is answered");
    }

    async fn what_may_have_gone_out_what_is_late_and_tests_of_a_carrier_stay(store: Store) {
        let mut it = Fixture::new(&store).await;
        it.queue(&"x".repeat(400)).await;
        it.answers("main", throttled(true), &[0]).await;
        it.house.clock.advance(SECOND * 10);
        let carrier = RouteCarrier { name: "main".into(), kinds: talkdrum_api::kind::Kind::SMS.to_vec(), ..RouteCarrier::default() };
        let to = Msisdn::from_digits(2_348_031_234_567).unwrap();
        let test = it.house.notices.draft_test(to, "test", &carrier).unwrap();
        store.write(Lane::Interactive, test, |tx, test| Box::pin(crate::notice::queue(tx, test, NOW))).await.unwrap();
        it.all_are_up().await;
        it.is_up("main", false).await;
        assert_eq!(it.after(0).await + it.after(11).await, 0, "others take messages");
        let late = it.queue("late").await;
        assert_eq!(late, NoticeId(3));
        it.house.clock.advance(SECOND * 600);
        for (name, is_up) in [("main", false), ("spare", true), ("last", true)] {
            it.is_up(name, is_up).await;
        }
        assert_eq!(it.after(0).await + it.after(11).await, 0);
        assert!(it.shown().await.iter().all(|one| one.starts_with("main ")));
    }

    async fn a_list_of_which_no_carrier_is_in_use_keeps_no_other(store: Store) {
        let mut it = Fixture::new(&store).await;
        for _ in 0..2 {
            it.queue("code").await;
        }
        let gone = "UPDATE notices SET spares = 'gone' WHERE id = 1";
        store.write(Lane::Interactive, gone, |tx, gone| Box::pin(tx.run(*gone, args![]))).await.unwrap();
        it.is_up("main", false).await;
        assert_eq!(it.after(0).await + it.after(10).await, 1);
        assert_eq!(it.shown().await, ["main [gone] queued 0", "spare [last main] queued 0"]);
    }

    async fn of_many_a_bounded_number_goes_on_at_a_look_and_each_once_where_two_daemons_look(store: Store) {
        let mut it = Fixture::new(&store).await;
        it.queue("code").await;
        let many = "INSERT INTO notices (channel, purpose, priority, destination, subject, body, carrier, spares, status, \
                    due_at, expires_at, created_at) SELECT channel, purpose, priority, destination, subject, body, carrier, \
                    spares, status, due_at, expires_at, created_at FROM notices";
        for _ in 0..10 {
            store.write(Lane::Interactive, many, |tx, many| Box::pin(tx.run(*many, args![]))).await.unwrap();
        }
        it.is_up("main", false).await;
        assert_eq!(it.after(0).await + it.after(10).await, AT_ONCE as u64);
        // It has no room for more.
        it.claim_all("spare").await;
        let mut other = NoticeFailover::new(&it.house.notices);
        let later = it.house.clock.now() + PATIENCE;
        assert_eq!(other.tick(NOW).await.unwrap(), 0);
        it.house.clock.advance(PATIENCE);
        it.all_are_up().await;
        it.is_up("main", false).await;
        let mut moved = 0;
        for _ in 0..3 {
            let (one, two) = tokio::join!(it.failover.tick(later), other.tick(later));
            moved += one.unwrap() + two.unwrap();
        }
        assert_eq!(moved, 1_024 - AT_ONCE as u64);
        assert_eq!(it.shown().await.iter().filter(|one| one.starts_with("main ")).count(), 0);
    }

    async fn what_a_carrier_refuses_for_a_reason_of_its_own_goes_on_and_not_back_to_it(store: Store) {
        let it = Fixture::new(&store).await;
        it.queue("code").await;
        it.answers("main", refused(true), &[]).await;
        assert_eq!(it.shown().await, ["spare [last] queued 0"]);
        it.is_up("last", false).await;
        it.answers("spare", refused(true), &[]).await;
        assert_eq!(it.shown().await, ["spare [last] queued 1"], "none is up");
        it.house.clock.advance(SECOND * 19);
        assert!(it.claim("spare").await.is_empty(), "not at once");
        it.house.clock.advance(SECOND);
        it.is_up("last", true).await;
        it.answers("spare", refused(true), &[]).await;
        assert_eq!(it.shown().await, ["last [] queued 0"]);
        it.answers("last", refused(true), &[]).await;
        assert_eq!(it.statuses().await, "failed:1", "the answer of the last one stands");
    }

    async fn a_refused_message_for_which_no_other_carrier_has_room_is_tried_so_often(store: Store) {
        let it = Fixture::new(&store).await;
        it.queue("code").await;
        for name in ["spare", "last"] {
            it.is_up(name, false).await;
        }
        for _ in 1..TEXT_TRIES_MAX {
            it.answers("main", refused(true), &[]).await;
            assert_eq!(it.statuses().await, "queued:1");
            it.house.clock.advance(SECOND * 20);
        }
        it.answers("main", refused(true), &[]).await;
        assert_eq!(it.statuses().await, "failed:1");
    }

    async fn a_message_that_is_to_blame_or_half_gone_goes_nowhere(store: Store) {
        let it = Fixture::new(&store).await;
        it.queue("code").await;
        it.answers("main", refused(false), &[]).await;
        assert_eq!(it.statuses().await, "failed:1");
        it.queue(&"x".repeat(400)).await;
        it.answers("main", throttled(true), &[0]).await;
        it.house.clock.advance(SECOND);
        it.answers("main", refused(true), &[]).await;
        it.queue(&"x".repeat(400)).await;
        it.answers("main", refused(true), &[1]).await;
        it.queue("code").await;
        it.answers("main", Verdict::Unanswered, &[]).await;
        assert_eq!(it.statuses().await, "failed:3 unknown:1");
        assert!(it.shown().await.iter().all(|one| one.starts_with("main ")));
    }

    async fn a_message_that_is_throttled_goes_on_at_the_fifth_time(store: Store) {
        let it = Fixture::new(&store).await;
        it.queue("code").await;
        for tries in 1..PATIENT_TRIES {
            it.answers("main", throttled(true), &[]).await;
            assert_eq!(it.shown().await, [format!("main [spare last] queued {tries}")]);
            it.house.clock.advance(SECOND);
        }
        for name in ["spare", "last"] {
            it.is_up(name, false).await;
        }
        it.answers("main", throttled(true), &[]).await;
        assert_eq!(it.shown().await, ["main [spare last] queued 5"], "it stays where no other is up");
        it.house.clock.advance(SECOND);
        it.is_up("last", true).await;
        it.answers("main", throttled(false), &[]).await;
        it.house.clock.advance(SECOND);
        it.answers("main", throttled(true), &[]).await;
        assert_eq!(it.shown().await, ["last [spare main] queued 0"], "it may come back");
    }

    async fn carriers_of_calls_take_no_texts(store: Store) {
        let mut it = Fixture::new(&store).await;
        it.is_up("main", false).await;
        it.shows("spare", Vitals::of_test_trunk(Health::Up)).await;
        it.queue("code").await;
        assert_eq!(it.after(0).await + it.after(10).await, 1);
        assert_eq!(it.shown().await, ["last [spare main] queued 0"]);
    }

    async fn what_goes_on_is_found_by_index(store: Store) {
        let mut tx = store.read().await.unwrap();
        let sqlite = tx.dialect() == Dialect::Sqlite;
        for (sql, args) in [
            (NEXT_CARRIER, args!["main"]),
            (LISTS_AT, args!["main"]),
            (WAITING_AT, args!["main", 10_i64]),
            (LEAD_ON, args!["main", "spare", "spare", "main", 10_i64, NOW, "unsent"]),
        ] {
            let plan = tx.explain(sql, args).await.unwrap().join("\n");
            assert!(!sqlite || (plan.contains("notices_due") && !plan.contains("SCAN notices")), "{plan}");
        }
    }
}
