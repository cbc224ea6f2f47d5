//! The platform's figures, for the console's first page and `talkdrum status`.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::breakdown::NetworkOutcome;
use super::carrier::Carrier;
use crate::money::Amount;

/// Campaigns, and where their messages are.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Traffic {
    /// Campaigns that started.
    pub campaigns: i64,
    /// Their recipients, sent or not.
    pub ordered: i64,
    /// Accepted by a carrier, no receipt yet.
    pub awaited: i64,
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
    /// Delivered, of a thousand of which it is known whether they were; `null` while there is none.
    pub delivered_per_mille: Option<i64>,
}

/// Traffic of the campaigns that started in an hour.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct HourFigures {
    /// Its beginning.
    pub hour: String,
    /// What was sent.
    #[serde(flatten)]
    pub traffic: Traffic,
}

/// Traffic of a sender.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct SenderFigures {
    /// The sender id.
    pub sender: String,
    /// What was sent.
    #[serde(flatten)]
    pub traffic: Traffic,
}

/// Money of one currency.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct MoneyFigures {
    /// `espees` or `naira`.
    pub currency: String,
    /// Paid in by customers.
    pub paid_in: Amount,
    /// Credited by administrators.
    pub credited: Amount,
    /// Captured for accepted messages, less what was refunded later.
    pub revenue: Amount,
    /// Released to wallets: reserved and not sent.
    pub released: Amount,
}

/// Open campaigns.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct OpenCampaigns {
    /// Wait for their time.
    pub scheduled: i64,
    /// Are being sent.
    pub sending: i64,
    /// Are paused.
    pub paused: i64,
}

/// What `talkdrumd check` found the last time.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct CheckFigures {
    /// When.
    pub checked_at: String,
    /// Whether everything added up.
    pub ok: bool,
    /// How many findings there were.
    pub findings: i64,
    /// The first of them.
    pub first: Option<String>,
}

/// `GET /admin/figures`.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Figures {
    /// From when on traffic and money are counted.
    pub from: String,
    /// All traffic.
    pub traffic: Traffic,
    /// By the hour in which campaigns started, oldest first; hours without any are left out.
    pub hours: Vec<HourFigures>,
    /// By network, most first; what became of the messages follows half a minute behind.
    pub networks: Vec<NetworkOutcome>,
    /// Of the busiest senders.
    pub senders: Vec<SenderFigures>,
    /// Money by currency.
    pub money: Vec<MoneyFigures>,
    /// Campaigns that are not over.
    pub open_campaigns: OpenCampaigns,
    /// Why messages wait, in one line; `null` when nothing stands in the way of any.
    #[serde(default)]
    pub standstill: Option<String>,
    /// What an administrator should fix, a sentence each.
    #[serde(default)]
    pub warnings: Vec<String>,
    /// Since when the oldest unsent message waits.
    pub oldest_unsent_at: Option<String>,
    /// How long that is, in seconds.
    pub queue_age_s: i64,
    /// Messages for a person to settle.
    pub unknown_messages: i64,
    /// Each carrier's health.
    pub carriers: Vec<Carrier>,
    /// The last check of the books; `null` when there was none.
    pub last_check: Option<CheckFigures>,
    /// How many days what is past its time of `[retention]` waits to be erased, of the class that waits longest; `null` where nothing is
    /// erased by age.
    #[serde(default)]
    pub retention_days_behind: Option<u64>,
}
