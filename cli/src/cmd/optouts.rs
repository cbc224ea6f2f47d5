//! Opt-outs: numbers that get no promotional messages, or none but codes.

use std::path::Path;

use reqwest::multipart::Form;
use serde_json::json;
use talkdrum_api::account::Message;
use talkdrum_api::contact::{OptOut, OptOutAnswer, OptOuts};
use talkdrum_api::query::SearchQuery;

use crate::args::{
    AddOptOutArgs, ExportOptOutsArgs, ImportOptOutsArgs, ListOptOutsArgs, OptOutsCommand, RemoveOptOutArgs,
};
use crate::client::Answer;
use crate::cmd::Context;
use crate::cmd::contacts::{IMPORT_COLUMNS, import as file_import};
use crate::cmd::download::{download, require_csv};
use crate::exit::{Exit, Result};
use crate::output::{Cell, Column};
use crate::query::Query;

/// Runs a command of this noun.
pub(super) async fn run(context: &Context, command: OptOutsCommand) -> Result<Exit> {
    match command {
        OptOutsCommand::List(args) => list(context, args).await,
        OptOutsCommand::Add(args) => add(context, args).await,
        OptOutsCommand::Remove(args) => remove(context, args).await,
        OptOutsCommand::Import(args) => import(context, args).await,
        OptOutsCommand::Export(args) => export(context, args).await,
    }
}

/// An opt-out.
const COLUMNS: &[Column<OptOut>] = &[
    Column::right("id", "Id", |it| Cell::Number(it.id)),
    Column::left("phone", "Phone", |it| Cell::text(&it.phone)),
    Column::left("source", "Source", |it| Cell::text(&it.source)),
    Column::left("reach", "Reach", |it| Cell::text(it.reach.code())),
    Column::left("note", "Note", |it| Cell::text(&it.note)),
    Column::left("created_at", "Since", |it| Cell::Time(it.created_at.clone())),
];

/// Where a list lives.
const fn path(platform: bool) -> &'static str {
    if platform { "/admin/optouts" } else { "/api/optouts" }
}

/// Lists opt-outs, newest first.
async fn list(context: &Context, args: ListOptOutsArgs) -> Result<Exit> {
    let query = args.page.query().and(SearchQuery::new(args.search));
    let answer: Answer<OptOuts> = context.client()?.get(path(args.platform), &query).await?;
    context.out.list(&answer.json, &answer.value.optouts, answer.value.total, COLUMNS)?;
    Ok(Exit::Done)
}

/// Opts a number out.
async fn add(context: &Context, args: AddOptOutArgs) -> Result<Exit> {
    let body = json!({ "phone": args.phone, "reach": args.reach, "note": args.note });
    let answer: Answer<OptOutAnswer> = context.client()?.post(path(args.platform), &body, None).await?;
    context.out.done(&answer.json, &answer.value.message)?;
    Ok(Exit::Done)
}

/// Lets a number have messages again.
async fn remove(context: &Context, args: RemoveOptOutArgs) -> Result<Exit> {
    let path = format!("{}/{}", path(args.platform), args.id);
    let answer: Answer<Message> = context.client()?.delete(&path).await?;
    context.out.done(&answer.json, &answer.value.message)?;
    Ok(Exit::Done)
}

/// Imports opt-outs.
async fn import(context: &Context, args: ImportOptOutsArgs) -> Result<Exit> {
    let context = &context.saving_rejects(args.outcome.rejects.as_deref(), [Path::new(&args.file)])?;
    let client = context.client_showing(IMPORT_COLUMNS)?;
    let mut form = Form::new().text("note", args.note).text("reach", args.reach);
    for column in args.phone_column {
        form = form.text("phone_column", column);
    }
    let path = format!("{}/import", path(args.platform));
    let import = file_import::import(context, &client, &path, form, &args.file).await?;
    file_import::finish(context, &client, &import, &args.outcome).await
}

/// Writes opt-outs as CSV.
async fn export(context: &Context, args: ExportOptOutsArgs) -> Result<Exit> {
    require_csv(context)?;
    let path = format!("{}/export", path(args.platform));
    download(context, &context.client()?, &path, &(), args.file.as_deref()).await?;
    Ok(Exit::Done)
}
