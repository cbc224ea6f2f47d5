//! `talkdrum users list`.

use super::{COLUMNS, users};
use crate::args::ListUsersArgs;
use crate::cmd::Context;
use crate::exit::{Exit, Result};

/// Lists the active or the inactive users.
pub(crate) async fn run(context: &Context, args: ListUsersArgs) -> Result<Exit> {
    let answer = users(&context.client()?, args.inactive, args.search.as_deref()).await?;
    context.out.list(&answer.json, &answer.value.users, answer.value.total, COLUMNS)?;
    Ok(Exit::Done)
}
