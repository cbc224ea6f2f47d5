//! Rerouting: moves what waits at one carrier to another one, or to the carriers of the present routes.
//!
//! Only what was never sent moves: places that were never claimed, and messages proven unsent. A chunk with anything in
//! flight stays until that is settled; a message of which some parts were accepted stays, since half of it cannot be
//! read. Price, reserve and refund policy were promised when the campaign was confirmed, and stay. What
//! moves is moved in the transaction that looked at it, under the chunk's lock and under a new attempt.

use std::collections::BTreeMap;
use std::sync::Arc;

use talkdrum_api::kind::Kind;

use super::Hold;
use crate::content::Content;
use crate::error::{Error, Result};
use crate::model::account::id::UserId;
use crate::model::campaign::audience_chunk::Chunk;
use crate::model::campaign::id::ChunkId;
use crate::model::message::id::MessageId;
use crate::model::message::status::ChunkState;
use crate::model::platform::audit::AuditAction;
use crate::phone::NetworkTable;
use crate::platform::audit::{self, Entry};
use crate::routing::dnd::DndSnapshot;
use crate::routing::{NoRoute, RouteCarrier, Router};
use crate::store::carrier::state;
use crate::store::message::reroute::Reroutes;
use crate::store::message::reroute_rows as rows;
use crate::store::message::reroute_rows::{Leading, Manners};
use crate::store::{Lane, Store, Tx, chunk};
use crate::time::Time;

/// Why calls stay that another carrier could place, but not ask what they ask.
const CANNOT_ASK: &str = "its calls ask a question, and the other carrier tells no keys, or plays it once";
/// Chunks in one transaction.
const CHUNKS: i64 = 32;

/// Where to.
#[derive(Clone, Debug)]
pub enum RerouteTarget {
    /// To this carrier.
    Carrier(RouteCarrier),
    /// To where the routes lead.
    Routes {
        /// The routes.
        router: Arc<Router>,
        /// Which network a number was issued to.
        networks: Arc<NetworkTable>,
        /// The Do-Not-Disturb list, where a route minds it.
        dnd: Option<Arc<DndSnapshot>>,
    },
}

impl RerouteTarget {
    fn in_words(&self) -> String {
        match self {
            Self::Carrier(carrier) => format!("to {}", carrier.name),
            Self::Routes { .. } => "by the present routes".to_owned(),
        }
    }
}

/// What became of a reroute.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rerouted {
    /// Messages that moved, by the carrier they go by now.
    pub moved: BTreeMap<String, i64>,
    /// Messages that stay, by the reason.
    pub kept: BTreeMap<String, i64>,
    /// The platform's own text messages that moved.
    pub notices: i64,
}

impl Rerouted {
    fn add(&mut self, other: Self) {
        for (carrier, messages) in other.moved {
            *self.moved.entry(carrier).or_default() += messages;
        }
        for (reason, messages) in other.kept {
            *self.kept.entry(reason).or_default() += messages;
        }
        self.notices += other.notices;
    }

    fn in_words(&self) -> String {
        let moved: Vec<String> =
            self.moved.iter().map(|(carrier, messages)| format!("{messages} to {carrier}")).collect();
        let kept: i64 = self.kept.values().sum();
        format!("moved {}; kept {kept}", if moved.is_empty() { "0".to_owned() } else { moved.join(", ") })
    }
}

/// Reroutes what waits at `from`, some chunks per transaction. `from` must be held by an operator, or not be
/// configured any more (`is_configured`), so that nothing new comes to it meanwhile.
///
/// # Errors
/// `carrier_open` when messages still go out by `from`, `same_carrier`.
pub async fn reroute(
    store: &Store,
    from: &str,
    is_configured: bool,
    target: &RerouteTarget,
    by: UserId,
    now: Time,
) -> Result<Rerouted> {
    if let RerouteTarget::Carrier(carrier) = target
        && *carrier.name == *from
    {
        return Err(Error::field("to", "same_carrier", "Messages wait there already: name another carrier"));
    }
    let said = state::find(&mut store.read().await?, from).await?;
    if is_configured && said.is_none_or(|said| said.state == Hold::Open) {
        return Err(Error::conflict(
            "carrier_open",
            format!("Messages still go out by the carrier '{from}': pause or drain it first"),
        ));
    }
    let mut done = Rerouted::default();
    let mut after = ChunkId::BEFORE_ALL;
    loop {
        let input = (from.to_owned(), target.clone(), after, by, now);
        let (slice, last) = store
            .write(Lane::Interactive, input, |tx, (from, target, after, by, now)| {
                Box::pin(lead_some(tx, from, target, *after, *by, *now))
            })
            .await?;
        done.add(slice);
        match last {
            Some(last) => after = last,
            None => return Ok(done),
        }
    }
}

/// Reroutes some chunks after `after`; returns the last of them, if there may be more.
async fn lead_some(
    tx: &mut Tx,
    from: &str,
    target: &RerouteTarget,
    after: ChunkId,
    by: UserId,
    now: Time,
) -> Result<(Rerouted, Option<ChunkId>)> {
    let mut done = Rerouted::default();
    if after == ChunkId::BEFORE_ALL
        && let RerouteTarget::Carrier(carrier) = target
    {
        // The platform's own are text messages.
        let takes_texts = carrier.kinds.contains(&Kind::Text);
        done.notices =
            i64::try_from(if takes_texts { rows::lead_notices(tx, from, &carrier.name).await? } else { 0 })
                .unwrap_or(i64::MAX);
    }
    let chunks = rows::open_of(tx, from, after, CHUNKS).await?;
    for (chunk,) in &chunks {
        lead_chunk(tx, *chunk, from, target, now, &mut done).await?;
    }
    if done != Rerouted::default() {
        let entry = Entry::new(by, AuditAction::CarrierReroute, format!("carrier {from}"))
            .before(Some(target.in_words()))
            .after(Some(done.in_words()));
        audit::record(tx, &entry, now).await?;
    }
    let more = chunks.len() as i64 == CHUNKS;
    Ok((done, chunks.last().map(|(id,)| *id).filter(|_| more)))
}

async fn lead_chunk(
    tx: &mut Tx,
    id: ChunkId,
    from: &str,
    target: &RerouteTarget,
    now: Time,
    done: &mut Rerouted,
) -> Result<()> {
    let Some(row) = rows::lock(tx, id).await? else { return Ok(()) };
    if row.carrier != from || row.state != ChunkState::Open {
        return Ok(());
    }
    let retries = rows::lock_retries(tx, id).await?;
    let waiting = i64::try_from(retries.len()).unwrap_or(i64::MAX);
    let in_flight = row.cursor - row.answered - waiting;
    let (whole, begun): (Vec<_>, Vec<_>) =
        retries.into_iter().filter(|retry| retry.carrier == from).partition(|retry| retry.parts_done == 0);
    let mut keep = |reason: &str, messages: i64| {
        if messages > 0 {
            *done.kept.entry(reason.to_owned()).or_default() += messages;
        }
    };
    keep("some parts of it were accepted", begun.len() as i64);
    let unclaimed = row.size - row.cursor - row.tail_cancelled;
    let count = unclaimed + whole.len() as i64;
    if count == 0 {
        return Ok(());
    }
    if in_flight > 0 {
        keep("messages of its chunk are in flight: ask again when they are settled", count);
        return Ok(());
    }
    let messages: Vec<MessageId> = whole.iter().map(|retry| retry.message_id).collect();
    let again: Vec<u16> = messages.iter().map(|message| message.place()).collect();
    let end = row.size - row.tail_cancelled;
    let places = (row.cursor..end).filter_map(|place| u16::try_from(place).ok()).chain(again.iter().copied());
    let question = match row.kind {
        Kind::Voice => plays_of_question(tx, id).await?,
        _ => None,
    };
    let (to, manners) = match decide(tx, &row, question, places, (from, target)).await? {
        Ok(decision) => decision,
        Err(reason) => {
            keep(&reason, count);
            return Ok(());
        }
    };
    let reroutes = Reroutes::of(tx, id, from).await?;
    reroutes.reroute(tx, &to, u16::try_from(row.cursor).unwrap_or(u16::MAX), &again).await?;
    rows::reroute(tx, id, &to, &manners).await?;
    rows::lead_retries(tx, &messages, &to, now).await?;
    *done.moved.entry(to).or_default() += count;
    Ok(())
}

/// How often the calls of a chunk play their question; `None` where they ask none.
async fn plays_of_question(tx: &mut Tx, id: ChunkId) -> Result<Option<u8>> {
    let Some(row) = chunk::find(tx, id).await? else { return Ok(None) };
    Ok(match Content::from_json(&row.content).map_err(|error| error.in_row("chunk", id))? {
        Content::Voice(script) => script.poll.as_ref().map(|_| script.plays()),
        _ => None,
    })
}

/// The carrier that takes all of these places, and whether they wait in the quiet hours and obey the Do-Not-Disturb
/// list; or why there is none.
async fn decide(
    tx: &mut Tx,
    row: &Leading,
    question: Option<u8>,
    places: impl Iterator<Item = u16>,
    (from, target): (&str, &RerouteTarget),
) -> Result<Result<(String, Manners), String>> {
    let recipients = Chunk::decode_without_fields(&chunk::audience_data(tx, row.audience_chunk_id).await?)?;
    let recipients = places.filter_map(|place| recipients.recipient(usize::from(place)));
    let asks = |carrier: &RouteCarrier| question.is_none_or(|plays| carrier.takes_question(plays));
    match target {
        RerouteTarget::Carrier(carrier) => {
            let segments = recipients.map(|recipient| recipient.segments.max(1)).max().unwrap_or(1);
            // What it does not take stays where it is: a customer gets what was quoted, or the money back.
            Ok(match carrier.check(row.kind, &row.sender, segments) {
                Ok(()) if !asks(carrier) => Err(CANNOT_ASK.to_owned()),
                Ok(()) => {
                    // Those that were to take over still may, after the new one.
                    let (promotional, minds_dnd, spares) =
                        (row.promotional, row.minds_dnd, row.spares.clone());
                    Ok((carrier.name.to_string(), Manners { promotional, minds_dnd, spares }))
                }
                Err(refused) => Err(refused.to_string()),
            })
        }
        RerouteTarget::Routes { router, networks, dnd } => {
            let plan = match router.plan(row.kind, row.purpose, &row.sender, dnd.clone()) {
                Ok(plan) => plan,
                Err(refused) => return Ok(Err(refused.to_string())),
            };
            let mut found = None;
            for recipient in recipients {
                let network = networks.lookup(recipient.number);
                let place = match plan.decide(recipient.number, network, recipient.segments.max(1)) {
                    Ok(place) => place,
                    Err(no) => return Ok(Err(NoRoute::reason(no).to_owned())),
                };
                if found.is_some_and(|found| found != place) {
                    return Ok(Err("the routes lead its numbers to several carriers: name one".to_owned()));
                }
                found = Some(place);
            }
            let decision = found.and_then(|place| plan.decisions().get(usize::from(place)).copied());
            let carrier = decision.and_then(|it| plan.carriers().get(usize::from(it.carrier)));
            Ok(match (decision, carrier) {
                (Some(_), Some(carrier)) if *carrier.name == *from => {
                    Err("the routes still lead to this carrier: name another".to_owned())
                }
                (Some(_), Some(carrier)) if !asks(carrier) => Err(CANNOT_ASK.to_owned()),
                (Some(it), Some(carrier)) => {
                    let spares = it.spares.names(plan.carriers()).map(|names| names.to_string());
                    let manners = Manners { promotional: it.promotional, minds_dnd: it.minds_dnd, spares };
                    Ok((carrier.name.to_string(), manners))
                }
                _ => Err(NoRoute::Unrouted.reason().to_owned()),
            })
        }
    }
}
