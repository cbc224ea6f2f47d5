//! `talkdrum contacts imports`.

use serde::Deserialize;
use talkdrum_api::contact::{Import, Imports};

use crate::args::ImportsArgs;
use crate::client::Answer;
use crate::cmd::Context;
use crate::exit::{Exit, Result};
use crate::output::{Cell, Column};

/// `{"import": ...}`.
#[derive(Debug, Deserialize)]
pub(super) struct Shown {
    pub(super) import: Import,
}

/// An import.
pub(super) const COLUMNS: &[Column<Import>] = &[
    Column::right("id", "Id", |it| Cell::Number(it.id)),
    Column::left("target", "Into", |it| Cell::text(&it.target)),
    Column::left("status", "Status", |it| Cell::text(&it.status)),
    Column::right("rows_read", "Rows", |it| Cell::Number(it.rows_read)),
    Column::right("added", "New", |it| Cell::Number(it.added)),
    Column::right("updated", "Updated", |it| Cell::Number(it.updated)),
    Column::right("unchanged", "Unchanged", |it| Cell::Number(it.unchanged)),
    Column::right("duplicates", "Duplicates", |it| Cell::Number(it.duplicates)),
    Column::right("invalid", "Rejected", |it| Cell::Number(it.invalid)),
    Column::left("created_at", "Begun", |it| Cell::Time(it.created_at.clone())),
    Column::left("error", "Error", |it| Cell::maybe(it.error.as_ref())),
];

/// Shows the results of imports.
pub(crate) async fn run(context: &Context, args: ImportsArgs) -> Result<Exit> {
    let client = context.client()?;
    if let Some(id) = args.id {
        let answer: Answer<Shown> = client.get(&format!("/api/imports/{id}"), &[]).await?;
        context.out.record(&answer.json, &answer.value.import, COLUMNS)?;
        return Ok(Exit::Done);
    }
    let answer: Answer<Imports> = client.get("/api/imports", &args.page.query()).await?;
    context.out.list(&answer.json, &answer.value.imports, answer.value.total, COLUMNS)?;
    Ok(Exit::Done)
}
