//! Sender ids, virtual numbers, own numbers.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::money::Amount;
use crate::purpose::Purpose;

/// A sender id.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SenderIdRecord {
    /// Its id; 0 is the one that all users may use.
    pub id: i64,
    /// Whose it is; null for the one that all may use.
    pub user_id: Option<i64>,
    /// The owner's user name; null for the one that all may use.
    pub username: Option<String>,
    /// What a message says it is from.
    pub sender_id: String,
    /// `pending`, `approved` or `disapproved`.
    pub status: String,
    /// Why it was disapproved.
    pub reason: Option<String>,
    /// When it was requested; null for the one that all may use.
    pub created_at: Option<String>,
    /// When an administrator decided.
    pub decided_at: Option<String>,
    /// What messages from it are for that do not say it, as an administrator set it; `null` where the account decides.
    #[serde(default)]
    pub purpose: Option<Purpose>,
}

/// `GET /api/get-sender-id`.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct SenderIds {
    /// `WEBSMS` first, then the newest.
    #[serde(rename = "senderId")]
    pub sender_ids: Vec<SenderIdRecord>,
    /// How many there are.
    pub total: i64,
}

/// `GET /admin/get-sender-ids`.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct AllSenderIds {
    /// Newest first, unless sorted otherwise.
    pub senderids: Vec<SenderIdRecord>,
    /// How many there are.
    pub total: i64,
}

/// The answer to a request for sender ids.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct SenderIdsRequested {
    /// For people.
    pub message: String,
    /// What was requested.
    #[serde(rename = "senderId")]
    pub sender_ids: Vec<SenderIdRecord>,
}

/// The answer to a decision about a sender id.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct SenderIdDecided {
    /// For people.
    pub message: String,
    /// The sender id as it is now.
    #[serde(rename = "senderId")]
    pub sender_id: SenderIdRecord,
    /// How many campaigns were paused because they were being sent from it.
    pub campaigns_paused: u64,
}

/// The answer of `PUT /admin/sender-ids/{id}/purpose`.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct SenderPurpose {
    /// The sender id's record.
    pub id: i64,
    /// What messages from it are for that do not say it; `null` where the account decides.
    pub purpose: Option<Purpose>,
}

/// A number of the platform that is assigned to a user, or a request for one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct VirtualNumber {
    /// Its id.
    pub id: i64,
    /// Whose it is.
    pub user_id: i64,
    /// The owner's user name.
    pub username: String,
    /// The number, E.164 without `+`; null while the request waits.
    pub virtual_num: Option<String>,
    /// `pending` or `approved`.
    pub status: String,
    /// When it was requested, or assigned without a request.
    pub created_at: String,
}

/// `GET /api/get-virtual-number` and `GET /admin/get-virtual-numbers`.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct VirtualNumbers {
    /// Newest first, unless sorted otherwise.
    #[serde(rename = "virtual-Number")]
    pub virtual_numbers: Vec<VirtualNumber>,
    /// How many there are.
    pub total: i64,
}

/// The answer to assigning a virtual number.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct VirtualNumberAssigned {
    /// For people.
    pub message: String,
    /// What was assigned.
    #[serde(rename = "virtual-Number")]
    pub virtual_number: VirtualNumber,
}

/// A user's own phone as a caller id.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct OwnNumber {
    /// Its id.
    pub id: i64,
    /// Whose it is.
    pub user_id: i64,
    /// The owner's user name.
    pub username: String,
    /// The number, E.164 without `+`.
    pub phone_number: String,
    /// `pending` or `verified`.
    pub status: String,
    /// When the call that verified it began.
    pub created_at: String,
}

/// A call that speaks a code to a number, to verify it: `GET /api/own-number-calls/{id}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct OwnNumberCall {
    /// Its id.
    pub id: i64,
    /// The number that is called, E.164 without `+`.
    pub phone_number: String,
    /// The number that it is from; none until a trunk has it.
    pub from: Option<String>,
    /// `calling`, `ringing`, `answered` or `ended`.
    pub status: String,
    /// How it ended: `answered`, `busy`, `no_answer`, `rejected`, `invalid_number`, `trunk_error`, `failed`, or `unknown`
    /// where it was cut off; none before.
    pub outcome: Option<String>,
    /// Whether it is over.
    pub over: bool,
    /// In words.
    pub message: String,
    /// Trunks that it was tried over.
    pub attempts: i64,
    /// `espees` or `naira`.
    pub currency: String,
    /// The price of a pulse.
    pub unit_price: Amount,
    /// Pulses that are charged: until it is over those that it may take at most, then those that it was up for.
    pub pulses: i64,
    /// What these pulses cost.
    pub charged: Amount,
    /// What was refunded.
    pub refunded: Amount,
    /// When it was asked for.
    pub created_at: String,
    /// Until when its code is good, unless another call is asked for meanwhile.
    pub code_expires_at: String,
    /// When it rang.
    pub ringing_at: Option<String>,
    /// When it was picked up.
    pub answered_at: Option<String>,
    /// When it ended.
    pub ended_at: Option<String>,
    /// How long it was up, in seconds, rounded up; 0 where it was not picked up.
    pub seconds: i64,
}

/// `POST /api/voice-call` with `own_number` and no contacts.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct OwnNumberCalled {
    /// The call, which goes on.
    pub details: OwnNumberCall,
    /// `Code sent`.
    pub message: String,
}

/// `POST /api/voice-call` with `own_number` and `validation_code`.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct OwnNumberVerified {
    /// The number, from which calls may go now.
    pub details: OwnNumber,
    /// `Number verified`.
    pub message: String,
}

/// The answer to the withdrawal of an own number.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct OwnNumberWithdrawn {
    /// For people.
    pub message: String,
    /// How many campaigns were paused because they call from it.
    pub campaigns_paused: i64,
}

/// `GET /api/get-own-number` and `GET /admin/get-own-numbers`.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct OwnNumbers {
    /// Newest first, unless sorted otherwise.
    #[serde(rename = "Own-Number")]
    pub own_numbers: Vec<OwnNumber>,
    /// How many there are.
    pub total: i64,
}
