//! The recipients of an earlier campaign as a source: all of them, or those whose messages came to one end.
//!
//! They are read chunk by chunk from the list that the campaign went to, with the merge fields that it had. Opt-outs since,
//! routes and prices are the new quote's. Memory is that of one chunk.

use sha2::{Digest, Sha256};

use crate::campaign::erased::{recipients_erased, refuse_cut};
use crate::contact::recipients::Reader;
use crate::error::{Error, Result};
use crate::model::campaign::audience_chunk::Chunk;
use crate::model::campaign::id::{CampaignId, ChunkId};
use crate::model::message::status::MessageStatus;
use crate::phone::{FieldsBuf, Msisdn, RowFields, Sink};
use crate::store::Tx;
use crate::store::campaign::audience::{self as table, CampaignChunk};
use crate::store::campaign::resend;

/// Chunks that are looked up at a time.
const CHUNKS_AT_ONCE: i64 = 64;

/// Whom of a campaign's recipients is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OutcomeFilter {
    /// All.
    All,
    /// Those who got nothing and were not sent to again: whom a resend would take.
    Failed,
    /// Those whose message is in one status by now.
    Status(MessageStatus),
}

impl OutcomeFilter {
    /// `failed`, or a status that is stored.
    pub(super) fn parse(name: &str) -> Result<Self> {
        if name == Self::Failed.name() {
            return Ok(Self::Failed);
        }
        let status = MessageStatus::from_code(name).filter(|status| status.is_stored());
        status.map(Self::Status).ok_or_else(|| {
            let known = MessageStatus::ALL.iter().copied().filter(|status| status.is_stored());
            let names: Vec<&str> = known.map(MessageStatus::code).collect();
            let message = format!("'{name}' is no outcome of a message: use failed, {}", names.join(", "));
            Error::field("audience", "bad_audience", message)
        })
    }

    const fn name(self) -> &'static str {
        match self {
            Self::All => "",
            Self::Failed => "failed",
            Self::Status(status) => status.code(),
        }
    }

    /// Known by the campaign and the name: whom it held is fixed by the quote.
    pub(super) fn digest(self, campaign: CampaignId) -> [u8; 32] {
        let digest =
            Sha256::new().chain_update(b"talkdrum recipients 1").chain_update(campaign.0.to_be_bytes());
        digest.chain_update(self.name()).finalize().into()
    }
}

/// The refusal of what names no list.
pub(super) fn bad_audience(text: &str) -> Error {
    let shown: String = text.trim().chars().take(64).collect();
    let message = format!(
        "'{shown}' names no list: write campaign:ID, campaign:ID:failed (or another outcome) or import:ID"
    );
    Error::field("audience", "bad_audience", message)
}

/// Hands the recipients of a campaign to the sink. Without `columns` only numbers are read.
///
/// # Errors
/// `recipients_erased` where there are none but such that were erased, or it is being erased chunk by chunk.
pub(super) fn read<S: Sink>(
    reader: &Reader,
    (campaign, of): (CampaignId, OutcomeFilter),
    columns: Option<&[String]>,
    sink: &mut S,
    check: impl Fn(&mut S) -> Result<()>,
) -> Result<()> {
    // A campaign whose message had no merge fields has recipients without columns.
    let columns = columns.filter(|columns| !columns.is_empty());
    if let Some(columns) = columns {
        sink.columns(columns);
        check(sink)?;
    }
    let (mut after, mut line, mut left) = (ChunkId::BEFORE_ALL, 0, Left::default());
    loop {
        let chunks = reader.runtime.block_on(async {
            table::chunks_of_campaign(&mut reader.store.read().await?, campaign, after, CHUNKS_AT_ONCE).await
        })?;
        let Some(last) = chunks.last() else { break };
        after = last.id;
        for chunk in chunks {
            read_chunk(reader, chunk, of, columns.is_some(), (sink, &mut line, &mut left))?;
            check(sink)?;
        }
    }
    if left.erased > 0 && left.handed == 0 { Err(recipients_erased()) } else { Ok(()) }
}

/// How many of those that are meant were erased, and how many were not.
#[derive(Clone, Copy, Debug, Default)]
struct Left {
    handed: u64,
    erased: u64,
}

impl Left {
    /// Counts one; whether it is erased.
    const fn counts_erased(&mut self, number: Msisdn) -> bool {
        let is_erased = number.is_erased();
        if is_erased {
            self.erased += 1;
        } else {
            self.handed += 1;
        }
        is_erased
    }
}

fn read_chunk<S: Sink>(
    reader: &Reader,
    chunk: CampaignChunk,
    of: OutcomeFilter,
    with_fields: bool,
    (sink, line, left): (&mut S, &mut u64, &mut Left),
) -> Result<()> {
    let found = reader.runtime.block_on(async {
        let mut tx = reader.store.read().await?;
        let places = places(&mut tx, &chunk, of).await?;
        if places.as_ref().is_some_and(Vec::is_empty) {
            return Ok(None);
        }
        Ok::<_, Error>(Some((places, table::chunk(&mut tx, chunk.audience_chunk_id, with_fields).await?)))
    })?;
    let Some((places, data)) = found else { return Ok(()) };
    let recipients = if with_fields { Chunk::decode(&data)? } else { Chunk::decode_without_fields(&data)? };
    refuse_cut(&recipients)?;
    let mut buffer = FieldsBuf::default();
    for place in places.unwrap_or_else(|| (0..recipients.len()).collect()) {
        *line += 1;
        let beyond = || Error::Corrupt(format!("message {place} lies beyond its chunk {}", chunk.id));
        if !with_fields {
            let number = recipients.numbers().get(place).copied().ok_or_else(beyond)?;
            if !left.counts_erased(number) {
                sink.recipient(*line, number, RowFields::NONE);
            }
            continue;
        }
        let recipient = recipients.recipient(place).ok_or_else(beyond)?;
        if left.counts_erased(recipient.number) {
            continue;
        }
        buffer.clear();
        for value in recipient.fields() {
            buffer.push(value);
        }
        sink.recipient(*line, recipient.number, buffer.fields());
    }
    Ok(())
}

/// The places of a chunk that are meant, ascending; nothing where all are.
async fn places(tx: &mut Tx, chunk: &CampaignChunk, of: OutcomeFilter) -> Result<Option<Vec<usize>>> {
    let messages = match of {
        OutcomeFilter::All => return Ok(None),
        OutcomeFilter::Failed => resend::failed_messages(tx, chunk.id).await?,
        OutcomeFilter::Status(status) => table::messages_in(tx, chunk.id, status).await?,
    };
    let mut places: Vec<usize> = messages.into_iter().map(|message| usize::from(message.place())).collect();
    if of == OutcomeFilter::Status(MessageStatus::Cancelled) && chunk.tail_cancelled > 0 {
        // What was cancelled before it was claimed has no message.
        let place = |at: i64| usize::try_from(at).unwrap_or_default();
        places.retain(|at| *at < place(chunk.cursor));
        places.extend(place(chunk.cursor)..place(chunk.size));
    }
    Ok(Some(places))
}
