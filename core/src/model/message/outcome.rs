//! Outcomes: what a carrier, a receipt or a person says of a message, and what follows for its status and its money.
//!
//! An outcome is applied whichever run holds the chunk by now; the status lattice decides whether it says something
//! new. Money moves only when it leaves the reserve, in the same transaction ([`crate::store::message::apply`]).

use std::collections::BTreeMap;

use talkdrum_api::money::{Amount, Currency};

use super::reason::{PlatformReason, Reason};
use super::status::{Counters, MessageStatus, MoneyState};
use crate::error::Result;
use crate::model::campaign::id::{CampaignId, ChunkId};
use crate::model::message::id::MessageId;
use crate::model::money::ledger::AccountId;
use crate::time::Time;

/// What is known of one message now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MessageOutcome {
    /// Which message.
    pub message: MessageId,
    /// The status it takes.
    pub status: MessageStatus,
    /// The carrier's reference, canonical.
    pub reference: Option<Box<str>>,
    /// When the carrier answered.
    pub submitted_at: Option<Time>,
    /// When the network was done, or the matter settled.
    pub done_at: Option<Time>,
    /// Why.
    pub error: Option<Reason>,
    /// What is charged of it where that is less than what is reserved, in its units: the pulses of a call that was
    /// answered.
    pub units: Option<u8>,
}

/// Where a message stood before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MessageState {
    /// Its status.
    pub status: MessageStatus,
    /// Its money.
    pub money: MoneyState,
}

/// What an outcome does with a message's money.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LedgerEffect {
    /// Nothing.
    None,
    /// From the reserve to revenue.
    Capture,
    /// From the reserve back to the wallet.
    Release,
    /// From revenue back to the wallet.
    Refund,
    /// From the wallet to revenue: the money had been released.
    Charge,
}

impl MessageOutcome {
    /// What the platform itself says of a message, with why; no carrier said anything.
    pub fn by_platform(
        message: MessageId,
        status: MessageStatus,
        reason: PlatformReason,
        done_at: Option<Time>,
    ) -> Self {
        Self {
            message,
            status,
            reference: None,
            submitted_at: None,
            done_at,
            error: Some(reason.into()),
            units: None,
        }
    }

    /// Whether this says that the message was never in flight: it is the carrier's answer that it does not take it, and
    /// not a receipt that says so later, or the platform gave it up before it reached the wire.
    pub fn is_refusal(&self) -> bool {
        match self.submitted_at {
            Some(_) => self.status.is_refusal(),
            None => self.platform_reason().is_some_and(PlatformReason::was_never_sent),
        }
    }

    const fn platform_reason(&self) -> Option<PlatformReason> {
        match self.error {
            Some(Reason::Platform(reason)) => Some(reason),
            Some(Reason::Carrier(_)) | None => None,
        }
    }

    /// Where the carrier's policy moves the money of a message that stays unknown.
    fn written_off(&self) -> Option<MoneyState> {
        match self.platform_reason()? {
            PlatformReason::UnknownCaptured if self.status == MessageStatus::Unknown => {
                Some(MoneyState::Captured)
            }
            PlatformReason::UnknownReleased if self.status == MessageStatus::Unknown => {
                Some(MoneyState::Released)
            }
            _ => None,
        }
    }

    /// The new standing and the movement of money; see [`transition`].
    pub fn follows(
        &self,
        before: Option<MessageState>,
        refund_undelivered: bool,
    ) -> Option<(MessageState, LedgerEffect)> {
        // A refusal proves that the message was never in flight, also when it was unknown meanwhile.
        match before {
            // The carrier's policy moved the money before anything was known; the decision or the refusal corrects it.
            Some(MessageState { status: MessageStatus::Unknown, money: MoneyState::Captured })
                if self.is_refusal() || self.platform_reason() == Some(PlatformReason::ResolvedRefunded) =>
            {
                Some((
                    MessageState { status: self.status, money: MoneyState::Refunded },
                    LedgerEffect::Refund,
                ))
            }
            Some(MessageState { status: MessageStatus::Unknown, money: MoneyState::Released })
                if self.status == MessageStatus::Submitted
                    && self.platform_reason() == Some(PlatformReason::ResolvedSent) =>
            {
                Some((MessageState { status: self.status, money: MoneyState::Charged }, LedgerEffect::Charge))
            }
            Some(state @ MessageState { status: MessageStatus::Unknown, money: MoneyState::Reserved }) => {
                if self.is_refusal() {
                    return transition(None, self.status, refund_undelivered);
                }
                // The status stays: a receipt may still tell, and then changes it and no money.
                match self.written_off() {
                    Some(MoneyState::Captured) => {
                        Some((MessageState { money: MoneyState::Captured, ..state }, LedgerEffect::Capture))
                    }
                    Some(_) => {
                        Some((MessageState { money: MoneyState::Released, ..state }, LedgerEffect::Release))
                    }
                    None => transition(before, self.status, refund_undelivered),
                }
            }
            _ => transition(before, self.status, refund_undelivered),
        }
    }
}

/// The new standing and the movement of money, or `None` when the status says nothing new.
///
/// `before` is `None` for a message in flight. `refund_undelivered` is the campaign's policy.
pub fn transition(
    before: Option<MessageState>,
    next: MessageStatus,
    refund_undelivered: bool,
) -> Option<(MessageState, LedgerEffect)> {
    use MessageStatus as S;
    let from = before.map_or(S::Submitting, |state| state.status);
    if !from.may_become(next) {
        return None;
    }
    let before_money = before.map_or(MoneyState::Reserved, |state| state.money);
    let released = (MoneyState::Released, LedgerEffect::Release);
    let (money, effect) = match before_money {
        MoneyState::Reserved => match next {
            S::Unknown => (MoneyState::Reserved, LedgerEffect::None),
            // Given up, or refused before it was accepted: the customer owes nothing.
            S::Cancelled | S::Suppressed => released,
            S::Rejected | S::Expired if before.is_none() => released,
            S::Rejected | S::Expired | S::Undelivered if refund_undelivered => released,
            // A message that is already known to have reached the carrier (submitted) and is then reported rejected was
            // accepted, and stays charged.
            S::Queued
            | S::Submitting
            | S::Submitted
            | S::Delivered
            | S::Undelivered
            | S::Rejected
            | S::Expired => (MoneyState::Captured, LedgerEffect::Capture),
        },
        MoneyState::Captured | MoneyState::Charged if refund_undelivered && next.is_failure() => {
            (MoneyState::Refunded, LedgerEffect::Refund)
        }
        settled => (settled, LedgerEffect::None),
    };
    Some((MessageState { status: next, money }, effect))
}

/// What a chunk must know of its campaign to move money.
#[derive(Clone, Debug, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct Terms {
    /// The campaign.
    #[sqlx(rename = "campaign_id")]
    pub campaign: CampaignId,
    /// Its reserve.
    #[sqlx(rename = "reserve_account_id")]
    pub reserve: AccountId,
    /// Its owner's wallet.
    #[sqlx(rename = "wallet_account_id")]
    pub wallet: AccountId,
    /// The currency of both.
    pub currency: Currency,
    /// The price of a page.
    pub unit_price: Amount,
    /// Whether accepted and later undelivered messages are refunded.
    pub refund_undelivered: bool,
}

/// A message row to write: new, or in place of one that stood otherwise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MessageChange {
    /// What is known now.
    pub outcome: MessageOutcome,
    /// Where it stood; `None` inserts.
    pub before: Option<MessageState>,
    /// Where it stands.
    pub after: MessageState,
    /// What its money does.
    pub effect: LedgerEffect,
    /// Its price.
    pub price: Amount,
}

impl MessageChange {
    /// Whether a message that could be sent again until now turns out otherwise: it was delivered after all, say.
    pub fn leaves_failure(&self) -> bool {
        self.before.is_some_and(|before| {
            before.status != self.after.status
                && (before.status.is_failure() || before.status == MessageStatus::Cancelled)
        })
    }
}

/// The changes of one chunk in a batch, with what they add up to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChunkChanges {
    /// The campaign's terms.
    pub terms: Terms,
    /// Messages by status, as differences.
    pub counters: Counters,
    /// New message rows.
    pub answered: i64,
    /// To revenue.
    pub captured: Amount,
    /// From the reserve back to the wallet.
    pub released: Amount,
    /// From revenue back to the wallet.
    pub refunded: Amount,
    /// From the wallet to revenue, after a release.
    pub charged: Amount,
}

impl ChunkChanges {
    fn new(terms: Terms) -> Self {
        Self {
            terms,
            counters: Counters::default(),
            answered: 0,
            captured: Amount::ZERO,
            released: Amount::ZERO,
            refunded: Amount::ZERO,
            charged: Amount::ZERO,
        }
    }
}

/// A batch of changes, ready to be written in one transaction.
#[derive(Clone, Debug, Default)]
pub struct OutcomeBatch {
    /// By message id.
    pub changes: Vec<MessageChange>,
    /// By chunk id.
    pub chunks: BTreeMap<ChunkId, ChunkChanges>,
}

impl OutcomeBatch {
    /// Adds a change that [`transition`] allowed.
    pub fn push(&mut self, change: MessageChange, terms: &Terms) -> Result<()> {
        let chunk = self
            .chunks
            .entry(change.outcome.message.chunk())
            .or_insert_with(|| ChunkChanges::new(terms.clone()));
        match change.before {
            Some(before) => chunk.counters.add(before.status, -1),
            None => chunk.answered += 1,
        }
        chunk.counters.add(change.after.status, 1);
        match change.effect {
            LedgerEffect::Capture => {
                let due = match change.outcome.units {
                    Some(units) => terms.unit_price.times(u64::from(units))?.min(change.price),
                    None => change.price,
                };
                chunk.captured = chunk.captured.plus(due)?;
                chunk.released = chunk.released.plus(change.price.minus(due)?)?;
            }
            LedgerEffect::Release => chunk.released = chunk.released.plus(change.price)?,
            LedgerEffect::Refund => chunk.refunded = chunk.refunded.plus(change.price)?,
            LedgerEffect::Charge => chunk.charged = chunk.charged.plus(change.price)?,
            LedgerEffect::None => {}
        }
        self.changes.push(change);
        Ok(())
    }

    /// Whether there is nothing to write.
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty()
    }
}

#[cfg(test)]
mod tests;
