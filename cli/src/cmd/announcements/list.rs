//! `talkdrum announcements list`.

use talkdrum_api::setting::Announcements;

use super::COLUMNS;
use crate::args::ListAnnouncementsArgs;
use crate::client::Answer;
use crate::cmd::Context;
use crate::exit::{Exit, Result};

/// Lists announcements.
pub(crate) async fn run(context: &Context, args: ListAnnouncementsArgs) -> Result<Exit> {
    let path = if args.active { "/api/get/announcement" } else { "/admin/get-annoucement" };
    let query: Vec<(&str, String)> = args.search.map(|text| ("q", text)).into_iter().collect();
    let answer: Answer<Announcements> = context.client()?.get(path, &query).await?;
    context.out.list(&answer.json, &answer.value.announcements, answer.value.total, COLUMNS)?;
    Ok(Exit::Done)
}
