//! The parameters in the query of the calls that list and read, shared by the daemon, which documents and reads them, and
//! the client, which sends them. A call takes those of one or more of these types.
//!
//! They are texts where the daemon says in its error what is allowed.

use serde::{Deserialize, Serialize};
use utoipa::IntoParams;

/// Which part of a list.
#[derive(Clone, Debug, Default, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct PageQuery {
    /// The page, from 1. Without it the answer holds the first 1,000 rows.
    #[param(value_type = Option<i64>)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub page: Option<String>,
    /// Rows of a page, at most 1,000; 20 when only `page` is given.
    #[param(value_type = Option<i64>)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub per_page: Option<String>,
}

impl PageQuery {
    /// The page of this number, from 1, of so many rows.
    pub fn new(page: i64, per_page: i64) -> Self {
        Self { page: Some(page.to_string()), per_page: Some(per_page.to_string()) }
    }
}

/// What to search a list for.
#[derive(Clone, Debug, Default, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct SearchQuery {
    /// A text to search for, at most 200 characters.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub q: String,
}

impl SearchQuery {
    /// A search for this text, if there is one.
    pub fn new(text: Option<String>) -> Self {
        Self { q: text.unwrap_or_default() }
    }
}

/// The order of a list.
#[derive(Clone, Debug, Default, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct OrderQuery {
    /// The column to sort by.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sort: Option<String>,
    /// `asc` or `desc`; `desc` when left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub order: Option<String>,
}

impl OrderQuery {
    /// By this column, if one is named, and upwards where it is asked for.
    pub fn new(sort: Option<String>, ascending: bool) -> Self {
        Self { sort, order: ascending.then(|| "asc".to_owned()) }
    }
}

/// Whose records an administrator asks for.
#[derive(Clone, Debug, Default, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct UserQuery {
    /// A user's id or user name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user_id: Option<String>,
}

/// A period: days, which count whole, or times.
#[derive(Clone, Debug, Default, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct PeriodQuery {
    /// From this day or time on, in the caller's zone unless it says another.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// Up to this time, or the end of this day.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
}

/// The wallets of one currency.
#[derive(Clone, Debug, Default, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct CurrencyQuery {
    /// `espees` or `naira`; both when it is left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub currency: Option<String>,
}

/// Which deliveries of a webhook.
#[derive(Clone, Debug, Default, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct DeliveryQuery {
    /// `pending`, `delivered` or `failed`.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub status: String,
}

/// Which delivery reports of a period.
#[derive(Clone, Debug, Default, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ExportQuery {
    /// `text`, `flash`, `unicode`, `wap-push` or `vcard`.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// Only messages in this status, or `failed`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<String>,
}

/// Which campaigns.
#[derive(Clone, Debug, Default, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct CampaignQuery {
    /// `scheduled`, `sending`, `paused`, `completed`, `cancelled` or `failed`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<String>,
    /// `text`, `flash`, `unicode`, `wap-push` or `vcard`.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// `promotional`, `transactional` or `otp`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub purpose: Option<String>,
}

/// Which messages of a campaign.
#[derive(Clone, Debug, Default, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct MessageQuery {
    /// Only messages in this status, or `failed`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<String>,
    /// Only those that are in `status` for this reason, in the words of the campaign's breakdown; `none` for those of
    /// which nothing was said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// Where a list of failed messages goes on.
#[derive(Clone, Debug, Default, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct FailedQuery {
    /// A message's id: only older campaigns.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<i64>,
}

/// The messages to a number.
#[derive(Clone, Debug, Default, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct NumberQuery {
    /// The number, in any form.
    #[param(required)]
    #[serde(default)]
    pub number: String,
    /// Only those of this campaign.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub campaign_id: Option<i64>,
}

/// Which unknown messages.
#[derive(Clone, Debug, Default, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct UnknownQuery {
    /// Only those of this campaign.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub campaign_id: Option<i64>,
    /// A carrier's name.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub carrier: String,
}

/// Which of one's own sender ids.
#[derive(Clone, Debug, Default, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct OwnSenderQuery {
    /// `approved` unless given; `all`, `pending`, `disapproved`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<String>,
}

/// Which sender ids of all users.
#[derive(Clone, Debug, Default, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct SenderQuery {
    /// `all`, `pending`, `approved`, `disapproved`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<String>,
}

/// Which virtual numbers.
#[derive(Clone, Debug, Default, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct VirtualNumberQuery {
    /// `all`, `pending` or `approved`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<String>,
}

/// Which own numbers.
#[derive(Clone, Debug, Default, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct OwnNumberQuery {
    /// `all`, `pending` or `verified`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<String>,
}

/// Which group.
#[derive(Clone, Debug, Default, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct GroupQuery {
    /// The name of one group.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub group_name: Option<String>,
}

/// Which users.
#[derive(Clone, Debug, Default, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct UsersQuery {
    /// `user` or `admin`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub role: Option<String>,
    /// The name of a rate plan: only users who have it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rate_plan: Option<String>,
}

/// Which payments.
#[derive(Clone, Debug, Default, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct PaymentQuery {
    /// `initiated`, `pending`, `settled`, `failed`, `expired` or `mismatch`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<String>,
    /// `paystack` or `espees`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub provider: Option<String>,
}

/// Which transactions.
#[derive(Clone, Debug, Default, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct TransactionQuery {
    /// `payment`, `transfer`, `credit`, `reserve`, `release` or `refund`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// `successful`, `pending`, `failed`, `expired` or `mismatch`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<String>,
    /// Only what this campaign reserved, released or refunded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub campaign_id: Option<i64>,
    /// Where another list ended: its `beyond`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub beyond: Option<i64>,
}

/// Which price.
#[derive(Clone, Debug, Default, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct PriceQuery {
    /// The name of a price, such as `SMS-UNIT-PRICE`, or of a rate, such as `RATE +44 naira`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub price: Option<String>,
}

/// Which entries of the audit trail.
#[derive(Clone, Debug, Default, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct AuditQuery {
    /// What was done, as it stands in an entry.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub action: Option<String>,
    /// What it was done to, as it stands in an entry.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub subject: Option<String>,
}

/// Of how many hours figures are.
#[derive(Clone, Debug, Default, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct FiguresQuery {
    /// Hours, 1 to 168; 24 when left out.
    #[param(value_type = Option<i64>)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hours: Option<String>,
}

/// Which margins.
#[derive(Clone, Debug, Default, Serialize, Deserialize, IntoParams)]
pub struct MarginQuery {
    /// The first day, `YYYY-MM-DD`, in Africa/Lagos.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub from: String,
    /// The last day.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub to: String,
    /// A carrier's name.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub carrier: String,
    /// A network's name.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub network: String,
}

/// Which lines of a trace.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, IntoParams)]
pub struct TraceQuery {
    /// Only lines after this one.
    #[serde(default)]
    pub after: i64,
}
