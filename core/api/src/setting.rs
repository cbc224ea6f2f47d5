//! Settings, prices and their history, announcements, maintenance, the audit trail: what administrators set and see.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::money::Amount;
use super::purpose::Purpose;
use super::wallet::PriceRecord;

/// One record of a setting: the specification has each setting as a list whose first item has a value.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct SettingRecord {
    /// The value; of a secret, its last four characters.
    pub value: String,
    /// When it was set.
    pub updated_at: String,
    /// False, of a secret that this daemon's key does not open: it has to be entered again. Left out of all others.
    #[serde(default = "yes", skip_serializing_if = "is_yes")]
    pub readable: bool,
}

const fn yes() -> bool {
    true
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde's signature")]
const fn is_yes(readable: &bool) -> bool {
    *readable
}

/// `GET /admin/get-prices`: every price, each a list of one record, or of none while it is not set.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Prices {
    /// One page of a short message, in ESPEES.
    #[serde(rename = "SMS-UNIT-PRICE")]
    pub sms: Vec<PriceRecord>,
    /// One page of a short message, in Naira.
    #[serde(rename = "SMS-UNIT-PRICE-IN-NAIRA")]
    pub sms_naira: Vec<PriceRecord>,
    /// One page of a short message to a number outside Nigeria, in ESPEES.
    #[serde(rename = "SMS-ABROAD-UNIT-PRICE")]
    pub sms_abroad: Vec<PriceRecord>,
    /// One page of a short message to a number outside Nigeria, in Naira.
    #[serde(rename = "SMS-ABROAD-UNIT-PRICE-IN-NAIRA")]
    pub sms_abroad_naira: Vec<PriceRecord>,
    /// One pulse of a call, in ESPEES.
    #[serde(rename = "VOICE-UNIT-PRICE")]
    pub voice: Vec<PriceRecord>,
    /// One pulse of a call, in Naira.
    #[serde(rename = "VOICE-UNIT-PRICE-NAIRA")]
    pub voice_naira: Vec<PriceRecord>,
    /// One pulse of a call from a virtual number, in ESPEES.
    #[serde(rename = "VIRTUAL-UNIT-PRICE")]
    pub virtual_number: Vec<PriceRecord>,
    /// One pulse of a call from an own number, in ESPEES.
    #[serde(rename = "OWN-UNIT-PRICE")]
    pub own_number: Vec<PriceRecord>,
    /// A name for exactly these prices, for `expect`.
    pub version: String,
}

/// The answer of `POST /admin/set-prices`.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct PricesChanged {
    /// How many prices changed.
    pub changed: i64,
    /// The prices now.
    pub prices: Prices,
    /// For people.
    pub message: String,
}

/// What a page of a short message to some numbers costs. The longest prefix wins, for the same prefix the network, and for
/// the same network the purpose.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Rate {
    /// What the numbers begin with: digits of E.164, from the calling code on, as in `44` or `234803`.
    pub prefix: String,
    /// Of these, the numbers of this network; `null`: all.
    #[serde(default)]
    pub network: Option<String>,
    /// Of messages to these, those of this purpose; `null`: all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub purpose: Option<Purpose>,
    /// One page in ESPEES; `null`: as if there were no such rate.
    #[serde(default)]
    pub espees: Option<Amount>,
    /// One page in Naira; `null`: as if there were no such rate.
    #[serde(default)]
    pub naira: Option<Amount>,
    /// When it was set. Not read from what is sent.
    #[serde(default)]
    pub updated_at: Option<String>,
    /// The most that a short message which has this rate costs, at any carrier that a route may lead to, where one charges in
    /// ESPEES (`cost` of a carrier in the configuration); for administrators only. Not read from what is sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost_espees: Option<Amount>,
    /// The same in Naira.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost_naira: Option<Amount>,
}

/// `POST /admin/rate-costs`: lists of rates whose costs are asked for, and the answer.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RateCosts {
    /// The list for all; in the answer each rate with its costs, in the same order. All lists together have up to 3,000.
    #[serde(default)]
    pub rates: Vec<Rate>,
    /// The plans, up to 100, likewise.
    #[serde(default)]
    pub plans: Vec<RatePlan>,
}

/// A rate plan: rates of the users that have it. For a number that it says something for, at whatever prefix, it is read
/// before the list for all.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RatePlan {
    /// Its name: up to 40 small letters, digits, `-` and `_`.
    pub name: String,
    /// Its rates, one at least.
    pub rates: Vec<Rate>,
    /// How many users have it. Not read from what is sent.
    #[serde(default)]
    pub users: Option<i64>,
}

/// All rates, in the order of their prefixes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Rates {
    /// The rates: those for all, and for a user with a plan those that hold for this user.
    pub rates: Vec<Rate>,
    /// The plans with their users, in the order of their names; for administrators only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plans: Option<Vec<RatePlan>>,
    /// How many rates there are in `rates`.
    pub total: i64,
    /// A name for exactly these rates with those of all plans, for `expect`; empty while there are none.
    pub version: String,
    /// Says, when it is sent back, that who edits them knows of purposes.
    #[serde(default)]
    pub purposes: bool,
}

/// `PUT /admin/rates`: what the rates shall be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SetRates {
    /// All of the list for all: what is not here is removed. Without it, the list stays as it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rates: Option<Vec<Rate>>,
    /// All plans: one that is not here is removed, which is refused (409) while users have it. Without it, plans stay as they
    /// are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plans: Option<Vec<RatePlan>>,
    /// The version of the rates that these were decided on: refused (409) when they are others by now.
    #[serde(default)]
    pub expect: Option<String>,
    /// Prices by their names, such as `SMS-UNIT-PRICE`, that are set together with the rates, all or none.
    #[serde(default)]
    pub prices: BTreeMap<String, Amount>,
    /// The version of the prices that these were decided on.
    #[serde(default)]
    pub expect_prices: Option<String>,
    /// That it was made by who knows that a rate may have a purpose. Without it, lists that have purposes are not replaced by
    /// ones without any (409): a page or a program of before would drop them unseen.
    #[serde(default)]
    pub purposes: bool,
    /// Not read: what `GET` gave can be sent back.
    #[serde(default)]
    pub total: Option<i64>,
    /// The same as `expect`, where that is not given: as `GET` gave it.
    #[serde(default)]
    pub version: Option<String>,
}

/// The answer of `PUT /admin/rates`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RatesChanged {
    /// How many prices changed, those of rates and the others.
    pub changed: i64,
    /// The rates now.
    pub rates: Rates,
    /// For people.
    pub message: String,
}

/// A change of a price.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct PriceChange {
    /// The change's id in the audit trail.
    pub id: i64,
    /// When.
    pub at: String,
    /// Which price: `SMS-UNIT-PRICE`, ...
    pub price: String,
    /// What it was; `null` when it was not set.
    pub before: Option<String>,
    /// What it is since.
    pub after: Option<String>,
    /// Who changed it.
    pub user_id: Option<i64>,
    /// Who changed it, by name.
    pub username: Option<String>,
}

/// `GET /admin/price-history`.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct PriceHistory {
    /// Newest first.
    pub prices: Vec<PriceChange>,
    /// How many there are.
    pub total: i64,
}

/// An announcement.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Announcement {
    /// Its id.
    pub id: i64,
    /// The text, plain.
    pub announcement: String,
    /// 1 while it is shown, 0 while it is not.
    pub is_active: u8,
    /// When it was made.
    pub created_at: String,
    /// When it was last changed.
    pub updated_at: String,
}

/// `GET /admin/get-annoucement`.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Announcements {
    /// Newest first.
    #[serde(rename = "Announcement")]
    pub announcements: Vec<Announcement>,
    /// How many there are.
    pub total: i64,
}

/// `GET /admin/announcements/{id}`.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct AnnouncementShown {
    /// The announcement.
    pub announcement: Announcement,
}

/// The answer of `POST /admin/manage-annoucement`.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct AnnouncementManaged {
    /// For people.
    pub message: String,
    /// The announcement as it is now; none when it was deleted.
    #[serde(rename = "Announcement")]
    pub announcement: Vec<Announcement>,
}

/// Whether the platform is in maintenance.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct MaintenanceStatus {
    /// `1` while users and visitors are kept out, else `0`.
    pub maintenance_mode: String,
    /// What they are told.
    pub message: String,
    /// When it was last switched.
    pub updated_at: Option<String>,
}

/// An entry of the audit trail.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct AuditEntry {
    /// The entry's id, in order of time.
    pub id: i64,
    /// When.
    pub at: String,
    /// Who; `null` for the operator at the daemon's own command line.
    pub user_id: Option<i64>,
    /// Who, by name.
    pub username: Option<String>,
    /// What was done, as `noun.verb`.
    pub action: String,
    /// To what.
    pub subject: String,
    /// How it was.
    pub before: Option<String>,
    /// How it is since.
    pub after: Option<String>,
}

/// `GET /admin/audit`.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct AuditTrail {
    /// Newest first.
    pub audit: Vec<AuditEntry>,
    /// How many there are.
    pub total: i64,
}
