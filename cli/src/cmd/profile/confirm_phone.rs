//! `talkdrum profile confirm-phone`.

use serde_json::json;
use talkdrum_api::account::EditedProfile;

use crate::args::CodeArgs;
use crate::client::Answer;
use crate::cmd::Context;
use crate::exit::{Exit, Result};

/// Confirms a new phone number by its code.
pub(crate) async fn run(context: &Context, args: CodeArgs) -> Result<Exit> {
    let body = json!({ "code": context.code(args.code)? });
    let answer: Answer<EditedProfile> = context.client()?.post("/api/confirm-phone", &body, None).await?;
    context.out.done(&answer.json, &answer.value.message)?;
    Ok(Exit::Done)
}
