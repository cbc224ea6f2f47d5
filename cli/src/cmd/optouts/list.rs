//! `talkdrum optouts list`.

use talkdrum_api::contact::OptOuts;

use super::{COLUMNS, path};
use crate::args::ListOptOutsArgs;
use crate::client::Answer;
use crate::cmd::Context;
use crate::exit::{Exit, Result};

/// Lists opt-outs, newest first.
pub(crate) async fn run(context: &Context, args: ListOptOutsArgs) -> Result<Exit> {
    let mut query = args.page.query();
    query.extend(args.search.map(|text| ("q", text)));
    let answer: Answer<OptOuts> = context.client()?.get(path(args.platform), &query).await?;
    context.out.list(&answer.json, &answer.value.optouts, answer.value.total, COLUMNS)?;
    Ok(Exit::Done)
}
