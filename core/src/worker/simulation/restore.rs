//! A database that goes back in time: its content is copied, and put back some operations later. On SQLite that happens
//! while the process is down, on PostgreSQL also under running ones, whose connections break. They go on: their workers
//! compare what they know (`worker/went_back.rs`), and the processes their generations ([`crate::operate::generation`]).
//! Then dispatch is held, until an operator has cancelled what was under way.
//!
//! What the database cannot know is noted here: messages that were claimed or accepted after the copy.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};

use rand::RngExt;

use super::Simulation;
use crate::args;
use crate::campaign::control::{self, Authority};
use crate::error::{Error, Result};
use crate::model::campaign::id::ChunkId;
use crate::model::message::id::MessageId;
use crate::operate::generation as generations;
use crate::operate::generation::{Keeper, KnownGeneration};
use crate::store::operations::generation;
use crate::store::{Lane, Sql, Store};
use crate::testing::carrier::Network;
use crate::testing::past::Moment;
use crate::time::Clock;

/// The data directory of a place: it outlives the process.
#[derive(Clone, Debug, Default)]
pub(super) struct Directory(Arc<Mutex<Option<KnownGeneration>>>);

impl Keeper for Directory {
    type Error = Error;

    fn read(&self) -> Result<Option<KnownGeneration>> {
        Ok(self.0.lock().unwrap().clone())
    }

    fn write(&self, known: &KnownGeneration) -> Result<()> {
        *self.0.lock().unwrap() = Some(known.clone());
        Ok(())
    }
}

/// Where a database stands on its way back in time.
#[derive(Debug)]
pub(super) enum Past {
    /// Nothing happens.
    Never,
    /// It is copied after so many operations, and put back so many after that.
    Planned(u32, u32),
    /// It is copied, and put back after so many operations.
    Copied(Copied, u32),
    /// It went back, and no process has noticed.
    Unnoticed,
    /// Dispatch is held, and an operator lets it go on after so many operations.
    Held(Held, u32),
    /// It is over.
    Released,
}

/// How things stood when the database was copied.
#[derive(Debug)]
pub(super) struct Copied {
    moment: Moment,
    /// By carrier: how many messages were accepted until then.
    accepted: [usize; 2],
    /// By carrier: how many receipts were acknowledged until then.
    acknowledged: [usize; 2],
    /// How many campaigns there were.
    campaigns: usize,
}

/// How things stood when dispatch was held.
#[derive(Debug)]
pub(super) struct Held {
    /// By carrier: how many messages were handed over until then.
    handed: [usize; 2],
    /// Cursors by chunk, of the database and of what it forgot: what lies below may still be on its way to a carrier.
    claimed: BTreeMap<ChunkId, i64>,
    /// What waited to be tried again.
    waiting: BTreeSet<MessageId>,
}

/// What the database cannot know since it went back.
#[derive(Debug, Default)]
pub(super) struct Forgotten {
    /// By carrier: how many messages were accepted when it was copied, when it was put back, when every process that ran
    /// then had ended or noticed.
    pub(super) accepted: Option<[[usize; 2]; 3]>,
    /// Messages whose receipts came in between: they do not come again.
    pub(super) receipts: BTreeSet<MessageId>,
    /// Cursors by chunk before it went back: what processes may have claimed.
    pub(super) claimed: BTreeMap<ChunkId, i64>,
    /// Cursors by chunk that it went back to.
    pub(super) known: BTreeMap<ChunkId, i64>,
}

impl Simulation {
    /// Whether and when the database of a seed goes back.
    pub(super) fn plan_restore(&mut self) {
        if self.chance.random_bool(0.4) {
            self.past = Past::Planned(self.chance.random_range(10..340), self.chance.random_range(1..50));
        }
    }

    /// An operation's time passes.
    pub(super) async fn pass_restore(&mut self) {
        match &mut self.past {
            Past::Never | Past::Released => self.release_again().await,
            Past::Planned(0, back_in) => {
                let back_in = *back_in;
                let copied = Copied {
                    moment: Moment::now(&self.store).await,
                    accepted: self.count(Network::log),
                    acknowledged: self.count(Network::acknowledged),
                    campaigns: self.campaigns.len(),
                };
                self.past = Past::Copied(copied, back_in);
            }
            Past::Planned(copied_in, _) => *copied_in -= 1,
            Past::Copied(_, 0) => self.go_back().await,
            Past::Copied(_, back_in) => *back_in -= 1,
            Past::Unnoticed => self.look_at_hold().await,
            Past::Held(_, 0) => self.release().await,
            Past::Held(_, released_in) => *released_in -= 1,
        }
        self.compare_when_due().await;
    }

    fn count(&self, of: impl Fn(&Network) -> Vec<MessageId>) -> [usize; 2] {
        [0, 1].map(|which| of(&self.networks[which]).len())
    }

    async fn cursors(&self) -> BTreeMap<ChunkId, i64> {
        // Locked, so that intents whose commit is under way are waited for.
        let sql = Sql::each(
            "SELECT id, cursor FROM campaign_chunks",
            "SELECT id, cursor FROM campaign_chunks ORDER BY id FOR UPDATE",
        );
        let rows: Vec<(ChunkId, i64)> = self
            .store
            .write(Lane::Interactive, sql, |tx, sql| Box::pin(async move { tx.all(*sql, args![]).await }))
            .await
            .unwrap();
        rows.into_iter().collect()
    }

    async fn go_back(&mut self) {
        let Past::Copied(copied, _) = std::mem::replace(&mut self.past, Past::Unnoticed) else { return };
        // The copy is older than the last comparison: what is younger is not noticed. A process that runs makes it.
        if self.lives.iter().all(Option::is_none) {
            self.begin(0).await;
        }
        for place in 0..self.lives.len() {
            if self.lives[place].is_some() {
                self.compare(place, &self.store.clone()).await.unwrap();
            }
        }
        self.forgotten.claimed = self.cursors().await;
        if self.lives.len() == 1 {
            self.die(0).await;
        }
        // A process that was frozen meanwhile is none of this.
        self.zombie = None;
        copied.moment.restore().await;
        self.killer.reconnect();
        // What customers send from here on goes to other numbers.
        self.audiences_apart().await;
        self.forgotten.known = self.cursors().await;
        let back = self.count(Network::log);
        self.forgotten.accepted = Some([copied.accepted, back, back]);
        for (which, network) in self.networks.iter().enumerate() {
            self.forgotten.receipts.extend(&network.acknowledged()[copied.acknowledged[which]..]);
        }
        self.lives.iter_mut().flatten().for_each(|life| life.doubts_leases = true);
        self.note_silent().await;
        self.campaigns.truncate(copied.campaigns);
        self.compares_in = [0, 1].map(|_| Some(self.chance.random_range(0..8)));
        if self.lives.len() == 1 {
            self.begin(0).await;
        }
        self.gone_back += 1;
    }

    async fn audiences_apart(&self) {
        let sql = Sql::each(
            "INSERT INTO audiences (id, user_id, columns, created_at) \
             SELECT id + 1000, user_id, columns, created_at FROM audiences ORDER BY id DESC LIMIT 1",
            "SELECT setval(pg_get_serial_sequence('audiences', 'id'), 1000 + (SELECT MAX(id) FROM audiences))",
        );
        self.store.write(Lane::Interactive, sql, |tx, sql| Box::pin(tx.run(*sql, args![]))).await.unwrap();
    }

    /// Processes compare, each in its own time.
    async fn compare_when_due(&mut self) {
        for place in 0..self.lives.len() {
            match &mut self.compares_in[place] {
                Some(0) => {
                    self.compares_in[place] = None;
                    if self.lives[place].is_some() {
                        self.compare(place, &self.store.clone()).await.unwrap();
                    }
                }
                Some(operations) => *operations -= 1,
                None => {}
            }
        }
    }

    /// A process compares its generation with the database's. When they disagree dispatch is held, and the process goes on.
    pub(super) async fn compare(&self, place: usize, store: &Store) -> Result<()> {
        generations::raise_again(store, &self.directories[place], self.clock.now()).await.map(|_| ())
    }

    /// Notes how things stand from the moment on in which a process has noticed.
    async fn look_at_hold(&mut self) {
        if !generation::is_held(&mut self.store.read().await.unwrap()).await.unwrap() {
            return;
        }
        let mut claimed = BTreeMap::new();
        // On SQLite no process runs that may have claimed anything.
        if self.lives.len() > 1 {
            claimed.clone_from(&self.forgotten.claimed);
            for (chunk, cursor) in self.cursors().await {
                let before = claimed.entry(chunk).or_default();
                *before = cursor.max(*before);
            }
        }
        let mut tx = self.store.read().await.unwrap();
        let rows: Vec<(i64,)> = tx.all("SELECT message_id FROM retries", args![]).await.unwrap();
        let waiting = rows.into_iter().map(|(id,)| MessageId(id)).collect();
        let held = Held { handed: self.count(Network::handed), claimed, waiting };
        self.past = Past::Held(held, self.chance.random_range(12..40));
    }

    /// Whether the database went back, and dispatch does not go on yet.
    pub(super) fn is_going_back(&self) -> bool {
        matches!(self.past, Past::Unnoticed | Past::Held(..))
    }

    /// Whether a process knows that dispatch is held, and stands by: it looks now and then.
    pub(super) async fn is_gate_shut(&mut self) -> Result<bool> {
        if self.forgotten.accepted.is_none() || self.chance.random_bool(0.5) {
            return Ok(false);
        }
        generation::is_held(&mut self.store.read().await?).await
    }

    /// An operator looks at what was sent, cancels what was under way and lets dispatch go on.
    pub(super) async fn release(&mut self) {
        self.check_held();
        for built in &self.campaigns {
            let input = (built.campaign, self.clock.now());
            let cancelled = self
                .store
                .write(Lane::Interactive, input, |tx, (campaign, now)| {
                    Box::pin(async move {
                        control::cancel(tx, *campaign, Authority::Admin, *now).await.map(|_| ())
                    })
                })
                .await;
            assert!(
                matches!(cancelled, Ok(()) | Err(Error::Conflict { .. } | Error::Stale)),
                "{cancelled:?}"
            );
        }
        if let Some([_, _, noticed]) = &mut self.forgotten.accepted {
            *noticed = [0, 1].map(|which| self.networks[which].log().len());
        }
        self.let_go_on().await;
        self.past = Past::Released;
    }

    async fn let_go_on(&self) {
        self.store.write(Lane::Interactive, (), |tx, ()| Box::pin(generation::release(tx))).await.unwrap();
    }

    /// A process that was down meanwhile holds dispatch once more when it starts.
    pub(super) async fn release_again(&self) {
        if self.forgotten.accepted.is_some()
            && generation::is_held(&mut self.store.read().await.unwrap()).await.unwrap()
        {
            self.let_go_on().await;
        }
    }

    /// Whatever is still to come of it happens now.
    pub(super) async fn finish_restore(&mut self) {
        if matches!(self.past, Past::Unnoticed) {
            if self.lives.iter().all(Option::is_none) {
                self.begin(0).await;
            }
            for place in 0..self.lives.len() {
                if self.lives[place].is_some() {
                    self.compare(place, &self.store.clone()).await.unwrap();
                }
            }
            self.look_at_hold().await;
            assert!(
                matches!(self.past, Past::Held(..)),
                "the database went back in time, and dispatch goes on"
            );
        }
        if matches!(self.past, Past::Held(..)) {
            self.release().await;
        }
        self.past = Past::Released;
    }

    /// While dispatch was held, nothing was handed to a carrier but what had been claimed before.
    fn check_held(&self) {
        let Past::Held(Held { handed, claimed, waiting }, _) = &self.past else { return };
        for (network, before) in self.networks.iter().zip(handed) {
            let log = network.handed();
            let (earlier, since) = log.split_at(*before);
            let earlier: BTreeSet<&MessageId> = earlier.iter().collect();
            for message in since {
                let cursor = claimed.get(&message.chunk()).copied().unwrap_or(0);
                let is_claimed = i64::from(message.place()) < cursor && !waiting.contains(message);
                assert!(
                    is_claimed && !earlier.contains(message),
                    "{message:?} was handed over while dispatch was held"
                );
            }
        }
    }
}
