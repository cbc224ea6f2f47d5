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
    /// Never sent, because the number opted out or is on the Do-Not-Disturb list.
    pub suppressed: i64,
}

impl Counts {
    /// Each status under its name, in the order of a message's life.
    pub const fn by_status(&self) -> [(&'static str, i64); 10] {
        let Self {
            queued,
            submitting,
            submitted,
            delivered,
            undelivered,
            rejected,
            expired,
            unknown,
            cancelled,
            suppressed,
        } = *self;
        [
            ("queued", queued),
            ("submitting", submitting),
            ("submitted", submitted),
            ("delivered", delivered),
            ("undelivered", undelivered),
            ("rejected", rejected),
            ("expired", expired),
            ("unknown", unknown),
            ("cancelled", cancelled),
            ("suppressed", suppressed),
        ]
    }

    /// All of them: the campaign's recipients.
    pub fn total(&self) -> i64 {
        self.by_status().iter().map(|(_, count)| count).sum()
    }

    /// What a carrier took and has no receipt of.
    pub const fn awaited(&self) -> i64 {
        self.grouped().awaited
    }

    /// What a carrier took, but for what failed: awaited and delivered.
    pub const fn accepted(&self) -> i64 {
        let Grouped { awaited, delivered, .. } = self.grouped();
        awaited + delivered
    }

    /// What failed: undelivered, rejected, expired.
    pub const fn failed(&self) -> i64 {
        self.grouped().failed
    }

    /// What was handed to a carrier and has left `submitting`.
    pub const fn handed_over(&self) -> i64 {
        let Grouped { awaited, delivered, failed, unknown } = self.grouped();
        awaited + delivered + failed + unknown
    }

    /// Each status in its group: the one place that decides it for all of these.
    const fn grouped(&self) -> Grouped {
        let Self {
            queued: _,
            submitting: _,
            submitted,
            delivered,
            undelivered,
            rejected,
            expired,
            unknown,
            cancelled: _,
            suppressed: _,
        } = *self;
        Grouped { awaited: submitted, delivered, failed: undelivered + rejected + expired, unknown }
    }
}

/// What was handed to a carrier, by what is known of it.
struct Grouped {
    awaited: i64,
    delivered: i64,
    failed: i64,
    unknown: i64,
}
