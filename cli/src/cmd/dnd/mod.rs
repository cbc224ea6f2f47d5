//! `talkdrum dnd ...`.

pub(super) mod import;

use talkdrum_api::dnd::DndNumbers;
use talkdrum_api::query::PageQuery;

use crate::args::{DndCommand, ListDndArgs};
use crate::client::Answer;
use crate::cmd::Context;
use crate::exit::{Exit, Result};
use crate::output::{Cell, Column};

/// Runs a command of this noun.
pub(super) async fn run(context: &Context, command: DndCommand) -> Result<Exit> {
    match command {
        DndCommand::Import(args) => import::run(context, args).await,
        DndCommand::List(args) => list(context, args).await,
    }
}

const COLUMNS: &[Column<String>] = &[Column::left("number", "Number", |it| Cell::text(it))];

/// Shows a page of the list.
async fn list(context: &Context, args: ListDndArgs) -> Result<Exit> {
    let query = PageQuery::new(args.page.into(), 1000);
    let answer: Answer<DndNumbers> = context.client()?.get("/admin/dnd", &query).await?;
    context.out.list(&answer.json, &answer.value.numbers, answer.value.total, COLUMNS)?;
    Ok(Exit::Done)
}
