//! A carrier that stops delivering to one network: which messages wait, and how they get on.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use talkdrum_api::purpose::Purpose;

use crate::campaign::confirm::QuoteTarget;
use crate::campaign::control::{self, Authority};
use crate::campaign::quote::Form;
use crate::campaign::report::progress;
use crate::campaign::standstill::{self, Around};
use crate::carrier::{Health, Refusal, Submission, Verdict};
use crate::model::account::id::UserId;
use crate::model::account::user::Role;
use crate::model::campaign::id::{CampaignId, QuoteId};
use crate::model::carrier::Hold;
use crate::model::carrier::breaker::{BreakerState, BreakerTerms, PARKED_MAX, StoredBreaker};
use crate::model::message::receipt_state::ReceiptState;
use crate::model::message::status::MessageStatus;
use crate::model::page::RecordScope;
use crate::operate::{self, RerouteTarget, reroute};
use crate::phone::NetworkTable;
use crate::store::carrier::breaker::{self as table, BreakerRow};
use crate::store::{Lane, Store};
use crate::testing::account::make_user;
use crate::testing::campaign::{Fixture, route_carrier};
use crate::testing::worker::{Run, accepted, answered, messages_in, receipt};
use crate::time::Clock as _;
use crate::worker::breakers::BreakerSetup;
use crate::worker::jobs::recovery;
use crate::{args, both_databases};

const TERMS: BreakerTerms =
    BreakerTerms { floor: 60, sample: 20, window_s: 600, probe: 5, probe_every_s: 60 };
const MTN: &str = "0803";
const AIRTEL: &str = "0802";
const MINUTE: Duration = Duration::from_mins(1);
const SECOND: Duration = Duration::from_secs(1);

fn setup() -> Option<BreakerSetup> {
    Some(BreakerSetup { terms: Some(TERMS), networks: Arc::new(NetworkTable::builtin().clone()) })
}

/// A campaign to `count` numbers of each of these prefixes, confirmed.
async fn send(fixture: &Fixture, purpose: Purpose, prefixes: &[&str], count: usize) -> CampaignId {
    let list: String =
        (0..count).flat_map(|n| prefixes.iter().map(move |it| format!("{it}{n:07}\n"))).collect();
    let form = Form { purpose: Ok(Some(purpose)), ..fixture.form("Hello", &list) };
    let quote = fixture.campaigns.quote(form).await.unwrap();
    fixture.confirm(QuoteTarget::Quote(QuoteId(quote.quote_id))).await.unwrap().campaigns[0]
}

/// Receipts for all of these.
async fn receive(run: &mut Run, sent: &[Submission], state: ReceiptState) {
    let receipts = (0_u32..).zip(sent).map(|(place, one)| receipt(&one.message.0.to_string(), state, place));
    run.settle(receipts.collect()).await;
    let now = run.clock.now();
    while run.settler.write_deferred(now, true).await.unwrap() {}
}

/// Sends and answers all that is due: retries are looked for now and then only.
async fn send_due(run: &mut Run) -> Vec<Submission> {
    let mut all = Vec::new();
    loop {
        let sent = run.send_all().await;
        if sent.is_empty() {
            return all;
        }
        all.extend(sent);
        run.clock.advance(Duration::from_millis(200));
    }
}

/// Looks after the breakers, as the settler's loop does, after this long.
async fn tend(run: &mut Run, after: Duration) {
    run.clock.advance(after);
    run.settler.tend_breakers(run.clock.now()).await.unwrap();
}

async fn stored(store: &Store) -> Vec<BreakerRow> {
    table::all(&mut store.read().await.unwrap()).await.unwrap()
}

async fn waiting(store: &Store) -> Vec<(String, i64)> {
    table::waiting(&mut store.read().await.unwrap(), "main").await.unwrap()
}

/// How many of these went to numbers that begin so.
fn to(sent: &[Submission], prefix: &str) -> usize {
    let prefix: u64 = format!("234{}", &prefix[1..]).parse().unwrap();
    sent.iter().filter(|one| one.to.digits() / 10_000_000 == prefix).count()
}

/// A run whose breaker for MTN has just opened; what was sent by then.
async fn opened(store: &Store, fixture: &Fixture) -> (Run, Vec<Submission>) {
    let mut run = Run::start_breaking(store, setup()).await;
    tend(&mut run, SECOND).await;
    send(fixture, Purpose::Promotional, &[MTN, AIRTEL], 40).await;
    let sent = run.send_all().await;
    assert_eq!(sent.len(), 80);
    let (mtn, others): (Vec<_>, Vec<_>) =
        sent.iter().cloned().partition(|one| to(std::slice::from_ref(one), MTN) == 1);
    receive(&mut run, &others, ReceiptState::Delivered).await;
    receive(&mut run, &mtn, ReceiptState::Undelivered).await;
    tend(&mut run, SECOND).await;
    (run, sent)
}

/// Each message went out once.
fn assert_each_once(sent: &[Submission], count: usize) {
    let messages: BTreeSet<i64> = sent.iter().map(|one| one.message.0).collect();
    assert_eq!((messages.len(), sent.len()), (count, count));
}

async fn order(run: &Run, state: BreakerState, by: UserId) {
    let write = run.store.write(Lane::Interactive, (state, by, run.clock.now()), |tx, (state, by, now)| {
        Box::pin(table::order(tx, "main", "mtn", *state, *by, *now))
    });
    write.await.unwrap();
}

both_databases! {
    async fn promotional_messages_to_a_network_that_fails_wait_and_all_others_go(store: Store) {
        let fixture = Fixture::open(&store, "100000").await;
        let (mut run, mut sent) = opened(&store, &fixture).await;
        let row = stored(&store).await.pop().unwrap();
        assert_eq!((row.carrier.as_str(), row.network.as_str(), row.changed_by), ("main", "mtn", None));
        let StoredBreaker { state, delivered, failed, .. } = row.breaker;
        assert_eq!((state, delivered, failed), (BreakerState::Open, 0, 20), "as soon as it was known");
        // A large chunk, small ones that are claimed whole, and what is not promotional.
        send(&fixture, Purpose::Promotional, &[MTN, AIRTEL], 100).await;
        send(&fixture, Purpose::Promotional, &[MTN, AIRTEL], 10).await;
        send(&fixture, Purpose::Transactional, &[MTN], 7).await;
        send(&fixture, Purpose::Otp, &[MTN], 1).await;
        let more = run.send_all().await;
        assert_eq!((to(&more, MTN), to(&more, AIRTEL)), (8, 110));
        assert_eq!(waiting(&store).await, [("mtn".to_owned(), 110)]);
        sent.extend(more);
        tend(&mut run, SECOND).await;
        assert!(run.send_all().await.is_empty(), "nothing is let through yet");

        // Five go out after a minute; of them four are delivered.
        tend(&mut run, MINUTE).await;
        let probes = run.send_all().await;
        assert_eq!((probes.len(), to(&probes, MTN)), (5, 5));
        assert_eq!(stored(&store).await[0].breaker.state, BreakerState::HalfOpen);
        receive(&mut run, &probes[..4], ReceiptState::Delivered).await;
        receive(&mut run, &probes[4..], ReceiptState::Expired).await;
        sent.extend(probes);
        tend(&mut run, SECOND).await;
        assert_eq!(stored(&store).await[0].breaker.state, BreakerState::Closed);
        let rest = send_due(&mut run).await;
        assert_eq!((rest.len(), to(&rest, MTN)), (105, 105));
        assert_eq!(waiting(&store).await, []);
        sent.extend(rest);
        assert_each_once(&sent, 80 + 200 + 20 + 8);
        run.verify().await;
    }

    async fn a_test_that_fails_makes_the_rest_wait_again(store: Store) {
        let fixture = Fixture::open(&store, "100000").await;
        let (mut run, mut sent) = opened(&store, &fixture).await;
        send(&fixture, Purpose::Promotional, &[MTN], 70).await;
        sent.extend(run.send_all().await);
        for _ in 0..3 {
            tend(&mut run, MINUTE).await;
            let probes = run.send_all().await;
            assert_eq!(probes.len(), 5);
            receive(&mut run, &probes, ReceiptState::Undelivered).await;
            sent.extend(probes);
            tend(&mut run, SECOND).await;
            assert_eq!(stored(&store).await[0].breaker.state, BreakerState::Open);
            assert!(run.send_all().await.is_empty());
        }
        assert_eq!(waiting(&store).await, [("mtn".to_owned(), 55)]);
        assert_each_once(&sent, 80 + 15);
        run.verify().await;
    }

    async fn one_that_is_let_through_and_not_taken_leaves_its_place_to_the_next(store: Store) {
        let fixture = Fixture::open(&store, "100000").await;
        let (mut run, _) = opened(&store, &fixture).await;
        send(&fixture, Purpose::Promotional, &[MTN], 70).await;
        assert!(run.send_all().await.is_empty());
        tend(&mut run, MINUTE).await;
        let probes = run.dispatch().await;
        assert_eq!(probes.len(), 5);
        let busy = Verdict::Throttled(Refusal { code: 0x58, reason: "busy".into(), is_carriers: true });
        let mut verdicts = [busy.clone(), busy, Verdict::Unsent].into_iter();
        let answers = probes.iter().map(|one| match verdicts.next() {
            Some(verdict) => answered(one.message, verdict),
            None => accepted(one.message, &one.message.0.to_string()),
        });
        run.settle(answers.collect()).await;
        tend(&mut run, 2 * SECOND).await;
        let again = send_due(&mut run).await;
        assert_eq!(again.len(), 3, "as many as were not taken");
        tend(&mut run, SECOND).await;
        assert!(run.send_all().await.is_empty());
        assert_eq!(waiting(&store).await, [("mtn".to_owned(), 65)]);
        let taken: Vec<_> = probes[3..].iter().chain(&again).cloned().collect();
        receive(&mut run, &taken, ReceiptState::Delivered).await;
        tend(&mut run, SECOND).await;
        assert_eq!(stored(&store).await[0].breaker.state, BreakerState::Closed);
        assert_eq!(send_due(&mut run).await.len(), 65);
        run.verify().await;
    }

    async fn receipts_of_what_is_not_promotional_are_a_way_back(store: Store) {
        let fixture = Fixture::open(&store, "100000").await;
        let (mut run, _) = opened(&store, &fixture).await;
        send(&fixture, Purpose::Transactional, &[MTN], 5).await;
        tend(&mut run, MINUTE).await;
        let sent = run.send_all().await;
        receive(&mut run, &sent, ReceiptState::Delivered).await;
        tend(&mut run, SECOND).await;
        assert_eq!(stored(&store).await[0].breaker.state, BreakerState::Closed);
    }

    async fn the_next_run_knows_what_is_open_and_sends_nothing_promotional_before_it_does(store: Store) {
        let fixture = Fixture::open(&store, "100000").await;
        let (mut run, mut sent) = opened(&store, &fixture).await;
        send(&fixture, Purpose::Promotional, &[MTN], 70).await;
        assert!(run.send_all().await.is_empty());
        run.dispatcher.finish().await.unwrap();
        recovery::stop(&store, run.owner, run.clock.now()).await.unwrap();
        let mut next = Run::start_breaking(&store, setup()).await;
        send(&fixture, Purpose::Promotional, &[MTN, AIRTEL], 40).await;
        next.clock.advance(run.clock.now().since(next.clock.now()));
        assert!(next.send_all().await.is_empty(), "it is not known yet what may go");
        tend(&mut next, SECOND).await;
        let more = next.send_all().await;
        assert_eq!((to(&more, MTN), to(&more, AIRTEL)), (0, 40));
        sent.extend(more);
        assert_eq!(waiting(&store).await, [("mtn".to_owned(), 110)]);
        tend(&mut next, MINUTE).await;
        let probes = next.send_all().await;
        assert_eq!(probes.len(), 5);
        receive(&mut next, &probes, ReceiptState::Delivered).await;
        sent.extend(probes);
        tend(&mut next, SECOND).await;
        sent.extend(send_due(&mut next).await);
        assert_each_once(&sent, 80 + 70 + 80);
        next.verify().await;
    }

    async fn what_waits_expires_in_its_time_and_is_refunded(store: Store) {
        let fixture = Fixture::open(&store, "100000").await;
        let (mut run, _) = opened(&store, &fixture).await;
        let before = fixture.balance().await;
        send(&fixture, Purpose::Promotional, &[MTN], 70).await;
        assert!(run.send_all().await.is_empty());
        run.clock.advance(Duration::from_hours(24) - SECOND);
        assert!(run.send_all().await.is_empty());
        assert_eq!(messages_in(&store, MessageStatus::Expired).await, 0);
        run.clock.advance(SECOND);
        assert!(run.send_all().await.is_empty());
        assert_eq!(messages_in(&store, MessageStatus::Expired).await, 70);
        assert_eq!(fixture.balance().await, before);
        run.verify().await;
    }

    async fn what_waits_is_given_back_by_a_cancel_and_stays_through_a_pause(store: Store) {
        let fixture = Fixture::open(&store, "100000").await;
        let (mut run, _) = opened(&store, &fixture).await;
        let before = fixture.balance().await;
        let cancelled = send(&fixture, Purpose::Promotional, &[MTN], 70).await;
        assert!(run.send_all().await.is_empty());
        let input = (cancelled, fixture.user, run.clock.now());
        let cancel = store.write(Lane::Interactive, input, |tx, (campaign, user, now)| {
            Box::pin(control::cancel(tx, *campaign, Authority::Owner(*user), *now))
        });
        assert_eq!(cancel.await.unwrap().messages, 70);
        assert_eq!(fixture.balance().await, before);
        // One that is paused neither goes out nor keeps others waiting.
        let paused = send(&fixture, Purpose::Promotional, &[MTN], 600).await;
        send(&fixture, Purpose::Promotional, &[MTN], 3).await;
        assert!(run.send_all().await.is_empty());
        let pause = store.write(Lane::Interactive, paused, |tx, campaign| {
            Box::pin(control::pause(tx, *campaign, Authority::Admin, "by the test"))
        });
        pause.await.unwrap();
        let admin = make_user(&store, "root", Role::Admin).await;
        order(&run, BreakerState::Closed, admin).await;
        for _ in 0..2 {
            tend(&mut run, SECOND).await;
        }
        assert_eq!(run.send_all().await.len(), 3);
        assert_eq!(waiting(&store).await, [("mtn".to_owned(), 600)]);
        let resume = store.write(Lane::Interactive, (paused, run.clock.now()), |tx, (campaign, now)| {
            Box::pin(control::resume(tx, *campaign, Authority::Admin, *now))
        });
        resume.await.unwrap();
        tend(&mut run, SECOND).await;
        assert_eq!(waiting(&store).await, [("mtn".to_owned(), 100)], "500 at a time, so that others need not wait");
        assert_eq!(send_due(&mut run).await.len(), 500);
        tend(&mut run, SECOND).await;
        assert_eq!(send_due(&mut run).await.len(), 100);
        run.verify().await;
    }

    async fn an_administrator_opens_and_closes_it(store: Store) {
        let fixture = Fixture::open(&store, "100000").await;
        let admin = make_user(&store, "root", Role::Admin).await;
        let mut run = Run::start_breaking(&store, setup()).await;
        tend(&mut run, SECOND).await;
        order(&run, BreakerState::Open, admin).await;
        tend(&mut run, SECOND).await;
        send(&fixture, Purpose::Promotional, &[MTN], 70).await;
        assert!(run.send_all().await.is_empty());
        let row = stored(&store).await.pop().unwrap();
        assert_eq!((row.breaker.state, row.breaker.failed, row.changed_by.as_deref()), (BreakerState::Open, 0, Some("root")));
        // The run decides when it is tried again.
        tend(&mut run, SECOND).await;
        let row = stored(&store).await.pop().unwrap();
        assert_eq!(row.breaker.probe_at, Some(run.clock.now() + MINUTE));
        assert_eq!(row.changed_by.as_deref(), Some("root"), "that it did not");
        order(&run, BreakerState::Closed, admin).await;
        tend(&mut run, SECOND).await;
        assert_eq!(run.send_all().await.len(), 70);
        // What it counted before the order is forgotten.
        tend(&mut run, MINUTE).await;
        assert_eq!(stored(&store).await[0].breaker.state, BreakerState::Closed);
    }

    async fn an_order_that_comes_before_a_change_is_stored_wins(store: Store) {
        let fixture = Fixture::open(&store, "100000").await;
        let (mut run, _) = opened(&store, &fixture).await;
        let admin = make_user(&store, "root", Role::Admin).await;
        order(&run, BreakerState::Closed, admin).await;
        // It would be half open by now, and does not know of the order.
        tend(&mut run, MINUTE).await;
        let row = stored(&store).await.pop().unwrap();
        assert_eq!((row.breaker.state, row.changed_by.as_deref()), (BreakerState::Closed, Some("root")));
        send(&fixture, Purpose::Promotional, &[MTN], 70).await;
        assert_eq!(run.send_all().await.len(), 70);
    }

    async fn a_carrier_without_breakers_any_more_lets_everything_go(store: Store) {
        let fixture = Fixture::open(&store, "100000").await;
        let (mut run, _) = opened(&store, &fixture).await;
        send(&fixture, Purpose::Promotional, &[MTN], 70).await;
        assert!(run.send_all().await.is_empty());
        run.dispatcher.finish().await.unwrap();
        recovery::stop(&store, run.owner, run.clock.now()).await.unwrap();
        let mut next = Run::start_breaking(&store, None).await;
        let passed = run.clock.now().since(next.clock.now());
        tend(&mut next, passed + SECOND).await;
        assert_eq!(next.send_all().await.len(), 70);
        assert_eq!(stored(&store).await[0].breaker.state, BreakerState::Closed);
        next.verify().await;
    }

    async fn what_waits_goes_by_another_carrier_at_once_when_it_is_rerouted(store: Store) {
        let fixture = Fixture::open(&store, "100000").await;
        let (mut run, _) = opened(&store, &fixture).await;
        send(&fixture, Purpose::Promotional, &[MTN], 70).await;
        assert!(run.send_all().await.is_empty());
        let admin = make_user(&store, "root", Role::Admin).await;
        let hold = store.write(Lane::Interactive, (admin, run.clock.now()), |tx, (by, now)| {
            Box::pin(operate::set(tx, "main", Hold::Paused, "", *by, *now))
        });
        hold.await.unwrap();
        let now = run.clock.now();
        let target = RerouteTarget::Carrier(route_carrier("spare"));
        let led = reroute(&store, "main", true, &target, admin, now).await.unwrap();
        assert_eq!(led.moved.into_iter().collect::<Vec<_>>(), [("spare".to_owned(), 70)]);
        let due = "SELECT COUNT(*) FROM retries WHERE carrier = 'spare' AND network IS NULL AND due_at = $1";
        let (due,): (i64,) = store.read().await.unwrap().one(due, args![now]).await.unwrap();
        assert_eq!(due, 70);
    }

    async fn one_that_is_thrown_back_waits_with_what_was_tried_of_it(store: Store) {
        let fixture = Fixture::open(&store, "100000").await;
        let mut run = Run::start_breaking(&store, setup()).await;
        tend(&mut run, SECOND).await;
        send(&fixture, Purpose::Promotional, &[MTN], 1).await;
        let sent = run.dispatch().await;
        let busy = Verdict::Throttled(Refusal { code: 0x58, reason: "busy".into(), is_carriers: true });
        run.settle(vec![answered(sent[0].message, busy)]).await;
        let admin = make_user(&store, "root", Role::Admin).await;
        order(&run, BreakerState::Open, admin).await;
        tend(&mut run, 2 * SECOND).await;
        assert!(run.dispatch().await.is_empty());
        let parked: Vec<(i64, String, Option<String>)> = store.read().await.unwrap()
            .all("SELECT tries, reason, network FROM retries", args![]).await.unwrap();
        assert_eq!(parked, [(1, "0x58".to_owned(), Some("mtn".to_owned()))]);
        order(&run, BreakerState::Closed, admin).await;
        tend(&mut run, SECOND).await;
        let again = run.dispatch().await;
        assert_eq!((again.len(), again[0].tries), (1, 1));
        run.settle(vec![accepted(again[0].message, "7")]).await;
        run.verify().await;
    }

    async fn beyond_the_bound_promotional_chunks_wait_as_a_whole(store: Store) {
        let fixture = Fixture::open(&store, "100000").await;
        let (mut run, _) = opened(&store, &fixture).await;
        let rows = stored(&store).await;
        run.settler.note_parked(&rows, PARKED_MAX, run.clock.now());
        send(&fixture, Purpose::Promotional, &[AIRTEL], 70).await;
        send(&fixture, Purpose::Promotional, &[AIRTEL], 2).await;
        send(&fixture, Purpose::Transactional, &[AIRTEL], 3).await;
        assert_eq!(run.send_all().await.len(), 3);
        run.settler.note_parked(&rows, PARKED_MAX - 1, run.clock.now());
        assert_eq!(run.send_all().await.len(), 72);
        // What waits of a campaign that is paused is none of it, once no breaker holds anything.
        run.settler.note_parked(&rows, PARKED_MAX, run.clock.now());
        send(&fixture, Purpose::Promotional, &[AIRTEL], 70).await;
        assert!(run.send_all().await.is_empty());
        let admin = make_user(&store, "root", Role::Admin).await;
        order(&run, BreakerState::Closed, admin).await;
        run.settler.note_parked(&stored(&store).await, PARKED_MAX, run.clock.now());
        assert_eq!(run.send_all().await.len(), 70);
    }

    async fn a_breaker_of_a_network_that_left_the_table_closes_and_lets_its_messages_go(store: Store) {
        let fixture = Fixture::open(&store, "100000").await;
        let (mut run, _) = opened(&store, &fixture).await;
        send(&fixture, Purpose::Promotional, &[MTN], 70).await;
        assert!(run.send_all().await.is_empty());
        run.dispatcher.finish().await.unwrap();
        recovery::stop(&store, run.owner, run.clock.now()).await.unwrap();
        let networks = NetworkTable::from_csv("prefix,network,as_of\n234802,airtel,2026-11-01\n").unwrap();
        let others = BreakerSetup { terms: Some(TERMS), networks: Arc::new(networks) };
        let mut next = Run::start_breaking(&store, Some(others)).await;
        let passed = run.clock.now().since(next.clock.now());
        tend(&mut next, passed + SECOND).await;
        assert_eq!(next.send_all().await.len(), 70);
        assert_eq!(stored(&store).await[0].breaker.state, BreakerState::Closed);
        next.verify().await;
    }

    async fn a_campaign_says_that_it_waits_for_a_network(store: Store) {
        let fixture = Fixture::open(&store, "100000").await;
        let (mut run, _) = opened(&store, &fixture).await;
        let held = send(&fixture, Purpose::Promotional, &[MTN], 70).await;
        let free = send(&fixture, Purpose::Promotional, &[AIRTEL], 600).await;
        run.dispatch().await;
        run.show(Health::Up).await;
        let around = Around { now: run.clock.now(), ..Around::default() };
        let mut tx = store.read().await.unwrap();
        let mut reasons = Vec::new();
        for (scope, campaign) in [(RecordScope::Own(fixture.user), held), (RecordScope::All, held), (RecordScope::All, free)] {
            let mut shown = [progress::view(&mut tx, scope, campaign).await.unwrap()];
            standstill::explain(&mut tx, &mut shown, scope, &around).await.unwrap();
            let [shown] = shown;
            reasons.push(shown.status_reason);
        }
        let platform = standstill::of_platform(&mut tx, &["main".to_owned()], false, &around).await.unwrap();
        let told = "Promotional messages to MTN wait: too few are delivered by the carrier 'main'. A few are tried now and \
            then, and the rest goes when they are delivered";
        assert_eq!(reasons, [
            Some("MTN does not deliver at present: promotional messages to it wait until it does, and need not be sent \
                again".to_owned()),
            Some(told.to_owned()),
            None,
        ]);
        assert_eq!(platform.as_deref(), Some(told));
    }

    async fn a_receipt_that_is_repeated_counts_once(store: Store) {
        let fixture = Fixture::open(&store, "100000").await;
        let mut run = Run::start_breaking(&store, setup()).await;
        tend(&mut run, SECOND).await;
        send(&fixture, Purpose::Promotional, &[MTN], 5).await;
        let sent = run.send_all().await;
        for _ in 0..9 {
            receive(&mut run, &sent, ReceiptState::Undelivered).await;
        }
        tend(&mut run, SECOND).await;
        assert_eq!(stored(&store).await, []);
    }
}
