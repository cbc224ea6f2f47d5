//! `talkdrum groups show`.

use serde_json::json;

use super::{COLUMNS, find_group};
use crate::args::ShowGroupArgs;
use crate::cmd::Context;
use crate::exit::{Exit, Result};

/// Shows one group.
pub(crate) async fn run(context: &Context, args: ShowGroupArgs) -> Result<Exit> {
    let group = find_group(&context.client()?, &args.group).await?;
    context.out.record(&json!({ "group": group }).to_string(), &group, COLUMNS)?;
    Ok(Exit::Done)
}
