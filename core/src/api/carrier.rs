//! Carriers as administrators see them.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::money::Amount;

/// `GET /admin/carriers`.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Carriers {
    /// In the order of the configuration.
    pub carriers: Vec<Carrier>,
    /// How many there are.
    pub total: i64,
}

/// A carrier and how it fares.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Carrier {
    /// Its name in the configuration.
    pub name: String,
    /// How it is spoken to: `smpp`, `kannel`, `termii`, `africastalking`, `infobip`, `template`.
    pub kind: String,
    /// `up`, `connecting`, `stopped` (until the configuration is mended), or `elsewhere` when another daemon or
    /// none holds it.
    pub health: String,
    /// Why it is not up.
    pub reason: Option<String>,
    /// Short messages outstanding at once; known while this daemon holds it.
    pub window: Option<u32>,
    /// Messages a second it may take; 0 is as many as it does.
    pub rate: u32,
    /// Receipts that match no message so far.
    pub unmatched_receipts: i64,
    /// Messages of which nobody knows whether they were sent.
    pub unknown_messages: i64,
}

/// `GET /admin/margins`.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Margins {
    /// By day, carrier and network, newest day first.
    pub margins: Vec<Margin>,
    /// How many there are.
    pub total: i64,
}

/// What a carrier was given on one day for one network, what customers paid for it and what it costs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Margin {
    /// The day in Africa/Lagos, `YYYY-MM-DD`.
    pub day: String,
    /// The carrier.
    pub carrier: String,
    /// The network, by the number's prefix.
    pub network: String,
    /// Messages that the carrier took.
    pub messages: i64,
    /// Their short messages: what the carrier's invoice counts.
    pub segments: i64,
    /// What customers paid, refunds taken off.
    pub revenue: Amount,
    /// In which currency.
    pub currency: String,
    /// What the carrier charges; `null` where the configuration gives no price.
    pub cost: Option<Amount>,
    /// In which currency.
    pub cost_currency: Option<String>,
    /// Revenue less cost, where both are in one currency.
    pub margin: Option<Amount>,
}

/// `GET /admin/dnd`.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct DndNumbers {
    /// Numbers on the Do-Not-Disturb list, in order, in E.164 without `+`.
    pub numbers: Vec<String>,
    /// How many it has.
    pub total: i64,
}

/// `POST /admin/dnd`.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct DndImported {
    /// In words.
    pub message: String,
    /// Numbers that were read.
    pub total_read: i64,
    /// Entries that are no number.
    pub total_invalid: i64,
    /// Numbers on the list now.
    pub total: i64,
}
