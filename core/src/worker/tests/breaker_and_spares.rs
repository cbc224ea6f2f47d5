//! Carriers that take over from each other, and a network that one of them does not deliver to.

use std::sync::Arc;
use std::time::Duration;

use talkdrum_api::purpose::Purpose;

use crate::both_databases;
use crate::carrier::{Health, Refusal, SmsCarrier as _, Submission, Verdict};
use crate::model::account::id::UserId;
use crate::model::account::user::Role;
use crate::model::carrier::breaker::{BreakerState, BreakerTerms};
use crate::model::message::id::MessageId;
use crate::phone::{Msisdn, NetworkTable};
use crate::store::carrier::breaker as table;
use crate::store::{Lane, Store};
use crate::testing::account::make_user;
use crate::testing::builder::{Built, START, Spot, build};
use crate::testing::worker::{Run, accepted, answered};
use crate::time::Clock as _;
use crate::worker::breakers::{BreakerSetup, ParkedCursor};

const TERMS: BreakerTerms =
    BreakerTerms { floor: 60, sample: 20, window_s: 600, probe: 5, probe_every_s: 600 };
const MINUTE: Duration = Duration::from_secs(61);
const SECOND: Duration = Duration::from_secs(1);

/// A promotional campaign by main, which spare takes over from: one number of MTN, one of Airtel.
async fn campaign(store: &Store) -> Built {
    let number = |digits| Msisdn::from_digits(digits).unwrap();
    build(store, "ada")
        .purpose(Purpose::Promotional)
        .chunk(&[Spot::Tail; 2])
        .number(0, 0, number(2_348_031_234_567))
        .number(0, 1, number(2_348_021_234_567))
        .spares(&["spare"])
        .store()
        .await
}

/// A promotional campaign by main to so many numbers of MTN, which spare takes over from.
async fn campaign_to_mtn(store: &Store, texts: usize) {
    let built = build(store, "ada").purpose(Purpose::Promotional).chunk(&vec![Spot::Tail; texts]);
    let numbers = (0..texts).map(|n| Msisdn::from_digits(2_348_030_000_000 + n as u64).unwrap());
    let built = numbers.enumerate().fold(built, |built, (place, number)| built.number(0, place, number));
    built.spares(&["spare"]).store().await;
}

/// Main is down for so long that it leads messages away.
async fn goes_down_for_long(runs: &mut [Run; 2]) {
    runs[0].show(Health::Connecting { reason: "gone".into() }).await;
    runs[0].dispatcher.stand_aside().await.unwrap();
    for run in &*runs {
        run.clock.advance(11 * SECOND);
    }
    runs[1].show(Health::Up).await;
    runs[0].dispatcher.stand_aside().await.unwrap();
}

/// Two runs, each with one of the carriers, that know which breakers are open.
async fn two(store: &Store) -> [Run; 2] {
    let setup = || BreakerSetup { terms: Some(TERMS), networks: Arc::new(NetworkTable::builtin().clone()) };
    let mut runs = [
        Run::start_breaking_texts(store, "main", setup()).await,
        Run::start_breaking_texts(store, "spare", setup()).await,
    ];
    tend(&mut runs).await;
    runs
}

async fn tend(runs: &mut [Run; 2]) {
    for run in runs {
        run.clock.advance(SECOND);
        run.settler.tend_breakers(run.clock.now()).await.unwrap();
    }
}

/// An administrator opens or closes the breaker of the run's carrier.
async fn order(run: &Run, state: BreakerState, admin: UserId) {
    let input = (run.carrier.name().to_owned(), state, admin, run.clock.now());
    let write = run.store.write(Lane::Interactive, input, |tx, (carrier, state, by, now)| {
        Box::pin(table::order(tx, carrier, "mtn", *state, *by, *now))
    });
    write.await.unwrap();
}

fn account() -> Verdict {
    Verdict::Refused(Refusal { code: 0x04, reason: "the bind does not allow it".into(), is_carriers: true })
}

fn ids(sent: &[Submission]) -> Vec<MessageId> {
    sent.iter().map(|one| one.message).collect()
}

both_databases! {
    async fn what_moves_on_goes_to_no_carrier_that_holds_its_network(store: Store) {
        campaign(&store).await;
        let mut runs = two(&store).await;
        let admin = make_user(&store, "root", Role::Admin).await;
        order(&runs[1], BreakerState::Open, admin).await;
        let sent = ids(&runs[0].dispatch().await);
        runs[0].settle(sent.iter().map(|message| answered(*message, account())).collect()).await;
        assert_eq!(ids(&runs[1].dispatch().await), sent[1..], "the other network");
        runs[1].settle(vec![accepted(sent[1], "s1")]).await;
        // The first waits where it was, and is looked at again; once the spare's breaker is closed it goes there.
        order(&runs[1], BreakerState::Closed, admin).await;
        tend(&mut runs).await;
        runs[0].clock.advance(MINUTE);
        runs[1].clock.advance(MINUTE);
        runs[1].show(Health::Up).await;
        assert_eq!(ids(&runs[0].dispatch().await), sent[..1]);
        runs[0].settle(vec![answered(sent[0], account())]).await;
        assert_eq!(ids(&runs[1].dispatch().await), sent[..1]);
        runs[1].settle(vec![accepted(sent[0], "s0")]).await;
        runs[0].verify().await;
    }

    async fn one_that_comes_to_a_carrier_whose_breaker_has_just_opened_goes_back(store: Store) {
        campaign(&store).await;
        let mut runs = two(&store).await;
        let admin = make_user(&store, "root", Role::Admin).await;
        let sent = ids(&runs[0].dispatch().await);
        runs[0].settle(sent.iter().map(|message| answered(*message, account())).collect()).await;
        order(&runs[1], BreakerState::Open, admin).await;
        tend(&mut runs).await;
        assert_eq!(ids(&runs[1].dispatch().await), sent[1..]);
        runs[1].settle(vec![accepted(sent[1], "s1")]).await;
        let waits: Vec<(String, Option<String>)> = store.read().await.unwrap()
            .all("SELECT carrier, network FROM retries", crate::args![]).await.unwrap();
        assert_eq!(waits, [("main".to_owned(), None)], "nothing of main's waits for a breaker of the spare");
        assert!(runs[0].dispatch().await.is_empty(), "not to and fro");
        runs[0].clock.advance(MINUTE);
        assert_eq!(ids(&runs[0].dispatch().await), sent[..1]);
        runs[0].settle(vec![accepted(sent[0], "m0")]).await;
        runs[0].verify().await;
    }

    async fn what_no_carrier_takes_is_tried_less_and_less_often(store: Store) {
        let texts = 1_000;
        campaign_to_mtn(&store, texts).await;
        let mut runs = two(&store).await;
        let admin = make_user(&store, "root", Role::Admin).await;
        order(&runs[1], BreakerState::Open, admin).await;
        runs[0].show(Health::Connecting { reason: "gone".into() }).await;
        runs[0].dispatcher.stand_aside().await.unwrap();
        for _ in 0..30 {
            for run in &runs {
                run.clock.advance(2 * SECOND);
            }
            runs[1].show(Health::Up).await;
            runs[0].dispatcher.stand_aside().await.unwrap();
        }
        let left = "SELECT COUNT(*) FROM retries";
        let (left,): (i64,) = store.read().await.unwrap().one(left, crate::args![]).await.unwrap();
        assert!(left > 0 && left < 500, "{left} wait singly");
        // Once there is somewhere to go, all go there.
        order(&runs[1], BreakerState::Closed, admin).await;
        tend(&mut runs).await;
        let mut sent = 0;
        for _ in 0..200 {
            for run in &runs {
                run.clock.advance(2 * SECOND);
            }
            runs[1].show(Health::Up).await;
            runs[0].dispatcher.stand_aside().await.unwrap();
            let some = ids(&runs[1].dispatch().await);
            sent += some.len();
            let answers = some.iter().map(|message| accepted(*message, &format!("s{}", message.0)));
            runs[1].settle(answers.collect()).await;
        }
        assert_eq!(sent, texts);
        runs[0].verify().await;
    }

    async fn a_campaign_that_no_carrier_takes_ends_its_turn(store: Store) {
        campaign_to_mtn(&store, 300).await;
        build(&store, "bisi").chunk(&[Spot::Tail; 100]).spares(&["spare"]).store().await;
        let mut runs = two(&store).await;
        let admin = make_user(&store, "root", Role::Admin).await;
        order(&runs[1], BreakerState::Open, admin).await;
        goes_down_for_long(&mut runs).await;
        assert!(!runs[1].dispatch().await.is_empty(), "another customer's messages have somewhere to go");
        runs[0].verify().await;
    }

    async fn what_a_carrier_that_is_down_leads_away_does_not_wait_for_its_own_breaker(store: Store) {
        campaign(&store).await;
        let mut runs = two(&store).await;
        let admin = make_user(&store, "root", Role::Admin).await;
        order(&runs[0], BreakerState::Open, admin).await;
        tend(&mut runs).await;
        goes_down_for_long(&mut runs).await;
        let sent = ids(&runs[1].dispatch().await);
        assert_eq!(sent.len(), 2);
        runs[1].settle(vec![accepted(sent[0], "s0"), accepted(sent[1], "s1")]).await;
        runs[0].verify().await;
    }

    async fn what_waits_for_the_breaker_of_a_carrier_goes_by_another_once_that_carrier_is_down(store: Store) {
        campaign(&store).await;
        let alone = build(&store, "bisi").purpose(Purpose::Promotional).chunk(&[Spot::Tail]);
        let alone = alone.number(0, 0, Msisdn::from_digits(2_348_031_234_568).unwrap()).store().await;
        let mut runs = two(&store).await;
        let admin = make_user(&store, "root", Role::Admin).await;
        order(&runs[0], BreakerState::Open, admin).await;
        order(&runs[1], BreakerState::Open, admin).await;
        tend(&mut runs).await;
        let sent = ids(&runs[0].dispatch().await);
        runs[0].settle(vec![accepted(sent[0], "m0")]).await;
        let waits = async || -> Vec<(String, Option<String>)> {
            let sql = "SELECT carrier, network FROM retries ORDER BY message_id";
            store.read().await.unwrap().all(sql, crate::args![]).await.unwrap()
        };
        let parked = ("main".to_owned(), Some("mtn".to_owned()));
        assert_eq!(waits().await, [parked.clone(), parked.clone()]);
        goes_down_for_long(&mut runs).await;
        assert_eq!(waits().await, [parked.clone(), parked.clone()], "the other does not deliver to it either");
        order(&runs[1], BreakerState::Closed, admin).await;
        tend(&mut runs).await;
        runs[0].dispatcher.stand_aside().await.unwrap();
        let sent = ids(&runs[1].dispatch().await);
        assert_eq!(sent.len(), 1);
        assert!(!alone.chunks.contains(&sent[0].chunk()));
        assert_eq!(waits().await, [parked], "what no other may take");
        runs[1].settle(vec![accepted(sent[0], "s0")]).await;
        runs[0].verify().await;
    }

    async fn no_look_goes_through_all_that_waits_of_campaigns_that_are_paused(store: Store) {
        let paused = (0..300).fold(build(&store, "ada"), |built, _| built.chunk(&[Spot::Retry])).store().await;
        build(&store, "bisi").chunk(&[Spot::Retry; 3]).store().await;
        let wait = store.write(Lane::Interactive, paused.campaign, |tx, id| {
            Box::pin(async move {
                tx.run("UPDATE retries SET network = 'mtn', due_at = due_at + 80000000", crate::args![]).await?;
                tx.run("UPDATE campaigns SET status = 'paused' WHERE id = $1", crate::args![*id]).await
            })
        });
        wait.await.unwrap();
        let mut cursor = ParkedCursor::default();
        let mut released = Vec::new();
        for limit in [9, 2, 9, 9] {
            let (carrier, network) = ("main".to_owned(), "mtn".to_owned());
            let wanted = table::Release { carrier, network, limit, only_spared: false };
            released.push(cursor.release(&store, wanted, START).await.unwrap());
        }
        assert_eq!(released, [0, 2, 0, 1]);
    }
}
