//! Carriers as administrators see them.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

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
    /// How it is spoken to: `smpp`.
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
