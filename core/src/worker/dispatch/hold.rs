//! What a dispatcher does while an operator holds its carrier.
//!
//! Invariant: nothing new is claimed for sending (the database refuses it as well), and every claimed message is either
//! submitted or queued again.

use super::{DispatchStep, Dispatcher};
use crate::error::Result;
use crate::notice::DueTexts;
use crate::operate::Hold;
use crate::store::chunk::Flow;
use crate::time::Time;
use crate::worker::dispatch::chunk_cursor::{ChunkCursor, collect_intent};

impl Dispatcher {
    /// One step under a hold. A pause queues claimed messages that were not submitted again; a drain submits them
    /// first, as far as `room` allows (`None` while the carrier takes nothing), but for what an error kept back. Test messages go out under both.
    pub async fn hold(&mut self, room: Option<u32>, hold: Hold) -> Result<DispatchStep> {
        let now = self.clock.now();
        let step = self.hold_at(room, hold, now).await;
        self.book.heed(step, &self.store, self.owner, now).await
    }

    async fn hold_at(&mut self, room: Option<u32>, hold: Hold, now: Time) -> Result<DispatchStep> {
        self.note_up();
        if let Some(step) = self.look_back(now).await? {
            return Ok(step);
        }
        self.flush_outcomes(now).await?;
        self.current = None;
        if let Some(room) = room
            && self.send_notices(DueTexts::Tests, room, now).await?
        {
            return Ok(DispatchStep::Worked);
        }
        let mut room = match hold {
            Hold::Draining => room,
            Hold::Open | Hold::Paused => None,
        };
        self.expire_in_time(now).await?;
        let mut worked = !self.small.is_empty();
        match room {
            Some(room) if worked => {
                self.send_whole(room, now).await?;
                return Ok(DispatchStep::Worked);
            }
            _ => self.put_back_whole(now).await?,
        }
        let flows: Vec<Flow> = self.cursors.keys().copied().collect();
        for flow in flows {
            let Some(mut cursor) = self.cursors.remove(&flow) else { continue };
            worked |= cursor.next < cursor.granted;
            let held = self.hold_turn(&mut cursor, &mut room, now).await;
            // The turn is kept, after an error as well: the rest of the chunk is claimed when the hold is over, or
            // given up when it expires.
            if !matches!(held, Ok(false)) {
                self.cursors.insert(flow, cursor);
            }
            held?;
        }
        self.flush_outcomes(now).await?;
        Ok(if worked { DispatchStep::Worked } else { DispatchStep::Idle(None) })
    }

    /// Submits or queues again the claimed messages of a turn. False when another run has the chunk.
    async fn hold_turn(
        &mut self,
        cursor: &mut ChunkCursor,
        room: &mut Option<u32>,
        now: Time,
    ) -> Result<bool> {
        if cursor.doubt && !self.clear_doubt(cursor).await? {
            return Ok(false);
        }
        if cursor.pending.is_some() {
            collect_intent(cursor).await?;
        }
        match room {
            Some(room) if cursor.chunk.expires_at > now => {
                let before = cursor.next;
                cursor.left = i64::MAX;
                let sent = self.submit(cursor, *room, now).await;
                cursor.left = 0;
                *room = room.saturating_sub(u32::try_from(cursor.next - before).unwrap_or(u32::MAX));
                sent?;
            }
            _ => {
                self.queue_again(cursor, now);
                cursor.next = cursor.granted;
            }
        }
        Ok(true)
    }
}
