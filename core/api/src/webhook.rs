//! Webhooks: addresses that events are sent to, and the log of what was sent to them.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

/// An address that events are sent to.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Webhook {
    /// The webhook's id.
    pub id: i64,
    /// Whose it is.
    pub user_id: i64,
    /// Whose it is, by name.
    pub username: String,
    /// Where requests go.
    pub url: String,
    /// What its owner says of it.
    pub description: String,
    /// The events that it receives: `campaign.scheduled`, `campaign.sending`, `campaign.paused`, `campaign.completed`,
    /// `campaign.cancelled`, `campaign.failed`, `messages.updated`.
    pub events: Vec<String>,
    /// Whether events are sent to it.
    pub is_active: bool,
    /// Why it was turned off, when its owner did not.
    pub inactive_reason: Option<String>,
    /// Deliveries that are still to be made.
    pub pending: i64,
    /// Since when every attempt failed.
    pub failing_since: Option<String>,
    /// When it was made.
    pub created_at: String,
    /// When it was changed.
    pub updated_at: String,
}

/// A list of webhooks.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Webhooks {
    /// In the order in which they were made; all users' newest first.
    pub webhooks: Vec<Webhook>,
    /// How many there are.
    pub total: i64,
}

/// A webhook that was changed.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct ChangedWebhook {
    /// As it is now.
    pub webhook: Webhook,
    /// For people.
    pub message: String,
}

/// A webhook with the secret that signs its requests, which is shown this once.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct WebhookWithSecret {
    /// As it is now.
    pub webhook: Webhook,
    /// `whsec_...`: what any library of Standard Webhooks verifies requests with.
    pub secret: String,
    /// For people.
    pub message: String,
}

/// A line of a webhook's log.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct WebhookDelivery {
    /// The delivery's id.
    pub id: i64,
    /// `webhook-id` of its requests, the same at every attempt.
    pub event_id: String,
    /// The event's type.
    #[serde(rename = "type")]
    pub kind: String,
    /// `pending`, `delivered` or `failed`.
    pub status: String,
    /// Attempts made; the last of eight comes about 28 hours after the first.
    pub attempts: i64,
    /// When it is tried next; only while it is pending.
    pub next_attempt_at: Option<String>,
    /// When it was last tried.
    pub tried_at: Option<String>,
    /// HTTP status of the last answer.
    pub answer: Option<i64>,
    /// The beginning of that answer, or why there was none.
    pub note: Option<String>,
    /// When it was taken.
    pub delivered_at: Option<String>,
    /// When it happened.
    pub created_at: String,
}

/// A webhook's log.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct WebhookDeliveries {
    /// Newest first.
    pub deliveries: Vec<WebhookDelivery>,
    /// How many there are.
    pub total: i64,
}

/// A delivery with what was sent.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct WebhookDeliveryDetails {
    /// The delivery.
    pub delivery: WebhookDelivery,
    /// The request's body.
    pub body: Value,
}

/// What is to be delivered again.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Redelivered {
    /// How many deliveries.
    pub redelivered: i64,
    /// For people.
    pub message: String,
}
