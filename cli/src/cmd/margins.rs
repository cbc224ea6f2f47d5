//! `talkdrum margins`.

use talkdrum_api::carrier::{Margin, Margins};
use talkdrum_api::query::MarginQuery;

use crate::args::MarginsArgs;
use crate::client::Answer;
use crate::cmd::Context;
use crate::exit::{Exit, Result};
use crate::output::{Cell, Column};

const COLUMNS: &[Column<Margin>] = &[
    Column::left("day", "Day", |it| Cell::text(&it.day)),
    Column::left("carrier", "Carrier", |it| Cell::text(&it.carrier)),
    Column::left("network", "Network", |it| Cell::text(&it.network)),
    Column::right("messages", "Messages", |it| Cell::Number(it.messages)),
    Column::right("segments", "Segments", |it| Cell::Number(it.segments)),
    Column::right("revenue", "Revenue", |it| Cell::charge(it.revenue)),
    Column::left("currency", "Currency", |it| Cell::text(&it.currency)),
    Column::right("cost", "Cost", |it| it.cost.map_or(Cell::Empty, Cell::charge)),
    Column::left("cost_currency", "Cost currency", |it| Cell::maybe(it.cost_currency.as_ref())),
    Column::right("margin", "Margin", |it| it.margin.map_or(Cell::Empty, Cell::charge)),
];

/// Shows what carriers were given, what it brought in and what it costs.
pub(crate) async fn run(context: &Context, args: MarginsArgs) -> Result<Exit> {
    let query = MarginQuery {
        from: args.from.unwrap_or_default(),
        to: args.to.unwrap_or_default(),
        carrier: args.carrier.unwrap_or_default(),
        network: args.network.unwrap_or_default(),
    };
    let answer: Answer<Margins> = context.client()?.get("/admin/margins", &query).await?;
    context.out.list(&answer.json, &answer.value.margins, answer.value.total, COLUMNS)?;
    context.out.as_of(&answer.at, "Counted half a minute behind the send")?;
    Ok(Exit::Done)
}
