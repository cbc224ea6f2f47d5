//! `talkdrum kingschat unlink`.

use talkdrum_api::account::Message;

use crate::client::Answer;
use crate::cmd::Context;
use crate::exit::{Exit, Result};

/// Ends the link.
pub(crate) async fn run(context: &Context) -> Result<Exit> {
    let answer: Answer<Message> = context.client()?.delete("/api/kingschat/link").await?;
    context.out.done(&answer.json, &answer.value.message)?;
    Ok(Exit::Done)
}
