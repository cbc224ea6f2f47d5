//! `talkdrum sessions list`.

use talkdrum_api::account::{Session, Sessions};

use crate::args::PageArgs;
use crate::client::Answer;
use crate::cmd::Context;
use crate::exit::{Exit, Result};
use crate::output::{Cell, Column};

const COLUMNS: &[Column<Session>] = &[
    Column::right("id", "Id", |it| Cell::Number(it.id)),
    Column::left("is_current", "This one", |it| Cell::text(if it.is_current { "yes" } else { "" })),
    Column::left("client", "Client", |it| Cell::text(&it.client)),
    Column::left("address", "Address", |it| Cell::text(&it.address)),
    Column::left("created_at", "Since", |it| Cell::Time(it.created_at.clone())),
    Column::left("last_seen_at", "Last used", |it| Cell::Time(it.last_seen_at.clone())),
];

/// Lists the sessions.
pub(crate) async fn run(context: &Context, args: PageArgs) -> Result<Exit> {
    let answer: Answer<Sessions> = context.client()?.get("/api/sessions", &args.query()).await?;
    context.out.list(&answer.json, &answer.value.sessions, answer.value.total, COLUMNS)?;
    Ok(Exit::Done)
}
