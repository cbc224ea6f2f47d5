//! `talkdrum users list`.

use super::{COLUMNS, users};
use crate::args::ListUsersArgs;
use crate::cmd::Context;
use crate::exit::{Exit, Result};

/// Lists the active or the inactive users.
pub(crate) async fn run(context: &Context, args: ListUsersArgs) -> Result<Exit> {
    let mut query = args.page.query();
    query.extend(args.search.map(|text| ("q", text)));
    query.extend(args.sort.map(|column| ("sort", column)));
    query.extend(args.ascending.then(|| ("order", "asc".to_owned())));
    let answer = users(&context.client()?, args.inactive, &query).await?;
    context.out.list(&answer.json, &answer.value.users, answer.value.total, COLUMNS)?;
    Ok(Exit::Done)
}
