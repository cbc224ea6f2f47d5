//! `talkdrum messages find`.

use talkdrum_api::campaign::Messages;

use super::COLUMNS;
use crate::args::FindArgs;
use crate::client::Answer;
use crate::cmd::Context;
use crate::exit::{Exit, Result};

/// Finds every message to a number, across campaigns.
pub(crate) async fn run(context: &Context, args: FindArgs) -> Result<Exit> {
    let mut query = args.page.query();
    query.push(("number", args.number));
    query.extend(args.campaign.map(|id| ("campaign_id", id.to_string())));
    let answer: Answer<Messages> = context.client()?.get("/api/messages", &query).await?;
    context.out.list(&answer.json, &answer.value.messages, answer.value.total, COLUMNS)?;
    Ok(Exit::Done)
}
