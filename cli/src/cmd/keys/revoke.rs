//! `talkdrum keys revoke`.

use talkdrum_api::account::Message;

use crate::args::RevokeKeyArgs;
use crate::client::Answer;
use crate::cmd::Context;
use crate::exit::{Exit, Result};

/// Revokes a key: it stops working at once.
pub(crate) async fn run(context: &Context, args: RevokeKeyArgs) -> Result<Exit> {
    let answer: Answer<Message> = context.client()?.delete(&format!("/api/api-keys/{}", args.id)).await?;
    context.out.done(&answer.json, &answer.value.message)?;
    Ok(Exit::Done)
}
