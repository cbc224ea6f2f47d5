//! A chunk that is being sent, and the outcomes of its messages that are not submitted.

use std::sync::Arc;

use tokio::task::JoinHandle;

use crate::contact::suppression::OptOutSnapshot;
use crate::error::{Error, Result};
use crate::model::message::id::MessageId;
use crate::model::message::outcome::MessageOutcome;
use crate::model::message::reason::PlatformReason;
use crate::model::message::status::MessageStatus;
use crate::time::Time;
use crate::worker::dispatch::open_chunks::OpenChunk;

/// A chunk that is being sent.
#[derive(Debug)]
pub(super) struct ChunkCursor {
    pub(super) chunk: Arc<OpenChunk>,
    /// The next place to submit.
    pub(super) next: i64,
    /// Places below it are claimed ([`ChunkCursor::grant`]).
    pub(super) granted: i64,
    /// An intent that is being stored, up to this place.
    pub(super) pending: Option<(i64, JoinHandle<Result<bool>>)>,
    /// It is not known whether an intent was stored: the database is asked before anything else.
    pub(super) doubt: bool,
    /// Messages of it that this turn may still send.
    pub(super) left: i64,
    /// Numbers that the user may not write to. An intent is stored only while this version is current.
    pub(super) opt_outs: OptOutSnapshot,
}

impl ChunkCursor {
    /// A chunk that was just claimed: its places below `granted` may be sent.
    pub(super) fn new(chunk: Arc<OpenChunk>, granted: i64, opt_outs: OptOutSnapshot) -> Self {
        Self { next: chunk.cursor, granted, pending: None, doubt: false, left: 0, opt_outs, chunk }
    }

    /// A chunk that was claimed whole.
    pub(super) fn whole(chunk: Arc<OpenChunk>, opt_outs: OptOutSnapshot) -> Self {
        let size = chunk.size;
        Self { next: 0, left: size, ..Self::new(chunk, size, opt_outs) }
    }

    /// Notes that the database has the places below this as claimed.
    pub(super) fn grant(&mut self, granted: i64) {
        self.granted = granted;
        self.chunk.grant(granted);
    }
}

/// What happens to it after a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Course {
    /// There is more to send.
    GoOn,
    /// Every place was submitted.
    Over,
    /// The chunk is dropped: its campaign is paused or cancelled, dispatch is held, or another run has the chunk.
    Denied,
    /// Too many submitted messages are not settled.
    Full,
}

/// Waits for the pending intent. False when the claim is lost or the campaign must not go on.
pub(super) async fn collect_intent(cursor: &mut ChunkCursor) -> Result<bool> {
    let Some((to, write)) = cursor.pending.take() else { return Ok(cursor.granted > cursor.next) };
    match write.await {
        Ok(Ok(true)) => {
            cursor.grant(to);
            Ok(true)
        }
        Ok(Ok(false)) => Ok(false),
        Ok(Err(error)) => {
            cursor.doubt = true;
            Err(error)
        }
        Err(panic) => {
            cursor.doubt = true;
            Err(Error::Corrupt(format!("storing an intent panicked: {panic}")))
        }
    }
}

pub(super) fn place_of(position: i64) -> u16 {
    // A CHECK in the database keeps places below 4,096.
    u16::try_from(position).unwrap_or(u16::MAX)
}

/// The outcome of a claimed message that must not go out any more.
pub(super) fn suppressed(message: MessageId, reason: PlatformReason, now: Time) -> MessageOutcome {
    MessageOutcome::by_platform(message, MessageStatus::Suppressed, reason, Some(now))
}

/// Why a claimed message is given up before it was submitted.
#[derive(Clone, Copy, Debug)]
pub(super) enum GivenUp {
    /// Its validity ended.
    Expired,
    /// It cannot be encoded.
    Unfit,
}

/// The outcome of a claimed message that is given up before it was submitted.
pub(super) fn never_sent(message: MessageId, why: GivenUp, now: Time) -> MessageOutcome {
    let (status, reason) = match why {
        GivenUp::Expired => (MessageStatus::Expired, PlatformReason::Expired),
        GivenUp::Unfit => (MessageStatus::Rejected, PlatformReason::Unfit),
    };
    MessageOutcome::by_platform(message, status, reason, Some(now))
}
