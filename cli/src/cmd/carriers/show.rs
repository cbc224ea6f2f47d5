//! `talkdrum carriers show`.

use talkdrum_api::carrier::{Carrier, CarrierBind, CarrierBreaker, CarrierCalls, Carriers};

use super::list;
use crate::client::Answer;
use crate::cmd::Context;
use crate::exit::{Exit, Failure, Result};
use crate::output::{Cell, Column, json_object, rows_for_people, to_json};

const COLUMNS: &[Column<Carrier>] = &[
    Column::left("name", "Name", |it| Cell::text(&it.name)),
    Column::left("kind", "Kind", |it| Cell::text(&it.kind)),
    Column::left("health", "Health", |it| Cell::text(&it.health)),
    Column::left("reason", "Why", |it| Cell::maybe(it.reason.as_ref())),
    Column::left("state", "State", |it| Cell::text(&it.state)),
    Column::left("state_reason", "Reason given", |it| Cell::maybe(it.state_reason.as_ref())),
    Column::left("state_by", "By", |it| Cell::maybe(it.state_by.as_ref())),
    Column::left("state_since", "Since", |it| Cell::time(it.state_since.as_ref())),
    Column::right("queued", "Queued", |it| Cell::Number(it.queued)),
    Column::left("oldest_queued_at", "Oldest since", |it| Cell::time(it.oldest_queued_at.as_ref())),
    Column::right("queued_later", "Of scheduled or paused campaigns", |it| Cell::Number(it.queued_later)),
    Column::right("queued_notices", "The platform's own messages", |it| Cell::Number(it.queued_notices)),
    Column::right("in_flight", "In flight", |it| Cell::Number(it.in_flight)),
    Column::right("calls_begun_last_minute", "Calls begun in the last minute", |it| {
        it.calls.as_ref().map_or(Cell::Empty, |calls| Cell::Number(calls.begun_last_minute.into()))
    }),
    Column::left("calls_ended", "Calls ended in the last 5 minutes", |it| {
        it.calls.as_ref().map_or(Cell::Empty, |calls| Cell::text(ended(calls)))
    }),
    Column::right("packets_late", "Late packets of audio", |it| {
        it.calls.as_ref().map_or(Cell::Empty, |calls| Cell::text(late(calls)))
    }),
    Column::left("oldest_lease_at", "Nothing heard since", |it| Cell::time(it.oldest_lease_at.as_ref())),
    Column::right("unmatched_receipts", "Unmatched receipts", |it| Cell::Number(it.unmatched_receipts)),
    Column::right("unknown_messages", "Unknown messages", |it| Cell::Number(it.unknown_messages)),
    Column::left("seen_at", "Seen", |it| Cell::time(it.seen_at.as_ref())),
    Column::left("traced_until", "Traced until", |it| Cell::time(it.traced_until.as_ref())),
];

const BINDS: &[Column<CarrierBind>] = &[
    Column::left("role", "Bind", |it| Cell::text(&it.role)),
    Column::left("state", "State", |it| Cell::text(&it.state)),
    Column::left("since", "Since", |it| Cell::time(it.since.as_ref())),
    Column::left("reason", "Why", |it| Cell::maybe(it.reason.as_ref())),
];

const BREAKERS: &[Column<CarrierBreaker>] = &[
    Column::left("network", "Network", |it| Cell::text(&it.network)),
    Column::left("state", "Breaker", |it| Cell::text(it.state.replace('_', " "))),
    Column::right("delivered", "Delivered", |it| {
        Cell::text(format!("{} of {}", it.delivered, it.delivered + it.failed))
    }),
    Column::right("waiting", "Waiting", |it| Cell::Number(it.waiting)),
    Column::left("opened_at", "Since", |it| Cell::time(it.opened_at.as_ref())),
    Column::left("probe_at", "Tried next", |it| Cell::time(it.probe_at.as_ref())),
    Column::left("changed_by", "By", |it| Cell::maybe(it.changed_by.as_ref())),
];

/// As in `12 answered, 3 busy`; `none` without one.
fn ended(calls: &CarrierCalls) -> String {
    let some = calls.ended.iter().filter(|(_, count)| **count > 0);
    let parts: Vec<String> = some.map(|(how, count)| format!("{count} {}", how.replace('_', " "))).collect();
    if parts.is_empty() { "none".to_owned() } else { parts.join(", ") }
}

/// As in `3 of 250000`; `none sent` without any.
fn late(calls: &CarrierCalls) -> String {
    match calls.packets {
        0 => "none sent".to_owned(),
        sent => format!("{} of {sent}", calls.packets_late),
    }
}

/// `{"carrier": ...}`; `null` where it is not configured and nothing waits at it.
pub(super) fn carrier_json(carrier: Option<&Carrier>) -> Result<String> {
    Ok(json_object(&[("carrier", to_json(&carrier)?)]))
}

/// Shows one carrier with each of its connections.
pub(super) async fn run(context: &Context, name: &str) -> Result<Exit> {
    let answer: Answer<Carriers> = context.client()?.get("/admin/carriers", &()).await?;
    let found = answer.value.carriers.into_iter().find(|carrier| carrier.name == name);
    let carrier = found.ok_or_else(|| {
        Failure::not_found(format!("there is no carrier called '{name}'"))
            .hint("talkdrum carriers lists them")
    })?;
    let out = &context.out;
    if !out.is_table() {
        out.record(&carrier_json(Some(&carrier))?, &carrier, list::COLUMNS)?;
        return Ok(Exit::Done);
    }
    out.record("", &carrier, COLUMNS)?;
    out.data(&format!("\n{}", rows_for_people(&carrier.binds, BINDS, &out.zone)))?;
    if !carrier.breakers.is_empty() {
        out.data(&format!("\n{}", rows_for_people(&carrier.breakers, BREAKERS, &out.zone)))?;
    }
    out.as_of(&answer.at, "")?;
    Ok(Exit::Done)
}
