//! The ids of messages, of their parts and receipts, of messages from handsets, and of what is searched for a number.

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

id! {
    /// The row id of a message's part: the message's id times 16, plus the part or [`WHOLE`].
    PartId
}

id! {
    /// The id of a message from a handset.
    InboundId
}

id! {
    /// The id of a part of a message from a handset, until its parts are joined.
    InboundPartId
}

id! {
    /// The id of a run of the number index: what was merged together of a large audience.
    NumberRunId
}

/// The part of a message that the carrier takes whole, however many short messages it makes of it.
pub const WHOLE: u8 = 15;

impl PartId {
    /// Part `part` (0 to 14) of a message; [`WHOLE`] for a message of one part.
    pub const fn new(message: MessageId, part: u8) -> Self {
        Self(message.0 * 16 + part as i64)
    }

    /// The message.
    pub const fn message(self) -> MessageId {
        MessageId(self.0 >> 4)
    }

    /// Whether this stands for a whole message.
    pub const fn is_whole(self) -> bool {
        self.0 & 15 == WHOLE as i64
    }
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
