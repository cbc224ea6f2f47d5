//! A user as administrators see one: with everything that belongs to them.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::account::User;
use super::campaign::Campaign;
use super::payment::Transaction;
use super::sender::{OwnNumber, SenderIdRecord, VirtualNumber};
use super::voice::VoiceReport;
use crate::money::Amount;
use crate::purpose::Purpose;

/// `GET /admin/get-user-details/{id}`: the user's fields, and the newest of each list with how many there are.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct UserDetails {
    /// The user's fields.
    #[serde(flatten)]
    pub fields: User,
    /// The same once more under a name of its own.
    pub user: User,
    /// What the user's messages are for that do not say it, nor their API key or sender id, as an administrator set it; `null`
    /// where nothing is set, and they are transactional.
    #[serde(default)]
    pub purpose: Option<Purpose>,
    /// Whether the user may send codes, messages with the purpose `otp`.
    #[serde(default = "yes")]
    pub codes_allowed: bool,
    /// When the user was deleted, if they were.
    pub deleted_at: Option<String>,
    /// The user's rate plan; none: the rates for all.
    #[serde(default)]
    pub rate_plan: Option<String>,
    /// The legal hold on the user's data, if there is one: nothing of it is erased while it lasts.
    #[serde(default)]
    pub legal_hold: Option<LegalHold>,
    /// The newest campaigns.
    pub campaigns: Vec<Campaign>,
    /// The newest calls to many.
    pub voice_sms: Vec<VoiceReport>,
    /// The newest sender ids, whatever their status.
    pub sender_ids: Vec<SenderIdRecord>,
    /// The newest own numbers.
    pub own_numbers: Vec<OwnNumber>,
    /// The newest virtual numbers.
    pub virtual_numbers: Vec<VirtualNumber>,
    /// The newest transactions: movements of both wallets, and payments that are open or failed.
    pub transactions: Vec<Transaction>,
    /// How many there are of each.
    pub totals: UserTotals,
}

/// What an answer means that does not say whether codes may be sent.
const fn yes() -> bool {
    true
}

/// The answer of `PUT /admin/users/{id}/codes`.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct UserCodes {
    /// The user.
    pub user_id: i64,
    /// Whether the user may send codes, messages with the purpose `otp`.
    pub codes_allowed: bool,
    /// Campaigns of codes that this paused.
    pub campaigns_paused: i64,
}

/// A legal hold on a customer's data.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct LegalHold {
    /// Why.
    pub reason: String,
    /// Since when, in RFC 3339.
    pub held_at: String,
    /// The name of the administrator who put it, or gave its last reason; `null` where that account was removed.
    pub held_by: Option<String>,
}

/// The legal hold on a user's data.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct UserLegalHold {
    /// The user.
    pub user_id: i64,
    /// The hold; `null` where there is none.
    pub legal_hold: Option<LegalHold>,
}

/// The rate plan of a user.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct UserRatePlan {
    /// The user.
    pub user_id: i64,
    /// The plan; none: the rates for all.
    pub plan: Option<String>,
}

/// How many rows the lists of a user's details have in all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct UserTotals {
    /// Campaigns.
    pub campaigns: i64,
    /// Calls to many.
    pub voice_sms: i64,
    /// Sender ids.
    pub sender_ids: i64,
    /// Own numbers.
    pub own_numbers: i64,
    /// Virtual numbers.
    pub virtual_numbers: i64,
    /// Movements.
    pub transactions: i64,
    /// Campaigns that are scheduled, being sent or paused.
    #[serde(default)]
    pub open_campaigns: i64,
    /// API keys that can be used.
    #[serde(default)]
    pub api_keys: i64,
    /// Where the user is signed in.
    #[serde(default)]
    pub sessions: i64,
    /// ESPEES that are reserved for campaigns.
    #[serde(default)]
    pub reserved_espees: Amount,
    /// Naira that are reserved for campaigns.
    #[serde(default)]
    pub reserved_naira: Amount,
}

/// The answer to deleting a user.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct UserDeleted {
    /// For people.
    pub message: String,
    /// How many campaigns were cancelled now.
    pub campaigns_cancelled: i64,
    /// Whether the person's data is gone already; otherwise it goes when what is in flight has settled.
    pub anonymised: bool,
}

/// The answer of `PUT /admin/users/{id}/purpose`.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct UserPurpose {
    /// The user.
    pub user_id: i64,
    /// What the user's messages are for that do not say it; `null` where nothing is set, and they are transactional.
    pub purpose: Option<Purpose>,
}

/// What guards the platform against one account.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct UserLimits {
    /// The user.
    pub user_id: i64,
    /// ESPEES of a day that may be confirmed; none without a limit.
    pub cap_espees: Option<Amount>,
    /// Whether that is the platform's default.
    pub cap_espees_is_default: bool,
    /// Naira of a day that may be confirmed; none without a limit.
    pub cap_naira: Option<Amount>,
    /// Whether that is the platform's default.
    pub cap_naira_is_default: bool,
    /// ESPEES that were confirmed today; counted only under a limit.
    pub spent_espees: Amount,
    /// Naira that were confirmed today; counted only under a limit.
    pub spent_naira: Amount,
    /// Whether large sends go out without waiting for an administrator.
    pub proven: bool,
    /// Since when.
    pub proven_at: Option<String>,
}
