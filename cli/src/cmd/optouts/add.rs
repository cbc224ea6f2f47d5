//! `talkdrum optouts add`.

use serde_json::json;
use talkdrum_api::contact::OptOutAnswer;

use super::path;
use crate::args::AddOptOutArgs;
use crate::client::Answer;
use crate::cmd::Context;
use crate::exit::{Exit, Result};

/// Opts a number out.
pub(crate) async fn run(context: &Context, args: AddOptOutArgs) -> Result<Exit> {
    let body = json!({ "phone": args.phone, "note": args.note });
    let answer: Answer<OptOutAnswer> = context.client()?.post(path(args.platform), &body, None).await?;
    context.out.done(&answer.json, &answer.value.message)?;
    Ok(Exit::Done)
}
