//! Webhooks.

use serde_json::{Map, Value, json};
use talkdrum_api::account::Message;
use talkdrum_api::query::DeliveryQuery;
use talkdrum_api::webhook::{
    ChangedWebhook, Redelivered, Webhook, WebhookDeliveries, WebhookDelivery, WebhookDeliveryDetails,
    WebhookWithSecret, Webhooks,
};

use crate::args::{
    CreateWebhookArgs, DeleteWebhookArgs, EditWebhookArgs, ListWebhooksArgs, RedeliverArgs,
    RotateWebhookArgs, SureArgs, WebhookArgs, WebhookLogArgs, WebhooksCommand,
};
use crate::client::Answer;
use crate::cmd::Context;
use crate::exit::{Exit, Result};
use crate::output::{Cell, Column};
use crate::query::Query;

/// Runs one of the commands.
pub(super) async fn run(context: &Context, command: WebhooksCommand) -> Result<Exit> {
    match command {
        WebhooksCommand::List(args) => list(context, args).await,
        WebhooksCommand::Create(args) => create(context, args).await,
        WebhooksCommand::Show(args) => show(context, args).await,
        WebhooksCommand::Edit(args) => edit(context, args).await,
        WebhooksCommand::Delete(args) => delete(context, args).await,
        WebhooksCommand::Rotate(args) => rotate(context, args).await,
        WebhooksCommand::Test(args) => test(context, args).await,
        WebhooksCommand::Log(args) => log(context, args).await,
        WebhooksCommand::Redeliver(args) => redeliver(context, args).await,
    }
}

const COLUMNS: &[Column<Webhook>] = &[
    Column::right("id", "Id", |it| Cell::Number(it.id)),
    Column::left("username", "User", |it| Cell::text(&it.username)),
    Column::left("url", "URL", |it| Cell::text(&it.url)),
    Column::left("events", "Events", |it| Cell::text(it.events.join(" "))),
    Column::left("state", "State", |it| Cell::text(state(it))),
    Column::right("pending", "Waiting", |it| Cell::Number(it.pending)),
    Column::left("failing_since", "Failing since", |it| Cell::time(it.failing_since.as_ref())),
    Column::left("description", "Description", |it| Cell::text(&it.description)),
];

const DELIVERY_COLUMNS: &[Column<WebhookDelivery>] = &[
    Column::right("id", "Id", |it| Cell::Number(it.id)),
    Column::left("type", "Event", |it| Cell::text(&it.kind)),
    Column::left("created_at", "Happened", |it| Cell::Time(it.created_at.clone())),
    Column::left("status", "Status", |it| Cell::text(&it.status)),
    Column::right("attempts", "Attempts", |it| Cell::Number(it.attempts)),
    Column::right("answer", "Answer", |it| {
        Cell::text(it.answer.map(|code| code.to_string()).unwrap_or_default())
    }),
    Column::left("note", "It said", |it| Cell::maybe(it.note.as_ref())),
    Column::left("next_attempt_at", "Next attempt", |it| Cell::time(it.next_attempt_at.as_ref())),
];

fn state(webhook: &Webhook) -> String {
    match (&webhook.inactive_reason, webhook.is_active) {
        (_, true) => "on".to_owned(),
        (None, false) => "off".to_owned(),
        (Some(reason), false) => format!("off: {reason}"),
    }
}

/// Lists the caller's webhooks, or all users'.
async fn list(context: &Context, args: ListWebhooksArgs) -> Result<Exit> {
    let client = context.client()?;
    let answer: Answer<Webhooks> = if args.all {
        client.get("/admin/webhooks", &args.page.query()).await?
    } else {
        client.get("/api/webhooks", &()).await?
    };
    context.out.list(&answer.json, &answer.value.webhooks, answer.value.total, COLUMNS)?;
    Ok(Exit::Done)
}

/// Shows one webhook.
async fn show(context: &Context, args: WebhookArgs) -> Result<Exit> {
    let answer: Answer<Webhook> = context.client()?.get(&format!("/api/webhooks/{}", args.id), &()).await?;
    context.out.record(&answer.json, &answer.value, COLUMNS)?;
    Ok(Exit::Done)
}

/// Adds an address and prints its secret, and nothing but it: `SECRET=$(talkdrum webhooks create ...)`.
async fn create(context: &Context, args: CreateWebhookArgs) -> Result<Exit> {
    let body = json!({ "url": args.target, "description": args.description, "events": args.events });
    let client = context.client()?;
    let call = async || client.post("/api/webhooks", &body, None).await;
    let answer = context.proven(&client, args.password_stdin, call).await?;
    print(context, &answer)
}

/// Makes a new secret and prints it.
async fn rotate(context: &Context, args: RotateWebhookArgs) -> Result<Exit> {
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

/// Changes what was given and leaves the rest.
async fn edit(context: &Context, args: EditWebhookArgs) -> Result<Exit> {
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
async fn delete(context: &Context, args: DeleteWebhookArgs) -> Result<Exit> {
    let (client, path) = (context.client()?, format!("/api/webhooks/{}", args.id));
    let SureArgs { yes, dry_run } = args.consent;
    if !yes || dry_run {
        let answer: Answer<Webhook> = client.get(&path, &()).await?;
        let it = &answer.value;
        let what = format!("webhook {} to {} with its log", it.id, it.url);
        if dry_run {
            let sentence = format!("{} events wait for {what}; nothing was deleted", it.pending);
            context.out.done(&answer.json, &sentence)?;
            return Ok(Exit::Done);
        }
        let question = format!("Delete {what}? {} events wait for it", it.pending);
        context.agree(yes, &question, "nothing was deleted")?;
    }
    let answer: Answer<Message> = client.delete(&path).await?;
    context.out.done(&answer.json, &answer.value.message)?;
    Ok(Exit::Done)
}

/// Sends a trial.
async fn test(context: &Context, args: WebhookArgs) -> Result<Exit> {
    let path = format!("/api/webhooks/{}/test", args.id);
    let answer: Answer<WebhookDelivery> =
        context.client_showing(DELIVERY_COLUMNS)?.post(&path, &json!({}), None).await?;
    context.out.record(&answer.json, &answer.value, DELIVERY_COLUMNS)?;
    context.out.note(&format!("What came of it: talkdrum webhooks log {} {}", args.id, answer.value.id));
    Ok(Exit::Done)
}

/// Shows the log, or one line of it with the body.
async fn log(context: &Context, args: WebhookLogArgs) -> Result<Exit> {
    let client = context.client()?;
    let path = format!("/api/webhooks/{}/deliveries", args.id);
    if let Some(delivery) = args.delivery {
        let answer: Answer<WebhookDeliveryDetails> = client.get(&format!("{path}/{delivery}"), &()).await?;
        context.out.record(&answer.json, &answer.value.delivery, DELIVERY_COLUMNS)?;
        if context.out.is_table() {
            context.out.line(&answer.value.body.to_string())?;
        }
        return Ok(Exit::Done);
    }
    let status = args.status.map(|status| status.code().to_owned()).unwrap_or_default();
    let query = args.page.query().and(DeliveryQuery { status });
    let answer: Answer<WebhookDeliveries> = client.get(&path, &query).await?;
    context.out.list(&answer.json, &answer.value.deliveries, answer.value.total, DELIVERY_COLUMNS)?;
    Ok(Exit::Done)
}

/// Delivers one event again, or all that were given up.
async fn redeliver(context: &Context, args: RedeliverArgs) -> Result<Exit> {
    let path = match args.delivery {
        Some(delivery) => format!("/api/webhooks/{}/deliveries/{delivery}/redeliver", args.id),
        None => format!("/api/webhooks/{}/redeliver-failed", args.id),
    };
    let answer: Answer<Redelivered> = context.client()?.post(&path, &json!({}), None).await?;
    context.out.done(&answer.json, &answer.value.message)?;
    Ok(Exit::Done)
}
