//! `talkdrum users list`.

use super::{COLUMNS, Of, users};
use crate::args::ListUsersArgs;
use crate::cmd::Context;
use crate::exit::{Exit, Result};

/// Lists the active users, the inactive ones or both.
pub(crate) async fn run(context: &Context, args: ListUsersArgs) -> Result<Exit> {
    let mut query = args.page.query();
    query.extend(args.search.map(|text| ("q", text)));
    query.extend(args.sort.map(|column| ("sort", column)));
    query.extend(args.ascending.then(|| ("order", "asc".to_owned())));
    let of = match (args.all, args.inactive) {
        (true, _) => Of::Both,
        (_, true) => Of::Inactive,
        _ => Of::Active,
    };
    let answer = users(&context.client()?, of, &query).await?;
    context.out.list(&answer.json, &answer.value.users, answer.value.total, COLUMNS)?;
    Ok(Exit::Done)
}
