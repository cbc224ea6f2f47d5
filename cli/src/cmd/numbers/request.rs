//! `talkdrum numbers request`.

use serde_json::json;
use talkdrum_api::account::Message;

use crate::client::Answer;
use crate::cmd::Context;
use crate::exit::{Exit, Result};

/// Requests a virtual number.
pub(crate) async fn run(context: &Context) -> Result<Exit> {
    let answer: Answer<Message> =
        context.client()?.post("/api/request-virtual-number", &json!({}), None).await?;
    context.out.done(&answer.json, &answer.value.message)?;
    Ok(Exit::Done)
}
