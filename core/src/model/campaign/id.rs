//! The ids of what a campaign is made of, and of what customers keep to write one.

use crate::model::campaign::audience_chunk::CHUNK_SIZE;

id! {
    /// The id of an audience.
    AudienceId
}

id! {
    /// The id of a quote.
    QuoteId
}

id! {
    /// The id of a campaign.
    CampaignId
}

id! {
    /// The id of a chunk of a campaign's messages.
    ChunkId
}

id! {
    /// The id of a chunk of an audience's recipients.
    AudienceChunkId
}

id! {
    /// The id of a draft of a form.
    DraftId
}

id! {
    /// The id of a file of a draft.
    DraftFileId
}

id! {
    /// The id of a template.
    TemplateId
}

impl AudienceChunkId {
    /// The chunk of a recipient.
    pub const fn of_recipient(recipient: i64) -> Self {
        Self(recipient / CHUNK_SIZE as i64)
    }

    /// The recipient at `place` (0 to 4,095), as the number index has it.
    pub const fn recipient(self, place: u16) -> i64 {
        self.0 * CHUNK_SIZE as i64 + place as i64
    }
}
