//! What people do meanwhile: customers who confirm, pause and cancel, recipients who opt out, operators who hold carriers and
//! lead messages from one to the other.

use rand::RngExt;
use talkdrum_api::kind::Kind;
use talkdrum_api::purpose::{OptOutReach, Purpose};

use super::{CARRIERS, Simulation, WINDOW, World};
use crate::args;
use crate::campaign::control::{self, Authority};
use crate::contact::suppression::{self, OptOutSource, SuppressionScope};
use crate::content::{CallScript, ClipSource, Content, Poll, Pulse};
use crate::error::{Error, Result};
use crate::model::account::id::UserId;
use crate::model::campaign::id::CampaignId;
use crate::operate::{self, Hold, RerouteTarget, reroute};
use crate::routing::RouteCarrier;
use crate::store::Lane;
use crate::testing::builder::{START, Spot, build};
use crate::time::Clock;

impl Simulation {
    /// A new campaign of one of three users, in one or two chunks.
    pub(super) async fn confirm(&mut self) {
        let user = format!("user{}", self.rng.random_range(0..3));
        let chunks = self.rng.random_range(1..3);
        let purpose = Purpose::ALL[self.campaigns.len() % Purpose::ALL.len()];
        let mut builder = build(&self.store, &user).purpose(purpose);
        if self.world == World::Calls && self.chance.random_bool(0.5) {
            let length_ms = self.chance.random_range(1_000..170_000);
            let script = CallScript {
                clip: ClipSource::Speech { text: "Hello".into(), voice: "uk-female".into() },
                caller: None,
                length_ms,
                tail_ms: 2_000,
                pulse: Pulse::MINUTES,
                poll: question(length_ms),
            };
            let pulses = script.pulses();
            // As every campaign of calls: one that is not answered costs nothing.
            builder = builder.content(&Content::Voice(script)).pages(pulses).refund_undelivered();
        }
        if self.world == World::Spares {
            builder = builder.spares(&CARRIERS);
        }
        for _ in 0..chunks {
            let size = self.rng.random_range(1..150);
            builder = builder.chunk(&vec![Spot::Tail; size]);
        }
        // Nothing is drawn for it, so that the rest of a seed stays as it is.
        if chunks > 1 && !self.campaigns.len().is_multiple_of(3) {
            builder = builder.canary(1);
        }
        let built = builder.store().await;
        if self.world == World::Erased {
            self.make_old(&built).await;
        }
        self.campaigns.push(built);
    }

    /// An operator's hand: a carrier is paused, drained or let go, or what waits at it is led to the other.
    pub(super) async fn hold_or_reroute(&mut self, place: usize) -> Result<()> {
        let (which, what) = (self.rng.random_range(0..2_usize), self.rng.random_range(0..7));
        match what {
            0 | 1 => self.say(CARRIERS[which], Hold::Paused).await,
            2 => self.say(CARRIERS[which], Hold::Draining).await,
            3 | 4 => self.say(CARRIERS[which], Hold::Open).await,
            _ => self.reroute(place, which).await,
        }
    }

    async fn say(&self, carrier: &'static str, hold: Hold) -> Result<()> {
        let input = (carrier, hold, self.admin, self.clock.now());
        self.faulty
            .write(Lane::Interactive, input, |tx, (carrier, hold, by, now)| {
                Box::pin(operate::set(tx, carrier, *hold, "by the test", *by, *now))
            })
            .await
    }

    /// What waits at a carrier is led to the other: as it stands, or when some of what is in flight is settled.
    async fn reroute(&mut self, place: usize, which: usize) -> Result<()> {
        let from = CARRIERS[which];
        if self.rng.random_bool(0.7) {
            self.say(from, Hold::Paused).await?;
        }
        for _ in 0..self.rng.random_range(0..12) {
            if let Some(line) = self.line(place, which).await? {
                line.dispatcher.hold(Some(WINDOW), Hold::Paused).await?;
            }
            self.settle_line(place, which).await?;
        }
        let carrier = RouteCarrier {
            name: CARRIERS[1 - which].into(),
            kinds: Kind::ALL.to_vec(),
            ..RouteCarrier::default()
        };
        let (target, now) = (RerouteTarget::Carrier(carrier), self.clock.now());
        match reroute(&self.faulty, from, true, &target, self.admin, now).await {
            Ok(done) => {
                self.led += done.moved.values().sum::<i64>();
                Ok(())
            }
            Err(Error::Conflict { .. } | Error::Stale) => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// A recipient opts out, or in again.
    pub(super) async fn opt_out(&mut self) -> Result<()> {
        let built = &self.campaigns[self.rng.random_range(0..self.campaigns.len())];
        let number = built.numbers[self.rng.random_range(0..built.numbers.len())];
        let scope = if self.rng.random_bool(0.5) {
            SuppressionScope::Platform
        } else {
            SuppressionScope::User(built.user)
        };
        let back = self.rng.random_bool(0.3);
        let reach = OptOutReach::ALL[self.touched.len() % OptOutReach::ALL.len()];
        self.touched.insert((scope.key(), number));
        let outcome = self
            .faulty
            .write(Lane::Interactive, (scope, number, reach, back), |tx, (scope, number, reach, back)| {
                Box::pin(async move {
                    match back {
                        true => suppression::remove(tx, *scope, *number).await,
                        false => {
                            suppression::add(tx, *scope, *number, (OptOutSource::Stop, *reach), START).await
                        }
                    }
                })
            })
            .await;
        self.note_ended().await;
        outcome.map(|_| ())
    }

    /// A customer's hand: pause, resume or cancel. A refusal is an answer.
    pub(super) async fn control(&mut self) -> Result<()> {
        let campaign = self.campaigns[self.rng.random_range(0..self.campaigns.len())].campaign;
        let (what, now) = (self.rng.random_range(0..5), self.clock.now());
        let outcome = self
            .faulty
            .write(Lane::Interactive, (campaign, what, now), |tx, (campaign, what, now)| {
                Box::pin(async move {
                    match what {
                        0 | 1 => control::pause(tx, *campaign, Authority::Admin, "by the test").await,
                        2 | 3 => control::resume(tx, *campaign, Authority::Admin, *now).await.map(|_| ()),
                        _ => control::cancel(tx, *campaign, Authority::Admin, *now).await.map(|_| ()),
                    }
                })
            })
            .await;
        match outcome {
            Err(Error::Conflict { .. } | Error::Stale) => Ok(()),
            other => other,
        }
    }

    /// Every carrier is let go on.
    pub(super) async fn open_carriers(&self) {
        for carrier in CARRIERS {
            let input = (carrier, self.admin, self.clock.now());
            self.store
                .write(Lane::Interactive, input, |tx, (carrier, by, now)| {
                    Box::pin(operate::set(tx, carrier, Hold::Open, "", *by, *now))
                })
                .await
                .unwrap();
        }
    }

    /// Every campaign is let go on that can be.
    pub(super) async fn resume_campaigns(&self) {
        for built in &self.campaigns {
            let input = (built.campaign, self.clock.now());
            let _over = self
                .store
                .write(Lane::Interactive, input, |tx, (campaign, now)| {
                    Box::pin(control::resume(tx, *campaign, Authority::Admin, *now))
                })
                .await;
        }
    }
}

impl Simulation {
    /// Owners let go what the canary stopped.
    pub(super) async fn resume_canaries(&self) {
        let mut tx = self.store.read().await.unwrap();
        let sql =
            "SELECT id, user_id FROM campaigns WHERE status = 'paused' AND canary_failed_at IS NOT NULL";
        let stopped: Vec<(CampaignId, UserId)> = tx.all(sql, args![]).await.unwrap();
        drop(tx);
        for (campaign, owner) in stopped {
            let input = (campaign, owner, self.clock.now());
            let resumed = self.store.write(Lane::Interactive, input, |tx, (campaign, owner, now)| {
                Box::pin(control::resume(tx, *campaign, Authority::Owner(*owner), *now))
            });
            resumed.await.unwrap();
        }
    }
}

/// Of some calls a question with two keys. Nothing is drawn for it, so that the rest of a seed stays as it is.
fn question(length_ms: u64) -> Option<Poll> {
    let plays = (1 + length_ms % 3).to_string();
    let keys = ["1=yes".to_owned(), "2=no".to_owned()];
    Poll::parse(&keys, Some(&plays)).unwrap().filter(|poll| poll.plays > 1)
}
