//! A chunk in the middle of being sent, and what becomes of those of its messages that never go out.

use std::sync::Arc;

use tokio::task::JoinHandle;

use crate::contact::suppression::Snapshot;
use crate::error::{Error, Result};
use crate::model::message_id::MessageId;
use crate::model::outcome::{self, MessageOutcome};
use crate::model::status::MessageStatus;
use crate::time::Time;
use crate::worker::dispatch::open_chunks::OpenChunk;

/// A chunk in the middle of being sent.
#[derive(Debug)]
pub(super) struct Turn {
    pub(super) chunk: Arc<OpenChunk>,
    /// The next position for the wire.
    pub(super) next: i64,
    /// Positions below it are claimed ([`Turn::grant`]).
    pub(super) granted: i64,
    /// An intent on its way to the disk, up to this position.
    pub(super) pending: Option<(i64, JoinHandle<Result<bool>>)>,
    /// An intent of which nobody knows whether it was stored: the database is asked before anything else.
    pub(super) doubt: bool,
    /// Messages left before the next turn.
    pub(super) left: i64,
    /// Whom its user may not write to. An intent is stored only while this is still so.
    pub(super) opt_outs: Snapshot,
}

impl Turn {
    /// A chunk that was just claimed: its positions below `granted` may be sent.
    pub(super) fn new(chunk: Arc<OpenChunk>, granted: i64, opt_outs: Snapshot) -> Self {
        Self { next: chunk.cursor, granted, pending: None, doubt: false, left: 0, opt_outs, chunk }
    }

    /// A chunk that was claimed to its end.
    pub(super) fn whole(chunk: Arc<OpenChunk>, opt_outs: Snapshot) -> Self {
        let size = chunk.size;
        Self { next: 0, left: size, ..Self::new(chunk, size, opt_outs) }
    }

    /// Positions below this are claimed, as the database says.
    pub(super) fn grant(&mut self, granted: i64) {
        self.granted = granted;
        self.chunk.grant(granted);
    }
}

/// What is to become of a turn after a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Course {
    /// There is more to send.
    GoOn,
    /// Every position is on the wire.
    Over,
    /// The chunk must be let go: paused, cancelled, held, lost.
    Denied,
    /// Too much is out whose outcome is not stored.
    Full,
}

/// Waits for the pending intent. False when the claim is lost or the campaign must not go on.
pub(super) async fn collect_intent(turn: &mut Turn) -> Result<bool> {
    let Some((to, write)) = turn.pending.take() else { return Ok(turn.granted > turn.next) };
    match write.await {
        Ok(Ok(true)) => {
            turn.grant(to);
            Ok(true)
        }
        Ok(Ok(false)) => Ok(false),
        Ok(Err(error)) => {
            turn.doubt = true;
            Err(error)
        }
        Err(panic) => {
            turn.doubt = true;
            Err(Error::Corrupt(format!("storing an intent panicked: {panic}")))
        }
    }
}

pub(super) fn place_of(position: i64) -> u16 {
    // Positions are below 4,096 by the database's own check.
    u16::try_from(position).unwrap_or(u16::MAX)
}

/// A message that was claimed and must not go out any more.
pub(super) fn suppressed(message: MessageId, reason: &'static str, now: Time) -> MessageOutcome {
    MessageOutcome::by_platform(message, MessageStatus::Suppressed, reason, Some(now))
}

/// A message that was claimed and is given up before it reached the wire.
pub(super) fn never_sent(message: MessageId, status: MessageStatus, now: Time) -> MessageOutcome {
    let error = match status {
        MessageStatus::Expired => outcome::EXPIRED,
        _ => outcome::UNFIT,
    };
    MessageOutcome::by_platform(message, status, error, Some(now))
}
