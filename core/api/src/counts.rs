//! How many messages of a campaign are in which status.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// How many messages are in which status. They add up to the campaign's recipients.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Counts {
    /// Waiting to be sent.
    pub queued: i64,
    /// Claimed, not answered yet.
    pub submitting: i64,
    /// Accepted by the carrier, receipt awaited.
    pub submitted: i64,
    /// On the handset.
    pub delivered: i64,
    /// Not deliverable.
    pub undelivered: i64,
    /// Refused by the carrier.
    pub rejected: i64,
    /// Validity ran out.
    pub expired: i64,
    /// It is not known whether it was sent.
    pub unknown: i64,
    /// Never sent, because the campaign was cancelled.
    pub cancelled: i64,
    /// Never sent, because the number opted out.
    pub suppressed: i64,
}

impl Counts {
    /// All of them: the campaign's recipients.
    pub const fn total(&self) -> i64 {
        self.queued + self.submitting + self.handed_over() + self.cancelled + self.suppressed
    }

    /// What failed: undelivered, rejected, expired.
    pub const fn failed(&self) -> i64 {
        self.undelivered + self.rejected + self.expired
    }

    /// What was handed to a carrier and has left `submitting`.
    pub const fn handed_over(&self) -> i64 {
        self.submitted + self.delivered + self.failed() + self.unknown
    }
}
