//! `talkdrum prices apply`.

use std::io::IsTerminal as _;

use serde_json::{Map, Value, json};
use talkdrum_api::setting::PricesChanged;

use super::file::{COLUMNS, PriceFile, plan};
use crate::args::ApplyPricesArgs;
use crate::client::Answer;
use crate::cmd::Context;
use crate::exit::{Exit, Failure, Result};
use crate::output::to_json;

/// Sets the prices of a file, all or none, and only from the prices that were compared with.
pub(crate) async fn run(context: &Context, args: ApplyPricesArgs) -> Result<Exit> {
    let file = PriceFile::read(&args.file)?;
    let client = context.client()?;
    let plan = plan(&client, &file).await?;
    if plan.changes.is_empty() {
        context.out.done(&to_json(&plan)?, "No price changes: they are the file's already")?;
        return Ok(Exit::Done);
    }
    if let Some(expected) = args.expect.as_ref().filter(|expected| **expected != plan.version) {
        return Err(Failure::refused(format!(
            "the prices were changed since the plan: they are at version {}, not {expected}",
            plan.version
        ))
        .hint(format!("look again with: talkdrum prices plan {}", args.file.display())));
    }
    if !args.yes {
        if !std::io::stdin().is_terminal() {
            return Err(Failure::usage("there is no terminal to ask whether to change the prices")
                .hint("say so with --yes, or look first with: talkdrum prices plan"));
        }
        let total = i64::try_from(plan.changes.len()).unwrap_or(i64::MAX);
        context.out.list(&to_json(&plan)?, &plan.changes, total, COLUMNS)?;
        if !context.confirm("Change these prices?")? {
            return Err(Failure::failed("not confirmed: no price was changed"));
        }
    }
    let mut body: Map<String, Value> =
        plan.changes.iter().map(|change| (change.key.to_owned(), json!(change.after.to_string()))).collect();
    body.insert("expect".to_owned(), plan.version.into());
    let answer: Answer<PricesChanged> = client.post("/admin/set-prices", &body, None).await?;
    context.out.done(&answer.json, &answer.value.message)?;
    Ok(Exit::Done)
}
