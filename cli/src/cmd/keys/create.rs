//! `talkdrum keys create`.

use serde_json::json;
use talkdrum_api::account::NewApiKey;

use crate::args::CreateKeyArgs;
use crate::client::Answer;
use crate::cmd::Context;
use crate::exit::{Exit, Result};

/// Makes a key and prints it, and nothing but it: `KEY=$(talkdrum keys create ...)`.
pub(crate) async fn run(context: &Context, args: CreateKeyArgs) -> Result<Exit> {
    let body = json!({ "name": args.name, "scopes": args.scopes.join(","), "expires_at": args.expires });
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
