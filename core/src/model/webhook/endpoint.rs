//! An address that events are sent to, as it is stored. Which are allowed: `webhook/endpoint.rs`.

use std::fmt;

use super::event::EventType;
use crate::error::Result;

/// An address with the events that it subscribes to, checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EndpointDraft {
    /// Where requests go.
    pub url: String,
    /// What the owner says of it.
    pub description: String,
    /// The events that it subscribes to. Where nothing is said of them: all for a new address, those that it has for another.
    pub events: Option<Subscriptions>,
}

/// The events that an address subscribes to. As text: `campaign.completed,messages.updated`. Of stored ones those of a newer
/// version are left out: this one sends none of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subscriptions(Vec<EventType>);

talkdrum_api::column!(Subscriptions, str, |names| Some(Subscriptions::known(names)));

impl Subscriptions {
    /// All that there are.
    pub fn all() -> Self {
        Self(EventType::subscribable().collect())
    }

    /// The events in these lists, each separated by commas; all where none is named.
    ///
    /// # Errors
    /// A rule on the field `events` when there is one that does not exist.
    pub fn parse<S: AsRef<str>>(lists: &[S]) -> Result<Self> {
        let words = lists.iter().flat_map(|list| list.as_ref().split(',')).map(str::trim);
        let mut chosen: Vec<EventType> = Vec::new();
        for word in words.filter(|word| !word.is_empty()) {
            let event = word.parse()?;
            if !chosen.contains(&event) {
                chosen.push(event);
            }
        }
        Ok(if chosen.is_empty() { Self::all() } else { Self(chosen) })
    }

    fn known(names: &str) -> Self {
        Self(names.split(',').filter_map(|name| name.parse().ok()).collect())
    }

    /// Their names.
    pub fn codes(&self) -> Vec<&'static str> {
        self.0.iter().map(|event| event.code()).collect()
    }
}

impl fmt::Display for Subscriptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.codes().join(","))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doubles_count_once_and_what_is_of_a_newer_version_not_at_all() {
        assert_eq!(Subscriptions::parse(&["", " , "]).unwrap(), Subscriptions::all());
        let some =
            Subscriptions::parse(&["campaign.completed, messages.updated", "campaign.completed"]).unwrap();
        assert_eq!(some.to_string(), "campaign.completed,messages.updated");
        assert_eq!(Subscriptions::known(&some.to_string()), some);
        assert_eq!(Subscriptions::known("campaign.completed,of.tomorrow,messages.updated"), some);
        assert_eq!(Subscriptions::parse(&["nothing"]).unwrap_err().code(), "unknown_event");
    }
}
