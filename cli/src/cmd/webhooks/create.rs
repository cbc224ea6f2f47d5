//! `talkdrum webhooks create` and `rotate`: what shows a secret.

use serde_json::json;
use talkdrum_core::api::webhook::WebhookWithSecret;

use crate::args::{CreateWebhookArgs, WebhookArgs};
use crate::client::Answer;
use crate::cmd::Context;
use crate::exit::{Exit, Result};

/// Adds an address and prints its secret, and nothing but it: `SECRET=$(talkdrum webhooks create ...)`.
pub(crate) async fn run(context: &Context, args: CreateWebhookArgs) -> Result<Exit> {
    let body = json!({ "url": args.target, "description": args.description, "events": args.events });
    let answer = context.client()?.post("/api/webhooks", &body, None).await?;
    print(context, &answer)
}

/// Makes a new secret and prints it.
pub(crate) async fn rotate(context: &Context, args: WebhookArgs) -> Result<Exit> {
    let path = format!("/api/webhooks/{}/rotate", args.id);
    let answer = context.client()?.post(&path, &json!({}), None).await?;
    print(context, &answer)
}

fn print(context: &Context, answer: &Answer<WebhookWithSecret>) -> Result<Exit> {
    if context.out.is_table() {
        context.out.note(&format!("Webhook {}. {}.", answer.value.webhook.id, answer.value.message));
        context.out.line(&answer.value.secret)?;
    } else {
        context.out.line(&answer.json)?;
    }
    Ok(Exit::Done)
}
