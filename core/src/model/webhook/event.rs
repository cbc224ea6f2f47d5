//! The events of webhooks, and their form.

use std::str::FromStr;

use serde::Serialize;
use serde_json::Value;
use talkdrum_api::campaign::{Campaign, MessageRow};

use crate::error::{Error, Result};
use crate::model::account::id::UserId;
use crate::model::campaign::id::CampaignId;
use crate::model::message::status::CampaignStatus;
use crate::model::webhook::id::WebhookId;
use crate::time::Time;

words! {
    /// A kind of event, under its name in requests and subscriptions.
    EventType {
        /// A campaign waits for its start time; `data` of each kind of a campaign is the campaign.
        CampaignScheduled = "campaign.scheduled",
        /// A campaign is sent.
        CampaignSending = "campaign.sending",
        /// A campaign was paused.
        CampaignPaused = "campaign.paused",
        /// Nothing of a campaign is left to send.
        CampaignCompleted = "campaign.completed",
        /// A campaign was given up.
        CampaignCancelled = "campaign.cancelled",
        /// A campaign cannot go on.
        CampaignFailed = "campaign.failed",
        /// Messages took other statuses; `data.messages` are up to 500 of them as they are now.
        MessagesUpdated = "messages.updated",
        /// The owner asked for a trial; sent to the one address, subscribed or not.
        Test = "webhook.test",
    }
}

as_words! { EventType }

words! {
    /// Where the delivery of an event to an address stands.
    DeliveryStatus {
        /// Is to be tried, or tried again.
        Pending = "pending",
        /// Was taken.
        Delivered = "delivered",
        /// Was tried often enough.
        Failed = "failed",
    }
}

/// Messages told of in one event.
pub(crate) const MESSAGES_AN_EVENT: usize = 500;

impl EventType {
    /// Everything that can be subscribed to, in the order in which it is shown.
    pub fn subscribable() -> impl Iterator<Item = Self> {
        Self::ALL.iter().copied().filter(|kind| *kind != Self::Test)
    }

    /// A campaign took this status.
    pub const fn of_campaign(status: CampaignStatus) -> Self {
        match status {
            CampaignStatus::Scheduled => Self::CampaignScheduled,
            CampaignStatus::Sending => Self::CampaignSending,
            CampaignStatus::Paused => Self::CampaignPaused,
            CampaignStatus::Completed => Self::CampaignCompleted,
            CampaignStatus::Cancelled => Self::CampaignCancelled,
            CampaignStatus::Failed => Self::CampaignFailed,
        }
    }
}

impl FromStr for EventType {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        Self::subscribable().find(|kind| kind.code() == text.trim()).ok_or_else(|| {
            let names: Vec<_> = Self::subscribable().map(Self::code).collect();
            Error::field(
                "events",
                "unknown_event",
                format!("'{text}' is no event: use some of {}", names.join(", ")),
            )
        })
    }
}

/// The body of a request, whose form Standard Webhooks recommends.
#[derive(Debug, Serialize)]
struct Body<T> {
    #[serde(rename = "type")]
    kind: EventType,
    timestamp: String,
    data: T,
}

/// Messages in an event.
#[derive(Debug, Serialize)]
struct Messages<'a> {
    messages: &'a [MessageRow],
}

/// An event to be stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewEvent {
    /// Whose it is.
    pub user_id: UserId,
    /// What it tells of.
    pub kind: EventType,
    /// The campaign whose text may be in the body, so that it goes with the campaign's; none of an event of messages.
    pub campaign_id: Option<CampaignId>,
    /// The request's body.
    pub body: String,
}

impl NewEvent {
    /// A campaign took the status it has now.
    pub(crate) fn campaign(campaign: &Campaign, status: CampaignStatus, now: Time) -> Result<Self> {
        let event = Self::new(UserId(campaign.user_id), EventType::of_campaign(status), campaign, now)?;
        Ok(Self { campaign_id: Some(CampaignId(campaign.id)), ..event })
    }

    /// These messages took other statuses.
    pub(crate) fn messages(user_id: UserId, messages: &[MessageRow], now: Time) -> Result<Self> {
        Self::new(user_id, EventType::MessagesUpdated, Messages { messages }, now)
    }

    /// A trial.
    pub(crate) fn test(user_id: UserId, webhook_id: WebhookId, now: Time) -> Result<Self> {
        Self::new(user_id, EventType::Test, serde_json::json!({ "webhook_id": webhook_id }), now)
    }

    fn new(user_id: UserId, kind: EventType, data: impl Serialize, now: Time) -> Result<Self> {
        let body = Body { kind, timestamp: now.to_rfc3339(), data };
        let body = serde_json::to_string(&body)
            .map_err(|error| Error::Corrupt(format!("an event cannot be written: {error}")))?;
        Ok(Self { user_id, kind, campaign_id: None, body })
    }
}

/// The body of a campaign's event with other words of the campaign; all else is as it was written. `None` where it has none, or
/// says these.
pub(crate) fn with_words(stored: &str, words: &str) -> Option<String> {
    // Quotes within a string are escaped: this is the name of the field.
    const FIELD: &str = "\"msg\":";
    let begin = stored.find(FIELD)? + FIELD.len();
    let mut said = serde_json::Deserializer::from_str(&stored[begin..]).into_iter::<String>();
    if said.next()?.ok()? == words {
        return None;
    }
    let end = begin + said.byte_offset();
    let words = serde_json::to_string(words).ok()?;
    Some(format!("{}{words}{}", &stored[..begin], &stored[end..]))
}

/// A stored body as the log shows it.
///
/// # Errors
/// When what is stored is no JSON.
pub fn body(stored: &str) -> Result<Value> {
    serde_json::from_str(stored)
        .map_err(|error| Error::Corrupt(format!("an event's body cannot be read: {error}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_event_is_found_under_its_name_and_others_are_refused_with_the_names() {
        for kind in EventType::subscribable() {
            assert_eq!(kind.code().parse::<EventType>().unwrap(), kind);
        }
        for status in CampaignStatus::ALL {
            assert_eq!(EventType::of_campaign(*status).code(), format!("campaign.{status}"));
        }
        let refused = "campaign.done".parse::<EventType>().unwrap_err();
        assert!(refused.to_string().contains("messages.updated"), "{refused}");
        assert!("webhook.test".parse::<EventType>().is_err(), "a trial is asked for, not subscribed to");
    }

    #[test]
    fn the_words_of_a_body_are_changed_and_nothing_else() {
        let body = r#"{"data":{"id":4,"status_reason":"\"msg\":\"no\"","msg":"Dear \"Zeb\"\nul\\","currency":"naira"}}"#;
        let expected = r#"{"data":{"id":4,"status_reason":"\"msg\":\"no\"","msg":"text \"erased\"","currency":"naira"}}"#;
        assert_eq!(with_words(body, "text \"erased\"").as_deref(), Some(expected));
        assert_eq!(with_words(expected, "text \"erased\""), None);
        for other in ["{}", r#"{"msg":4}"#, r#"{"msg":"#, ""] {
            assert_eq!(with_words(other, "x"), None, "{other}");
        }
    }
}
