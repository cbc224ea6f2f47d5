//! What is held about a number.

use serde_json::{Map, Value};
use talkdrum_api::subject::{Subject, SubjectTable};

use crate::args::{ExportSubjectArgs, Format, ShowSubjectArgs, SubjectCommand};
use crate::client::Answer;
use crate::cmd::Context;
use crate::cmd::campaigns::download;
use crate::cmd::numbers::own::number_in_path;
use crate::exit::{Exit, Failure, Result};
use crate::output::{Cell, Column};

/// Runs a command of this noun.
pub(super) async fn run(context: &Context, command: SubjectCommand) -> Result<Exit> {
    match command {
        SubjectCommand::Show(args) => show(context, args).await,
        SubjectCommand::Export(args) => export(context, args).await,
    }
}

const COLUMNS: &[Column<SubjectTable>] = &[
    Column::left("table", "Table", |it| Cell::text(&it.table)),
    Column::left("class", "Class", |it| Cell::text(&it.class)),
    Column::right("count", "Rows", |it| Cell::Number(it.count)),
    Column::left("first", "First", |it| it.rows.first().map_or(Cell::Empty, |row| Cell::text(first(row)))),
];

/// The fields of a row in short: those that are one text or number.
fn first(row: &Map<String, Value>) -> String {
    let fields = row.iter().filter_map(|(name, value)| match value {
        Value::String(text) if !text.is_empty() => Some(format!("{name} {text}")),
        Value::Number(number) => Some(format!("{name} {number}")),
        _ => None,
    });
    fields.collect::<Vec<_>>().join(", ")
}

/// Shows how much is held about a number, and where.
async fn show(context: &Context, args: ShowSubjectArgs) -> Result<Exit> {
    let path = format!("/admin/subjects/{}", number_in_path(&args.number)?);
    let answer: Answer<Subject> = context.client()?.get(&path, &()).await?;
    let tables = &answer.value.tables;
    let total = i64::try_from(tables.len()).unwrap_or(i64::MAX);
    context.out.list(&answer.json, tables, total, COLUMNS)?;
    for table in tables.iter().filter(|table| table.has_more) {
        context.out.note(&format!("{} has more rows than are counted", table.table));
    }
    if answer.value.on_dnd_list {
        context.out.note("it is on the Do-Not-Disturb list");
    }
    Ok(Exit::Done)
}

/// Writes everything that is held about a number as JSON lines.
async fn export(context: &Context, args: ExportSubjectArgs) -> Result<Exit> {
    if matches!(context.out.format, Format::Csv | Format::Json) {
        return Err(Failure::usage("this export is JSON lines: it goes with -o jsonl only"));
    }
    let path = format!("/admin/subjects/{}/export", number_in_path(&args.number)?);
    download(context, &context.client()?, &path, &(), args.file.as_deref()).await?;
    Ok(Exit::Done)
}
