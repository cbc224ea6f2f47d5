//! Taking words out of what a campaign or a quote says.

use std::collections::HashMap;

use serde_json::{Map, Value};

use crate::campaign::report::progress;
use crate::content::{Content, Template};
use crate::error::{Error, Result};
use crate::model::campaign::id::CampaignId;
use crate::model::webhook::event::with_words;
use crate::model::webhook::id::EventId;
use crate::store::Tx;
use crate::store::webhook::campaign_events;

fn unreadable(error: &serde_json::Error) -> Error {
    Error::Corrupt(format!("what a quote says cannot be read: {error}"))
}

/// A stored content after `change`.
pub(super) fn changed(content: &str, change: fn(Content) -> Content) -> Result<String> {
    change(Content::from_json(content)?).to_json()
}

/// Has the events of these campaigns say what the campaigns say now, each given with its content. Those that wait for their
/// delivery are still delivered, so.
pub(super) async fn follow_in_events(tx: &mut Tx, campaigns: &[(CampaignId, String)]) -> Result<()> {
    let mut said = HashMap::new();
    for (campaign, content) in campaigns {
        said.insert(*campaign, progress::words(&Content::from_json(content)?));
    }
    let ids: Vec<CampaignId> = said.keys().copied().collect();
    let mut after = EventId::BEFORE_ALL;
    while !ids.is_empty() {
        let events = campaign_events::of_campaigns(tx, ids.clone(), after).await?;
        let Some(last) = events.last() else { break };
        after = last.id;
        let changed = events
            .iter()
            .filter_map(|event| Some((event.id, with_words(&event.body, said.get(&event.campaign_id)?)?)));
        campaign_events::set_bodies(tx, changed.collect()).await?;
    }
    Ok(())
}

/// What a stored content says, with its merge fields; `None` of one that has none.
fn template(content: &str) -> Result<Option<Template>> {
    Ok(Content::from_json(content)?.as_text().map(Template::parse))
}

/// Whether the whole message is a merge field, so that each recipient has a text of their own.
pub(super) fn is_one_field(content: &str) -> Result<bool> {
    Ok(template(content)?.is_some_and(|it| it.is_one_field()))
}

/// Whether a message has merge fields.
pub(super) fn has_fields(content: &str) -> Result<bool> {
    Ok(template(content)?.is_some_and(|it| !it.is_plain()))
}

/// The details of a quote without the text that its first recipient would have read; `None` where there is none, or `is_meant`
/// does not hold for that recipient's number.
pub(super) fn without_preview(
    details: &str,
    is_meant: impl Fn(Option<&str>) -> bool,
) -> Result<Option<String>> {
    let mut details: Map<String, Value> =
        serde_json::from_str(details).map_err(|error| unreadable(&error))?;
    let to = details.get("message_to").and_then(Value::as_str);
    if !details.contains_key("message") || details.get("message").is_some_and(|it| it == "") || !is_meant(to)
    {
        return Ok(None);
    }
    details.insert("message".to_owned(), "".into());
    details.remove("message_to");
    serde_json::to_string(&details).map(Some).map_err(|error| unreadable(&error))
}
