//! `talkdrum optouts remove`.

use talkdrum_api::account::Message;

use super::path;
use crate::args::RemoveOptOutArgs;
use crate::client::Answer;
use crate::cmd::Context;
use crate::exit::{Exit, Result};

/// Lets a number have messages again.
pub(crate) async fn run(context: &Context, args: RemoveOptOutArgs) -> Result<Exit> {
    let path = format!("{}/{}", path(args.platform), args.id);
    let answer: Answer<Message> = context.client()?.delete(&path).await?;
    context.out.done(&answer.json, &answer.value.message)?;
    Ok(Exit::Done)
}
