//! `talkdrum campaigns breakdown`.

use talkdrum_api::breakdown::{Breakdown, NetworkOutcome, ReasonCount};

use crate::args::IdArgs;
use crate::client::Answer;
use crate::cmd::Context;
use crate::exit::{Exit, Result};
use crate::output::{Cell, Column, rows_for_people};

const NETWORKS: &[Column<NetworkOutcome>] = &[
    Column::left("network", "Network", |it| Cell::text(&it.network)),
    Column::right("ordered", "Ordered", |it| Cell::Number(it.ordered)),
    Column::right("delivered", "Delivered", |it| Cell::Number(it.delivered)),
    Column::right("awaited", "Awaited", |it| Cell::Number(it.awaited)),
    Column::right("undelivered", "Undelivered", |it| Cell::Number(it.undelivered)),
    Column::right("rejected", "Rejected", |it| Cell::Number(it.rejected)),
    Column::right("expired", "Expired", |it| Cell::Number(it.expired)),
    Column::right("unknown", "Unknown", |it| Cell::Number(it.unknown)),
    Column::right("delivered_per_mille", "Delivered ‰", |it| {
        it.delivered_per_mille.map_or(Cell::Empty, Cell::Number)
    }),
];

const REASONS: &[Column<ReasonCount>] = &[
    Column::left("status", "Status", |it| Cell::text(&it.status)),
    Column::right("count", "Messages", |it| Cell::Number(it.count)),
    Column::left("reason", "Reason", |it| Cell::maybe(it.reason.as_ref())),
];

/// Shows what became of a campaign by network, and why messages failed. Its buckets over time are in the JSON.
pub(crate) async fn run(context: &Context, args: IdArgs) -> Result<Exit> {
    let path = format!("/api/campaigns/{}/breakdown", args.id);
    let answer: Answer<Breakdown> = context.client()?.get(&path, &[]).await?;
    let (out, Breakdown { networks, reasons, .. }) = (&context.out, &answer.value);
    let total = i64::try_from(networks.len()).unwrap_or(i64::MAX);
    out.list(&answer.json, networks, total, NETWORKS)?;
    if out.is_table() && !reasons.is_empty() {
        out.line("")?;
        out.data(&rows_for_people(reasons, REASONS, &out.zone))?;
    }
    Ok(Exit::Done)
}
