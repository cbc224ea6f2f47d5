//! The id of a message.

use crate::model::campaign::id::ChunkId;
use crate::model::platform::id::NoticeId;

id! {
    /// The row id of a message: its chunk's id times 4,096 plus its place in the chunk; below zero, a notice's.
    MessageId
}

id! {
    /// The id of a receipt that matches no message.
    UnmatchedReceiptId
}

id! {
    /// The id of receipts that are stored together, and written to their messages later.
    DeferredReceiptsId
}

impl MessageId {
    /// The message at `place` (0 to 4,095) of `chunk`.
    pub const fn new(chunk: ChunkId, place: u16) -> Self {
        Self(chunk.0 * 4_096 + place as i64)
    }

    /// The ids of a chunk's messages: from the first up to, not including, the second.
    pub const fn of_chunk(chunk: ChunkId) -> (Self, Self) {
        (Self::new(chunk, 0), Self::new(ChunkId(chunk.0 + 1), 0))
    }

    /// The message of a notice of the platform itself, which has no chunk.
    pub const fn of_notice(id: NoticeId) -> Self {
        Self(-id.0)
    }

    /// The id of the notice that this is the message of.
    pub const fn notice(self) -> Option<NoticeId> {
        if self.0 < 0 { Some(NoticeId(-self.0)) } else { None }
    }

    /// The id of its chunk.
    pub const fn chunk(self) -> ChunkId {
        ChunkId(self.0 >> 12)
    }

    /// Its place in the chunk.
    pub const fn place(self) -> u16 {
        (self.0 & 0xfff) as u16
    }
}
