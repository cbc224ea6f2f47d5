//! `talkdrum webhooks redeliver`.

use serde_json::json;
use talkdrum_api::webhook::Redelivered;

use crate::args::RedeliverArgs;
use crate::client::Answer;
use crate::cmd::Context;
use crate::exit::{Exit, Result};

/// Delivers one event again, or all that were given up.
pub(crate) async fn run(context: &Context, args: RedeliverArgs) -> Result<Exit> {
    let path = match args.delivery {
        Some(delivery) => format!("/api/webhooks/{}/deliveries/{delivery}/redeliver", args.id),
        None => format!("/api/webhooks/{}/redeliver-failed", args.id),
    };
    let answer: Answer<Redelivered> = context.client()?.post(&path, &json!({}), None).await?;
    context.out.done(&answer.json, &answer.value.message)?;
    Ok(Exit::Done)
}
