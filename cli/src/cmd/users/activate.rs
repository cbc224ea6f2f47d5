//! `talkdrum users activate` and `deactivate`.

use serde_json::json;
use talkdrum_api::account::Message;

use super::id_of;
use crate::args::UserArgs;
use crate::client::Answer;
use crate::cmd::Context;
use crate::exit::{Exit, Result};

/// Lets a user send, or stops it.
pub(crate) async fn run(context: &Context, args: UserArgs, active: bool) -> Result<Exit> {
    let client = context.client()?;
    let id = id_of(&client, &args.user).await?;
    let call = if active { "activate-user" } else { "deactivate-user" };
    let (path, body) = (format!("/admin/{call}/{id}"), json!({}));
    let answer: Answer<Message> =
        context.proven(&client, false, async || client.post(&path, &body, None).await).await?;
    context.out.done(&answer.json, &answer.value.message)?;
    Ok(Exit::Done)
}
