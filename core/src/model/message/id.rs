//! The id of a message.

use serde::{Deserialize, Serialize};

/// The row id of a message: its chunk's id times 4,096 plus its place in the chunk; below zero, a notice's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct MessageId(pub i64);

talkdrum_api::column!(MessageId, i64, |id| Some(MessageId(id)));

impl MessageId {
    /// The message at `place` (0 to 4,095) of `chunk`.
    pub const fn new(chunk: i64, place: u16) -> Self {
        Self(chunk * 4_096 + place as i64)
    }

    /// The ids of a chunk's messages: from the first up to, not including, the second.
    pub const fn of_chunk(chunk: i64) -> (Self, Self) {
        (Self::new(chunk, 0), Self::new(chunk + 1, 0))
    }

    /// The message of a notice of the platform itself, which has no chunk.
    pub const fn of_notice(id: i64) -> Self {
        Self(-id)
    }

    /// The id of the notice that this is the message of.
    pub const fn notice(self) -> Option<i64> {
        if self.0 < 0 { Some(-self.0) } else { None }
    }

    /// The id of its chunk.
    pub const fn chunk(self) -> i64 {
        self.0 >> 12
    }

    /// Its place in the chunk.
    pub const fn place(self) -> u16 {
        (self.0 & 0xfff) as u16
    }
}
