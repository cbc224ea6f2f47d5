//! `talkdrum kingschat show`.

use talkdrum_api::account::ChatLink;

use crate::client::Answer;
use crate::cmd::Context;
use crate::exit::{Exit, Result};
use crate::output::{Cell, Column};

const COLUMNS: &[Column<ChatLink>] = &[
    Column::left("linked", "Linked", |it| Cell::text(if it.linked { "yes" } else { "no" })),
    Column::left("username", "Username", |it| Cell::maybe(it.username.as_ref())),
    Column::left("linked_at", "Since", |it| Cell::time(it.linked_at.as_ref())),
    Column::left("last_login_at", "Last sign-in", |it| Cell::time(it.last_login_at.as_ref())),
];

/// Shows the link.
pub(crate) async fn run(context: &Context) -> Result<Exit> {
    let answer: Answer<ChatLink> = context.client()?.get("/api/kingschat/link", &[]).await?;
    context.out.record(&answer.json, &answer.value, COLUMNS)?;
    Ok(Exit::Done)
}
