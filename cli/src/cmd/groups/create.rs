//! `talkdrum groups create`.

use serde_json::json;
use talkdrum_api::contact::GroupAnswer;

use super::COLUMNS;
use crate::args::CreateGroupArgs;
use crate::client::Answer;
use crate::cmd::Context;
use crate::exit::{Exit, Result};

/// Makes a group.
pub(crate) async fn run(context: &Context, args: CreateGroupArgs) -> Result<Exit> {
    let body = json!({ "group_name": args.name, "description": args.description });
    let answer: Answer<GroupAnswer> = context.client()?.post("/api/create/group", &body, None).await?;
    context.out.record(&answer.json, &answer.value.group, COLUMNS)?;
    Ok(Exit::Done)
}
