//! API keys.

use serde_json::json;
use talkdrum_api::account::{ApiKey, ApiKeys, Message, NewApiKey};

use crate::args::{CreateKeyArgs, KeysCommand, RevokeKeyArgs};
use crate::client::Answer;
use crate::cmd::Context;
use crate::exit::{Exit, Result};
use crate::output::{Cell, Column};

/// Runs a command of this noun.
pub(super) async fn run(context: &Context, command: KeysCommand) -> Result<Exit> {
    match command {
        KeysCommand::List => list(context).await,
        KeysCommand::Create(args) => create(context, args).await,
        KeysCommand::Revoke(args) => revoke(context, args).await,
    }
}

/// A key without its secret.
const COLUMNS: &[Column<ApiKey>] = &[
    Column::right("id", "Id", |key| Cell::Number(key.id)),
    Column::left("name", "Name", |key| Cell::text(&key.name)),
    Column::left("prefix", "Begins with", |key| Cell::text(&key.prefix)),
    Column::left("scopes", "Scopes", |key| Cell::text(key.scopes.join(" "))),
    Column::left("purpose", "Purpose", |key| Cell::text(key.purpose.map_or("", |it| it.code()))),
    Column::left("created_at", "Created", |key| Cell::Time(key.created_at.clone())),
    Column::left("last_used_at", "Last used", |key| Cell::time(key.last_used_at.as_ref())),
    Column::left("expires_at", "Ends", |key| Cell::time(key.expires_at.as_ref())),
];

/// Lists the keys.
async fn list(context: &Context) -> Result<Exit> {
    let answer: Answer<ApiKeys> = context.client()?.get("/api/api-keys", &()).await?;
    context.out.list(&answer.json, &answer.value.api_keys, answer.value.total, COLUMNS)?;
    Ok(Exit::Done)
}

/// Makes a key and prints it, and nothing but it: `KEY=$(talkdrum keys create ...)`.
async fn create(context: &Context, args: CreateKeyArgs) -> Result<Exit> {
    let body = json!({ "name": args.name, "scopes": args.scopes.join(","), "expires_at": args.expires,
        "purpose": args.purpose });
    let client = context.client()?;
    let answer: Answer<NewApiKey> = context
        .proven(&client, args.password_stdin, async || client.post("/api/api-keys", &body, None).await)
        .await?;
    if context.out.is_table() {
        context.out.note("This key is shown only once: keep it where scripts find it as TALKDRUM_TOKEN.");
        context.out.line(&answer.value.key)?;
    } else {
        context.out.line(&answer.json)?;
    }
    Ok(Exit::Done)
}

/// Revokes a key: it stops working at once.
async fn revoke(context: &Context, args: RevokeKeyArgs) -> Result<Exit> {
    let answer: Answer<Message> = context.client()?.delete(&format!("/api/api-keys/{}", args.id)).await?;
    context.out.done(&answer.json, &answer.value.message)?;
    Ok(Exit::Done)
}
