//! `talkdrum dnd list`.

use talkdrum_api::dnd::DndNumbers;

use crate::args::ListDndArgs;
use crate::client::Answer;
use crate::cmd::Context;
use crate::exit::{Exit, Result};
use crate::output::{Cell, Column};

const COLUMNS: &[Column<String>] = &[Column::left("number", "Number", |it| Cell::text(it))];

/// Shows a page of the list.
pub(crate) async fn run(context: &Context, args: ListDndArgs) -> Result<Exit> {
    let query = [("page", args.page.to_string()), ("per_page", "1000".to_owned())];
    let answer: Answer<DndNumbers> = context.client()?.get("/admin/dnd", &query).await?;
    context.out.list(&answer.json, &answer.value.numbers, answer.value.total, COLUMNS)?;
    Ok(Exit::Done)
}
