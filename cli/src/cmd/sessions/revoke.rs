//! `talkdrum sessions revoke`.

use talkdrum_api::account::Message;

use crate::args::RevokeSessionArgs;
use crate::client::Answer;
use crate::cmd::Context;
use crate::exit::{Exit, Result};

/// Ends a session, or all but the one at hand.
pub(crate) async fn run(context: &Context, args: RevokeSessionArgs) -> Result<Exit> {
    let path = args.id.map_or_else(|| "/api/sessions".to_owned(), |id| format!("/api/sessions/{id}"));
    let answer: Answer<Message> = context.client()?.delete(&path).await?;
    context.out.done(&answer.json, &answer.value.message)?;
    Ok(Exit::Done)
}
