//! Reading what a database full of messages holds: pages, one number, a delivery report.

use std::time::Instant;

use crate::campaign::scaled;
use crate::client::Client;
use crate::rig::Rig;
use crate::table::{Figure, Goal, Unit, grouped};

/// How often each page is asked for; the middle one counts.
const TIMES: usize = 7;

/// The slowest of many pages.
pub(crate) async fn pages(
    rig: &Rig,
    campaign: i64,
    messages: i64,
    number: &str,
    figures: &mut Vec<Figure>,
) -> anyhow::Result<()> {
    let last = messages.min(1_000_000) / 20 - 1;
    let list = format!("/api/campaigns/{campaign}/messages");
    let paths = [
        ("first page", format!("{list}?page=1&per_page=20")),
        ("page in the middle", format!("{list}?page={}&per_page=20", last / 2)),
        ("last page", format!("{list}?page={last}&per_page=20")),
        ("last page of the delivered", format!("{list}?status=delivered&page={last}&per_page=20")),
        ("first page of the failed", format!("{list}?status=undelivered&page=1&per_page=20")),
        ("campaign history", "/api/get-campaign-history?page=1&per_page=20".into()),
        ("one number", format!("/api/messages?number={number}")),
    ];
    let found = rig.client.get(&format!("/api/messages?number={number}")).await?;
    anyhow::ensure!(
        found["total"].as_i64().is_some_and(|total| total > 0),
        "the number {number} was not found"
    );
    let (mut slowest, mut all) = (0.0_f64, Vec::new());
    for (name, path) in paths {
        let middle = middle_ms(&rig.client, &path).await?;
        slowest = slowest.max(middle);
        all.push(format!("{name} {middle:.1}"));
    }
    let name = format!("any page, one number, at {} messages", grouped(messages as f64));
    figures.push(
        Figure::new(name, Unit::Millis, Goal::AtMost(50.0, Some(10.0)), slowest).note(all.join(", ") + " ms"),
    );
    Ok(())
}

/// The middle one of several times that a page is asked for.
pub(crate) async fn middle_ms(client: &Client, path: &str) -> anyhow::Result<f64> {
    let mut times = Vec::new();
    for _ in 0..TIMES {
        times.push(once_ms(client, path).await?);
    }
    times.sort_by(f64::total_cmp);
    Ok(times[TIMES / 2])
}

/// The time that a page takes.
pub(crate) async fn once_ms(client: &Client, path: &str) -> anyhow::Result<f64> {
    let start = Instant::now();
    client.get(path).await?;
    Ok(start.elapsed().as_secs_f64() * 1e3)
}

/// The delivery report as CSV, read as it comes.
pub(crate) async fn export(
    rig: &Rig,
    campaign: i64,
    size: i64,
    figures: &mut Vec<Figure>,
) -> anyhow::Result<()> {
    // 5 makes the kernel forget the peak, so that the report's own shows.
    std::fs::write(format!("/proc/{}/clear_refs", rig.daemon.id()), "5")?;
    let (_, before) = rig.daemon.memory();
    let (cpu, start) = (rig.daemon.cpu(), Instant::now());
    let (bytes, lines) = rig.client.drain(&format!("/api/campaigns/{campaign}/export")).await?;
    let took = start.elapsed().as_secs_f64();
    let cpu = rig.daemon.cpu() - cpu;
    let (peak, _) = rig.daemon.memory();
    anyhow::ensure!(lines as i64 > size, "the report has {lines} lines for {size} messages");
    let goal = Goal::AtMost(scaled(1.5, size), Some(scaled(0.7, size)));
    figures.push(
        Figure::new(format!("delivery report of {} rows", grouped(size as f64)), Unit::Seconds, goal, took)
            .note(format!(
                "{} bytes, CPU {:.2} us a row, memory peak {:.1} MiB above before",
                grouped(bytes as f64),
                cpu * 1e6 / size as f64,
                peak - before
            )),
    );
    Ok(())
}
