//! `talkdrum carriers trace`.

use std::time::Duration;

use serde_json::json;
use talkdrum_api::carrier::{CarrierTrace, CarrierTraceLine};
use talkdrum_api::query::TraceQuery;

use super::path;
use crate::args::TraceCarrierArgs;
use crate::client::Answer;
use crate::cmd::Context;
use crate::exit::{Exit, Result};
use crate::output::{Cell, Column};

const COLUMNS: &[Column<CarrierTraceLine>] = &[
    Column::right("sequence", "Line", |it| Cell::Number(it.sequence)),
    Column::left("at", "Time", |it| Cell::text(&it.at)),
    Column::left("line", "On the wire", |it| Cell::text(&it.line)),
];

/// How often new lines are asked for.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// Switches a trace on or off, shows its lines, and follows it while it lasts.
pub(super) async fn run(context: &Context, args: TraceCarrierArgs) -> Result<Exit> {
    let client = context.client_showing(COLUMNS)?;
    let path = path(&args.name, "trace");
    let seconds = if args.off { Some(0) } else { args.seconds };
    let shown: Answer<CarrierTrace> = match seconds {
        Some(seconds) => client.post(&path, &json!({ "seconds": seconds }), None).await?,
        None => client.get(&path, &()).await?,
    };
    let is_on = shown.value.until.is_some();
    if args.off {
        context.out.done(&shown.json, &format!("The carrier {} is not traced any more", args.name))?;
        return Ok(Exit::Done);
    }
    if !is_on {
        context.out.note("The carrier is not traced: talkdrum carriers trace NAME --for 300 begins");
    }
    if !args.follow {
        context.out.list(&shown.json, &shown.value.lines, shown.value.total, COLUMNS)?;
        return Ok(Exit::Done);
    }
    context.interruption.means("the trace ends by itself");
    let mut last = follow(context, &shown.value.lines, 0)?;
    let mut until = shown.value.until;
    while until.is_some() {
        tokio::time::sleep(LOOK_EVERY).await;
        let more: Answer<CarrierTrace> = client.get(&path, &TraceQuery { after: last }).await?;
        last = follow(context, &more.value.lines, last)?;
        until = more.value.until;
    }
    Ok(Exit::Done)
}

/// Prints new lines; returns the last one's number.
fn follow(context: &Context, lines: &[CarrierTraceLine], last: i64) -> Result<i64> {
    if context.out.is_table() {
        for line in lines {
            context.out.line(&format!("{} {}", line.at, line.line))?;
        }
    } else {
        context.out.json_lines(lines)?;
    }
    Ok(lines.last().map_or(last, |line| line.sequence))
}
