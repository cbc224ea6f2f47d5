//! Receipts: those of awaited parts become outcomes, one that came before its answer waits for it, and the others take the
//! careful path.

use std::sync::Arc;
use std::time::Duration;

use super::{Drafts, EARLY, EARLY_MAX, OutcomeDraft, Settler};
use crate::carrier::{Event, Receipt, Reference};
use crate::model::message::id::PartId;
use crate::model::message::id::{MessageId, UnmatchedReceiptId};
use crate::model::message::outcome::{LedgerEffect, MessageOutcome, MessageState, Terms, transition};
use crate::model::message::reason::Reason;
use crate::model::message::status::{MessageStatus, MoneyState, ReceiptStatus};
use crate::phone::Msisdn;
use crate::store::message::PartReceipt;
use crate::store::message::unmatched_receipt::Unmatched;
use crate::time::Time;
use crate::worker::settle::receipt_index::AwaitedPart;

impl Settler {
    /// Settles the receipts that came before the answer with this reference; those with another number keep waiting.
    pub(super) fn wake_early(&mut self, reference: &Reference, drafts: &mut Drafts, now: Time) {
        let Some(waiting) = self.early.remove(reference) else { return };
        let mut rest = Vec::new();
        for (since, receipt) in waiting {
            if self.about(&receipt).is_none() {
                rest.push((since, receipt));
                continue;
            }
            self.early_count -= 1;
            self.receipt(&receipt, drafts, now);
            drafts.woken.push(Event::Receipt(receipt));
        }
        if !rest.is_empty() {
            self.early.insert(reference.clone(), rest);
        }
    }

    /// The awaited part of a receipt: its reference is the same, and its number where the receipt names one.
    fn about(&mut self, receipt: &Receipt) -> Option<(AwaitedPart, Arc<Terms>)> {
        let (sent, terms) = self.awaiting.find(&receipt.reference)?;
        self.numbers.agree(receipt, sent).then_some((sent, terms))
    }

    /// False when the receipt waits for its answer.
    pub(super) fn receipt(&mut self, receipt: &Receipt, drafts: &mut Drafts, now: Time) -> bool {
        let Some(status) = MessageStatus::from_receipt(receipt.state) else {
            drafts.tokens.push(receipt.token);
            return true;
        };
        // It is awaited no longer, and counts for or against the carrier.
        debug_assert!(status.is_final(), "{status} needs a way of its own: nothing here ends with it");
        let Some((sent, terms)) = self.about(receipt) else {
            return self.repeated(receipt, status, drafts, now);
        };
        let part = sent.part;
        drafts.tokens.push(receipt.token);
        if self.book.breakers().are_set() {
            let digits = if sent.number == 0 { receipt.to.map_or(0, Msisdn::digits) } else { sent.number };
            drafts.heard.push((digits, status == MessageStatus::Delivered));
        }
        if part.is_whole() {
            self.whole(receipt, part.message(), status, &terms, drafts, now);
        } else {
            drafts.work.part_receipts.push(of_part(receipt, part, status));
            drafts.work.by_parts.insert(part.message());
        }
        drafts.finished.push((receipt.reference.clone(), sent));
        true
    }

    /// A receipt without an awaited part: another one for a message that had its receipt, or one whose answer is still
    /// to come, perhaps under a reference that was used before. The former takes the careful path: a failure may still
    /// turn into a delivery, and a repetition says nothing new.
    fn repeated(&mut self, receipt: &Receipt, status: MessageStatus, drafts: &mut Drafts, now: Time) -> bool {
        let finished = self.finished.find(&receipt.reference);
        let Some(AwaitedPart { part, .. }) = finished.filter(|sent| self.numbers.agree(receipt, *sent))
        else {
            self.early.entry(receipt.reference.clone()).or_default().push((now, receipt.clone()));
            self.early_count += 1;
            return false;
        };
        drafts.tokens.push(receipt.token);
        if part.is_whole() {
            let error = failure_code(receipt, status).map(Reason::from);
            let done_at = Some(happened_at(receipt, now));
            let (message, reference, submitted_at) = (part.message(), None, None);
            drafts.work.careful.push(MessageOutcome {
                message,
                status,
                reference,
                submitted_at,
                done_at,
                error,
                units: None,
            });
        } else {
            drafts.work.part_receipts.push(of_part(receipt, part, status));
            drafts.work.by_parts.insert(part.message());
        }
        true
    }

    fn whole(
        &self,
        receipt: &Receipt,
        message: MessageId,
        status: MessageStatus,
        terms: &Arc<Terms>,
        drafts: &mut Drafts,
        now: Time,
    ) {
        let done_at = Some(happened_at(receipt, now));
        let error = failure_code(receipt, status).map(Reason::from);
        let outcome = MessageOutcome {
            message,
            status,
            reference: None,
            submitted_at: None,
            done_at,
            error,
            units: None,
        };
        if let Some(draft) = drafts.places.get(&message).and_then(|place| drafts.drafts.get_mut(*place)) {
            // Answer and receipt in one batch: one row, written once.
            if comes_to_the_same(draft.before, draft.outcome.status, status, terms.refund_undelivered) {
                draft.outcome.status = status;
                draft.outcome.done_at = outcome.done_at;
                draft.outcome.error = outcome.error;
            } else {
                drafts.work.careful.push(outcome);
            }
            return;
        }
        if terms.refund_undelivered && status.is_failure() {
            drafts.work.careful.push(outcome);
            return;
        }
        drafts.places.insert(message, drafts.drafts.len());
        drafts.drafts.push(OutcomeDraft {
            outcome,
            terms: Arc::clone(terms),
            before: Some(MessageState { status: MessageStatus::Submitted, money: MoneyState::Captured }),
            price: talkdrum_api::money::Amount::ZERO,
        });
    }

    /// Stores receipts that waited too long for their answers as unmatched, and acknowledges them.
    pub(super) fn release_early(&mut self, drafts: &mut Drafts, now: Time) {
        if self.early_count == 0 {
            return;
        }
        let crowded = self.early_count > EARLY_MAX;
        self.early.retain(|_, waiting| {
            let (late, rest): (Vec<_>, Vec<_>) =
                waiting.drain(..).partition(|(since, _)| crowded || now.since(*since) >= EARLY);
            self.early_count -= late.len();
            for (_, receipt) in late {
                drafts.tokens.push(receipt.token);
                drafts.work.unmatched.push(unmatched(&receipt, now));
                drafts.woken.push(Event::Receipt(receipt));
            }
            *waiting = rest;
            !waiting.is_empty()
        });
    }
}

/// When the network was done. Most receipts are dated to the minute: one of the current minute counts as now, so that
/// it is not dated before its message was submitted.
fn happened_at(receipt: &Receipt, now: Time) -> Time {
    match receipt.done_at {
        Some(done) if done.0 % 60_000 != 0 || now.since(done) >= Duration::from_mins(1) => done,
        _ => now,
    }
}

/// Whether taking `second` at once moves the same money as taking it after `first`. It does not when an accepted
/// message, which is paid for, then expired or was rejected: without the answer either means that it was never sent.
fn comes_to_the_same(
    before: Option<MessageState>,
    first: MessageStatus,
    second: MessageStatus,
    refund_undelivered: bool,
) -> bool {
    let Some((between, effect)) = transition(before, first, refund_undelivered) else { return false };
    let Some((after, LedgerEffect::None)) = transition(Some(between), second, refund_undelivered) else {
        return false;
    };
    transition(before, second, refund_undelivered) == Some((after, effect))
}

fn of_part(receipt: &Receipt, part: PartId, status: MessageStatus) -> PartReceipt {
    let error = failure_code(receipt, status);
    PartReceipt { part_id: part, status, error }
}

/// The network's code, which only means something for a failure.
fn failure_code(receipt: &Receipt, status: MessageStatus) -> Option<Box<str>> {
    if status == MessageStatus::Delivered { None } else { receipt.error.clone() }
}

fn unmatched(receipt: &Receipt, now: Time) -> Unmatched {
    Unmatched {
        id: UnmatchedReceiptId::NONE,
        carrier_ref: receipt.reference.0.to_string(),
        status: ReceiptStatus(MessageStatus::from_receipt(receipt.state).unwrap_or(MessageStatus::Unknown)),
        recipient: receipt.to.and_then(|number| i64::try_from(number.digits()).ok()),
        sender: receipt.from.as_deref().map(str::to_owned),
        error: receipt.error.as_deref().map(str::to_owned),
        done_at: receipt.done_at,
        received_at: now,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use MessageStatus as S;

    #[test]
    fn a_receipt_is_written_with_its_answer_only_where_that_moves_the_same_money() {
        assert!(comes_to_the_same(None, S::Submitted, S::Delivered, false));
        assert!(comes_to_the_same(None, S::Submitted, S::Undelivered, false));
        // Accepted and so paid for; by itself either means that it was never sent.
        assert!(!comes_to_the_same(None, S::Submitted, S::Expired, false));
        assert!(!comes_to_the_same(None, S::Submitted, S::Rejected, false));
        // A refund is a transfer of its own.
        assert!(!comes_to_the_same(None, S::Submitted, S::Undelivered, true));
        // Nothing new is not written at all.
        assert!(!comes_to_the_same(None, S::Submitted, S::Submitted, false));
    }
}
