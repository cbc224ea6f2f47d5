//! `talkdrum messages unknown`.

use talkdrum_api::campaign::Messages;

use super::COLUMNS;
use crate::args::UnknownArgs;
use crate::client::Answer;
use crate::cmd::Context;
use crate::exit::{Exit, Result};

/// Lists `unknown` messages: they may have been sent or not.
pub(crate) async fn run(context: &Context, args: UnknownArgs) -> Result<Exit> {
    let mut query = args.page.query();
    query.extend(args.campaign.map(|id| ("campaign_id", id.to_string())));
    query.extend(args.user.map(|user| ("user_id", user)));
    query.extend(args.carrier.map(|carrier| ("carrier", carrier)));
    let answer: Answer<Messages> = context.client()?.get("/admin/unknown-messages", &query).await?;
    context.out.list(&answer.json, &answer.value.messages, answer.value.total, COLUMNS)?;
    if !answer.value.messages.is_empty() && context.out.is_table() {
        context.out.note("settle them with: talkdrum messages resolve --as sent|refunded|resend MESSAGE...");
    }
    Ok(Exit::Done)
}
