//! `talkdrum prices plan`.

use super::file::{COLUMNS, PriceFile, plan};
use crate::args::PlanPricesArgs;
use crate::cmd::Context;
use crate::exit::{Exit, Result};
use crate::output::to_json;

/// Shows what a file would change.
pub(crate) async fn run(context: &Context, args: PlanPricesArgs) -> Result<Exit> {
    let file = PriceFile::read(&args.file)?;
    let plan = plan(&context.client()?, &file).await?;
    if plan.changes.is_empty() && context.out.is_table() {
        context.out.line("No price changes: they are the file's already")?;
        return Ok(Exit::Done);
    }
    let total = i64::try_from(plan.changes.len()).unwrap_or(i64::MAX);
    context.out.list(&to_json(&plan)?, &plan.changes, total, COLUMNS)?;
    context.out.note(&format!(
        "set them with: talkdrum prices apply {} --expect {}",
        args.file.display(),
        plan.version
    ));
    Ok(Exit::Done)
}
