//! `talkdrum messages list`.

use talkdrum_api::campaign::Messages;

use super::COLUMNS;
use crate::args::ListMessagesArgs;
use crate::client::Answer;
use crate::cmd::Context;
use crate::exit::{Exit, Result};

/// Lists the messages of a campaign, in order of sending.
pub(crate) async fn run(context: &Context, args: ListMessagesArgs) -> Result<Exit> {
    let mut query = args.page.query();
    query.extend(args.status.map(|status| ("status", status)));
    let path = format!("/api/campaigns/{}/messages", args.campaign);
    let answer: Answer<Messages> = context.client()?.get(&path, &query).await?;
    context.out.list(&answer.json, &answer.value.messages, answer.value.total, COLUMNS)?;
    Ok(Exit::Done)
}
