//! `talkdrum numbers delete`.

use talkdrum_api::account::Message;

use crate::args::NumberArgs;
use crate::client::Answer;
use crate::cmd::Context;
use crate::exit::{Exit, Result};

/// Takes a virtual number away.
pub(crate) async fn run(context: &Context, args: NumberArgs) -> Result<Exit> {
    let path = format!("/admin/delete-virtual-number/{}", args.id);
    let answer: Answer<Message> = context.client()?.delete(&path).await?;
    context.out.done(&answer.json, &answer.value.message)?;
    Ok(Exit::Done)
}
