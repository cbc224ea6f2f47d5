//! `talkdrum webhooks list`.

use talkdrum_api::webhook::Webhooks;

use super::COLUMNS;
use crate::args::ListWebhooksArgs;
use crate::client::Answer;
use crate::cmd::Context;
use crate::exit::{Exit, Result};

/// Lists the caller's webhooks, or all users'.
pub(crate) async fn run(context: &Context, args: ListWebhooksArgs) -> Result<Exit> {
    let client = context.client()?;
    let answer: Answer<Webhooks> = if args.all {
        client.get("/admin/webhooks", &args.page.query()).await?
    } else {
        client.get("/api/webhooks", &[]).await?
    };
    context.out.list(&answer.json, &answer.value.webhooks, answer.value.total, COLUMNS)?;
    Ok(Exit::Done)
}
