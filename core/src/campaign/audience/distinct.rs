//! The numbers of a list, each once. They are held in memory until the list is read, whatever becomes of each: so there are
//! no more of them than recipients that the list's owner may quote.

use crate::error::Result;
use crate::phone::{Msisdn, Seen};
use crate::platform::quota::Room;

/// The different numbers that were read.
#[derive(Debug)]
pub(super) struct DistinctNumbers {
    seen: Seen,
    /// `None` when the owner has no limit.
    room: Option<Room>,
}

impl DistinctNumbers {
    pub(super) fn new(room: Option<Room>) -> Self {
        Self { seen: Seen::new(), room }
    }

    /// Takes a number; false when it was there already.
    ///
    /// # Errors
    /// `recipients_quota` when there is no room for it.
    #[inline]
    pub(super) fn insert(&mut self, number: Msisdn) -> Result<bool> {
        let is_new = self.seen.insert(number);
        if let Some(room) = &self.room
            && is_new
        {
            room.check(self.seen.len() as u64)?;
        }
        Ok(is_new)
    }
}
