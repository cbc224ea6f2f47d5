//! `talkdrum messages failed`.

use talkdrum_api::campaign::Messages;

use super::COLUMNS;
use crate::args::FailedArgs;
use crate::client::Answer;
use crate::cmd::Context;
use crate::exit::{Exit, Result};

/// Lists messages that are undelivered, rejected or expired, across campaigns.
pub(crate) async fn run(context: &Context, args: FailedArgs) -> Result<Exit> {
    let mut query = args.page.query();
    query.extend(args.before.map(|id| ("before", id.to_string())));
    let answer: Answer<Messages> = context.client()?.get("/api/get-failed-messages", &query).await?;
    context.out.list(&answer.json, &answer.value.messages, answer.value.total, COLUMNS)?;
    Ok(Exit::Done)
}
