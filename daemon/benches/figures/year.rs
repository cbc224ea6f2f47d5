//! A database that served for long: what start, lists, search, sending, `check` and a backup take when it is full of
//! messages.
//!
//! The rows are made, not sent ([`crate::copies`]). The same is measured on a young database in the same run, as what
//! matters is how each figure grows.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use talkdrum_core::store::StoreOptions;
use talkdrum_core::store::operations::disk;

use crate::api::CONNECTIONS;
use crate::load::{Load, Outcome, Round};
use crate::postgres::{self, Server};
use crate::process::Process;
use crate::rig::{Plan, Rig};
use crate::table::{Figure, Goal, Unit, grouped};
use crate::{Setup, campaign, copies, lists, numbers, say};

/// The campaign whose rows are copied.
const ORIGINAL: usize = 1_000_000;
/// The seed of its recipients.
const SEED: u64 = 20_261_127;
/// A campaign that is sent for comparison.
const SENT: usize = 100_000;
/// The figures leave out what is younger than ten seconds; after so long they have counted a campaign that is over.
const COUNTED: Duration = Duration::from_secs(30);
/// What a list must do at any size.
const PAGE: Goal = Goal::AtMost(50.0, Some(10.0));
/// Numbers that are searched once each.
const FIRST_SEARCHES: usize = 7;

/// What does not depend on how the rows are stored.
#[derive(Clone, Copy, Debug)]
struct Work {
    /// Single sends a second, and the 99th percentile in ms.
    sends: (f64, f64),
    /// CPU microseconds a message of a campaign.
    micros: f64,
    /// Its messages a second.
    rate: f64,
}

/// Measures it on SQLite.
pub(crate) async fn on_sqlite(setup: &Setup, figures: &mut Vec<Figure>) -> anyhow::Result<()> {
    on(setup, None, figures).await
}

/// Measures it on a PostgreSQL of its own.
pub(crate) async fn on_postgres(setup: &Setup, figures: &mut Vec<Figure>) -> anyhow::Result<()> {
    let programs = postgres::programs().context("no server is installed (Debian: postgresql)")?;
    let server = Server::start(&programs).await?;
    on(setup, Some((&server, &programs)), figures).await?;
    server.stop()
}

async fn on(
    setup: &Setup,
    server: Option<(&Server, &Path)>,
    figures: &mut Vec<Figure>,
) -> anyhow::Result<()> {
    let name = if server.is_some() { "PostgreSQL" } else { "SQLite" };
    let database = server.map(|(server, _)| server.url());
    let young = if server.is_none() {
        let rig = Rig::start(&setup.programs, &Plan::default()).await?;
        let young = work(setup, &rig).await?;
        rig.close()?;
        Some(young)
    } else {
        None
    };
    let rig = Rig::start(&setup.programs, &Plan { database: database.clone(), ..Plan::default() }).await?;
    rig.credit().await?;
    let size = ORIGINAL.min(setup.many);
    campaign::run(&rig, size, SEED).await?;
    campaign::settle_down(&rig).await;
    tokio::time::sleep(COUNTED).await;
    let more = (setup.many / size) as i64 - 1;
    let options = StoreOptions::new(
        database.unwrap_or_else(|| format!("sqlite://{}", rig.dir.path().join("data/talkdrum.db").display())),
    );
    let begun = Instant::now();
    let made = async {
        copies::make(&options, more).await?;
        // What PostgreSQL does by itself after so much was written, and in the middle of what is measured otherwise.
        server.map_or(Ok(()), |(server, programs)| server.vacuum(programs))
    };
    let rig = rig.restarted(&setup.programs, made).await?;
    let count = grouped((more as f64 + 1.0) * size as f64);
    let at = |what: &str| format!("{what} at {count} messages on {name}");
    say(&format!("made     {count} messages on {name} in {:.0} s", begun.elapsed().as_secs_f64()));
    let bytes =
        server.map_or_else(|| rig.database_bytes(), |(server, _)| bytes_below(&server.data().join("base")));
    let each = bytes / ((more as f64 + 1.0) * size as f64);
    figures.extend([
        Figure::new(at("disk a recipient"), Unit::Bytes, Goal::Shown, each)
            .note(format!("{:.1} GB, without the log of a server", bytes / 1e9)),
        Figure::new(
            at("daemon start"),
            Unit::Millis,
            Goal::AtMost(50.0, Some(20.0)),
            rig.start.as_secs_f64() * 1e3,
        ),
    ]);
    let rest = campaign::settle_down(&rig).await;
    figures.push(
        Figure::new(at("work after the start"), Unit::Seconds, Goal::Shown, rest)
            .note("CPU of the daemon until it is at rest"),
    );
    let now = work(setup, &rig).await?;
    tell(figures, &at, young, now);
    // After the single sends, so that there are many campaigns, too.
    let newest = more + 1;
    let number = numbers::one(size as u64 / 2, SEED);
    let before = figures.len();
    lists::pages(&rig, newest, (more + 1) * size as i64, &number, figures).await?;
    for figure in &mut figures[before..] {
        figure.name = at("any page, one number");
    }
    figures.push(first_searches(&rig, size).await?.named(at("a number's first search")));
    figures.push(administrators(&rig, size, &number).await?.named(at("any page of an administrator")));
    let check = rig.command(&setup.programs, &["check"]).await?;
    figures.push(
        Figure::new(at("talkdrumd check"), Unit::Seconds, Goal::Shown, check.took)
            .note(format!("memory {:.0} MiB", check.peak)),
    );
    match server {
        None => backup(setup, &rig, figures, &at).await?,
        Some((server, programs)) => dump(&rig, server, programs, figures, &at).await?,
    }
    rig.close().map(|_| ())
}

/// Single sends and a campaign.
async fn work(setup: &Setup, rig: &Rig) -> anyhow::Result<Work> {
    let sends = load(rig, Round::Send, CONNECTIONS, setup.load).run().await?;
    campaign::settle_down(rig).await;
    let cost = campaign::run(rig, SENT.min(setup.many), SEED + 2).await?;
    campaign::settle_down(rig).await;
    Ok(Work { sends: (sends.per_second, sends.percentile(990)), micros: cost.micros(), rate: cost.rate() })
}

fn tell(figures: &mut Vec<Figure>, at: &impl Fn(&str) -> String, young: Option<Work>, now: Work) {
    let beside = |text: &dyn Fn(Work) -> String| {
        young.map_or_else(String::new, |young| format!("; on a young database {}", text(young)))
    };
    figures.extend([
        Figure::new(at("single send by the API"), Unit::PerSecond, Goal::ShownRate, now.sends.0).note(
            format!(
                "p99 {:.0} ms{}",
                now.sends.1,
                beside(&|it| format!("{}/s, p99 {:.0} ms", grouped(it.sends.0), it.sends.1))
            ),
        ),
        Figure::new(at("CPU a message of a campaign"), Unit::Micros, Goal::Shown, now.micros).note(format!(
            "{}/s{}",
            grouped(now.rate),
            beside(&|it| format!("{:.2} us, {}/s", it.micros, grouped(it.rate)))
        )),
    ]);
}

/// Numbers that are searched once each: what they need of the file was not read before.
async fn first_searches(rig: &Rig, size: usize) -> anyhow::Result<Figure> {
    let mut times = Vec::new();
    for place in 1..=FIRST_SEARCHES {
        let number = numbers::one((size * place / (FIRST_SEARCHES + 1) + 1) as u64, SEED);
        times.push(lists::once_ms(&rig.client, &format!("/api/messages?number={number}")).await?);
    }
    times.sort_by(f64::total_cmp);
    let slowest = times[FIRST_SEARCHES - 1];
    Ok(Figure::new("", Unit::Millis, Goal::Shown, times[FIRST_SEARCHES / 2])
        .note(format!("the middle one of {FIRST_SEARCHES}; the slowest {slowest:.1} ms")))
}

/// Lists over all customers.
async fn administrators(rig: &Rig, size: usize, number: &str) -> anyhow::Result<Figure> {
    let admin = rig.administrator().await?;
    let history = "/admin/get-all-transactions?per_page=20";
    let total = admin.get(&format!("{history}&page=1")).await?;
    let last = total["total"].as_i64().context("transactions without a total")?.max(20) / 20;
    let paths = [
        ("campaigns", "/admin/get-all-camapaign-history?page=1&per_page=20".to_owned()),
        ("transactions", format!("{history}&page=1")),
        ("their last page", format!("{history}&page={last}")),
        ("one number", format!("/api/messages?number={number}")),
        ("unknown messages", "/admin/unknown-messages?page=1&per_page=20".to_owned()),
        ("carriers", "/admin/carriers".to_owned()),
        ("figures", "/admin/figures".to_owned()),
        ("margins", "/admin/margins".to_owned()),
        ("first campaign", format!("/api/campaigns/1/messages?per_page=20&page={}", size / 40)),
    ];
    let (mut slowest, mut all) = (0.0_f64, Vec::new());
    for (name, path) in paths {
        let middle = lists::middle_ms(&admin, &path).await?;
        slowest = slowest.max(middle);
        all.push(format!("{name} {middle:.1}"));
    }
    Ok(Figure::new("", Unit::Millis, PAGE, slowest).note(all.join(", ") + " ms"))
}

/// A backup of the file while others read and send, where the disk has room for one.
async fn backup(
    setup: &Setup,
    rig: &Rig,
    figures: &mut Vec<Figure>,
    at: &impl Fn(&str) -> String,
) -> anyhow::Result<()> {
    let (free, needed) = (disk::free_bytes(rig.dir.path())? as f64, 1.2 * rig.database_bytes());
    if free < needed {
        let why = format!("{:.0} GB are free and {:.0} GB are needed", free / 1e9, needed / 1e9);
        figures.push(Figure::missing(at("talkdrumd backup"), why));
        return Ok(());
    }
    let calm = beside(rig, setup.load).run().await?;
    let file = rig.dir.path().join("copy.db");
    let args = ["backup", file.to_str().context("the path of the copy")?];
    let alone = rig.command(&setup.programs, &args).await?;
    std::fs::remove_file(&file)?;
    let before = rig.database_bytes();
    // For as long as the copy took: nearly all of it is beside the next one.
    let sending = beside(rig, Duration::from_secs_f64(alone.took)).run();
    let (copied, loaded): (_, anyhow::Result<Outcome>) =
        tokio::join!(rig.command(&setup.programs, &args), sending);
    let (copied, loaded) = (copied?, loaded?);
    let log = rig.database_bytes() - before;
    std::fs::remove_file(file)?;
    figures.push(Figure::new(at("talkdrumd backup"), Unit::Seconds, Goal::Shown, alone.took).note(format!(
        "memory {:.0} MiB; {:.1} s beside single sends, {}/s, p99 {:.0} ms (before {}/s, p99 {:.0} ms), the log grew by {:.0} MB",
        copied.peak,
        copied.took,
        grouped(loaded.per_second),
        loaded.percentile(990),
        grouped(calm.per_second),
        calm.percentile(990),
        log / 1e6
    )));
    Ok(())
}

/// What PostgreSQL's own tools take.
async fn dump(
    rig: &Rig,
    server: &Server,
    programs: &Path,
    figures: &mut Vec<Figure>,
    at: &impl Fn(&str) -> String,
) -> anyhow::Result<()> {
    let (file, folder) = (rig.dir.path().join("talkdrum.dump"), rig.dir.path().join("base"));
    let tools = [
        ("pg_dump", vec!["--format=custom", "--file"], &file),
        ("pg_basebackup", vec!["--checkpoint=fast", "--wal-method=stream", "--pgdata"], &folder),
    ];
    for (tool, args, target) in tools {
        let mut command = Command::new(programs.join(tool));
        command.args(args).arg(target).arg("--dbname").arg(server.url());
        let ended = Process::start(&mut command, &rig.dir.path().join("tool.log"))?.ended().await?;
        anyhow::ensure!(ended.is_success, "{tool} failed");
        let bytes = bytes_below(target);
        figures.push(
            Figure::new(at(tool), Unit::Seconds, Goal::Shown, ended.took)
                .note(format!("{:.1} GB", bytes / 1e9)),
        );
        if target.is_dir() { std::fs::remove_dir_all(target)? } else { std::fs::remove_file(target)? }
    }
    Ok(())
}

/// Single sends that leave the machine time for something else.
fn beside(rig: &Rig, duration: Duration) -> Load {
    Load { pause: Duration::from_millis(10), ..load(rig, Round::Send, 8, duration) }
}

fn load(rig: &Rig, round: Round, connections: u64, duration: Duration) -> Load {
    Load {
        port: rig.client.port,
        token: rig.client.token.clone(),
        round,
        connections,
        duration,
        pause: Duration::ZERO,
    }
}

/// The size of a file, or of all below a folder.
fn bytes_below(path: &Path) -> f64 {
    let Ok(entries) = std::fs::read_dir(path) else {
        return std::fs::metadata(path).map_or(0.0, |file| file.len() as f64);
    };
    entries.flatten().map(|entry| bytes_below(&entry.path())).sum()
}
