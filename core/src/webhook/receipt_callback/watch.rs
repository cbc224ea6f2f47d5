//! The watch: compares messages whose sender is called about them with what was told.
//!
//! A chunk is looked at every second while its counters change, less and less often while they do not (the older it is, the
//! less), and no more once all was told that is wanted or its receipts are a week overdue.

use std::collections::BTreeSet;
use std::time::Duration;

use talkdrum_api::campaign::MessageRow;

use super::placeholder::{LONGEST_REFERENCE, LONGEST_TEXT, Told, filled};
use crate::campaign::report;
use crate::error::{Error, Result};
use crate::model::account::id::UserId;
use crate::model::message::id::MessageId;
use crate::model::message::status::MessageStatus;
use crate::model::page::RecordScope;
use crate::model::webhook::receipt_callback::ReceiptEvent;
use crate::phone::NetworkTable;
use crate::store::webhook::receipt_call::{self, NewReceiptCall};
use crate::store::webhook::receipt_callback as rows;
use crate::store::webhook::receipt_callback::{CallbackRow, WatchedChunk};
use crate::store::{Lane, Store, Tx};
use crate::time::Time;
use crate::time::backoff::doubled;
use crate::webhook::watch::RECEIPTS_UNTIL;

/// Chunks looked at together.
const CHUNKS_AT_ONCE: i64 = 200;
/// Of them, those whose counters changed: what a transaction writes stays under some hundred rows.
const CHANGED_AT_ONCE: usize = 8;
/// Interval between looks while a chunk changes.
const LOOK_EVERY: Duration = Duration::from_secs(1);
/// The longest interval in a chunk's first hour. Later it is a sixtieth of the age.
const LOOK_SELDOM: Duration = Duration::from_secs(60);
/// The longest interval of all.
const LOOK_RARELY: Duration = Duration::from_mins(30);
/// When a chunk that cannot be read is looked at again.
const LOOK_DAMAGED: Duration = Duration::from_hours(1);
/// Calls that may wait for a user: beyond, what happens is not told.
pub const BACKLOG: i64 = 10_000;

/// The result of looking at a chunk.
#[derive(Clone, Debug)]
struct Look {
    chunk: WatchedChunk,
    calls: Vec<NewReceiptCall>,
    /// The bits of what is told by then, of messages that go on.
    told: Vec<(MessageId, i64)>,
    /// Messages of which nothing more is told.
    over: Vec<i64>,
    /// Whether the chunk has other such messages.
    goes_on: bool,
    /// Whether it could not be read, so that nothing of it counts as seen.
    is_damaged: bool,
}

/// Looks at the chunks that are due; true when there are more now.
///
/// # Errors
/// When the database fails.
pub async fn tick(store: &Store, networks: &NetworkTable, now: Time) -> Result<bool> {
    let mut tx = store.read().await?;
    let due = rows::due(&mut tx, now, CHUNKS_AT_ONCE).await?;
    drop(tx);
    let more = due.len() as i64 == CHUNKS_AT_ONCE;
    let (changed, quiet): (Vec<_>, Vec<_>) =
        due.into_iter().partition(|chunk| chunk.tally != chunk.seen_tally || is_late(chunk, now));
    let quiet: Vec<Look> = quiet.into_iter().map(Look::quiet).collect();
    if !quiet.is_empty() {
        write(store, quiet, now).await?;
    }
    for chunks in changed.chunks(CHANGED_AT_ONCE) {
        let mut looks = Vec::with_capacity(chunks.len());
        let mut tx = store.read().await?;
        for chunk in chunks {
            looks.push(match look(&mut tx, networks, chunk.clone(), now).await {
                Err(error @ Error::Corrupt(_)) => {
                    tracing::error!(chunk = chunk.chunk_id.0, %error, "a chunk's receipt callbacks cannot be read");
                    Look { is_damaged: true, ..Look::quiet(chunk.clone()) }
                }
                looked => looked?,
            });
        }
        drop_unheard(&mut tx, &mut looks).await?;
        drop(tx);
        write(store, looks, now).await?;
    }
    Ok(more)
}

impl Look {
    fn quiet(chunk: WatchedChunk) -> Self {
        Self {
            chunk,
            calls: Vec::new(),
            told: Vec::new(),
            over: Vec::new(),
            goes_on: true,
            is_damaged: false,
        }
    }
}

/// Whether nothing more is waited for.
fn is_late(chunk: &WatchedChunk, now: Time) -> bool {
    chunk.completed_at.is_some_and(|at| now.since(at) > RECEIPTS_UNTIL)
}

/// Reads the messages of a chunk and makes the calls.
async fn look(tx: &mut Tx, networks: &NetworkTable, chunk: WatchedChunk, now: Time) -> Result<Look> {
    let callbacks = rows::of_chunk(tx, chunk.chunk_id).await?;
    let ids: Vec<MessageId> = callbacks.iter().map(|row| row.message).collect();
    let shown = report::rows(tx, RecordScope::All, &ids, networks).await?;
    let late = is_late(&chunk, now);
    let mut look = Look { goes_on: false, ..Look::quiet(chunk) };
    for row in callbacks {
        let message = shown.iter().find(|message| message.id == row.message.0);
        let events = message.map(|message| events(message, row.told)).transpose()?.unwrap_or_default();
        let told = events.iter().fold(row.told, |told, event| told | event.bit());
        let is_over = late
            || message.is_none()
            || events.iter().any(|event| event.is_last())
            || row.callback.mask & still_possible(told) == 0;
        let wanted = events.iter().filter(|event| row.callback.mask & event.bit() != 0);
        let calls =
            message.into_iter().flat_map(|message| wanted.clone().map(move |event| (message, *event)));
        look.calls.extend(calls.filter_map(|(message, event)| call(&row, message, event, now)));
        match is_over {
            true => look.over.push(row.message.0),
            false => {
                look.goes_on = true;
                if told != row.told {
                    look.told.push((row.message, told));
                }
            }
        }
    }
    Ok(look)
}

/// The bits of what can still happen to a message of which this was told, and nothing last.
const fn still_possible(told: i64) -> i64 {
    let of_accepted = ReceiptEvent::Delivered.bit() | ReceiptEvent::Failed.bit();
    match told & ReceiptEvent::Accepted.bit() {
        0 => of_accepted | ReceiptEvent::Accepted.bit() | ReceiptEvent::Refused.bit(),
        _ => of_accepted,
    }
}

/// What happened to a message since that was told.
fn events(message: &MessageRow, told: i64) -> Result<Vec<ReceiptEvent>> {
    let status = MessageStatus::from_code(&message.status)
        .ok_or_else(|| Error::Corrupt(format!("a message has the status '{}'", message.status)))?;
    // A carrier that accepted a message gave it an id, as a rule.
    let accepted = message.carrier_ref.is_some() || told & ReceiptEvent::Accepted.bit() != 0;
    let (accepted, last) = match status {
        MessageStatus::Queued | MessageStatus::Submitting | MessageStatus::Unknown => return Ok(Vec::new()),
        MessageStatus::Submitted => (true, None),
        MessageStatus::Delivered => (true, Some(ReceiptEvent::Delivered)),
        MessageStatus::Undelivered => (true, Some(ReceiptEvent::Failed)),
        MessageStatus::Rejected | MessageStatus::Expired if accepted => (true, Some(ReceiptEvent::Failed)),
        MessageStatus::Rejected
        | MessageStatus::Expired
        | MessageStatus::Cancelled
        | MessageStatus::Suppressed => (false, Some(ReceiptEvent::Refused)),
    };
    let happened = accepted.then_some(ReceiptEvent::Accepted).into_iter().chain(last);
    Ok(happened.filter(|event| told & event.bit() == 0).collect())
}

fn call(row: &CallbackRow, message: &MessageRow, event: ReceiptEvent, now: Time) -> Option<NewReceiptCall> {
    let carrier_ref = message.carrier_ref.as_deref().unwrap_or_default();
    let at = match event {
        ReceiptEvent::Accepted => &message.submitted_at,
        ReceiptEvent::Delivered | ReceiptEvent::Failed | ReceiptEvent::Refused => &message.done_at,
    };
    let told = Told {
        event,
        message_id: message.id,
        carrier_ref: beginning(carrier_ref, LONGEST_REFERENCE).to_owned(),
        text: beginning(&text(event, message), LONGEST_TEXT).to_owned(),
        has_longest_words: false,
        at: at.as_deref().and_then(time_of).unwrap_or(now),
    };
    let url = filled(&row.callback, &told);
    if url.is_none() {
        tracing::error!(
            message = message.id,
            "a dlr-url is too long once its placeholders are filled in: it is not called"
        );
    }
    url.map(|url| NewReceiptCall { user_id: row.user_id, message_id: MessageId(message.id), url })
}

/// At most so many bytes of a text.
fn beginning(text: &str, most: usize) -> &str {
    &text[..text.floor_char_boundary(most)]
}

/// The event in words: as Kannel has it of a carrier's answer, or in the form of SMPP's receipts.
fn text(event: ReceiptEvent, message: &MessageRow) -> String {
    let stat = match event {
        ReceiptEvent::Accepted => return "ACK/".to_owned(),
        ReceiptEvent::Refused => {
            return format!("NACK/{}", message.reason.as_deref().unwrap_or(&message.status));
        }
        ReceiptEvent::Delivered => "DELIVRD",
        ReceiptEvent::Failed => match MessageStatus::from_code(&message.status) {
            Some(MessageStatus::Expired) => "EXPIRED",
            Some(MessageStatus::Rejected) => "REJECTD",
            _ => "UNDELIV",
        },
    };
    let delivered = u8::from(event == ReceiptEvent::Delivered);
    format!(
        "id:{} sub:001 dlvrd:00{delivered} submit date:{} done date:{} stat:{stat} text:",
        message.carrier_ref.as_deref().unwrap_or_default(),
        minute(message.submitted_at.as_deref()),
        minute(message.done_at.as_deref()),
    )
}

/// A time of RFC 3339.
fn time_of(text: &str) -> Option<Time> {
    text.parse::<jiff::Timestamp>().ok().map(|stamp| Time(stamp.as_millisecond()))
}

/// A time of RFC 3339 as receipts have it: `YYMMDDhhmm`.
fn minute(at: Option<&str>) -> String {
    let digits: String = at.unwrap_or_default().chars().filter(char::is_ascii_digit).collect();
    digits.get(2..12).unwrap_or_default().to_owned()
}

/// Drops the calls of users for whom too many wait.
async fn drop_unheard(tx: &mut Tx, looks: &mut [Look]) -> Result<()> {
    let users: BTreeSet<UserId> =
        looks.iter().flat_map(|look| &look.calls).map(|call| call.user_id).collect();
    for user in users {
        if receipt_call::is_full(tx, user, BACKLOG).await? {
            tracing::warn!(
                user = user.0,
                "too many receipt callbacks wait: what happens to this user's messages is not told"
            );
            looks.iter_mut().for_each(|look| look.calls.retain(|call| call.user_id != user));
        }
    }
    Ok(())
}

/// Stores the calls, and that they were told.
async fn write(store: &Store, mut looks: Vec<Look>, now: Time) -> Result<()> {
    // Two daemons lock the rows in one order.
    looks.sort_unstable_by_key(|look| look.chunk.chunk_id);
    store
        .write(Lane::Background, (looks, now), |tx, (looks, now)| {
            Box::pin(async move {
                for look in looks.iter() {
                    tell(tx, look, *now).await?;
                }
                Ok(())
            })
        })
        .await
}

async fn tell(tx: &mut Tx, look: &Look, now: Time) -> Result<()> {
    if look.is_damaged {
        let unseen = WatchedChunk { tally: look.chunk.seen_tally.clone(), ..look.chunk.clone() };
        return rows::looked(tx, &unseen, now + LOOK_DAMAGED, look.chunk.quiet_looks).await.map(|_| ());
    }
    let quiet = look.chunk.tally == look.chunk.seen_tally;
    let quiet_looks = if quiet { look.chunk.quiet_looks + 1 } else { 0 };
    let longest = (now.since(look.chunk.began_at) / 60).clamp(LOOK_SELDOM, LOOK_RARELY);
    let wait = doubled(LOOK_EVERY, quiet_looks, longest);
    if !rows::looked(tx, &look.chunk, now + wait, quiet_looks).await? {
        return Ok(());
    }
    receipt_call::insert(tx, &look.calls, now).await?;
    if !look.told.is_empty() {
        rows::told(tx, &look.told).await?;
    }
    if !look.over.is_empty() {
        rows::forget(tx, look.over.clone()).await?;
    }
    if !look.goes_on {
        rows::forget_chunk(tx, look.chunk.chunk_id).await?;
    }
    Ok(())
}
