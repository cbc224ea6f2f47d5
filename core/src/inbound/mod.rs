//! What handsets answer: parts joined into messages, whose each is, and STOP, which makes an opt-out.
//!
//! A carrier delivers a message again when it did not get our answer. It is kept once where the carrier gives it a
//! unique id, or the same wrapping number and text within half an hour; where it has neither, a repeat cannot be told
//! from a person who writes the same twice, and both are kept.
//!
//! Parts wait in the store for each other, half an hour at most; a message whose parts never all come is shown as what
//! came, and nothing is done about it: a STOP fits into one part.
//!
//! A message belongs to the owner of the virtual number that it was sent to; else to the users who wrote to that number
//! from that sender lately; else to the last user who wrote to it at all. Where there is none, STOP holds for the whole platform, and
//! START takes back what STOP made at customers who write from that sender: the number, or its history, may have been
//! erased. Invariant: a message is handled once, and the opt-out that it asks for is stored in the same transaction.

use std::collections::BTreeSet;
use std::time::Duration;

use talkdrum_api::inbound::{InboundMessage, InboundMessages};
use talkdrum_api::purpose::OptOutReach;

use crate::campaign::report::number_search;
use crate::carrier::Script;
use crate::contact::suppression::{self, OptOutSource, SuppressionScope};
use crate::error::Result;
use crate::model::account::id::UserId;
use crate::model::campaign::id::ChunkId;
use crate::model::message::id::{InboundId, MessageId};
use crate::model::page::{Page, RecordScope as Whose};
use crate::phone::{self, Msisdn};
use crate::store::db::listing;
use crate::store::message::inbound as table;
use crate::store::message::inbound::{InboundRow, NewInbound, OpenMessage, PartRow};
use crate::store::{Lane, Store, Tx};
use crate::time::Time;

/// Messages handled in one call.
const BATCH: i64 = 50;
/// How far back senders to a number are looked up.
const LATELY: Duration = Duration::from_hours(90 * 24);
/// The newest messages to a number that are looked at.
const NEWEST: usize = 20;
/// How long the parts of a message wait for each other, and how long a part or a message that comes again is known.
const PARTS_WAIT: Duration = Duration::from_mins(30);
/// Parts that wait at once; beyond it the messages of the oldest are shown as what came.
const PARTS_MAX: i64 = 10_000;
/// What stands for parts that never came.
const GAP: &str = "[…]";

/// What a message asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum InboundAction {
    None,
    /// No more promotional messages.
    Stop,
    /// No more messages but codes.
    StopAll,
    Start,
}

impl InboundAction {
    const fn code(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Stop | Self::StopAll => "stop",
            Self::Start => "start",
        }
    }

    /// The words that carriers and laws agree on, alone in their message.
    fn of(text: &str) -> Self {
        let words: Vec<String> = text
            .split(|sign: char| !sign.is_alphanumeric())
            .filter(|word| !word.is_empty())
            .map(str::to_uppercase)
            .collect();
        match words.join(" ").as_str() {
            "STOP" | "UNSUBSCRIBE" | "CANCEL" | "END" | "QUIT" | "OPTOUT" | "OPT OUT" => Self::Stop,
            "STOPALL" | "STOP ALL" => Self::StopAll,
            "START" | "UNSTOP" => Self::Start,
            _ => Self::None,
        }
    }
}

/// What is to be done about a message.
#[derive(Clone, Debug, PartialEq, Eq)]
struct InboundDecision {
    id: InboundId,
    action: InboundAction,
    from: Option<Msisdn>,
    /// Whose it is; the first is shown as its owner.
    users: Vec<UserId>,
    /// Where it is not known any more who wrote to it: customers whose messages START asks for again.
    stopped: Vec<UserId>,
}

/// Keeps what came in. What came before is kept once.
pub async fn take(tx: &mut Tx, carrier: &str, messages: &[NewInbound], now: Time) -> Result<()> {
    table::keep(tx, carrier, messages, now - PARTS_WAIT, now).await
}

/// Joins the parts of messages, and handles messages that were not handled yet, a bounded number of each; true when
/// there may be more.
pub async fn tick(store: &Store, now: Time) -> Result<bool> {
    let more_to_join = join_parts(store, now).await?;
    let mut tx = store.read().await?;
    let rows = table::unhandled(&mut tx, BATCH).await?;
    let mut decisions = Vec::with_capacity(rows.len());
    for row in &rows {
        decisions.push(decide(&mut tx, row, now).await?);
    }
    drop(tx);
    let more = more_to_join || is_full(rows.len());
    for decision in decisions {
        store
            .write(Lane::Background, (decision, now), |tx, (decision, now)| {
                Box::pin(apply(tx, decision, *now))
            })
            .await?;
    }
    Ok(more)
}

fn is_full(batch: usize) -> bool {
    i64::try_from(batch).unwrap_or(i64::MAX) >= BATCH
}

async fn join_parts(store: &Store, now: Time) -> Result<bool> {
    let mut tx = store.read().await?;
    let crowded = table::crowded_since(&mut tx, PARTS_MAX).await?;
    let waited_until = crowded.map_or(now - PARTS_WAIT, |at| at.max(now - PARTS_WAIT));
    let open = table::to_be_joined(&mut tx, waited_until, BATCH).await?;
    drop(tx);
    let more = is_full(open.len());
    for message in open {
        store
            .write(Lane::Background, (message, waited_until), |tx, (message, waited_until)| {
                Box::pin(join(tx, message, *waited_until))
            })
            .await?;
    }
    Ok(more)
}

async fn join(tx: &mut Tx, message: &OpenMessage, waited_until: Time) -> Result<()> {
    let waiting = table::parts(tx, message).await?;
    let mut parts = newest_of_each_place(waiting.clone());
    if parts.len() as i64 != message.total {
        // Those that came lately still wait.
        parts = newest_of_each_place(
            waiting.into_iter().filter(|part| part.received_at <= waited_until).collect(),
        );
    }
    let Some(last) = parts.iter().map(|part| part.received_at).max() else { return Ok(()) };
    let missing = message.total - parts.len() as i64;
    if table::join(tx, message, &parts, &text_of(&parts, message.total), last).await? && missing > 0 {
        tracing::info!(
            carrier = message.carrier,
            missing,
            "a message from a handset came without all its parts"
        );
    }
    Ok(())
}

/// A handset's reference wraps around: of two parts in one place the newer belongs to the present message.
fn newest_of_each_place(mut newest_first: Vec<PartRow>) -> Vec<PartRow> {
    newest_first.sort_by_key(|part| (part.place, std::cmp::Reverse(part.id)));
    newest_first.dedup_by_key(|part| part.place);
    newest_first
}

/// What parts say, in the order of their places. Neighbours of one script are read together.
fn text_of(parts: &[PartRow], total: i64) -> String {
    let mut text = String::new();
    let mut last = 0;
    let mut runs: Vec<(i64, Script, Vec<u8>)> = Vec::new();
    for part in parts {
        match runs.last_mut() {
            Some((_, script, octets)) if *script == part.script && last + 1 == part.place => {
                octets.extend_from_slice(&part.octets);
            }
            _ => runs.push((part.place - last - 1, part.script, part.octets.clone())),
        }
        last = part.place;
    }
    for (missing_before, script, octets) in runs {
        if missing_before > 0 {
            text.push_str(GAP);
        }
        text.push_str(&script.text(&octets));
    }
    if last < total {
        text.push_str(GAP);
    }
    text
}

async fn decide(tx: &mut Tx, row: &InboundRow, now: Time) -> Result<InboundDecision> {
    let action = if row.parts_missing > 0 { InboundAction::None } else { InboundAction::of(&row.text) };
    let from = handset(&row.sender);
    let to = row.recipient.trim_start_matches('+');
    let users = match table::owner_of(tx, to).await? {
        Some(owner) => vec![owner],
        None => match from {
            Some(from) => who_wrote_to(tx, from, to, now).await?,
            None => Vec::new(),
        },
    };
    let stopped = match from {
        Some(from) if action == InboundAction::Start && users.is_empty() => {
            suppression::stopped_senders(tx, from, to, now - LATELY).await?
        }
        _ => Vec::new(),
    };
    Ok(InboundDecision { id: row.id, action, from, users, stopped })
}

/// The handset's number: in international form without a plus, or however a person would write it.
fn handset(sender: &str) -> Option<Msisdn> {
    let digits = sender.trim_start_matches('+').parse().ok().and_then(Msisdn::from_digits);
    phone::parse(sender).ok().or(digits)
}

async fn who_wrote_to(tx: &mut Tx, number: Msisdn, sender: &str, now: Time) -> Result<Vec<UserId>> {
    let mut found = number_search::ids(tx, Whose::All, number, NEWEST as i64).await?;
    found.truncate(NEWEST);
    let chunks: BTreeSet<ChunkId> = found.into_iter().map(MessageId::chunk).collect();
    let wrote = table::senders_of(tx, chunks.into_iter().collect(), now - LATELY).await?;
    let mut users: Vec<UserId> = Vec::new();
    for (user, from) in &wrote {
        if from.eq_ignore_ascii_case(sender) && !users.contains(user) {
            users.push(*user);
        }
    }
    if users.is_empty() {
        users.extend(wrote.first().map(|(user, _)| *user));
    }
    Ok(users)
}

async fn apply(tx: &mut Tx, decision: &InboundDecision, now: Time) -> Result<()> {
    let InboundDecision { id, action, from, users, stopped } = decision;
    if !table::handled(tx, *id, users.first().copied(), action.code(), now).await? {
        return Ok(());
    }
    let Some(from) = *from else { return Ok(()) };
    let mut scopes: Vec<SuppressionScope> = users.iter().map(|user| SuppressionScope::User(*user)).collect();
    match action {
        InboundAction::None => {}
        InboundAction::Stop | InboundAction::StopAll => {
            let reach = match action {
                InboundAction::StopAll => OptOutReach::All,
                _ => OptOutReach::Promotional,
            };
            if scopes.is_empty() {
                scopes.push(SuppressionScope::Platform);
            }
            scopes.sort_unstable_by_key(|scope| scope.key());
            for scope in scopes {
                suppression::add(tx, scope, from, (OptOutSource::Stop, reach), now).await?;
            }
        }
        InboundAction::Start => {
            scopes.extend(stopped.iter().map(|user| SuppressionScope::User(*user)));
            scopes.push(SuppressionScope::Platform);
            // Two that take back from the same lists lock them in one order.
            scopes.sort_unstable_by_key(|scope| scope.key());
            for scope in scopes {
                suppression::take_back(tx, scope, from).await?;
            }
        }
    }
    Ok(())
}

/// A page of messages from handsets, newest first; `q` searches number and text.
pub async fn list(tx: &mut Tx, whose: Whose, q: &str, page: Page) -> Result<InboundMessages> {
    let pattern = listing::like_pattern(&q.to_ascii_lowercase());
    let (rows, total) = table::page(tx, whose, &pattern, page).await?;
    Ok(InboundMessages { messages: rows.into_iter().map(InboundMessage::from).collect(), total })
}

impl From<InboundRow> for InboundMessage {
    fn from(row: InboundRow) -> Self {
        Self {
            id: row.id.0,
            from: row.sender,
            to: row.recipient,
            text: row.text,
            carrier: row.carrier,
            user_id: row.user_id.map(|user| user.0),
            username: row.username,
            action: row.action,
            parts_total: row.parts_total,
            parts_missing: row.parts_missing,
            received_at: row.received_at.to_rfc3339(),
        }
    }
}

/// Forgets parts of messages that were joined.
pub async fn purge_parts(tx: &mut Tx, now: Time) -> Result<u64> {
    table::purge_parts(tx, now - PARTS_WAIT).await
}

#[cfg(test)]
mod tests;
