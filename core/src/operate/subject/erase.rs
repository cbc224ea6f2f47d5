//! Erasing a number.
//!
//! A step is a chunk of recipients or some rows of a table, in a transaction of its own: others write between two, and what was
//! cut off goes on where it was, as steps find what is left. Invariant: the number leaves a chunk and the index in one
//! transaction, and only while no message to the chunk can still be made.

use std::time::Duration;

use talkdrum_api::campaign::MessageRow;
use talkdrum_api::subject::{ErasedSubject, ErasedTable};

use super::{MESSAGES, first_rows, masked};
use crate::campaign::report::{self, number_search};
use crate::content::Content;
use crate::error::{Error, Result};
use crate::model::account::id::UserId;
use crate::model::campaign::audience_chunk::Chunk;
use crate::model::campaign::id::AudienceChunkId;
use crate::model::message::status::MessageStatus as S;
use crate::model::page::RecordScope;
use crate::model::platform::audit::AuditAction;
use crate::model::platform::data_class::OnErase;
use crate::operate::sent_words;
use crate::operate::user::legal_hold;
use crate::phone::{Msisdn, NetworkTable};
use crate::platform::audit::{self, Entry};
use crate::store::message::number_index;
use crate::store::operations::generation::{self, OTHER_KEY};
use crate::store::retention;
use crate::store::subject::erase as table;
use crate::store::subject::erase::KeptUnder;
use crate::store::subject::erase::rows;
use crate::store::subject::{PLACES, SubjectPlace};
use crate::store::webhook::campaign_events;
use crate::store::{Lane, Store, Tx};
use crate::time::{Clock, Time};

/// Messages that are looked at together.
const MESSAGES_AT_ONCE: usize = 64;
/// Chunks of recipients that are looked at together.
const CHUNKS_AT_ONCE: i64 = 64;
/// How long one call goes on with further steps.
const BUDGET: Duration = Duration::from_secs(15);

/// Erases a number from every table that [`OnErase`] says it for: places, pages, money and all that became of its messages stay.
/// `from` is the `next` of an earlier call: the table and the key that it came to. Each call is in the audit trail, and that all is erased.
///
/// # Errors
/// `messages_open` while a message to the number may still go out, or is awaited; `other_key` where opt-outs are kept under another
/// key; `legal_hold` while a customer who wrote to the number, or has it in a list, is under one; `bad_table` when `from` is no such place. What was done until then stays done.
pub async fn erase(
    store: &Store,
    clock: &dyn Clock,
    by: UserId,
    (number, from): (Msisdn, Option<&str>),
    networks: &NetworkTable,
) -> Result<ErasedSubject> {
    let (first, first_key) = first_step(from)?;
    refuse_other_key(&mut store.read().await?).await?;
    legal_hold::refuse_number(store, number).await?;
    note(store, (by, number, format!("begun at {}", first.table())), clock.now()).await?;
    if first == Step::Messages {
        refuse_open(store, (number, clock.now()), networks).await?;
    }
    let begun_at = clock.now();
    let mut tables: Vec<ErasedTable> = Vec::new();
    let (mut next, mut key) = (Some(first), first_key);
    let mut chunks = Vec::new();
    while let Some(step) = next
        && clock.now().since(begun_at) < BUDGET
    {
        let (rows, after) = match step {
            Step::Messages => {
                if chunks.is_empty() {
                    chunks = table::indexed_chunks(&mut store.read().await?, number).await?;
                }
                match chunks.pop() {
                    Some(chunk) => (some_messages(store, (number, clock.now()), chunk).await?, Some(0)),
                    None => (0, None),
                }
            }
            Step::Rows(index) => match PLACES.get(index) {
                Some(place) => some_rows(store, place, (number, key), clock.now()).await?,
                None => break,
            },
        };
        add(&mut tables, step, rows);
        match after {
            Some(after) => key = after,
            None => {
                if step == Step::Messages {
                    add(&mut tables, step, expired_quotes(store, (number, clock.now())).await?);
                    refuse_found(store, number).await?;
                }
                (next, key) = (step.following(), 0);
            }
        }
    }
    let (mut stays, mut is_clean) = (Vec::new(), false);
    if next.is_none() {
        stays = what_stays(store, number).await?;
        let said: Vec<String> = stays.iter().map(|it| format!("{} of {}", it.rows, it.table)).collect();
        let said = match said.is_empty() {
            true => "complete".to_owned(),
            false => format!("complete but for what is not over: {}", said.join(", ")),
        };
        note(store, (by, number, said), clock.now()).await?;
        is_clean = store.clean().await?;
    }
    let next = next.map(|step| place_of(step, key));
    Ok(ErasedSubject { number: number.to_string(), tables, next, stays, is_clean })
}

/// What holds the number yet, as it is not over.
async fn what_stays(store: &Store, number: Msisdn) -> Result<Vec<ErasedTable>> {
    let mut stays = Vec::new();
    for place in PLACES.iter().filter(|place| rows::may_stay(place)) {
        let (count, _) = first_rows(store, place, number).await?;
        if count > 0 {
            stays.push(ErasedTable { table: place.table.to_owned(), rows: count.cast_unsigned() });
        }
    }
    Ok(stays)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Messages,
    /// Those of the place at this index.
    Rows(usize),
}

impl Step {
    fn table(self) -> &'static str {
        match self {
            Self::Messages => MESSAGES,
            Self::Rows(index) => PLACES.get(index).map_or("", |place| place.table),
        }
    }

    fn following(self) -> Option<Self> {
        let from = match self {
            Self::Messages => 0,
            Self::Rows(index) => index + 1,
        };
        let is_erased = |place: &SubjectPlace| rows::on_erase(place) != OnErase::Kept;
        PLACES.iter().skip(from).position(is_erased).map(|found| Self::Rows(from + found))
    }
}

fn add(tables: &mut Vec<ErasedTable>, step: Step, rows: u64) {
    let name = step.table();
    match tables.iter_mut().find(|table| table.table == name) {
        _ if rows == 0 => {}
        Some(table) => table.rows += rows,
        None => tables.push(ErasedTable { table: name.to_owned(), rows }),
    }
}

/// What the next call goes on with, as text: the table, which of the places it is, as some tables are two of them, and the key after
/// which its rows were not looked at.
fn place_of(step: Step, key: i64) -> String {
    match step {
        Step::Messages => MESSAGES.to_owned(),
        Step::Rows(index) => format!("{}:{index}:{key}", step.table()),
    }
}

/// What [`place_of`] wrote, or a table's name alone, as daemons before November 2026 answered.
fn first_step(from: Option<&str>) -> Result<(Step, i64)> {
    let Some(from) = from.filter(|from| *from != MESSAGES) else { return Ok((Step::Messages, 0)) };
    let mut parts = from.splitn(3, ':');
    let table = parts.next().unwrap_or_default();
    let found = match (parts.next(), parts.next()) {
        (None, _) => PLACES.iter().position(|place| place.table == table).map(|index| (index, 0)),
        (Some(index), key) => index.parse().ok().zip(key.and_then(|key| key.parse().ok())),
    };
    let is_place = |(index, key): &(usize, i64)| {
        PLACES.get(*index).is_some_and(|place| place.table == table) && *key >= 0
    };
    found.filter(is_place).map(|(index, key)| (Step::Rows(index), key)).ok_or_else(|| {
        Error::field("from", "bad_table", "This is no place that the answer before named as the next")
    })
}

async fn note(store: &Store, (by, number, state): (UserId, Msisdn, String), now: Time) -> Result<()> {
    let entry = Entry::new(by, AuditAction::SubjectErase, masked(number)).after(Some(state));
    store
        .write(Lane::Interactive, (entry, now), |tx, (entry, now)| Box::pin(audit::record(tx, entry, *now)))
        .await
}

fn still_open() -> Error {
    Error::conflict(
        "messages_open",
        "Messages to this number are not over: wait until their campaigns and receipts are, settle those that are unknown, and \
         wait 30 minutes for quotes that were not confirmed",
    )
}

/// Refuses to erase where the digest of an opt-out would be under another key than those that are kept: asked again where one is
/// written.
async fn refuse_other_key(tx: &mut Tx) -> Result<()> {
    match table::kept_under(tx).await? {
        KeptUnder::OtherKey => Err(Error::conflict("other_key", OTHER_KEY)),
        KeptUnder::OwnKey | KeptUnder::GivenUp => Ok(()),
    }
}

async fn refuse_open(store: &Store, (number, now): (Msisdn, Time), networks: &NetworkTable) -> Result<()> {
    let ids = number_search::ids(&mut store.read().await?, RecordScope::All, number, i64::MAX).await?;
    for ids in ids.chunks(MESSAGES_AT_ONCE) {
        let rows = report::rows(&mut store.read().await?, RecordScope::All, ids, networks).await?;
        let is_over = |row: &MessageRow| S::from_code(&row.status).is_some_and(S::is_final);
        if !rows.iter().all(is_over) {
            return Err(still_open());
        }
    }
    let found = quoted(store, (number, now)).await?;
    if found.iter().any(|(_, is_open)| *is_open) { Err(still_open()) } else { Ok(()) }
}

/// The chunks with the number of quotes that were not confirmed, which the index does not have; and whether one still may be.
async fn quoted(store: &Store, (number, now): (Msisdn, Time)) -> Result<Vec<(AudienceChunkId, bool)>> {
    let (mut found, mut after) = (Vec::new(), AudienceChunkId::BEFORE_ALL);
    loop {
        let chunks = table::unconfirmed(&mut store.read().await?, now, after, CHUNKS_AT_ONCE).await?;
        let Some(last) = chunks.last() else { return Ok(found) };
        after = last.id;
        for chunk in &chunks {
            let recipients = Chunk::decode_without_fields(&chunk.data);
            let recipients = recipients.map_err(|error| error.in_row("audience chunk", chunk.id))?;
            if recipients.numbers().contains(&number) {
                found.push((chunk.id, chunk.open > 0));
            }
        }
    }
}

/// Takes the number out of quotes that expired, which stay for half an hour, and the platform's newest for longer; out of how
/// many places.
async fn expired_quotes(store: &Store, (number, now): (Msisdn, Time)) -> Result<u64> {
    let mut erased = 0;
    for (chunk, _) in quoted(store, (number, now)).await? {
        let input = (number, now, chunk);
        erased += store
            .write(Lane::Background, input, |tx, (number, now, chunk)| {
                Box::pin(async move {
                    retention::lock(tx).await?;
                    // It may have been swept away.
                    let Some(data) = table::chunk(tx, *chunk).await? else { return Ok(0) };
                    from_chunk(tx, (*number, *now), (*chunk, data), &[]).await
                })
            })
            .await?;
    }
    Ok(erased)
}

/// Recipients that are not in the index yet were not found by it.
async fn refuse_found(store: &Store, number: Msisdn) -> Result<()> {
    let found = number_search::ids(&mut store.read().await?, RecordScope::All, number, 1).await?;
    if found.is_empty() {
        return Ok(());
    }
    Err(not_indexed_yet())
}

fn not_indexed_yet() -> Error {
    Error::conflict(
        "messages_open",
        "Messages to this number were made a moment ago and are not in the index of numbers yet: erase it again in a minute",
    )
}

/// Takes a number out of a chunk that the index names for it; out of how many places.
async fn some_messages(
    store: &Store,
    (number, now): (Msisdn, Time),
    (chunk, indexed): (AudienceChunkId, Vec<i64>),
) -> Result<u64> {
    let input = (number, now, chunk, indexed);
    let erase = store.write(Lane::Background, input, |tx, (number, now, chunk, indexed)| {
        Box::pin(async move {
            retention::lock(tx).await?;
            let gone = || {
                Error::Corrupt(format!(
                    "the audience chunk {chunk}, which the index of numbers names, is gone"
                ))
            };
            let data = table::chunk(tx, *chunk).await?.ok_or_else(gone)?;
            from_chunk(tx, (*number, *now), (*chunk, data), indexed).await
        })
    });
    erase.await
}

/// Takes a number out of a chunk, and out of the index for these recipients, while no message to it can still be made; out of how
/// many places of the chunk. A chunk that is being merged into the index is not touched: its numbers were read, and the one that
/// is taken out would come back.
async fn from_chunk(
    tx: &mut Tx,
    (number, now): (Msisdn, Time),
    (chunk, data): (AudienceChunkId, Vec<u8>),
    indexed: &[i64],
) -> Result<u64> {
    legal_hold::refuse_chunk(tx, chunk).await?;
    table::end_expired(tx, chunk, now).await?;
    if table::may_go_out(tx, chunk, now).await? {
        return Err(still_open());
    }
    // Behind the lock of the chunk: from there on it is in no new campaign, which alone would queue it.
    if number_index::is_queued(tx, chunk).await? {
        return Err(not_indexed_yet());
    }
    let recipients = Chunk::decode(&data).map_err(|error| error.in_row("audience chunk", chunk))?;
    let numbered = recipients.numbers().iter().zip(0_u16..);
    let places: Vec<u16> = numbered.filter(|(held, _)| **held == number).map(|(_, place)| place).collect();
    // Where it is not there any more the index alone is behind.
    let data = recipients.erased(number)?.map_or(data, |erased| erased.data);
    table::overwrite_removed(tx, true).await?;
    let postings = indexed.iter().map(|recipient| (number.digits().cast_signed(), *recipient)).collect();
    let written = match number_index::remove(tx, &postings).await {
        Ok(()) => take_out(tx, (chunk, number), &places, data).await,
        failed => failed,
    };
    table::overwrite_removed(tx, false).await?;
    written?;
    Ok(places.len() as u64)
}

async fn take_out(
    tx: &mut Tx,
    (chunk, number): (AudienceChunkId, Msisdn),
    places: &[u16],
    data: Vec<u8>,
) -> Result<()> {
    table::rewrite(tx, chunk, data).await?;
    table::clear_pressed_keys(tx, chunk, places).await?;
    let campaigns = table::campaigns_of(tx, chunk).await?;
    campaign_events::look_again(tx, campaigns.iter().map(|it| it.id).collect()).await?;
    let mut emptied = Vec::new();
    for campaign in campaigns.into_iter().filter(|it| it.size == 1) {
        let content = sent_words::changed(&campaign.content, Content::without_text)?;
        table::set_campaign_content(tx, campaign.id, content.clone()).await?;
        emptied.push((campaign.id, content));
    }
    sent_words::follow_in_events(tx, &emptied).await?;
    for sent in table::quotes_of(tx, chunk).await? {
        let is_only = sent.size == 1;
        if is_only {
            let content = sent_words::changed(&sent.content, Content::without_text)?;
            table::set_quote_content(tx, sent.id, content).await?;
        }
        table::clear_form(tx, sent.id).await?;
        let name = number.to_string();
        // An older preview does not say whose it is, and a text that cannot be read does not say whether each recipient had one
        // of their own.
        let has_fields = sent_words::has_fields(&sent.content).unwrap_or(true);
        let may_be_theirs = |to: Option<&str>| is_only || to.map_or(has_fields, |to| to == name);
        if let Some(details) = sent_words::without_preview(&sent.details, may_be_theirs)? {
            table::set_quote_details(tx, sent.id, details).await?;
        }
    }
    Ok(())
}

/// Erases the number from some rows of a place after a key; from how many, and the key to go on after.
async fn some_rows(
    store: &Store,
    place: &'static SubjectPlace,
    (number, after): (Msisdn, i64),
    now: Time,
) -> Result<(u64, Option<i64>)> {
    let (found, next) = rows::next(&mut store.read().await?, place, number, after).await?;
    if found.is_empty() {
        return Ok((0, next));
    }
    let input = (place, number, found, now);
    let erased = store.write(Lane::Background, input, |tx, (place, number, found, now)| {
        Box::pin(async move {
            retention::lock(tx).await?;
            legal_hold::refuse_rows(tx, place, found).await?;
            if rows::on_erase(place) == OnErase::Digest {
                refuse_other_key(tx).await?;
                table::note_key(tx, *now).await?;
            }
            rows::erase(tx, place, *number, found).await
        })
    });
    Ok((erased.await?, next))
}

/// Holds dispatch where opt-outs of erased numbers are stored under the digests of another key than this process has. So it stays,
/// and nothing is erased, until that key is back, or an operator releases the hold: that gives those opt-outs up, and this key is
/// noted for the one from then on. Where two daemons have two, that is so again and again.
///
/// # Errors
/// Errors of the database.
pub async fn check_key(store: &Store, now: Time) -> Result<()> {
    let mut tx = store.read().await?;
    let (kept_under, hold) = (table::kept_under(&mut tx).await?, generation::held(&mut tx).await?);
    drop(tx);
    match kept_under {
        KeptUnder::OwnKey => return Ok(()),
        KeptUnder::OtherKey if hold.is_some_and(|hold| hold.is_for(OTHER_KEY)) => return Ok(()),
        KeptUnder::OtherKey => tracing::error!("{OTHER_KEY}"),
        KeptUnder::GivenUp => {}
    }
    store
        .write(Lane::Interactive, now, |tx, now| {
            Box::pin(async move {
                // Asked again: an operator, or another daemon, may have been before.
                match table::kept_under(tx).await? {
                    KeptUnder::OwnKey => Ok(()),
                    KeptUnder::OtherKey => generation::hold(tx, OTHER_KEY, *now).await,
                    KeptUnder::GivenUp => table::note_key(tx, *now).await,
                }
            })
        })
        .await
}

#[cfg(test)]
mod tests;
