//! Whose turn it is, and the claim that begins a turn.

use super::turn::Turn;
use super::{Dispatcher, whole};
use crate::campaign::control::{self, Authority};
use crate::clock::Time;
use crate::error::{Error, Result};
use crate::store::Lane;
use crate::store::chunk::{self, Claimable};

/// What a look for work found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Picked {
    /// Somebody's turn, or the end of the circle: look again.
    Something,
    /// There is work, and too much is out whose outcome is not stored.
    Full,
    /// Nothing to send.
    Nothing,
}

/// Who comes next.
enum Next {
    /// A user whose chunk is in hand.
    InHand(i64),
    /// Chunks to be claimed, in order.
    Claim(Vec<Claimable>),
    Nobody,
}

impl Dispatcher {
    /// Chooses whose turn it is: the users after the last one, in a circle. Small chunks at the head of the line are
    /// claimed whole, together.
    pub(super) async fn pick(&mut self, now: Time) -> Result<Picked> {
        let user = match self.next(self.last_user, now).await? {
            Next::InHand(user) => user,
            Next::Claim(line) => match self.claim_whole(&line, now).await? {
                whole::Claimed::Nothing => {
                    let Some(first) = line.first() else { return Ok(Picked::Something) };
                    self.claim(first.id, now).await?;
                    first.user_id
                }
                whole::Claimed::UpTo(user) => {
                    self.last_user = user;
                    return Ok(Picked::Something);
                }
                whole::Claimed::Full => return Ok(Picked::Full),
            },
            Next::Nobody if self.last_user == 0 => return Ok(Picked::Nothing),
            Next::Nobody => {
                self.last_user = 0;
                return Ok(Picked::Something);
            }
        };
        self.last_user = user;
        if let Some(turn) = self.turns.get_mut(&user) {
            turn.left = self.limits.turn;
            self.current = Some(user);
        }
        Ok(Picked::Something)
    }

    /// The first user after `after` with something to send, whose next chunk is in hand then.
    pub(super) async fn next_user(&mut self, after: i64, now: Time) -> Result<Option<i64>> {
        match self.next(after, now).await? {
            Next::InHand(user) => Ok(Some(user)),
            Next::Claim(line) => {
                let Some(first) = line.first() else { return Ok(None) };
                self.claim(first.id, now).await?;
                Ok(Some(first.user_id))
            }
            Next::Nobody => Ok(None),
        }
    }

    async fn next(&self, after: i64, now: Time) -> Result<Next> {
        let in_hand = self.turns.range(after + 1..).next().map(|(user, _)| *user);
        let mut line = chunk::next_claimable(
            &mut self.store.read().await?,
            self.carrier.name(),
            self.owner,
            after,
            self.book.is_quiet(now),
            whole::LINE,
        )
        .await?;
        // Nobody overtakes a user whose chunk is in hand.
        line.retain(|it| in_hand.is_none_or(|user| it.user_id < user));
        Ok(match in_hand {
            _ if !line.is_empty() => Next::Claim(line),
            Some(user) => Next::InHand(user),
            None => Next::Nobody,
        })
    }

    async fn claim(&mut self, id: i64, now: Time) -> Result<()> {
        let claimed = self
            .store
            .write(Lane::Intent, (id, self.owner, now), |tx, (id, owner, now)| {
                Box::pin(chunk::claim(tx, *id, *owner, *now))
            })
            .await?;
        // `None`: another daemon was faster; the next pick looks again.
        let Some(row) = claimed else { return Ok(()) };
        let campaign = row.campaign_id;
        let open = match self.book.open(&self.store, row, now).await {
            Err(error @ (Error::Corrupt(_) | Error::Rule { .. })) => {
                return self.set_aside(campaign, &error).await;
            }
            opened => opened?,
        };
        let opt_outs = self.book.opt_outs(&self.store, open.user).await?;
        let granted = open.cursor;
        self.turns.insert(open.user, Turn::new(open, granted, opt_outs));
        Ok(())
    }

    /// Pauses a campaign that cannot be read, so that the others go on.
    pub(super) async fn set_aside(&self, campaign: i64, error: &Error) -> Result<()> {
        tracing::error!(campaign, %error, "a campaign cannot be sent: it is paused");
        let reason = format!("It cannot be sent: {error}");
        self.store
            .write(Lane::Interactive, (campaign, reason), |tx, (campaign, reason)| {
                Box::pin(control::pause(tx, *campaign, Authority::Admin, reason))
            })
            .await
    }
}
