//! An address that hears of events, as it is stored. What a good one is: `webhook/endpoint.rs`.

use super::webhook_event::EventType;

/// An address with what it wants to hear, checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Draft {
    /// Where requests go.
    pub url: String,
    /// What the owner says of it.
    pub description: String,
    /// What it hears of; never empty.
    pub events: Vec<EventType>,
}

impl Draft {
    /// The events as stored.
    pub fn events_text(&self) -> String {
        self.events.iter().map(|event| event.name()).collect::<Vec<_>>().join(",")
    }
}
