//! One large campaign on SQLite: what a message costs, how long it takes, what it leaves in memory and on disk.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use talkdrum_core::store::{Store, StoreOptions};
use tempfile::TempDir;

use crate::at_rest;
use crate::client::Milestones;
use crate::lists;
use crate::numbers;
use crate::process::own_cpu;
use crate::rig::{Plan, Rig};
use crate::table::{Figure, Goal, Peer, Unit, grouped};
use crate::{Setup, numbers::file};

/// The seed of the campaign's recipients.
const SEED: u64 = 20_261_101;

/// What a campaign cost.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cost {
    /// The campaign.
    pub(crate) campaign: i64,
    /// Its messages.
    pub(crate) size: i64,
    /// The upload and the quote, in seconds.
    pub(crate) quoted: f64,
    /// When it reached what.
    pub(crate) reached: Milestones,
    /// CPU seconds of the daemon from confirmation to the last receipt.
    pub(crate) cpu: f64,
    /// CPU seconds of the daemon for the quote.
    pub(crate) quote_cpu: f64,
    /// The daemon's peak memory in MiB when it was quoted.
    pub(crate) quote_peak: f64,
}

impl Cost {
    /// CPU microseconds of the daemon a message, receipt included.
    pub(crate) fn micros(&self) -> f64 {
        self.cpu * 1e6 / self.size as f64
    }

    /// Messages a second from confirmation to the last receipt.
    pub(crate) fn rate(&self) -> f64 {
        self.size as f64 / self.reached.delivered
    }
}

/// Quotes, confirms and follows a campaign of new recipients.
pub(crate) async fn run(rig: &Rig, count: usize, seed: u64) -> anyhow::Result<Cost> {
    let recipients = file(count, seed);
    let (before, start) = (rig.daemon.cpu(), Instant::now());
    let (quote, size) = rig.client.quote(recipients).await?;
    let quoted = start.elapsed().as_secs_f64();
    let (after_quote, (quote_peak, _)) = (rig.daemon.cpu(), rig.daemon.memory());
    let limit =
        Duration::from_secs(60) + Duration::from_micros(150) * u32::try_from(count).unwrap_or(u32::MAX);
    let (campaign, reached) = rig.client.run(quote, size, limit).await?;
    let cpu = rig.daemon.cpu() - after_quote;
    Ok(Cost { campaign, size, quoted, reached, cpu, quote_cpu: after_quote - before, quote_peak })
}

/// Waits until the daemon has nothing to do, the number index included, and returns the CPU seconds it took.
pub(crate) async fn settle_down(rig: &Rig) -> f64 {
    let before = rig.daemon.cpu();
    // The index is looked after every two seconds.
    tokio::time::sleep(Duration::from_millis(2_500)).await;
    let mut last = rig.daemon.cpu();
    for _ in 0..90 {
        tokio::time::sleep(Duration::from_secs(1)).await;
        let now = rig.daemon.cpu();
        // Less than a twentieth of a core: heartbeats and ticks.
        if now - last < 0.05 {
            break;
        }
        last = now;
    }
    last - before
}

/// Measures it.
pub(crate) async fn measure(setup: &Setup, figures: &mut Vec<Figure>) -> anyhow::Result<()> {
    let rig = Rig::start(&setup.programs, &Plan::default()).await?;
    // The second half of a very large number of messages goes out before what is measured.
    let chunk = setup.messages.min(1_000_000);
    let empty = rig.database_bytes();
    let cost = run(&rig, chunk, SEED).await?;
    let (peak, _) = rig.daemon.memory();
    let smsc_cpu = rig.smsc.cpu();
    let indexing = settle_down(&rig).await;
    tell(figures, &cost, peak, smsc_cpu, indexing);
    let mut messages = cost.size;
    for more in 1..setup.messages.div_ceil(chunk) {
        messages += run(&rig, chunk, SEED + 2 * more as u64).await?.size;
    }
    settle_down(&rig).await;
    lists::pages(&rig, cost.campaign, messages, &numbers::one(chunk as u64 / 2, SEED), figures).await?;
    lists::export(&rig, cost.campaign, cost.size, figures).await?;
    disk(&rig.close()?, empty, messages as f64, figures).await
}

/// What the messages take of a file, which had `empty` bytes before, and what packing takes.
async fn disk(dir: &TempDir, empty: f64, messages: f64, figures: &mut Vec<Figure>) -> anyhow::Result<()> {
    let file = dir.path().join("data/talkdrum.db");
    let goal = || Goal::AtMost(60.0, Some(35.0));
    let bytes = (std::fs::metadata(&file)?.len() as f64 - empty) / messages;
    let store = Store::open(&StoreOptions::new(format!("sqlite://{}", file.display()))).await?;
    let (before, start) = (own_cpu(), Instant::now());
    at_rest::pack_all(&store).await?;
    let (cpu, took) = (own_cpu() - before, start.elapsed().as_secs_f64());
    let packed = (at_rest::bytes_in_use(&store).await? - empty) / messages;
    store.close().await;
    figures.extend([
        Figure::new("disk a recipient, packed", Unit::Bytes, goal(), packed).note(format!(
            "an hour after the last receipt: the pages that are in use; packing took {:.2} us of CPU a message, {took:.1} s in all",
            cpu * 1e6 / messages
        )),
        Figure::new("disk a recipient", Unit::Bytes, goal(), bytes)
            .note("until then: the whole database file after a clean stop, audience and number index included"),
    ]);
    Ok(())
}

/// Measures one campaign of very many, by itself.
pub(crate) async fn large(setup: &Setup, figures: &mut Vec<Figure>) -> anyhow::Result<()> {
    let rig = Rig::start(&setup.programs, &Plan::default()).await?;
    rig.credit().await?;
    let cost = run(&rig, setup.many, SEED).await?;
    let (peak, _) = rig.daemon.memory();
    let smsc_cpu = rig.smsc.cpu();
    let indexing = settle_down(&rig).await;
    tell(figures, &cost, peak, smsc_cpu, indexing);
    rig.close().map(|_| ())
}

/// The window that most carriers allow.
const SMALL_WINDOW: u32 = 100;

/// Measures a campaign over a small window.
pub(crate) async fn small_window(setup: &Setup, figures: &mut Vec<Figure>) -> anyhow::Result<()> {
    let rig = Rig::start(&setup.programs, &Plan { window: SMALL_WINDOW, ..Plan::default() }).await?;
    let cost = run(&rig, setup.some, SEED).await?;
    let size = cost.size;
    let at = |what: &str| format!("campaign of {} at window {SMALL_WINDOW}: {what}", grouped(size as f64));
    let goal = Goal::AtMost(scaled(35.0, size), Some(scaled(18.0, size)));
    figures.extend([
        Figure::new(
            at("CPU a message with receipt"),
            Unit::Micros,
            Goal::AtMost(16.0, Some(7.0)),
            cost.micros(),
        ),
        Figure::new(at("all receipts applied"), Unit::Seconds, goal, cost.reached.delivered)
            .beside(Peer::Elsewhere("node-smpp, nothing stored", scaled(23.0, size)))
            .note(format!("{} messages a second", grouped(cost.rate()))),
    ]);
    rig.close().map(|_| ())
}

/// Rates in that measurement.
const RATES: usize = 300;

/// Measures quotes with and without many rates, which it takes turns at: the middle of each.
pub(crate) async fn with_rates(setup: &Setup, figures: &mut Vec<Figure>) -> anyhow::Result<()> {
    let rig = Rig::start(&setup.programs, &Plan::default()).await?;
    let admin = rig.administrator().await?;
    // By number prefixes, networks and purposes, so that a number has to be looked up at each length.
    let purposes = [Value::Null, "promotional".into(), "transactional".into()];
    let rates: Vec<Value> = (0..RATES)
        .map(|place| {
            let network = if place % 2 == 0 { "MTN".into() } else { Value::Null };
            let (prefix, purpose) = (format!("234{}", 700 + 2 * (place / 3)), &purposes[place % 3]);
            json!({ "prefix": prefix, "network": network, "purpose": purpose, "espees": "0.01" })
        })
        .collect();
    let [mut without, mut with] = [const { Vec::new() }; 2];
    for turn in 0..5 {
        for (list, took) in [(&[][..], &mut without), (&rates, &mut with)] {
            let body = json!({ "rates": list, "purposes": true });
            admin.put_json("/admin/rates", &body).await?;
            let (recipients, start) = (file(setup.messages, SEED + turn), Instant::now());
            rig.client.quote(recipients).await?;
            took.push(start.elapsed().as_secs_f64());
        }
    }
    let [without, with] = [without, with].map(|mut took| {
        took.sort_by(f64::total_cmp);
        took[took.len() / 2]
    });
    let (count, size) = (grouped(setup.messages as f64), i64::try_from(setup.messages)?);
    let goal = Goal::AtMost(scaled(0.5, size), Some(scaled(0.2, size)));
    let name = format!("quote of {count} mixed numbers with {RATES} rates, upload included");
    figures.push(
        Figure::new(name, Unit::Seconds, goal, with)
            .note(format!("{:.2} times one without rates, which takes {without:.3} s", with / without)),
    );
    rig.close().map(|_| ())
}

/// A limit that holds for a million, for fewer: in proportion.
pub(crate) fn scaled(goal: f64, size: i64) -> f64 {
    goal * size as f64 / 1e6
}

fn tell(figures: &mut Vec<Figure>, cost: &Cost, peak: f64, smsc_cpu: f64, indexing: f64) {
    let count = grouped(cost.size as f64);
    let size = cost.size;
    let at = |what: &str| format!("campaign of {count}: {what}");
    let seconds = |what: &str, hold: f64, next: f64, ours: f64| {
        let goal = Goal::AtMost(scaled(hold, size), Some(scaled(next, size)));
        Figure::new(at(what), Unit::Seconds, goal, ours)
    };
    let reached = cost.reached;
    figures.extend([
        Figure::new(at("CPU a message with receipt"), Unit::Micros, Goal::AtMost(7.0, Some(4.0)), cost.micros()).note(
            format!(
                "the daemon alone, confirmation to last receipt; the SMSC's own process used {:.2} us; merging the \
                 numbers into the index afterwards took the daemon {:.2} us a recipient more",
                smsc_cpu * 1e6 / size as f64,
                indexing * 1e6 / size as f64
            ),
        ),
        Figure::new(at("all submitted"), Unit::Seconds, Goal::Shown, reached.submitted),
        seconds("all receipts applied", 8.0, 4.0, reached.delivered)
            .beside(Peer::Elsewhere("Kannel", scaled(300.0, size)))
            .note(format!("{} messages a second", grouped(cost.rate()))),
        seconds("quote of mixed numbers, upload included", 0.5, 0.2, cost.quoted)
            .beside(Peer::Elsewhere("libphonenumber-js", scaled(9.0, size)))
            .note(format!("CPU {:.0} ns a number", cost.quote_cpu * 1e9 / size as f64)),
        Figure::new(at("confirm"), Unit::Millis, Goal::AtMost(10.0, Some(5.0)), reached.confirmed * 1e3),
        Figure::new(at("first message"), Unit::Millis, Goal::AtMost(40.0, Some(15.0)), reached.first * 1e3)
            .note("until the API shows the first answer of the carrier as stored: later than on the wire"),
        Figure::new(at("peak memory"), Unit::Mebibytes, Goal::AtMost(110.0, Some(80.0)), peak)
            .beside(Peer::Elsewhere("Kannel", 900.0))
            .note(format!(
                "VmHWM from the daemon's start on, the upload included; {:.0} when it was quoted",
                cost.quote_peak
            )),
    ]);
}
