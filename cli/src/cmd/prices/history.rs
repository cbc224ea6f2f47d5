//! `talkdrum prices history`.

use talkdrum_api::setting::{PriceChange, PriceHistory};

use crate::args::PriceHistoryArgs;
use crate::client::Answer;
use crate::cmd::Context;
use crate::exit::{Exit, Result};
use crate::output::{Cell, Column};

const COLUMNS: &[Column<PriceChange>] = &[
    Column::left("at", "When", |it| Cell::Time(it.at.clone())),
    Column::left("price", "Price", |it| Cell::text(&it.price)),
    Column::right("before", "Before", |it| Cell::maybe(it.before.as_ref())),
    Column::right("after", "After", |it| Cell::maybe(it.after.as_ref())),
    Column::left("username", "By", |it| Cell::maybe(it.username.as_ref())),
];

/// Lists every change of a price.
pub(crate) async fn run(context: &Context, args: PriceHistoryArgs) -> Result<Exit> {
    let mut query = args.page.query();
    query.extend(args.price.map(|price| ("price", price)));
    let answer: Answer<PriceHistory> = context.client()?.get("/admin/price-history", &query).await?;
    context.out.list(&answer.json, &answer.value.prices, answer.value.total, COLUMNS)?;
    Ok(Exit::Done)
}
