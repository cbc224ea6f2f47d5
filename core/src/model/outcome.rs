//! Outcomes: what a carrier, a receipt or a person says of a message, and what follows for its status and its money.
//!
//! An outcome is applied whichever run holds the chunk by now; the status lattice decides whether it says something
//! new. Money moves only when it leaves the reserve, in the same transaction ([`crate::store::message::apply`]).

use std::collections::BTreeMap;

use talkdrum_api::money::{Amount, Currency};

use super::status::{Counters, MessageStatus, MoneyState};
use crate::error::Result;
use crate::model::ledger::AccountId;
use crate::model::message_id::MessageId;
use crate::time::Time;

/// The reason of an unknown message that was charged after a while (`unknown_then = "capture"`).
pub const UNKNOWN_CAPTURED: &str = "house:unknown_captured";
/// The reason of an unknown message that was given back after a while (`unknown_then = "release"`).
pub const UNKNOWN_RELEASED: &str = "house:unknown_released";
/// The reason of an unknown message that a person settled as sent.
pub const RESOLVED_SENT: &str = "resolved:sent";
/// The reason of an unknown message that a person settled as not sent.
pub const RESOLVED_REFUNDED: &str = "resolved:refunded";

/// The reason of a message whose validity ran out before it could be sent.
pub const EXPIRED: &str = "house:expired";
/// The reason of a message that could not be encoded.
pub const UNFIT: &str = "house:unfit";
/// The reason of a message to a number that opted out after the quote.
pub const OPTED_OUT: &str = "house:opted_out";
/// The reason of a message to a number that came on the Do-Not-Disturb list after the quote.
pub const DO_NOT_DISTURB: &str = "house:dnd";
/// The reason of a message whose campaign was cancelled before it was sent.
pub const CANCELLED: &str = "house:cancelled";
/// The reasons with which the platform gives up a message that never reached the wire.
const NEVER_SENT: [&str; 5] = [EXPIRED, UNFIT, OPTED_OUT, DO_NOT_DISTURB, CANCELLED];

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
    /// Why, as a code: `smpp:0x0000000b`, `err:045`, `resolved:refunded`.
    pub error: Option<Box<str>>,
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

/// What a fact does with a message's money.
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
        error: &str,
        done_at: Option<Time>,
    ) -> Self {
        Self {
            message,
            status,
            reference: None,
            submitted_at: None,
            done_at,
            error: Some(error.into()),
            units: None,
        }
    }

    /// Whether this says that the message was never in flight: it is the carrier's answer that it does not take it, and
    /// not a receipt that says so later, or the platform gave it up before it reached the wire.
    pub fn is_refusal(&self) -> bool {
        match self.submitted_at {
            Some(_) => self.status == MessageStatus::Rejected,
            None => self.error.as_deref().is_some_and(|error| NEVER_SENT.contains(&error)),
        }
    }

    /// Where the carrier's policy moves the money of a message that stays unknown.
    fn written_off(&self) -> Option<MoneyState> {
        match self.error.as_deref() {
            Some(UNKNOWN_CAPTURED) if self.status == MessageStatus::Unknown => Some(MoneyState::Captured),
            Some(UNKNOWN_RELEASED) if self.status == MessageStatus::Unknown => Some(MoneyState::Released),
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
                if self.is_refusal() || self.error.as_deref() == Some(RESOLVED_REFUNDED) =>
            {
                Some((
                    MessageState { status: self.status, money: MoneyState::Refunded },
                    LedgerEffect::Refund,
                ))
            }
            Some(MessageState { status: MessageStatus::Unknown, money: MoneyState::Released })
                if self.error.as_deref() == Some(RESOLVED_SENT) =>
            {
                Some((MessageState { status: self.status, money: MoneyState::Charged }, LedgerEffect::Charge))
            }
            Some(standing @ MessageState { status: MessageStatus::Unknown, money: MoneyState::Reserved }) => {
                if self.is_refusal() {
                    return transition(None, self.status, refund_undelivered);
                }
                // The status stays: a receipt may still tell, and then changes it and no money.
                match self.written_off() {
                    Some(MoneyState::Captured) => Some((
                        MessageState { money: MoneyState::Captured, ..standing },
                        LedgerEffect::Capture,
                    )),
                    Some(_) => Some((
                        MessageState { money: MoneyState::Released, ..standing },
                        LedgerEffect::Release,
                    )),
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
    let from = before.map_or(S::Submitting, |standing| standing.status);
    if !from.may_become(next) {
        return None;
    }
    let held = before.map_or(MoneyState::Reserved, |standing| standing.money);
    // Refused before it was accepted, or given up: the customer owes nothing. A message that is already known to have
    // reached the carrier (submitted) and is then reported rejected was accepted, and stays charged.
    let never_sent = next.is_given_up() || before.is_none() && matches!(next, S::Rejected | S::Expired);
    let failed_late = refund_undelivered && next.is_failure();
    let (money, movement) = match held {
        MoneyState::Reserved if next == S::Unknown => (MoneyState::Reserved, LedgerEffect::None),
        MoneyState::Reserved if never_sent || failed_late => (MoneyState::Released, LedgerEffect::Release),
        MoneyState::Reserved => (MoneyState::Captured, LedgerEffect::Capture),
        MoneyState::Captured | MoneyState::Charged if failed_late => {
            (MoneyState::Refunded, LedgerEffect::Refund)
        }
        settled => (settled, LedgerEffect::None),
    };
    Some((MessageState { status: next, money }, movement))
}

/// What a chunk must know of its campaign to move money.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct Terms {
    /// The campaign.
    #[sqlx(rename = "campaign_id")]
    pub campaign: i64,
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
pub struct Change {
    /// What is known now.
    pub fact: MessageOutcome,
    /// Where it stood; `None` inserts.
    pub before: Option<MessageState>,
    /// Where it stands.
    pub after: MessageState,
    /// What its money does.
    pub movement: LedgerEffect,
    /// Its price.
    pub price: Amount,
}

impl Change {
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
pub struct Batch {
    /// By message id.
    pub changes: Vec<Change>,
    /// By chunk id.
    pub chunks: BTreeMap<i64, ChunkChanges>,
}

impl Batch {
    /// Adds a change that [`transition`] allowed.
    pub fn push(&mut self, change: Change, terms: &Terms) -> Result<()> {
        let chunk = self
            .chunks
            .entry(change.fact.message.chunk())
            .or_insert_with(|| ChunkChanges::new(terms.clone()));
        match change.before {
            Some(before) => chunk.counters.add(before.status, -1),
            None => chunk.answered += 1,
        }
        chunk.counters.add(change.after.status, 1);
        match change.movement {
            LedgerEffect::Capture => {
                let due = match change.fact.units {
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
mod tests {
    use super::*;

    const fn stood(status: MessageStatus, money: MoneyState) -> Option<MessageState> {
        Some(MessageState { status, money })
    }

    #[test]
    fn an_accepted_message_is_charged_and_a_refused_one_released() {
        use MessageStatus as S;
        let cases = [
            (S::Submitted, LedgerEffect::Capture),
            (S::Delivered, LedgerEffect::Capture),
            (S::Rejected, LedgerEffect::Release),
            (S::Cancelled, LedgerEffect::Release),
            (S::Expired, LedgerEffect::Release),
            (S::Unknown, LedgerEffect::None),
        ];
        for (next, movement) in cases {
            assert_eq!(transition(None, next, false).unwrap().1, movement, "{next}");
        }
    }

    #[test]
    fn an_unknown_message_keeps_its_money_until_somebody_knows() {
        use MessageStatus as S;
        let unknown = stood(S::Unknown, MoneyState::Reserved);
        assert_eq!(transition(unknown, S::Delivered, false).unwrap().1, LedgerEffect::Capture);
        assert_eq!(transition(unknown, S::Cancelled, false).unwrap().1, LedgerEffect::Release);
        assert_eq!(transition(unknown, S::Rejected, false).unwrap().1, LedgerEffect::Capture);
    }

    #[test]
    fn a_refusal_that_comes_late_still_costs_nothing() {
        let refusal = MessageOutcome {
            message: MessageId(1),
            status: MessageStatus::Rejected,
            reference: None,
            submitted_at: Some(Time(1)),
            done_at: None,
            error: None,
            units: None,
        };
        let unknown = stood(MessageStatus::Unknown, MoneyState::Reserved);
        assert_eq!(refusal.follows(unknown, false).unwrap().1, LedgerEffect::Release);
        let receipt = MessageOutcome { submitted_at: None, ..refusal };
        assert_eq!(receipt.follows(unknown, false).unwrap().1, LedgerEffect::Capture);
    }

    #[test]
    fn what_the_platform_gave_up_unsent_costs_nothing_whatever_was_thought_of_it_meanwhile() {
        use MessageStatus as S;
        let moved = [
            (MoneyState::Reserved, LedgerEffect::Release, MoneyState::Released),
            (MoneyState::Captured, LedgerEffect::Refund, MoneyState::Refunded),
            (MoneyState::Released, LedgerEffect::None, MoneyState::Released),
        ];
        for (status, error) in [
            (S::Expired, EXPIRED),
            (S::Rejected, UNFIT),
            (S::Suppressed, OPTED_OUT),
            (S::Suppressed, DO_NOT_DISTURB),
            (S::Cancelled, CANCELLED),
        ] {
            let given_up = MessageOutcome::by_platform(MessageId(1), status, error, None);
            for (money, movement, left) in moved {
                let after = MessageState { status, money: left };
                let unknown = stood(S::Unknown, money);
                assert_eq!(given_up.follows(unknown, false), Some((after, movement)), "{error} {money:?}");
            }
        }
        let receipt = MessageOutcome::by_platform(MessageId(1), S::Expired, "err:045", None);
        assert_eq!(
            receipt.follows(stood(S::Unknown, MoneyState::Reserved), false).unwrap().1,
            LedgerEffect::Capture,
            "a receipt says that it was sent"
        );
    }

    #[test]
    fn an_unknown_message_is_written_off_once_and_a_receipt_still_tells() {
        let unknown = stood(MessageStatus::Unknown, MoneyState::Reserved);
        let off =
            |error: &str| MessageOutcome::by_platform(MessageId(1), MessageStatus::Unknown, error, None);
        let (after, movement) = off(UNKNOWN_RELEASED).follows(unknown, false).unwrap();
        assert_eq!((after.status, movement), (MessageStatus::Unknown, LedgerEffect::Release));
        assert_eq!(off(UNKNOWN_CAPTURED).follows(Some(after), false), None, "its money is settled");
        assert_eq!(off(UNKNOWN_CAPTURED).follows(unknown, false).unwrap().1, LedgerEffect::Capture);
        assert_eq!(
            off(UNKNOWN_CAPTURED).follows(None, false).map(|(_, moved)| moved),
            Some(LedgerEffect::None)
        );
        let (told, movement) = transition(Some(after), MessageStatus::Delivered, false).unwrap();
        assert_eq!((told.money, movement), (MoneyState::Released, LedgerEffect::None));
    }

    #[test]
    fn a_receipt_after_a_release_changes_the_status_and_no_money() {
        let released = stood(MessageStatus::Unknown, MoneyState::Released);
        let (after, movement) = transition(released, MessageStatus::Delivered, false).unwrap();
        assert_eq!((after.money, movement), (MoneyState::Released, LedgerEffect::None));
    }

    #[test]
    fn a_decision_corrects_what_the_policy_did_with_the_money() {
        let unknown = |money| stood(MessageStatus::Unknown, money);
        let sent = MessageOutcome::by_platform(MessageId(1), MessageStatus::Submitted, RESOLVED_SENT, None);
        let refunded =
            MessageOutcome::by_platform(MessageId(1), MessageStatus::Cancelled, RESOLVED_REFUNDED, None);
        let refusal = MessageOutcome {
            submitted_at: Some(Time(1)),
            error: None,
            status: MessageStatus::Rejected,
            ..refunded.clone()
        };
        for (fact, money, moved) in [
            (&sent, MoneyState::Reserved, LedgerEffect::Capture),
            (&sent, MoneyState::Captured, LedgerEffect::None),
            (&sent, MoneyState::Released, LedgerEffect::Charge),
            (&refunded, MoneyState::Reserved, LedgerEffect::Release),
            (&refunded, MoneyState::Captured, LedgerEffect::Refund),
            (&refunded, MoneyState::Released, LedgerEffect::None),
            (&refusal, MoneyState::Captured, LedgerEffect::Refund),
            (&refusal, MoneyState::Released, LedgerEffect::None),
        ] {
            assert_eq!(fact.follows(unknown(money), false).unwrap().1, moved, "{fact:?} {money:?}");
        }
        let late = transition(
            stood(MessageStatus::Submitted, MoneyState::Charged),
            MessageStatus::Undelivered,
            true,
        );
        assert_eq!(late.unwrap().1, LedgerEffect::Refund);
    }

    #[test]
    fn undelivered_is_kept_unless_the_policy_refunds_it() {
        let submitted = stood(MessageStatus::Submitted, MoneyState::Captured);
        assert_eq!(transition(submitted, MessageStatus::Undelivered, false).unwrap().1, LedgerEffect::None);
        assert_eq!(transition(submitted, MessageStatus::Undelivered, true).unwrap().1, LedgerEffect::Refund);
        let refunded = stood(MessageStatus::Undelivered, MoneyState::Refunded);
        assert_eq!(transition(refunded, MessageStatus::Delivered, true).unwrap().1, LedgerEffect::None);
    }

    #[test]
    fn what_was_said_before_says_nothing_new() {
        let delivered = stood(MessageStatus::Delivered, MoneyState::Captured);
        for next in [MessageStatus::Delivered, MessageStatus::Undelivered, MessageStatus::Submitted] {
            assert_eq!(transition(delivered, next, true), None);
        }
    }
}
