//! What became of a campaign's messages, by network, over time and by reason.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// `GET /api/campaigns/{id}/breakdown`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Breakdown {
    /// By network, most recipients first.
    pub networks: Vec<NetworkOutcome>,
    /// The width of a bucket, in seconds.
    pub bucket_s: i64,
    /// Over time, oldest first, at most 120; those in which nothing happened are left out.
    pub buckets: Vec<Bucket>,
    /// Why messages failed, or are unknown, or were left out; most first. Rare ones are under `Other reasons`.
    pub reasons: Vec<ReasonCount>,
}

/// What became of the messages to a network. What is missing to `ordered` is not sent yet, cancelled or suppressed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct NetworkOutcome {
    /// The network the numbers were issued to: a hint.
    pub network: String,
    /// Recipients.
    pub ordered: i64,
    /// Delivered.
    pub delivered: i64,
    /// Accepted and not delivered.
    pub undelivered: i64,
    /// Refused.
    pub rejected: i64,
    /// Not delivered in time.
    pub expired: i64,
    /// It is not known whether they were sent.
    pub unknown: i64,
    /// Accepted by the carrier, no receipt yet.
    pub awaited: i64,
    /// Delivered, of a thousand of which it is known whether they were; `null` while there is none.
    pub delivered_per_mille: Option<i64>,
}

/// What happened in a stretch of time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Bucket {
    /// Its beginning.
    pub at: String,
    /// Messages that the carrier answered.
    pub submitted: i64,
    /// Messages that were delivered.
    pub delivered: i64,
    /// Messages that failed: undelivered, rejected, expired.
    pub failed: i64,
}

/// Messages of one status for one reason.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ReasonCount {
    /// `undelivered`, `rejected`, `expired`, `unknown`, `cancelled` or `suppressed`.
    pub status: String,
    /// Why, in words; `null` where none was said.
    pub reason: Option<String>,
    /// How many.
    pub count: i64,
}
