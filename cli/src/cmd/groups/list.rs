//! `talkdrum groups list`.

use talkdrum_api::contact::Groups;

use super::COLUMNS;
use crate::args::ListGroupsArgs;
use crate::client::Answer;
use crate::cmd::Context;
use crate::exit::{Exit, Result};

/// Lists the groups.
pub(crate) async fn run(context: &Context, args: ListGroupsArgs) -> Result<Exit> {
    let mut query = args.page.query();
    query.extend(args.search.map(|text| ("q", text)));
    let answer: Answer<Groups> = context.client()?.get("/api/get/group", &query).await?;
    context.out.list(&answer.json, &answer.value.groups, answer.value.total, COLUMNS)?;
    Ok(Exit::Done)
}
