//! `talkdrum campaigns watch`.

use super::{COLUMNS, Shown};
use crate::args::WatchArgs;
use crate::cmd::Context;
use crate::cmd::send::follow;
use crate::exit::{Exit, Result};
use crate::output::{outcome_table, to_json};

/// Follows a campaign to its end and reports what became of it.
pub(crate) async fn run(context: &Context, args: WatchArgs) -> Result<Exit> {
    let client = context.client()?;
    let campaign = follow::to_the_end(context, &client, args.id, &args.follow).await?;
    let exit = follow::verdict(context, &campaign, &args.follow.fail_if);
    let out = &context.out;
    if !out.is_table() {
        let shown = Shown { campaign, message: String::new() };
        out.record(&to_json(&shown)?, &shown.campaign, COLUMNS)?;
    } else if !out.quiet {
        out.data(&outcome_table(&campaign).render())?;
    }
    Ok(exit)
}
