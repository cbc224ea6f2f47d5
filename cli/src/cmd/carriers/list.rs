//! `talkdrum carriers`.

use talkdrum_api::carrier::{Carrier, Carriers};

use crate::client::Answer;
use crate::cmd::Context;
use crate::exit::{Exit, Result};
use crate::output::{Cell, Column};

/// A carrier in a list.
pub(super) const COLUMNS: &[Column<Carrier>] = &[
    Column::left("name", "Name", |it| Cell::text(&it.name)),
    Column::left("kind", "Kind", |it| Cell::text(&it.kind)),
    Column::left("state", "State", |it| Cell::text(&it.state)),
    Column::left("health", "Health", |it| Cell::text(&it.health)),
    Column::right("binds_bound", "Bound", |it| Cell::text(bound(it))),
    Column::right("window_used", "Window", |it| Cell::text(part(it.window_used, it.window))),
    Column::right("rate_now", "Rate", |it| {
        let most = if it.rate == 0 { None } else { Some(it.rate) };
        let shown = part(it.rate_now, most);
        Cell::text(if it.throttled { format!("{shown} throttled") } else { shown })
    }),
    Column::right("queued", "Queued", |it| Cell::Number(it.queued)),
    Column::right("oldest_queued_s", "Oldest, s", |it| it.oldest_queued_s.map_or(Cell::Empty, Cell::Number)),
    Column::right("in_flight", "In flight", |it| Cell::Number(it.in_flight)),
    Column::right("receipt_lag_p95_ms", "Receipts, ms", |it| {
        it.receipt_lag.map_or(Cell::Empty, |lag| Cell::text(format!("{}/{}", lag.p50_ms, lag.p95_ms)))
    }),
    Column::right("unmatched_receipts", "Unmatched", |it| Cell::Number(it.unmatched_receipts)),
    Column::right("unknown_messages", "Unknown", |it| Cell::Number(it.unknown_messages)),
    Column::left("reason", "Why", |it| Cell::maybe(it.state_reason.as_ref().or(it.reason.as_ref()))),
];

fn bound(it: &Carrier) -> String {
    let bound = it.binds.iter().filter(|bind| bind.state == "bound").count();
    format!("{bound}/{}", it.binds.len())
}

fn part(some: Option<u32>, all: Option<u32>) -> String {
    match (some, all) {
        (Some(some), Some(all)) => format!("{some}/{all}"),
        (Some(some), None) => some.to_string(),
        (None, Some(all)) => format!("-/{all}"),
        (None, None) => "-".to_owned(),
    }
}

/// Shows the carriers, how they are and what waits at them.
pub(super) async fn run(context: &Context) -> Result<Exit> {
    let answer: Answer<Carriers> = context.client()?.get("/admin/carriers", &()).await?;
    context.out.list(&answer.json, &answer.value.carriers, answer.value.total, COLUMNS)?;
    context.out.as_of(&answer.at, "")?;
    Ok(Exit::Done)
}
