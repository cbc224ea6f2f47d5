//! `talkdrum webhooks show`.

use talkdrum_api::webhook::Webhook;

use super::COLUMNS;
use crate::args::WebhookArgs;
use crate::client::Answer;
use crate::cmd::Context;
use crate::exit::{Exit, Result};

/// Shows one webhook.
pub(crate) async fn run(context: &Context, args: WebhookArgs) -> Result<Exit> {
    let answer: Answer<Webhook> = context.client()?.get(&format!("/api/webhooks/{}", args.id), &[]).await?;
    context.out.record(&answer.json, &answer.value, COLUMNS)?;
    Ok(Exit::Done)
}
