//! `talkdrum groups rename`.

use serde_json::json;
use talkdrum_api::contact::GroupAnswer;

use super::{COLUMNS, find_group};
use crate::args::RenameGroupArgs;
use crate::client::Answer;
use crate::cmd::Context;
use crate::exit::{Exit, Result};

/// Gives a group another name.
pub(crate) async fn run(context: &Context, args: RenameGroupArgs) -> Result<Exit> {
    let client = context.client()?;
    let group = find_group(&client, &args.group).await?;
    let description = args.description.unwrap_or(group.description);
    let body = json!({ "group_name": args.name, "description": description });
    let answer: Answer<GroupAnswer> = client.put(&format!("/api/update/group/{}", group.id), &body).await?;
    context.out.record(&answer.json, &answer.value.group, COLUMNS)?;
    Ok(Exit::Done)
}
