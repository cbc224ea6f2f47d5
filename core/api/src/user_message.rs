//! Administrators' messages to users.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A message to one user or to all, with where it stands.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct UserMessage {
    /// The message's id.
    pub id: i64,
    /// To whom; null when it is for all.
    pub user_id: Option<i64>,
    /// That user's name.
    #[serde(default)]
    pub username: Option<String>,
    /// Which administrator wrote it.
    pub by_user_id: i64,
    /// What it says.
    pub message: String,
    /// `giving_out` or `given_out`.
    pub status: String,
    /// How many were given it so far.
    pub recipients: i64,
    /// Text messages by where they stand; `no_phone` and other reasons why there is none among them.
    pub sms: BTreeMap<String, i64>,
    /// KingsChat messages by where they stand.
    pub chat: BTreeMap<String, i64>,
    /// When it was written.
    pub created_at: String,
    /// When all users had been given it.
    pub given_out_at: Option<String>,
}

/// A page of messages.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct UserMessages {
    /// Newest first.
    pub user_messages: Vec<UserMessage>,
    /// How many there are.
    pub total: i64,
}

/// A message with a page of its recipients.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct UserMessageShown {
    /// The message.
    pub user_message: UserMessage,
    /// Who gets it, by user.
    pub recipients: Vec<Recipient>,
    /// How many there are.
    pub total: i64,
}

/// Who gets a message.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Recipient {
    /// The user's id.
    pub user_id: i64,
    /// The name to sign in by.
    pub username: String,
    /// Where the text message stands, or why there is none.
    pub sms: String,
    /// Where the KingsChat message stands; nothing when no account is linked.
    pub chat: Option<String>,
    /// What KingsChat said of it.
    pub chat_reason: Option<String>,
}
