//! `talkdrum senders approve` and `reject`.

use serde_json::{Value, json};
use talkdrum_api::sender::SenderIdDecided;

use crate::args::{RejectSenderArgs, SenderArgs};
use crate::client::Answer;
use crate::cmd::Context;
use crate::exit::{Exit, Result};

/// Approves a sender id.
pub(crate) async fn approve(context: &Context, args: SenderArgs) -> Result<Exit> {
    decide(context, &format!("/admin/approve-senderid/{}", args.id), &json!({})).await
}

/// Refuses a sender id, or takes it back.
pub(crate) async fn reject(context: &Context, args: RejectSenderArgs) -> Result<Exit> {
    let body = json!({ "reason": args.reason });
    decide(context, &format!("/admin/disapprove-senderid/{}", args.id), &body).await
}

async fn decide(context: &Context, path: &str, body: &Value) -> Result<Exit> {
    let answer: Answer<SenderIdDecided> = context.client()?.post(path, body, None).await?;
    let SenderIdDecided { message, sender_id, campaigns_paused } = &answer.value;
    let mut sentence = format!("{message} ({})", sender_id.sender_id);
    if *campaigns_paused > 0 {
        sentence.push_str(&format!(" {campaigns_paused} of its campaigns are paused now"));
    }
    context.out.done(&answer.json, &sentence)?;
    Ok(Exit::Done)
}
