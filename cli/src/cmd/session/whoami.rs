//! `talkdrum whoami`.

use talkdrum_api::account::Profile;

use crate::client::Answer;
use crate::cmd::Context;
use crate::exit::{Exit, Result};
use crate::output::{Cell, Column};

const COLUMNS: &[Column<Profile>] = &[
    Column::right("id", "User", |it| Cell::Number(it.user.id)),
    Column::left("username", "Username", |it| Cell::text(&it.user.username)),
    Column::left("name", "Name", |it| Cell::text(&it.user.name)),
    Column::left("email", "E-mail", |it| Cell::text(&it.user.email)),
    Column::left("role", "Role", |it| Cell::text(&it.user.role)),
    Column::left("status", "Status", |it| Cell::text(&it.user.status)),
    Column::left("signed_in_with", "Signed in with", |it| Cell::text(&it.signed_in_with)),
    Column::left("scopes", "Scopes", |it| {
        if it.scopes.is_empty() { Cell::Empty } else { Cell::text(it.scopes.join(", ")) }
    }),
];

/// Shows who is signed in.
pub(crate) async fn run(context: &Context) -> Result<Exit> {
    let client = context.client()?;
    let answer: Answer<Profile> = client.get("/api/user-profile", &[]).await?;
    context.out.record(&answer.json, &answer.value, COLUMNS)?;
    context.out.note(&format!("at {}", client.url()));
    Ok(Exit::Done)
}
