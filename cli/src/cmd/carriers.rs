//! `talkdrum carriers`.

use serde::Deserialize;
use serde_json::{Map, Value};

use crate::client::Answer;
use crate::cmd::Context;
use crate::exit::{Exit, Result};
use crate::output::{Cell, Column};

/// The answer. Carriers of different kinds tell different things, so a row is what it is.
#[derive(Debug, Deserialize)]
struct Carriers {
    carriers: Vec<Map<String, Value>>,
}

const COLUMNS: &[Column<Map<String, Value>>] = &[
    Column::left("name", "Name", |it| cell(it, "name")),
    Column::left("kind", "Kind", |it| cell(it, "kind")),
    Column::left("health", "Health", |it| cell(it, "health")),
    Column::left("reason", "Reason", |it| cell(it, "reason")),
    Column::right("window", "Window", |it| cell(it, "window")),
    Column::right("rate", "Rate", |it| cell(it, "rate")),
];

/// Shows the carriers and how they are.
pub(crate) async fn run(context: &Context) -> Result<Exit> {
    let answer: Answer<Carriers> = context.client()?.get("/admin/carriers", &[]).await?;
    let rows = &answer.value.carriers;
    context.out.list(&answer.json, rows, i64::try_from(rows.len()).unwrap_or(i64::MAX), COLUMNS)?;
    Ok(Exit::Done)
}

fn cell(row: &Map<String, Value>, name: &str) -> Cell {
    match row.get(name) {
        None | Some(Value::Null) => Cell::Empty,
        Some(Value::String(text)) => Cell::text(text),
        Some(Value::Number(number)) => Cell::text(number.to_string()),
        Some(other) => Cell::text(other.to_string()),
    }
}
