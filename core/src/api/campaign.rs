//! Quotes, campaigns, messages.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::money::Amount;

/// The answer of `send-{kind}-sms` and `schedule-{kind}-sms`.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct QuoteAnswer {
    /// What the campaign will be and cost.
    pub details: Quote,
    /// For people.
    pub message: String,
}

/// What a campaign will be and cost: a contract until it expires.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Quote {
    /// Hand this to `confirm-...`.
    pub quote_id: i64,
    /// Recipients that will get a message in each run.
    pub total_contacts: i64,
    /// Numbers given more than once and dropped.
    pub total_duplicates_removed: i64,
    /// Entries that are no usable number.
    pub total_invalid: i64,
    /// The first of them with line and reason.
    pub rejects: Vec<Reject>,
    /// Numbers left out because they opted out.
    pub total_suppressed: i64,
    /// The price of all runs together.
    pub total_charges: Amount,
    /// The price of one run.
    pub charges_per_run: Amount,
    /// `text`, `flash`, `unicode`, `wap-push` or `vcard`.
    pub sms_type: String,
    /// `DEFAULT`, or the route's name.
    pub route: String,
    /// The sender id.
    pub sender_id: String,
    /// What the first recipient reads.
    pub message: String,
    /// Billed pages of one message, the fewest and the most over the recipients.
    pub pages: (u8, u8),
    /// Short messages on the air of one message, the fewest and the most.
    pub segments: (u8, u8),
    /// Billed pages of one run in all.
    pub total_pages: i64,
    /// Short messages of one run in all.
    pub total_segments: i64,
    /// `gsm7`, `ucs2` or `binary`.
    pub encoding: String,
    /// Characters that were replaced so that the text fits GSM-7.
    pub replacements: Vec<Replacement>,
    /// The price of one page.
    pub unit_price: Amount,
    /// `espees` or `naira`.
    pub currency: String,
    /// The wallet now.
    pub balance: Amount,
    /// The wallet after all runs are reserved; negative when it does not suffice.
    pub balance_after: Amount,
    /// Recipients by network.
    pub networks: BTreeMap<String, i64>,
    /// When the runs start; empty means at once.
    pub starts: Vec<String>,
    /// When the last run should have been handed to the carrier.
    pub estimated_finish: Option<String>,
    /// Until when it can be confirmed.
    pub expires_at: String,
}

/// An entry that is no usable number.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Reject {
    /// The line it stood on, from 1.
    pub line: i64,
    /// What stood there, shortened.
    pub value: String,
    /// Stable code of the reason.
    pub code: String,
    /// The reason in words.
    pub reason: String,
}

/// A character that was replaced by a look-alike.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Replacement {
    /// What was written.
    pub from: String,
    /// What is sent.
    pub to: String,
    /// How often.
    pub count: i64,
}

/// The answer of `confirm-...`.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Confirmed {
    /// The first run.
    pub details: Campaign,
    /// All runs, one for each start time.
    pub campaigns: Vec<Campaign>,
    /// For people: `SMS Sent`, or when it will be.
    pub message: String,
}

/// A campaign (one run of a quote).
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Campaign {
    /// The campaign's id.
    pub id: i64,
    /// The quote it came from.
    pub quote_id: i64,
    /// Its owner.
    pub user_id: i64,
    /// Its owner's name.
    pub username: String,
    /// `scheduled`, `sending`, `paused`, `completed`, `cancelled` or `failed`.
    pub status: String,
    /// Why it is paused or failed.
    pub status_reason: Option<String>,
    /// `text`, `flash`, `unicode`, `wap-push` or `vcard`.
    pub sms_type: String,
    /// The sender id.
    pub senderid: String,
    /// The text, with its merge fields unfilled.
    pub msg: String,
    /// `espees` or `naira`.
    pub currency: String,
    /// Recipients.
    pub total_contacts: i64,
    /// What was reserved.
    pub total_charges: Amount,
    /// What was charged so far.
    pub captured: Amount,
    /// What was given back so far.
    pub released: Amount,
    /// What is still reserved.
    pub reserved: Amount,
    /// Where its messages are.
    pub counts: Counts,
    /// When it was confirmed.
    pub created_at: String,
    /// When it is to start, if it was scheduled.
    pub scheduled_at: Option<String>,
    /// When its first message was claimed.
    pub started_at: Option<String>,
    /// When nothing was left to send.
    pub completed_at: Option<String>,
}

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
    /// Nobody knows whether it was sent.
    pub unknown: i64,
    /// Never sent, because the campaign was cancelled.
    pub cancelled: i64,
    /// Never sent, because the number opted out.
    pub suppressed: i64,
}

/// A page of campaigns.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Campaigns {
    /// Newest first.
    pub campaigns: Vec<Campaign>,
    /// How many there are.
    pub total: i64,
}

/// One message of a delivery report.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct MessageRow {
    /// The message's id.
    pub id: i64,
    /// Its campaign.
    pub campaign_id: i64,
    /// The handset, E.164 without `+`.
    pub to: String,
    /// The sender id.
    pub senderid: String,
    /// The network by prefix: a hint.
    pub network: String,
    /// `queued`, `submitting`, `submitted`, `delivered`, ...
    pub status: String,
    /// Why, in words.
    pub reason: Option<String>,
    /// Billed pages.
    pub pages: i64,
    /// Its price.
    pub price: Amount,
    /// The carrier's reference.
    pub carrier_ref: Option<String>,
    /// When the carrier answered.
    pub submitted_at: Option<String>,
    /// When its receipt came.
    pub done_at: Option<String>,
}

/// A page of messages.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Messages {
    /// In order of sending; look-ups by number newest first.
    pub messages: Vec<MessageRow>,
    /// How many there are.
    pub total: i64,
}

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

/// One event of `GET /api/campaigns/{id}/events` (`event: progress`, and `event: end` for the last).
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Progress {
    /// The campaign as it is now.
    pub campaign: Campaign,
    /// Messages a second handed to the carrier, over the last few seconds.
    pub rate: f64,
    /// Seconds until everything is handed over, at that rate.
    pub remaining_s: Option<f64>,
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
    /// `sent` (charge), `refunded` (give the money back) or `resend` (refund and quote anew).
    pub outcome: String,
}
