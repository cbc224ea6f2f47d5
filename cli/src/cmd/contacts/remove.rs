//! `talkdrum contacts remove`.

use talkdrum_api::account::Message;

use crate::args::RemoveContactArgs;
use crate::client::Answer;
use crate::cmd::Context;
use crate::exit::{Exit, Result};

/// Removes a contact from its group.
pub(crate) async fn run(context: &Context, args: RemoveContactArgs) -> Result<Exit> {
    let path = format!("/api/delete/contact/{}", args.id);
    let answer: Answer<Message> = context.client()?.delete(&path).await?;
    context.out.done(&answer.json, &answer.value.message)?;
    Ok(Exit::Done)
}
