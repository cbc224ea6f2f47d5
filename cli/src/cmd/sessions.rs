//! The sessions of the signed-in user.

use talkdrum_api::account::{Message, Session, Sessions};

use crate::args::{PageArgs, RevokeSessionArgs, SessionsCommand};
use crate::client::Answer;
use crate::cmd::Context;
use crate::exit::{Exit, Result};
use crate::output::{Cell, Column};

/// Runs a command of this noun.
pub(super) async fn run(context: &Context, command: SessionsCommand) -> Result<Exit> {
    match command {
        SessionsCommand::List(args) => list(context, args).await,
        SessionsCommand::Revoke(args) => revoke(context, args).await,
    }
}

const COLUMNS: &[Column<Session>] = &[
    Column::right("id", "Id", |it| Cell::Number(it.id)),
    Column::left("is_current", "This one", |it| Cell::text(if it.is_current { "yes" } else { "" })),
    Column::left("client", "Client", |it| Cell::text(&it.client)),
    Column::left("address", "Address", |it| Cell::text(&it.address)),
    Column::left("created_at", "Since", |it| Cell::Time(it.created_at.clone())),
    Column::left("last_seen_at", "Last used", |it| Cell::Time(it.last_seen_at.clone())),
];

/// Lists the sessions.
async fn list(context: &Context, args: PageArgs) -> Result<Exit> {
    let answer: Answer<Sessions> = context.client()?.get("/api/sessions", &args.query()).await?;
    context.out.list(&answer.json, &answer.value.sessions, answer.value.total, COLUMNS)?;
    Ok(Exit::Done)
}

/// Ends a session, or all but the one at hand.
async fn revoke(context: &Context, args: RevokeSessionArgs) -> Result<Exit> {
    let path = args.id.map_or_else(|| "/api/sessions".to_owned(), |id| format!("/api/sessions/{id}"));
    let answer: Answer<Message> = context.client()?.delete(&path).await?;
    context.out.done(&answer.json, &answer.value.message)?;
    Ok(Exit::Done)
}
