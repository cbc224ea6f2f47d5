//! Quotes, campaigns, messages.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::call::{CallDetails, PollAnswer, Question};
use crate::canary::{CampaignCanary, QuoteCanary};
use crate::counts::Counts;
use crate::money::Amount;
use crate::purpose::Purpose;

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
    /// Entries left out: invalid numbers, and numbers that cannot be sent to.
    pub total_invalid: i64,
    /// Of these, numbers on the Do-Not-Disturb list, where their route respects it.
    #[serde(default)]
    pub total_dnd: i64,
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
    /// What it is for: `promotional`, `transactional` or `otp`.
    #[serde(default)]
    pub purpose: Purpose,
    /// `DEFAULT`, or the carriers, each with those that take over from it: `main then spare, other`.
    pub route: String,
    /// The sender id.
    pub sender_id: String,
    /// What the first recipient reads.
    pub message: String,
    /// That recipient; not known of quotes that were drawn up before an upgrade.
    #[serde(default)]
    pub message_to: Option<String>,
    /// Billed pages of one message, the fewest and the most over the recipients.
    pub pages: (u8, u8),
    /// Short messages on the air of one message, the fewest and the most.
    pub segments: (u8, u8),
    /// Billed pages of one run in all.
    pub total_pages: i64,
    /// Short messages of one run in all.
    pub total_segments: i64,
    /// `gsm7`, `ucs2` or `binary`; `audio` of calls.
    pub encoding: String,
    /// Of calls: how long what is said takes, in seconds, rounded up.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub length_s: Option<i64>,
    /// Of calls that ask a question: its keys.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub poll: Option<Question>,
    /// Of calls: the most pulses that one is billed. They are counted as pages everywhere else.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pulses: Option<i64>,
    /// Of calls: the seconds of the first pulse and of each next one, such as `60/60`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pulse: Option<String>,
    /// Characters that were replaced so that the text fits GSM-7.
    pub replacements: Vec<Replacement>,
    /// The price of one page, or of one pulse of a call.
    pub unit_price: Amount,
    /// Recipients outside Nigeria.
    #[serde(default)]
    pub abroad_contacts: i64,
    /// Billed pages of their messages.
    #[serde(default)]
    pub abroad_pages: i64,
    /// The price of a page to them; `null` when there are none.
    #[serde(default)]
    pub abroad_unit_price: Option<Amount>,
    /// What the pages of one run cost, a line for each price.
    #[serde(default)]
    pub rates: Vec<QuoteRate>,
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
    /// When promotional messages of the first run go out, where its start falls into the quiet hours.
    #[serde(default)]
    pub delayed_start: Option<String>,
    /// How many contacts wait for it.
    #[serde(default)]
    pub delayed_contacts: i64,
    /// Who gets the message before the rest; `null` when all get it at once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub canary: Option<QuoteCanary>,
    /// Columns of the files whose numbers were read.
    #[serde(default)]
    pub number_columns: Vec<String>,
    /// Columns of the files that also hold numbers and were not read: to read them, name all that are wanted in `column`.
    #[serde(default)]
    pub unread_columns: Vec<String>,
    /// What to know before confirming, in sentences: that it will wait for an administrator, that nothing is sent now, a
    /// column of numbers that was not read.
    #[serde(default)]
    pub notices: Vec<String>,
    /// When the last run should have been handed to the carrier.
    pub estimated_finish: Option<String>,
    /// Until when it can be confirmed.
    pub expires_at: String,
}

/// The answer of `POST /api/recipients/check`: what recipients are, before there is a message. A quote rejects those, too,
/// for whom the message has no route or does not fit.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct RecipientsCheck {
    /// Numbers that can be written to.
    pub total_contacts: i64,
    /// Numbers given more than once and dropped.
    pub total_duplicates_removed: i64,
    /// Entries that are no usable number.
    pub total_invalid: i64,
    /// Numbers left out because they opted out.
    pub total_suppressed: i64,
    /// The first of the invalid ones with line and reason, at most 20.
    pub rejects: Vec<Reject>,
    /// The columns that a message to all of them can have as merge fields: those of every file and group with columns.
    pub columns: Vec<String>,
    /// Columns of the files whose numbers were counted.
    #[serde(default)]
    pub number_columns: Vec<String>,
    /// Columns of the files that also hold numbers and were not read: to read them, name all that are wanted in `column`.
    #[serde(default)]
    pub unread_columns: Vec<String>,
    /// What to know of these recipients, in sentences: a column of numbers that was not read.
    #[serde(default)]
    pub notices: Vec<String>,
    /// Recipients by network.
    pub networks: BTreeMap<String, i64>,
    /// What a page to them costs in each currency, a line for each price. Those that are in none of a currency's lines have no
    /// price in it: a quote rejects them.
    #[serde(default)]
    pub rates: Vec<RecipientsRate>,
}

/// Recipients that have one price of a page in a currency.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RecipientsRate {
    /// `espees` or `naira`.
    pub currency: String,
    /// What their numbers begin with: digits of E.164; `null` of all others outside Nigeria.
    pub prefix: Option<String>,
    /// Their network, where the price holds for one.
    pub network: Option<String>,
    /// Their purpose, where the price holds for one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub purpose: Option<Purpose>,
    /// Recipients.
    pub contacts: i64,
    /// What a page costs.
    pub unit_price: Amount,
}

/// The recipients of a quote that have one price of a page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct QuoteRate {
    /// What their numbers begin with: digits of E.164; `null` of all others outside Nigeria.
    pub prefix: Option<String>,
    /// Their network, where the price holds for one.
    pub network: Option<String>,
    /// Their purpose, where the price holds for one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub purpose: Option<Purpose>,
    /// Recipients.
    pub contacts: i64,
    /// Billed pages of their messages in one run.
    pub pages: i64,
    /// What one costs.
    pub unit_price: Amount,
    /// What all of them cost in one run.
    pub charges: Amount,
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
    /// Why it is paused or failed, or why what is left of it waits while it is being sent.
    pub status_reason: Option<String>,
    /// What holds the paused campaign: `first_send`, a first large send, or `admin`, who paused it, and only an administrator
    /// can let it go on; or `canary`, whose messages were not delivered, and its owner resumes or cancels it.
    pub held: Option<String>,
    /// `text`, `flash`, `unicode`, `wap-push` or `vcard`.
    pub sms_type: String,
    /// What it is for: `promotional`, `transactional` or `otp`.
    #[serde(default)]
    pub purpose: Purpose,
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
    /// What was charged so far, what was refunded since included.
    pub captured: Amount,
    /// What was released so far without being charged.
    pub released: Amount,
    /// What was charged and refunded: messages that were not delivered, where that is refunded, and messages that were
    /// charged while nothing was known and were not sent.
    pub refunded: Amount,
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
    /// The first recipients, at most 1,000 numbers joined by commas. Empty in progress events, with `numbers=0`, and in a
    /// list from where its campaigns have 120,000 numbers together.
    #[serde(default)]
    pub contacts: String,
    /// Recipients that got nothing, at most 1,000 numbers joined by commas. Empty where `contacts` is.
    #[serde(default)]
    pub failed_contacts: String,
    /// How many messages failed: undelivered, rejected, expired.
    #[serde(default)]
    pub no_of_failed_contacts: i64,
    /// How many messages the carrier accepted and did not fail: submitted and delivered.
    #[serde(default)]
    pub no_of_sent_contacts: i64,
    /// Where all its messages are listed.
    #[serde(default)]
    pub messages_url: String,
    /// How many of its failed messages can be sent again, which is once each; of one campaign, not in lists and events.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resendable: Option<i64>,
    /// Where its canary is, if it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub canary: Option<CampaignCanary>,
    /// Of calls that ask a question: how often each answer was given so far.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub poll: Option<Vec<PollAnswer>>,
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
    /// What it is for: `promotional`, `transactional` or `otp`.
    #[serde(default)]
    pub purpose: Purpose,
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
    /// Billed pages; of a call the pulses that are charged, or reserved until it is over.
    pub pages: i64,
    /// Its price.
    pub price: Amount,
    /// The currency of its price: `espees` or `naira`.
    #[serde(default)]
    pub currency: String,
    /// Whose it is, for administrators.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user_id: Option<i64>,
    /// Whose it is, by name, for administrators.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub username: Option<String>,
    /// The carrier it goes by, for administrators.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub carrier: Option<String>,
    /// The carrier's reference.
    pub carrier_ref: Option<String>,
    /// When the carrier answered.
    pub submitted_at: Option<String>,
    /// When its receipt came, or its call was over.
    pub done_at: Option<String>,
    /// How its last call went, where it is a call and was placed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call: Option<CallDetails>,
}

/// A page of messages.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Messages {
    /// In order of sending; look-ups by number newest first.
    pub messages: Vec<MessageRow>,
    /// How many there are.
    pub total: i64,
}

/// The answer of `POST /api/messages`.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct MessageSent {
    /// The message, with its price; as it is by now, when the same request had sent it before.
    pub details: MessageRow,
    /// What it says: as it goes out, look-alikes replaced.
    pub text: String,
    /// The wallet that paid, now.
    pub balance: Amount,
    /// When it goes out, where it falls into the quiet hours.
    #[serde(default)]
    pub delayed_start: Option<String>,
    /// Whether the same request had sent it before, so that nothing was charged now.
    #[serde(default)]
    pub was_sent: bool,
    /// For people: `SMS Sent`, or what it waits for.
    pub message: String,
}

/// One event of `GET /api/campaigns/{id}/events` (`event: progress`, and `event: end` for the last).
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Progress {
    /// The campaign as it is now.
    pub campaign: Campaign,
    /// Messages a second handed to the carrier, over the last few seconds.
    pub rate: f64,
    /// Seconds until everything is submitted, at that rate.
    pub remaining_s: Option<f64>,
}

/// One campaign as `GET /api/get-sent-messages` shows it, in the specification's field names.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct SentMessage {
    /// The campaign's id.
    pub id: i64,
    /// `text`, `flash`, `unicode`, `wap` or `vcard`.
    #[serde(rename = "type")]
    pub kind: String,
    /// What it is for: `promotional`, `transactional` or `otp`.
    #[serde(default)]
    pub purpose: Purpose,
    /// The first recipients, at most 1,000 numbers joined by commas. Empty with `numbers=0`, and from where the campaigns of
    /// the list have 120,000 numbers together.
    pub contacts: String,
    /// How many recipients there are.
    pub no_of_contacts: i64,
    /// The text, with its merge fields unfilled.
    pub msg: String,
    /// The campaign's status.
    pub status: String,
    /// The campaign's id, under the specification's name.
    pub sms_shoot_id: i64,
    /// The sender id.
    pub senderid: String,
    /// What it took from the ESPEES wallet so far and did not give back; 0 when it was paid in Naira.
    pub espees_deducted: Amount,
    /// What it took from the Naira wallet so far and did not give back; 0 when it was paid in ESPEES.
    pub naira_deducted: Amount,
    /// Recipients that got nothing, at most 1,000 numbers joined by commas. Empty where `contacts` is.
    pub failed_contacts: String,
    /// How many messages failed: undelivered, rejected, expired.
    pub no_of_failed_contacts: i64,
    /// How many messages the carrier accepted and did not fail: submitted and delivered.
    pub no_of_sent_contacts: i64,
    /// Title of a WAP push.
    pub wap_title: Option<String>,
    /// Link of a WAP push.
    pub wap_url: Option<String>,
    /// Given name on a card.
    pub first_name: Option<String>,
    /// Family name on a card.
    pub last_name: Option<String>,
    /// Company on a card.
    pub company: Option<String>,
    /// Job title on a card.
    pub job_title: Option<String>,
    /// Telephone on a card.
    pub telephone: Option<String>,
    /// E-mail on a card.
    pub email: Option<String>,
    /// When it was confirmed.
    pub created_at: String,
    /// Where all its messages are listed.
    pub messages_url: String,
}

/// `GET /api/get-sent-messages`.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct SentMessages {
    /// One row a campaign, newest first.
    pub messages: Vec<SentMessage>,
    /// How many there are.
    pub total: i64,
}

/// `GET /api/get-last-sent-message`.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct LastSentMessage {
    /// When the newest campaign started to send; null before the first.
    pub last_sent_message_time: Option<String>,
}

/// `GET /api/campaigns/{id}`.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct CampaignAnswer {
    /// The campaign.
    pub campaign: Campaign,
}

/// The answer to pausing, resuming or cancelling a campaign.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct CampaignChanged {
    /// The campaign as it is now.
    pub campaign: Campaign,
    /// For people.
    pub message: String,
}
