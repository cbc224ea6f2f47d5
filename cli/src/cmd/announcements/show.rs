//! `talkdrum announcements show`.

use talkdrum_api::setting::AnnouncementShown;

use super::COLUMNS;
use crate::client::Answer;
use crate::cmd::Context;
use crate::exit::{Exit, Result};

/// Shows one announcement.
pub(crate) async fn run(context: &Context, id: i64) -> Result<Exit> {
    let answer: Answer<AnnouncementShown> =
        context.client()?.get(&format!("/admin/announcements/{id}"), &[]).await?;
    context.out.record(&answer.json, &answer.value.announcement, COLUMNS)?;
    Ok(Exit::Done)
}
