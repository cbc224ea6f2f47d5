//! `talkdrum webhooks edit`, `delete` and `test`.

use serde_json::{Map, Value, json};
use talkdrum_api::account::Message;
use talkdrum_api::webhook::{ChangedWebhook, WebhookDelivery};

use super::DELIVERY_COLUMNS;
use crate::args::{EditWebhookArgs, WebhookArgs};
use crate::client::Answer;
use crate::cmd::Context;
use crate::exit::{Exit, Result};

/// Changes what was given and leaves the rest.
pub(crate) async fn edit(context: &Context, args: EditWebhookArgs) -> Result<Exit> {
    let mut body = Map::new();
    body.extend(args.target.map(|url| ("url".to_owned(), Value::from(url))));
    body.extend(args.description.map(|text| ("description".to_owned(), Value::from(text))));
    if !args.events.is_empty() {
        body.insert("events".to_owned(), args.events.into());
    }
    if args.on || args.off {
        body.insert("is_active".to_owned(), args.on.into());
    }
    let path = format!("/api/webhooks/{}", args.id);
    let (client, body) = (context.client()?, Value::from(body));
    let call = async || client.put(&path, &body).await;
    let answer: Answer<ChangedWebhook> = context.proven(&client, args.password_stdin, call).await?;
    context.out.done(&answer.json, &answer.value.message)?;
    Ok(Exit::Done)
}

/// Deletes a webhook.
pub(crate) async fn delete(context: &Context, args: WebhookArgs) -> Result<Exit> {
    let answer: Answer<Message> = context.client()?.delete(&format!("/api/webhooks/{}", args.id)).await?;
    context.out.done(&answer.json, &answer.value.message)?;
    Ok(Exit::Done)
}

/// Sends a trial.
pub(crate) async fn test(context: &Context, args: WebhookArgs) -> Result<Exit> {
    let path = format!("/api/webhooks/{}/test", args.id);
    let answer: Answer<WebhookDelivery> = context.client()?.post(&path, &json!({}), None).await?;
    context.out.record(&answer.json, &answer.value, DELIVERY_COLUMNS)?;
    context.out.note(&format!("What came of it: talkdrum webhooks log {} {}", args.id, answer.value.id));
    Ok(Exit::Done)
}
