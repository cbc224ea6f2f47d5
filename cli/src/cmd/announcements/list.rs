//! `talkdrum announcements list`.

use talkdrum_core::api::setting::{Announcement, Announcements};

use crate::args::ListAnnouncementsArgs;
use crate::client::Answer;
use crate::cmd::Context;
use crate::exit::{Exit, Result};
use crate::output::{Cell, Column};

const COLUMNS: &[Column<Announcement>] = &[
    Column::right("id", "Id", |it| Cell::Number(it.id)),
    Column::left("is_active", "Shown", |it| Cell::text(if it.is_active == 1 { "yes" } else { "no" })),
    Column::left("updated_at", "Changed", |it| Cell::Time(it.updated_at.clone())),
    Column::left("announcement", "Announcement", |it| Cell::text(&it.announcement)),
];

/// Lists announcements.
pub(crate) async fn run(context: &Context, args: ListAnnouncementsArgs) -> Result<Exit> {
    let path = if args.active { "/api/get/announcement" } else { "/admin/get-annoucement" };
    let query: Vec<(&str, String)> = args.search.map(|text| ("q", text)).into_iter().collect();
    let answer: Answer<Announcements> = context.client()?.get(path, &query).await?;
    context.out.list(&answer.json, &answer.value.announcements, answer.value.total, COLUMNS)?;
    Ok(Exit::Done)
}
