//! What is held about a number.

use serde_json::{Map, Value, json};
use talkdrum_api::subject::{EraseSubject, ErasedSubject, ErasedTable, Subject, SubjectTable};

use crate::args::{EraseSubjectArgs, ExportSubjectArgs, Format, ShowSubjectArgs, SubjectCommand, SureArgs};
use crate::client::{Answer, Client};
use crate::cmd::Context;
use crate::cmd::download::download;
use crate::cmd::numbers::own::number_in_path;
use crate::exit::{Exit, Failure, Result};
use crate::output::{Cell, Column};

/// Runs a command of this noun.
pub(super) async fn run(context: &Context, command: SubjectCommand) -> Result<Exit> {
    match command {
        SubjectCommand::Show(args) => show(context, args).await,
        SubjectCommand::Export(args) => export(context, args).await,
        SubjectCommand::Erase(args) => erase(context, args).await,
    }
}

const COLUMNS: &[Column<SubjectTable>] = &[
    Column::left("table", "Table", |it| Cell::text(&it.table)),
    Column::left("class", "Class", |it| Cell::text(&it.class)),
    Column::right("count", "Rows", |it| Cell::Number(it.count)),
    Column::left("on_erase", "If erased", |it| Cell::text(&it.on_erase)),
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

fn path(number: &str) -> Result<String> {
    Ok(format!("/admin/subjects/{}", number_in_path(number)?))
}

/// Shows how much is held about a number, and where.
async fn show(context: &Context, args: ShowSubjectArgs) -> Result<Exit> {
    list(context, &context.client()?, &args.number).await?;
    Ok(Exit::Done)
}

async fn list(context: &Context, client: &Client, number: &str) -> Result<()> {
    let answer: Answer<Subject> = client.get(&path(number)?, &()).await?;
    let tables = &answer.value.tables;
    let total = i64::try_from(tables.len()).unwrap_or(i64::MAX);
    context.out.list(&answer.json, tables, total, COLUMNS)?;
    for table in tables.iter().filter(|table| table.has_more) {
        context.out.note(&format!("{} has more rows than are counted", table.table));
    }
    if answer.value.on_dnd_list {
        context.out.note("it is on the Do-Not-Disturb list");
    }
    Ok(())
}

/// Writes everything that is held about a number as JSON lines.
async fn export(context: &Context, args: ExportSubjectArgs) -> Result<Exit> {
    if matches!(context.out.format, Format::Csv | Format::Json) {
        return Err(Failure::usage("this export is JSON lines: it goes with -o jsonl only"));
    }
    let path = format!("{}/export", path(&args.number)?);
    download(context, &context.client()?, &path, &(), args.file.as_deref()).await?;
    Ok(Exit::Done)
}

/// Erases a number: a call after another, until the daemon says that all is erased.
async fn erase(context: &Context, args: EraseSubjectArgs) -> Result<Exit> {
    let client = context.client()?;
    let SureArgs { yes, dry_run } = args.consent;
    if dry_run {
        list(context, &client, &args.number).await?;
        context.out.note("nothing was erased");
        return Ok(Exit::Done);
    }
    let path = format!("{}/erase", path(&args.number)?);
    context.agree(yes, &format!("Erase {} for good?", args.number), "nothing was erased")?;
    let (mut tables, mut from): (Vec<ErasedTable>, _) = (Vec::new(), None);
    let last = loop {
        let body = EraseSubject { from };
        let answer: Answer<ErasedSubject> = client.post(&path, &body, None).await?;
        for erased in &answer.value.tables {
            match tables.iter_mut().find(|table| table.table == erased.table) {
                Some(table) => table.rows += erased.rows,
                None => tables.push(erased.clone()),
            }
        }
        match answer.value.next.clone() {
            Some(next) => from = Some(next),
            None => break answer.value,
        }
    };
    let rows: u64 = tables.iter().map(|table| table.rows).sum();
    let sentence = match rows {
        0 if !last.stays.is_empty() => format!("nothing more of {} can be erased yet", last.number),
        0 => format!("nothing of {} was left to erase", last.number),
        _ => format!("{} was erased from {rows} rows of {} tables", last.number, tables.len()),
    };
    let all = ErasedSubject { tables, next: None, ..last };
    context.out.done(&json!(all).to_string(), &sentence)?;
    for table in &all.tables {
        context.out.note(&format!("{}: {}", table.table, table.rows));
    }
    for table in &all.stays {
        context.out.note(&format!(
            "{}: {} not over, and so kept: erase it again two days later",
            table.table, table.rows
        ));
    }
    if !all.is_clean {
        context.out.note("free places of the database may have it until they are used again: see 'Privacy' in the handbook");
    }
    Ok(Exit::Done)
}
