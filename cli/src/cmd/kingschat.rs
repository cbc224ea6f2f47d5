//! The KingsChat account of the signed-in user. Signing in by it and linking it need a browser.

use talkdrum_api::account::{ChatLink, Message};

use crate::args::KingsChatCommand;
use crate::client::Answer;
use crate::cmd::Context;
use crate::exit::{Exit, Result};
use crate::output::{Cell, Column};

/// Runs a command of this noun.
pub(super) async fn run(context: &Context, command: KingsChatCommand) -> Result<Exit> {
    match command {
        KingsChatCommand::Show => show(context).await,
        KingsChatCommand::Unlink => unlink(context).await,
    }
}

const COLUMNS: &[Column<ChatLink>] = &[
    Column::left("linked", "Linked", |it| Cell::text(if it.linked { "yes" } else { "no" })),
    Column::left("username", "Username", |it| Cell::maybe(it.username.as_ref())),
    Column::left("linked_at", "Since", |it| Cell::time(it.linked_at.as_ref())),
    Column::left("last_login_at", "Last sign-in", |it| Cell::time(it.last_login_at.as_ref())),
];

/// Shows the link.
async fn show(context: &Context) -> Result<Exit> {
    let answer: Answer<ChatLink> = context.client()?.get("/api/kingschat/link", &()).await?;
    context.out.record(&answer.json, &answer.value, COLUMNS)?;
    Ok(Exit::Done)
}

/// Ends the link.
async fn unlink(context: &Context) -> Result<Exit> {
    let answer: Answer<Message> = context.client()?.delete("/api/kingschat/link").await?;
    context.out.done(&answer.json, &answer.value.message)?;
    Ok(Exit::Done)
}
