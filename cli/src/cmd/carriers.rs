//! `talkdrum carriers`.

use talkdrum_core::api::carrier::{Carrier, Carriers};

use crate::client::Answer;
use crate::cmd::Context;
use crate::exit::{Exit, Result};
use crate::output::{Cell, Column};

const COLUMNS: &[Column<Carrier>] = &[
    Column::left("name", "Name", |it| Cell::text(&it.name)),
    Column::left("kind", "Kind", |it| Cell::text(&it.kind)),
    Column::left("health", "Health", |it| Cell::text(&it.health)),
    Column::left("reason", "Reason", |it| Cell::maybe(it.reason.as_ref())),
    Column::right("window", "Window", |it| it.window.map_or(Cell::Empty, |it| Cell::Number(it.into()))),
    Column::right("rate", "Rate", |it| Cell::Number(it.rate.into())),
    Column::right("unmatched_receipts", "Unmatched receipts", |it| Cell::Number(it.unmatched_receipts)),
    Column::right("unknown_messages", "Unknown messages", |it| Cell::Number(it.unknown_messages)),
];

/// Shows the carriers and how they are.
pub(crate) async fn run(context: &Context) -> Result<Exit> {
    let answer: Answer<Carriers> = context.client()?.get("/admin/carriers", &[]).await?;
    context.out.list(&answer.json, &answer.value.carriers, answer.value.total, COLUMNS)?;
    Ok(Exit::Done)
}
