//! Which user's turn it is, and the claim that begins a turn.

use std::ops::Bound;

use super::Dispatcher;
use crate::campaign::control::{self, Authority};
use crate::error::{Error, Result};
use crate::model::account::id::UserId;
use crate::model::campaign::id::{CampaignId, ChunkId};
use crate::store::Lane;
use crate::store::chunk::{self, Claimable, FEW, Flow, Priority};
use crate::time::Time;
use crate::worker::dispatch::chunk_cursor::ChunkCursor;
use crate::worker::dispatch::small_chunks;

/// Chunks read first of the line of large campaigns.
const HEAD: i64 = 8;

/// The result of looking for work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Picked {
    /// A turn began, or the last user was passed: look again.
    Something,
    /// There is work, and too many submitted messages are not settled.
    Full,
    /// Nothing to send.
    Nothing,
}

/// The next turn.
enum Next {
    /// A flow whose chunk is claimed already.
    InHand(Flow),
    /// Chunks to be claimed, in order.
    Claim(Vec<Claimable>),
    Nobody,
}

/// Round-robin positions: the last user of each priority class, and which class had the last turn.
#[derive(Debug, Default)]
pub(super) struct Rounds {
    few: Option<UserId>,
    many: Option<UserId>,
    few_had_it: bool,
}

impl Rounds {
    /// The classes in order: the one that did not have the last turn first, so that neither waits for more than one
    /// turn of the other.
    fn classes(&self) -> [Priority; 2] {
        if self.few_had_it { [Priority::Bulk, Priority::High] } else { [Priority::High, Priority::Bulk] }
    }

    /// The last user of a class.
    fn last(&mut self, class: Priority) -> &mut Option<UserId> {
        match class {
            Priority::High => &mut self.few,
            Priority::Bulk => &mut self.many,
        }
    }

    fn had(&mut self, Flow { class, user }: Flow) {
        self.few_had_it = class == Priority::High;
        *self.last(class) = Some(user);
    }
}

impl Dispatcher {
    /// Chooses the next turn: the priority classes alternate, and within each class the users take turns. Small chunks
    /// at the head of the line are claimed whole, together.
    pub(super) async fn pick(&mut self, now: Time) -> Result<Picked> {
        for class in self.rounds.classes() {
            match self.pick_of(class, now).await? {
                Picked::Nothing => {}
                picked => return Ok(picked),
            }
        }
        Ok(Picked::Nothing)
    }

    async fn pick_of(&mut self, class: Priority, now: Time) -> Result<Picked> {
        let last = *self.rounds.last(class);
        let after = last.map_or(Flow::before_all(class), |user| Flow { class, user });
        let flow = match self.next(after, self.holds_promotional(now)).await? {
            Next::InHand(flow) => flow,
            Next::Claim(line) => match self.claim_whole(&line, now).await? {
                small_chunks::Claimed::Nothing => {
                    let Some(first) = line.first() else { return Ok(Picked::Something) };
                    let flow = Flow { class, user: first.user_id };
                    self.claim(flow, first.id, now).await?;
                    flow
                }
                small_chunks::Claimed::UpTo(user) => {
                    self.rounds.had(Flow { class, user });
                    return Ok(Picked::Something);
                }
                small_chunks::Claimed::Full => return Ok(Picked::Full),
            },
            Next::Nobody if last.is_none() => return Ok(Picked::Nothing),
            Next::Nobody => {
                *self.rounds.last(class) = None;
                return Ok(Picked::Something);
            }
        };
        self.rounds.had(flow);
        if let Some(cursor) = self.cursors.get_mut(&flow) {
            cursor.left = self.turn_length.begin(now);
            self.current = Some(flow);
        }
        Ok(Picked::Something)
    }

    /// The next turn of the class of `after`.
    async fn next(&self, after: Flow, is_quiet: bool) -> Result<Next> {
        let others = (Bound::Excluded(after), Bound::Unbounded);
        let in_hand =
            self.cursors.range(others).map(|(flow, _)| *flow).next().filter(|it| it.class == after.class);
        let mut line = self.line(after, is_quiet).await?;
        // No user overtakes one whose chunk is claimed already.
        line.retain(|it| in_hand.is_none_or(|flow| it.user_id < flow.user));
        Ok(match in_hand {
            _ if !line.is_empty() => Next::Claim(line),
            Some(flow) => Next::InHand(flow),
            None => Next::Nobody,
        })
    }

    /// The chunks at the head of the line: of large campaigns, whose first one is seldom small, a few, unless all of these are.
    async fn line(&self, after: Flow, is_quiet: bool) -> Result<Vec<Claimable>> {
        let mut tx = self.store.read().await?;
        let lists = self.leads_texts().then_some(self.leads.lists.as_slice());
        let (carrier, me) = (self.carrier.name(), self.owner);
        if after.class == Priority::Bulk {
            let line = chunk::next_claimable(&mut tx, carrier, me, after, is_quiet, lists, HEAD).await?;
            let is_small = |it: &Claimable| it.size <= i64::from(FEW);
            if (line.len() as i64) < HEAD || !line.iter().all(is_small) {
                return Ok(line);
            }
        }
        chunk::next_claimable(&mut tx, carrier, me, after, is_quiet, lists, small_chunks::LINE).await
    }

    /// Claims a chunk for a flow that has none in hand.
    pub(super) async fn claim(&mut self, flow: Flow, id: ChunkId, now: Time) -> Result<()> {
        let claimed = self
            .store
            .write(Lane::Intent, (self.carrier.name().to_owned(), id, self.owner, now), |tx, input| {
                let (carrier, id, owner, now) = input;
                Box::pin(chunk::claim(tx, carrier, *id, *owner, *now))
            })
            .await?;
        // `None`: another run was faster; the next pick looks again.
        let Some(row) = claimed else { return Ok(()) };
        let campaign = row.terms.campaign;
        let open = match self.book.open(&self.store, row, now).await {
            Err(error @ (Error::Corrupt(_) | Error::Rule { .. })) => {
                return self.set_aside(campaign, &error).await;
            }
            opened => opened?,
        };
        if !self.is_prepared(&open, now).await? {
            return Ok(());
        }
        let opt_outs = self.book.opt_outs(&self.store, open.user).await?;
        let granted = open.cursor;
        self.cursors.insert(flow, ChunkCursor::new(open, granted, opt_outs));
        Ok(())
    }

    /// Pauses a campaign that cannot be read, so that others go on.
    pub(super) async fn set_aside(&self, campaign: CampaignId, error: &Error) -> Result<()> {
        tracing::error!(campaign = campaign.0, %error, "a campaign cannot be sent: it is paused");
        let reason = format!("It cannot be sent: {error}");
        self.store
            .write(Lane::Interactive, (campaign, reason), |tx, (campaign, reason)| {
                Box::pin(control::pause(tx, *campaign, Authority::Admin, reason))
            })
            .await
    }
}
