//! What became of one message, and the settling of unknown ones.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::campaign::{MessageRow, Quote};
use crate::money::Amount;

/// Why a message is where it is and what it cost: every ledger entry and status.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Why {
    /// The message.
    pub message: MessageRow,
    /// What it said.
    pub text: String,
    /// What happened to it, in order.
    pub history: Vec<HistoryEntry>,
    /// The ledger entries that carry its money, with this message's share.
    pub entries: Vec<WhyEntry>,
    /// The whole in one sentence.
    pub explanation: String,
}

/// Something that happened to a message.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct HistoryEntry {
    /// When, where it was recorded.
    pub at: Option<String>,
    /// The status it took.
    pub status: String,
    /// In words.
    pub note: String,
}

/// A ledger entry that carries a message's money.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct WhyEntry {
    /// The transfer's id.
    pub id: i64,
    /// When.
    pub at: String,
    /// `reserve`, `capture` or `release`.
    pub code: String,
    /// What it refers to.
    pub reference: String,
    /// The whole transfer's amount.
    pub amount: Amount,
    /// This message's share of it.
    pub share: Amount,
    /// In words.
    pub narration: String,
}

/// The form of `POST /admin/messages/resolve`.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Resolve {
    /// The `unknown` messages; at most 1,000. Empty with `campaign_id` means all of that campaign.
    #[serde(default)]
    pub messages: Vec<i64>,
    /// All unknown messages of this campaign.
    #[serde(default)]
    pub campaign_id: Option<i64>,
    /// `sent` (charge), `refunded` (give the money back) or `resend` (refund and quote again).
    pub outcome: String,
}

/// The answer of `POST /admin/messages/resolve`.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Resolved {
    /// How many messages were unknown and are settled now.
    pub resolved: i64,
    /// For people.
    pub message: String,
    /// With the outcome `resend`: the price of sending them again, to be confirmed like any other quote.
    pub quote: Option<Quote>,
}
