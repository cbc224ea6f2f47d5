//! `talkdrum announcements create`, `edit`, `activate`, `deactivate` and `delete`.

use serde_json::{Value, json};
use talkdrum_api::setting::AnnouncementManaged;

use crate::client::Answer;
use crate::cmd::Context;
use crate::exit::{Exit, Result};

/// Does something with an announcement.
pub(crate) async fn run(
    context: &Context,
    action: &str,
    id: Option<i64>,
    text: Option<String>,
) -> Result<Exit> {
    let mut body = json!({ "action": action });
    if let Value::Object(body) = &mut body {
        body.extend(id.map(|id| ("id".to_owned(), json!(id))));
        body.extend(text.map(|text| ("announcement".to_owned(), json!(text))));
    }
    let client = context.client()?;
    let answer: Answer<AnnouncementManaged> = client.post("/admin/manage-annoucement", &body, None).await?;
    let sentence = match answer.value.announcement.first() {
        Some(announcement) => format!("{} ({})", answer.value.message, announcement.id),
        None => answer.value.message.clone(),
    };
    context.out.done(&answer.json, &sentence)?;
    Ok(Exit::Done)
}
