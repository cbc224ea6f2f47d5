//! `talkdrum status`: the platform at a glance.

use talkdrum_api::figures::{Figures, HourFigures, Traffic};
use talkdrum_api::query::FiguresQuery;

use crate::args::StatusArgs;
use crate::client::Answer;
use crate::cmd::Context;
use crate::exit::{Exit, Result};
use crate::output::{Cell, Column, Table, to_json};
use crate::zone::Zone;

const HOURS: &[Column<HourFigures>] = &[
    Column::left("hour", "Hour", |it| Cell::Time(it.hour.clone())),
    Column::right("campaigns", "Campaigns", |it| Cell::Number(it.traffic.campaigns)),
    Column::right("ordered", "Ordered", |it| Cell::Number(it.traffic.ordered)),
    Column::right("delivered", "Delivered", |it| Cell::Number(it.traffic.delivered)),
    Column::right("awaited", "Awaited", |it| Cell::Number(it.traffic.awaited)),
    Column::right("undelivered", "Undelivered", |it| Cell::Number(it.traffic.undelivered)),
    Column::right("rejected", "Rejected", |it| Cell::Number(it.traffic.rejected)),
    Column::right("expired", "Expired", |it| Cell::Number(it.traffic.expired)),
    Column::right("unknown", "Unknown", |it| Cell::Number(it.traffic.unknown)),
];

/// What of the figures is counted behind the send, see `core/src/platform/figures.rs`; the rest is as of the moment.
const BEHIND: &str = "Traffic and money are 10 s behind, receipts of older campaigns up to an hour";

/// Shows traffic, money, what waits and how the carriers are.
pub(crate) async fn run(context: &Context, args: StatusArgs) -> Result<Exit> {
    let query = FiguresQuery { hours: Some(args.hours.to_string()) };
    let answer: Answer<Figures> = context.client()?.get("/admin/figures", &query).await?;
    let figures = &answer.value;
    if args.by_hour {
        let total = i64::try_from(figures.hours.len()).unwrap_or(i64::MAX);
        context.out.list(&answer.json, &figures.hours, total, HOURS)?;
        context.out.as_of(&answer.at, BEHIND)?;
    } else if context.out.is_table() {
        context.out.data(&summary(figures, args.hours, &context.out.zone).render())?;
        context.out.as_of(&answer.at, BEHIND)?;
    } else {
        context.out.line(&if context.out.format == crate::args::Format::Json {
            answer.json.clone()
        } else {
            to_json(figures)?
        })?;
    }
    Ok(Exit::Done)
}

/// How long the oldest message waits that could be sent, and what waits for breakers alone.
fn oldest_unsent(figures: &Figures) -> String {
    let mut lines = Vec::new();
    if figures.oldest_unsent_at.is_some() {
        lines.push(format!("{} s", figures.queue_age_s));
    }
    for carrier in &figures.carriers {
        for held in carrier.breakers.iter().filter(|it| it.waiting > 0) {
            let wait = if held.waiting == 1 { "waits" } else { "wait" };
            let (waiting, network) = (held.waiting, &held.network);
            lines.push(format!("{waiting} {wait} for the breaker of {network} at {}", carrier.name));
        }
    }
    if lines.is_empty() { "nothing waits".to_owned() } else { lines.join("\n") }
}

fn summary(figures: &Figures, hours: u16, zone: &Zone) -> Table {
    let mut lines = vec![(format!("Last {hours} hours"), traffic(&figures.traffic))];
    let list = |rows: Vec<String>| if rows.is_empty() { "-".to_owned() } else { rows.join("\n") };
    let networks = figures.networks.iter().map(|it| {
        let rate = per_mille(it.delivered_per_mille);
        format!(
            "{}: {} ordered, {} delivered{rate}, {} awaited",
            it.network, it.ordered, it.delivered, it.awaited
        )
    });
    lines.push(("Networks".to_owned(), list(networks.collect())));
    let senders = figures.senders.iter().take(5).map(|it| format!("{}: {}", it.sender, traffic(&it.traffic)));
    lines.push(("Senders".to_owned(), list(senders.collect())));
    for money in &figures.money {
        let (revenue, paid, credited) =
            (money.revenue.to_fixed(2), money.paid_in.to_fixed(2), money.credited.to_fixed(2));
        lines.push((
            format!("Money, {}", money.currency),
            format!("revenue {revenue}, paid in {paid}, credited {credited}"),
        ));
    }
    let open = &figures.open_campaigns;
    lines.push((
        "Open campaigns".to_owned(),
        format!("{} sending, {} scheduled, {} paused", open.sending, open.scheduled, open.paused),
    ));
    lines.extend(figures.standstill.iter().map(|why| ("Why it waits".to_owned(), why.replace("; ", "\n"))));
    lines.extend(figures.warnings.iter().map(|warning| ("Warning".to_owned(), warning.clone())));
    lines.push(("Oldest unsent".to_owned(), oldest_unsent(figures)));
    lines.push(("Unknown messages".to_owned(), figures.unknown_messages.to_string()));
    let carriers = figures.carriers.iter().map(|it| {
        let held =
            if matches!(it.state.as_str(), "" | "open") { String::new() } else { format!(", {}", it.state) };
        let is_trunk = it.binds.iter().any(|bind| bind.role == "trunk");
        let held = if is_trunk { format!(", {} calls up{held}", it.in_flight) } else { held };
        match &it.reason {
            Some(reason) => format!("{} {}{held} ({reason})", it.name, it.health),
            None => format!("{} {}{held}", it.name, it.health),
        }
    });
    lines.push(("Carriers".to_owned(), list(carriers.collect())));
    lines.push((
        "Ledger check".to_owned(),
        match &figures.last_check {
            None => "never checked: talkdrumd check".to_owned(),
            Some(check) if check.ok => format!("no problem at {}", zone.show(&check.checked_at)),
            Some(check) => {
                let first = check.first.as_deref().unwrap_or("see talkdrumd check");
                let plural = if check.findings == 1 { "" } else { "s" };
                format!("{} problem{plural} at {}: {first}", check.findings, zone.show(&check.checked_at))
            }
        },
    ));
    let retention = figures.retention_days_behind.map(|days| match days {
        0 => "up to date".to_owned(),
        1 => "1 day behind".to_owned(),
        days => format!("{days} days behind"),
    });
    lines.extend(retention.map(|behind| ("Retention".to_owned(), behind)));
    Table::of_pairs(lines)
}

fn per_mille(rate: Option<i64>) -> String {
    rate.map_or_else(String::new, |rate| format!(" ({}.{} % of those known)", rate / 10, rate % 10))
}

fn traffic(traffic: &Traffic) -> String {
    let rate = per_mille(traffic.delivered_per_mille);
    format!(
        "{} ordered, {} delivered{rate}, {} awaited, {} failed",
        traffic.ordered,
        traffic.delivered,
        traffic.awaited,
        traffic.undelivered + traffic.rejected + traffic.expired
    )
}
