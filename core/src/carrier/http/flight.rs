//! One batch's way to the provider and back: paced, sent, read, and each message answered.
//!
//! A message whose request was handed to the network is never answered `Unsent` unless the provider, or
//! the refused connection, proves that it was not taken.

use std::sync::Arc;

use super::outgoing::Exchange;
use super::provider::{Context, Item, Outcome, Reading, by_status};
use super::shared::Shared;
use super::trace_line;
use crate::carrier::{Accepted, Answer, Event, Refusal, Submission, Verdict};
use crate::model::message::id::{PartId, WHOLE};

/// The result of a request.
enum Sent {
    /// An outcome for each item.
    Outcomes(Vec<Outcome>),
    /// The whole request was refused for good: with fewer messages in it, some may pass.
    RefusedWhole(Outcome),
    /// Nothing was written.
    Not,
}

/// Sends a batch and reports the answers.
pub(super) async fn fly(shared: Arc<Shared>, batch: Vec<Submission>) {
    let answers = match batch.as_slice() {
        [one] if shared.config.provider.by_part(&one.body) => vec![part_by_part(&shared, one).await],
        _ => together(&shared, &batch).await,
    };
    shared.settle(answers.into_iter().map(Event::Answer).collect()).await;
}

/// Sends one short message after another; the first that is not accepted ends it.
async fn part_by_part(shared: &Shared, submission: &Submission) -> Answer {
    let mut accepted = Accepted::None;
    let parts = u8::try_from(submission.body.parts.len()).unwrap_or(u8::MAX).min(WHOLE);
    let mut verdict = Verdict::Accepted;
    for part in (0..parts).filter(|part| submission.parts_done & (1 << part) == 0) {
        let item = item(shared, submission, Some(part));
        let outcome = match send(shared, std::slice::from_ref(&item)).await {
            Sent::Outcomes(outcomes) => outcomes.into_iter().next().unwrap_or(Outcome::Unknown),
            Sent::RefusedWhole(outcome) => outcome,
            Sent::Not => {
                verdict = Verdict::Unsent;
                break;
            }
        };
        verdict = match outcome {
            Outcome::Accepted(reference) => {
                accepted.push(part, reference.unwrap_or_else(|| item.own_reference()));
                continue;
            }
            Outcome::Unknown => {
                if parts == 1 && shared.config.provider.takes_our_reference() {
                    accepted.push(part, item.own_reference());
                }
                Verdict::Unanswered
            }
            Outcome::Refused(refusal) => Verdict::Refused(refusal),
            Outcome::Throttled(refusal) | Outcome::Held(refusal) => for_now(refusal),
        };
        break;
    }
    Answer { message: submission.message, verdict, accepted }
}

/// One request for all; halves of it when the provider refuses the whole for what may be one number's fault.
async fn together(shared: &Shared, batch: &[Submission]) -> Vec<Answer> {
    let items: Vec<Item> = batch.iter().map(|submission| item(shared, submission, None)).collect();
    let mut answers = Vec::with_capacity(items.len());
    let mut piles = vec![items.as_slice()];
    let mut stopped = false;
    while let Some(pile) = piles.pop() {
        let sent = if stopped { Sent::Not } else { send(shared, pile).await };
        match sent {
            Sent::RefusedWhole(_) if pile.len() > 1 => {
                let (left, right) = pile.split_at(pile.len() / 2);
                piles.extend([right, left]);
            }
            Sent::RefusedWhole(outcome) => {
                answers.extend(pile.iter().map(|item| answer(shared, item, outcome.clone())));
            }
            Sent::Outcomes(mut outcomes) => {
                stopped = outcomes.iter().any(|it| !matches!(it, Outcome::Accepted(_) | Outcome::Refused(_)));
                outcomes.resize(pile.len(), Outcome::Unknown);
                answers
                    .extend(pile.iter().zip(outcomes).map(|(item, outcome)| answer(shared, item, outcome)));
            }
            Sent::Not => {
                stopped = true;
                let not = |item: &Item| Answer {
                    message: item.message,
                    verdict: Verdict::Unsent,
                    accepted: Accepted::None,
                };
                answers.extend(pile.iter().map(not));
            }
        }
    }
    answers
}

fn answer(shared: &Shared, item: &Item, outcome: Outcome) -> Answer {
    let (verdict, reference) = match outcome {
        Outcome::Accepted(reference) => (Verdict::Accepted, reference),
        Outcome::Refused(refusal) => (Verdict::Refused(refusal), None),
        Outcome::Throttled(refusal) | Outcome::Held(refusal) => (for_now(refusal), None),
        Outcome::Unknown => {
            let ours = shared.config.provider.takes_our_reference().then(|| item.own_reference());
            (Verdict::Unanswered, ours)
        }
    };
    let accepted = reference.map_or(Accepted::None, |reference| Accepted::One(WHOLE, reference));
    Answer { message: item.message, verdict, accepted }
}

/// Load, credit and credentials are the provider's and the account's, never the message's.
fn for_now(refusal: Refusal) -> Verdict {
    Verdict::Throttled(Refusal { is_carriers: true, ..refusal })
}

fn item(shared: &Shared, submission: &Submission, part: Option<u8>) -> Item {
    // New with every try, so that a provider which refuses what it has seen never takes a second try for the first.
    let nonce = shared.deps.entropy.u64() >> 32;
    let id = PartId::new(submission.message, part.unwrap_or(WHOLE)).0;
    Item {
        message: submission.message,
        part,
        to: submission.to,
        from: Arc::clone(&submission.from),
        body: Arc::clone(&submission.body),
        ours: format!("td{id:x}-{nonce:08x}").into(),
        expires_at: submission.expires_at,
    }
}

/// One request, when its time has come.
async fn send(shared: &Shared, items: &[Item]) -> Sent {
    for _ in items {
        while let Err(wait) = shared.pace.take() {
            tokio::select! {
                () = shared.queue.closing().cancelled() => return Sent::Not,
                () = tokio::time::sleep(wait) => {}
            }
        }
    }
    let Some(key) = shared.key() else { return Sent::Not };
    let receipts_to = shared.config.receipts_to();
    let context =
        Context { key: key.reveal(), now: shared.deps.clock.now(), receipts_to: receipts_to.as_deref() };
    let request = shared.config.provider.request(items, &context);
    shared.trace.note(|| trace_line::request(&request, items));
    let exchange = tokio::select! {
        exchange = request.exchange(&shared.client, shared.config.link.timeout()) => exchange,
        () = shared.given_up() => Exchange::Lost("the carrier was closed before it answered".into()),
    };
    shared.trace.note(|| format!("<- {}", trace_line::answer(&exchange)));
    match exchange {
        Exchange::NotSent(reason) => {
            shared.unreachable(&reason);
            Sent::Not
        }
        Exchange::Lost(reason) => {
            shared.doubtful(&reason);
            Sent::Outcomes(vec![Outcome::Unknown; items.len()])
        }
        Exchange::Answered { status, body, retry_after } => {
            let reading = match shared.config.provider.read(items, status, &body) {
                Reading::Unclear => Reading::Whole(by_status(status, &shown(&body))),
                reading => reading,
            };
            shared.trace.note(|| trace_line::reading(&reading));
            judge(shared, items.len(), status, reading, retry_after)
        }
    }
}

/// What an answer means for the carrier as a whole.
fn judge(
    shared: &Shared,
    count: usize,
    status: u16,
    reading: Reading,
    retry_after: Option<std::time::Duration>,
) -> Sent {
    let outcomes = match reading {
        Reading::Whole(outcome @ Outcome::Refused(_)) => {
            shared.spoke();
            return Sent::RefusedWhole(outcome);
        }
        Reading::Whole(outcome) => vec![outcome; count],
        Reading::Each(outcomes) => outcomes,
        Reading::Unclear => vec![Outcome::Unknown; count],
    };
    if outcomes.iter().all(|outcome| *outcome == Outcome::Unknown) {
        shared.doubtful(&format!("the provider answered HTTP {status}, which says nothing of the messages"));
        return Sent::Outcomes(outcomes);
    }
    if outcomes.iter().any(|outcome| matches!(outcome, Outcome::Accepted(_))) {
        shared.answered();
    } else {
        shared.spoke();
    }
    for outcome in &outcomes {
        match outcome {
            Outcome::Held(refusal) => {
                shared.hold(&refusal.reason);
                break;
            }
            Outcome::Throttled(_) => {
                shared.throttled(retry_after);
                break;
            }
            _ => {}
        }
    }
    Sent::Outcomes(outcomes)
}

/// A body as words, unless it is a page for browsers.
fn shown(body: &[u8]) -> String {
    let words = String::from_utf8_lossy(&body[..body.len().min(400)]).trim().to_owned();
    if words.starts_with('<') { String::new() } else { words }
}
