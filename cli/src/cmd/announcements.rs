//! Announcements.

use serde_json::{Value, json};
use talkdrum_api::query::SearchQuery;
use talkdrum_api::setting::{Announcement, AnnouncementManaged, AnnouncementShown, Announcements};

use crate::args::{AnnouncementsCommand, ListAnnouncementsArgs};
use crate::client::Answer;
use crate::cmd::Context;
use crate::exit::{Exit, Result};
use crate::output::{Cell, Column};

/// Runs a command of this noun.
pub(super) async fn run(context: &Context, command: AnnouncementsCommand) -> Result<Exit> {
    match command {
        AnnouncementsCommand::List(args) => list(context, args).await,
        AnnouncementsCommand::Show { id } => show(context, id).await,
        AnnouncementsCommand::Create { text } => manage(context, "create", None, Some(text)).await,
        AnnouncementsCommand::Edit { id, text } => manage(context, "edit", Some(id), Some(text)).await,
        AnnouncementsCommand::Activate { id } => manage(context, "activate", Some(id), None).await,
        AnnouncementsCommand::Deactivate { id } => manage(context, "deactivate", Some(id), None).await,
        AnnouncementsCommand::Delete { id } => manage(context, "delete", Some(id), None).await,
    }
}

/// An announcement in a list.
const COLUMNS: &[Column<Announcement>] = &[
    Column::right("id", "Id", |it| Cell::Number(it.id)),
    Column::left("is_active", "Shown", |it| Cell::text(if it.is_active == 1 { "yes" } else { "no" })),
    Column::left("updated_at", "Changed", |it| Cell::Time(it.updated_at.clone())),
    Column::left("announcement", "Announcement", |it| Cell::text(&it.announcement)),
];

/// Lists announcements.
async fn list(context: &Context, args: ListAnnouncementsArgs) -> Result<Exit> {
    let path = if args.active { "/api/get/announcement" } else { "/admin/get-annoucement" };
    let query = SearchQuery::new(args.search);
    let answer: Answer<Announcements> = context.client()?.get(path, &query).await?;
    context.out.list(&answer.json, &answer.value.announcements, answer.value.total, COLUMNS)?;
    Ok(Exit::Done)
}

/// Shows one announcement.
async fn show(context: &Context, id: i64) -> Result<Exit> {
    let answer: Answer<AnnouncementShown> =
        context.client()?.get(&format!("/admin/announcements/{id}"), &()).await?;
    context.out.record(&answer.json, &answer.value.announcement, COLUMNS)?;
    Ok(Exit::Done)
}

/// Does something with an announcement.
async fn manage(context: &Context, action: &str, id: Option<i64>, text: Option<String>) -> Result<Exit> {
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
