//! The numbers of a list, each once. All of them are held in memory until the list is read, also those that are rejected;
//! a list with more different numbers than its owner may quote is refused.

use crate::error::Result;
use crate::phone::{Msisdn, SeenNumbers};
use crate::platform::quota::Room;

/// The different numbers that were read.
#[derive(Debug)]
pub(super) struct DistinctNumbers {
    seen: SeenNumbers,
    /// `None` when the owner has no limit.
    room: Option<Room>,
}

impl DistinctNumbers {
    pub(super) fn new(room: Option<Room>) -> Self {
        Self { seen: SeenNumbers::new(), room }
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
