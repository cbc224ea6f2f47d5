//! An address that events are sent to, as it is stored. Which are allowed: `webhook/endpoint.rs`.

use super::event::EventType;

/// An address with the events that it subscribes to, checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EndpointDraft {
    /// Where requests go.
    pub url: String,
    /// What the owner says of it.
    pub description: String,
    /// The events that it subscribes to; never empty.
    pub events: Vec<EventType>,
}

impl EndpointDraft {
    /// The events as stored.
    pub fn events_text(&self) -> String {
        self.events.iter().map(|event| event.code()).collect::<Vec<_>>().join(",")
    }
}
