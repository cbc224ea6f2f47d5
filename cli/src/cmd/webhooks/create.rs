//! `talkdrum webhooks create` and `rotate`: what shows a secret.

use serde_json::json;
use talkdrum_api::webhook::WebhookWithSecret;

use crate::args::{CreateWebhookArgs, RotateWebhookArgs};
use crate::client::Answer;
use crate::cmd::Context;
use crate::exit::{Exit, Result};

/// Adds an address and prints its secret, and nothing but it: `SECRET=$(talkdrum webhooks create ...)`.
pub(crate) async fn run(context: &Context, args: CreateWebhookArgs) -> Result<Exit> {
    let body = json!({ "url": args.target, "description": args.description, "events": args.events });
    let client = context.client()?;
    let call = async || client.post("/api/webhooks", &body, None).await;
    let answer = context.proven(&client, args.password_stdin, call).await?;
    print(context, &answer)
}

/// Makes a new secret and prints it.
pub(crate) async fn rotate(context: &Context, args: RotateWebhookArgs) -> Result<Exit> {
    let path = format!("/api/webhooks/{}/rotate", args.id);
    let client = context.client()?;
    let body = json!({});
    let call = async || client.post(&path, &body, None).await;
    let answer = context.proven(&client, args.password_stdin, call).await?;
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
