//! What late receipts change, written in one transaction; where stored data of a message is damaged, message by message.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::campaign::settlement;
use crate::error::{Error, Result};
use crate::model::message::id::{MessageId, PartId, UnmatchedReceiptId};
use crate::model::message::outcome::MessageOutcome;
use crate::model::message::receipt_state::RECEIPTS_COME_FOR;
use crate::model::message::status::MessageStatus;
use crate::notice;
use crate::store::message::unmatched_receipt::{self, Unmatched};
use crate::store::message::{self, PartReceipt};
use crate::store::{Lane, Store, Tx, chunk};
use crate::time::Time;

/// The message or part of a receipt.
#[derive(Clone, Copy, Debug)]
pub(super) enum Match {
    Part(PartId),
    Message(MessageId),
}

impl Match {
    const fn message(self) -> MessageId {
        match self {
            Self::Part(part) => part.message(),
            Self::Message(message) => message,
        }
    }
}

/// What one call writes.
#[derive(Clone, Debug)]
pub(super) struct LateReceipts {
    now: Time,
    carrier: String,
    /// Receipts of the platform's own text messages.
    pub noticed: Vec<Unmatched>,
    /// Receipts that found their message or part.
    pub matched: Vec<(Unmatched, Match)>,
    forgotten: Vec<UnmatchedReceiptId>,
    tried: Vec<UnmatchedReceiptId>,
}

impl LateReceipts {
    pub(super) fn new(carrier: &str, now: Time) -> Self {
        Self {
            now,
            carrier: carrier.to_owned(),
            noticed: Vec::new(),
            matched: Vec::new(),
            forgotten: Vec::new(),
            tried: Vec::new(),
        }
    }

    /// Keeps a receipt for another try, unless it is too old.
    pub(super) fn try_again(&mut self, late: &Unmatched) {
        let is_old = self.now.since(late.received_at) > RECEIPTS_COME_FOR;
        let ids = if is_old { &mut self.forgotten } else { &mut self.tried };
        ids.push(late.id);
    }

    /// Writes all; returns how many receipts found their message.
    pub(super) async fn write(self, store: &Store) -> Result<usize> {
        let all = Arc::new(self);
        let written = store.write(Lane::Background, Arc::clone(&all), |tx, all| Box::pin(all.apply(tx)));
        match written.await {
            Err(error) if is_of_one(&error) => all.write_one_by_one(store).await,
            written => written.map(|()| all.matched.len()),
        }
    }

    async fn write_one_by_one(&self, store: &Store) -> Result<usize> {
        let mut rest = Self { matched: Vec::new(), ..self.clone() };
        let mut found_theirs = 0;
        for (late, found) in &self.matched {
            let one = Self { matched: vec![(late.clone(), *found)], ..Self::new(&self.carrier, self.now) };
            match store.write(Lane::Background, one, |tx, one| Box::pin(one.apply(tx))).await {
                Ok(()) => found_theirs += 1,
                Err(error) if is_of_one(&error) => {
                    let message = found.message().0;
                    tracing::error!(message, %error, "a late receipt does not change its message");
                    rest.try_again(late);
                }
                Err(error) => return Err(error),
            }
        }
        store.write(Lane::Background, rest, |tx, rest| Box::pin(rest.apply(tx))).await?;
        Ok(found_theirs)
    }

    async fn apply(&self, tx: &mut Tx) -> Result<()> {
        let (mut outcomes, mut parts) = (Vec::new(), Vec::new());
        for (late, found) in &self.matched {
            match found {
                Match::Part(part) if !part.is_whole() => parts.push(PartReceipt {
                    part_id: *part,
                    status: late.status.0,
                    error: failure(late).map(Into::into),
                }),
                whole => outcomes.push(outcome(late, whole.message())),
            }
        }
        let by_parts: BTreeSet<MessageId> = parts.iter().map(|part| part.part_id.message()).collect();
        // Before the parts: another transaction with the rest of a message's parts sees these, or is seen.
        let messages = outcomes.iter().map(|outcome| &outcome.message).chain(&by_parts);
        chunk::lock_all(tx, messages.map(|message| message.chunk()).collect()).await?;
        for late in &self.noticed {
            let reference = (self.carrier.as_str(), late.carrier_ref.as_str());
            notice::receipt(tx, reference, late.status.0, late.error.as_deref(), self.now).await?;
        }
        message::update_parts(tx, &parts).await?;
        settlement::settle(tx, &outcomes, self.now).await?;
        settlement::settle_by_parts(tx, &by_parts.into_iter().collect::<Vec<_>>(), self.now).await?;
        let done = self.noticed.iter().chain(self.matched.iter().map(|(late, _)| late)).map(|late| late.id);
        let done: Vec<UnmatchedReceiptId> = done.chain(self.forgotten.iter().copied()).collect();
        unmatched_receipt::forget(tx, &done).await?;
        unmatched_receipt::mark_tried(tx, &self.tried, self.now).await
    }
}

/// Whether a failure is that of one receipt's message: its chunk cannot be read, or its price is none.
const fn is_of_one(error: &Error) -> bool {
    matches!(error, Error::Corrupt(_) | Error::Rule { .. })
}

/// Why a message failed, as its receipt says.
fn failure(late: &Unmatched) -> Option<&str> {
    late.error.as_deref().filter(|_| late.status.0 != MessageStatus::Delivered)
}

fn outcome(late: &Unmatched, message: MessageId) -> MessageOutcome {
    MessageOutcome {
        message,
        status: late.status.0,
        reference: Some(late.carrier_ref.as_str().into()),
        submitted_at: None,
        done_at: Some(late.done_at.unwrap_or(late.received_at)),
        error: failure(late).map(Into::into),
        units: None,
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::sync::Notify;

    use super::*;
    use crate::model::message::status::ReceiptStatus;
    use crate::store::message::NewPart;
    use crate::testing::builder::{Spot, build};
    use crate::{args, both_databases};

    const NOW: Time = Time(1_000_000);

    fn late(reference: &str) -> Unmatched {
        Unmatched {
            id: UnmatchedReceiptId::NONE,
            carrier_ref: reference.to_owned(),
            status: ReceiptStatus(MessageStatus::Delivered),
            recipient: None,
            sender: None,
            error: None,
            done_at: None,
            received_at: NOW,
        }
    }

    /// What a receipt that found its message or part changes.
    fn matched(reference: &str, found: Match) -> LateReceipts {
        LateReceipts { matched: vec![(late(reference), found)], ..LateReceipts::new("main", NOW) }
    }

    both_databases! {
        async fn two_parts_that_are_delivered_at_the_same_moment_deliver_their_message(store: Store) {
            let built = build(&store, "ada").chunk(&[Spot::Answered(MessageStatus::Submitted)]).store().await;
            let message = MessageId::new(built.chunks[0], 0);
            let part = |place| PartId::new(message, place);
            let parts: Vec<NewPart> =
                (0..2).map(|place| NewPart { part_id: part(place), reference: place.to_string().into() }).collect();
            let inserted = store.write(Lane::Background, parts, |tx, parts| Box::pin(message::insert_parts(tx, parts)));
            inserted.await.unwrap();
            let (written, go_on) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
            let job = (matched("0", Match::Part(part(0))), Arc::clone(&written), Arc::clone(&go_on));
            let first = store.write(Lane::Background, job, |tx, (late, written, go_on)| Box::pin(async move {
                late.apply(tx).await?;
                written.notify_one();
                go_on.notified().await;
                Ok(())
            }));
            let second = async {
                written.notified().await;
                let late = matched("1", Match::Part(part(1)));
                let second = store.write(Lane::Interactive, late, |tx, late| Box::pin(late.apply(tx)));
                tokio::pin!(second);
                // It waits for the first, where it does not overlook it.
                let early = tokio::time::timeout(Duration::from_millis(200), &mut second).await;
                go_on.notify_one();
                if early.is_err() {
                    second.await.unwrap();
                }
            };
            tokio::join!(async { first.await.unwrap() }, second);
            let states = message::states(&mut store.read().await.unwrap(), &[message]).await.unwrap();
            assert_eq!(states[&message].status, MessageStatus::Delivered);
        }

        async fn a_message_that_is_damaged_holds_up_no_other_s_receipt(store: Store) {
            let mut messages = Vec::new();
            for name in ["ada", "bola"] {
                let built = build(&store, name).chunk(&[Spot::Answered(MessageStatus::Submitted)]).store().await;
                messages.push(MessageId::new(built.chunks[0], 0));
                if name == "ada" {
                    let damage = store.write(Lane::Background, built.audience_chunks[0], |tx, chunk| {
                        Box::pin(tx.run("UPDATE audience_chunks SET data = substr(data, 1, 1) WHERE id = $1", args![*chunk]))
                    });
                    assert_eq!(damage.await.unwrap(), 1);
                }
            }
            let receipts = vec![late("0"), late("1"), late("2")];
            let kept = store.write(Lane::Background, receipts, |tx, receipts| {
                Box::pin(unmatched_receipt::keep_unmatched(tx, "main", receipts))
            });
            kept.await.unwrap();
            let after = NOW + Duration::from_mins(1);
            let mut work = LateReceipts::new("main", after);
            for late in unmatched_receipt::untried(&mut store.read().await.unwrap(), "main", after, 9).await.unwrap() {
                match late.carrier_ref.as_str() {
                    "2" => work.try_again(&late),
                    place => work.matched.push((late.clone(), Match::Message(messages[place.parse::<usize>().unwrap()]))),
                }
            }
            assert_eq!(work.write(&store).await.unwrap(), 1);
            let mut tx = store.read().await.unwrap();
            let states = message::states(&mut tx, &messages).await.unwrap();
            let statuses: Vec<MessageStatus> = messages.iter().map(|message| states[message].status).collect();
            assert_eq!(statuses, [MessageStatus::Submitted, MessageStatus::Delivered]);
            let waiting = unmatched_receipt::untried(&mut tx, "main", after, 9).await.unwrap();
            assert!(waiting.is_empty(), "what was tried is tried again later: {waiting:?}");
            let waiting = unmatched_receipt::untried(&mut tx, "main", after + Duration::from_hours(1), 9).await.unwrap();
            let waiting: Vec<&str> = waiting.iter().map(|late| late.carrier_ref.as_str()).collect();
            assert_eq!(BTreeSet::from_iter(waiting), BTreeSet::from(["0", "2"]));
        }
    }
}
