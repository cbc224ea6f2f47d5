//! `talkdrum settings list`.

use serde_json::{Map, Value};

use super::{ALL, Shown, read};
use crate::cmd::Context;
use crate::exit::{Exit, Result};
use crate::output::{Cell, Column};

/// How much of a long value a table shows.
const SHOWN: usize = 60;

const COLUMNS: &[Column<Shown>] = &[
    Column::left("name", "Name", |it| Cell::text(&it.name)),
    Column::left("value", "Value", |it| Cell::maybe(it.value.as_ref())),
    Column::left("updated_at", "Set", |it| Cell::time(it.updated_at.as_ref())),
];

/// Shows all settings.
pub(crate) async fn run(context: &Context) -> Result<Exit> {
    let client = context.client()?;
    let (mut rows, mut all) = (Vec::new(), Map::new());
    for setting in ALL {
        let (shown, answer) = read(&client, setting).await?;
        rows.extend(shown);
        all.extend(answer);
    }
    if context.out.is_table() {
        for value in rows.iter_mut().filter_map(|row| row.value.as_mut()) {
            *value = one_line(value);
        }
    }
    let total = i64::try_from(rows.len()).unwrap_or(i64::MAX);
    context.out.list(&Value::Object(all).to_string(), &rows, total, COLUMNS)?;
    Ok(Exit::Done)
}

fn one_line(value: &str) -> String {
    let line = value.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= SHOWN {
        return line;
    }
    format!("{}...", line.chars().take(SHOWN).collect::<String>())
}
