//! `talkdrum senders request`.

use serde_json::json;
use talkdrum_api::sender::SenderIdsRequested;

use crate::args::RequestSendersArgs;
use crate::client::Answer;
use crate::cmd::Context;
use crate::exit::{Exit, Result};

/// Requests sender ids, all or none.
pub(crate) async fn run(context: &Context, args: RequestSendersArgs) -> Result<Exit> {
    let body = json!({ "sender_ids": args.sender_ids });
    let answer: Answer<SenderIdsRequested> =
        context.client()?.post("/api/request-senderid", &body, None).await?;
    context.out.done(&answer.json, &answer.value.message)?;
    Ok(Exit::Done)
}
