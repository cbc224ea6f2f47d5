//! `talkdrum rates`.

use talkdrum_api::setting::{Rate, Rates};

use crate::client::Answer;
use crate::cmd::Context;
use crate::exit::{Exit, Result};
use crate::output::{Cell, Column};

const COLUMNS: &[Column<Rate>] = &[
    Column::left("prefix", "Prefix", |it| Cell::text(format!("+{}", it.prefix))),
    Column::left("network", "Network", |it| Cell::maybe(it.network.as_ref())),
    Column::right("espees", "ESPEES a page", |it| it.espees.map_or(Cell::Empty, Cell::charge)),
    Column::right("naira", "Naira a page", |it| it.naira.map_or(Cell::Empty, Cell::charge)),
    Column::left("updated_at", "Set", |it| Cell::time(it.updated_at.as_ref())),
];

/// Lists what a page costs by where it goes.
pub(crate) async fn run(context: &Context) -> Result<Exit> {
    let answer: Answer<Rates> = context.client()?.get("/api/rates", &()).await?;
    let Rates { rates, total, .. } = &answer.value;
    context.out.list(&answer.json, rates, *total, COLUMNS)?;
    if rates.is_empty() {
        context
            .out
            .note("no rate is set: a page costs what 'talkdrum prices get' shows, in Nigeria and elsewhere");
    }
    Ok(Exit::Done)
}
