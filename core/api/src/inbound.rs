//! Messages from handsets.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A message from a handset.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct InboundMessage {
    /// Its id.
    pub id: i64,
    /// The handset's number, as the carrier names it.
    pub from: String,
    /// The number or short code that it was sent to.
    pub to: String,
    /// What it says.
    pub text: String,
    /// The carrier that it came from.
    pub carrier: String,
    /// Whose it is, if anybody's.
    pub user_id: Option<i64>,
    /// Whose it is, by name.
    pub username: Option<String>,
    /// What was done: `none`, `stop` (an opt-out was made) or `start` (one was taken back); empty until it was looked at.
    pub action: Option<String>,
    /// How many parts the handset made of it.
    pub parts_total: i64,
    /// How many of them never came: then `text` has `[…]` in their places, and nothing is done about it.
    pub parts_missing: i64,
    /// When it came; the last part of it.
    pub received_at: String,
}

/// `{"messages": [...]}`.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct InboundMessages {
    /// Newest first.
    pub messages: Vec<InboundMessage>,
    /// How many there are.
    pub total: i64,
}
