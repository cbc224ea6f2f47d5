//! `make bench`: Talkdrum measured against its targets, with Kannel beside it where it is installed.
//!
//! The sandbox SMSC runs in a process of its own, receipts are on, everything is as durable as shipped. CPU seconds of
//! the daemon's process come first, ratios taken in one run second, wall clock last: it depends on who else works on
//! the machine. Nothing is tuned for the figures; what is not default is printed above the table.

#![expect(clippy::float_arithmetic, reason = "figures are times and ratios")]

mod api;
mod at_rest;
mod bare;
mod beside;
mod campaign;
mod carrier;
mod client;
mod console;
mod contacts;
mod copies;
mod kannel;
mod lists;
mod load;
mod machine;
mod numbers;
mod plain;
mod postgres;
mod process;
mod results;
mod rig;
mod start;
mod table;
mod voice;
mod year;

use std::io::Write as _;
use std::path::Path;
use std::time::{Duration, Instant};

use clap::{Parser as _, ValueEnum as _};

use results::KeptResult;
use rig::Programs;
use table::Figure;

/// Measure Talkdrum against its targets
#[derive(Clone, Debug, clap::Parser)]
struct Args {
    /// 100,000 messages where it would be 1,000,000, and shorter loads
    #[arg(long)]
    quick: bool,
    /// Run these parts only; give it again for more
    #[arg(long, value_name = "PART")]
    only: Vec<Part>,
    /// Messages of the campaign, and in the database when lists are read
    #[arg(long, value_name = "N")]
    messages: Option<usize>,
    /// Measure this talkdrumd instead of building one
    #[arg(long, value_name = "FILE")]
    daemon: Option<std::path::PathBuf>,
    /// Given by cargo
    #[arg(long, hide = true)]
    bench: bool,
}

/// What can be measured by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Part {
    /// A campaign on SQLite with its quote, memory, disk, lists and export
    Campaign,
    /// A campaign on PostgreSQL
    Postgres,
    /// Receipts in any order
    Receipts,
    /// A carrier that takes 20 ms to answer
    Delay,
    /// The cost of a message in small and large campaigns
    Scale,
    /// A campaign over a window of 100
    Window,
    /// Small requests, alone and during a campaign
    Api,
    /// Importing contacts, and paging through them
    Contacts,
    /// An administrator's lists over many users and messages
    Console,
    /// Start, idle memory, size
    Start,
    /// Kannel on the same work
    Kannel,
    /// Calls, speech and MP3s
    Voice,
    /// Text messages beside calls
    Beside,
    /// One campaign of 10,000,000 on SQLite, or of `--messages`; not measured unless it is asked for
    Large,
    /// A quote with 300 rates beside one without
    Rates,
    /// A database full of messages, by default 10,000,000, on SQLite; not measured unless it is asked for
    Year,
    /// The same on PostgreSQL
    YearPostgres,
}

/// Those that take longer than all others together: only where they are asked for.
const ASKED: [Part; 3] = [Part::Large, Part::Year, Part::YearPostgres];

const PARTS: [Part; 14] = [
    Part::Campaign,
    Part::Rates,
    Part::Kannel,
    Part::Scale,
    Part::Window,
    Part::Postgres,
    Part::Receipts,
    Part::Delay,
    Part::Api,
    Part::Contacts,
    Part::Console,
    Part::Voice,
    Part::Beside,
    Part::Start,
];

/// What the parts work with.
#[derive(Clone, Debug)]
pub(crate) struct Setup {
    /// The programs, built as shipped.
    pub(crate) programs: Programs,
    /// Messages of the large campaign.
    pub(crate) messages: usize,
    /// Messages where a part of them is enough.
    pub(crate) some: usize,
    /// How long a load of small requests lasts.
    pub(crate) load: Duration,
    /// Whether less is measured.
    pub(crate) is_quick: bool,
    /// Messages of the parts that are measured only where they are asked for.
    pub(crate) many: usize,
}

/// The whole run ends after this long, whatever is left.
const WHOLE: Duration = Duration::from_secs(19 * 60);
/// One part may take so long.
const PART: Duration = Duration::from_secs(5 * 60);
/// Additional time for each message of a part that is asked for.
const ROW: Duration = Duration::from_micros(60);

fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    // Another part of the process may have installed it before; both are ring.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    runtime.block_on(run(args))
}

async fn run(args: Args) -> anyhow::Result<()> {
    let is_less = args.quick || args.messages.is_some() || args.daemon.is_some();
    // Before what takes long: what is measured is this commit, and a file that cannot be read is told at once.
    let daemon = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (file, machine, commit) = (daemon.join(results::FILE), machine::name(), results::commit(daemon));
    let kept = results::read(&file)?;
    let messages = args.messages.unwrap_or(if args.quick { 100_000 } else { 1_000_000 });
    let setup = Setup {
        programs: Programs::find(args.daemon)?,
        messages,
        some: messages.min(if args.quick { 50_000 } else { 300_000 }),
        load: Duration::from_secs(if args.quick { 2 } else { 5 }),
        is_quick: args.quick,
        many: args.messages.unwrap_or(if args.quick { 1_000_000 } else { 10_000_000 }),
    };
    machine::print()?;
    say(&format!(
        "set      {messages} messages, carrier window {} on {} bind, no rate limit; all else default\n",
        rig::WINDOW,
        rig::BINDS
    ));
    let begun = Instant::now();
    let mut figures = Vec::new();
    let asked = ASKED.into_iter().filter(|part| args.only.contains(part));
    let usual = PARTS.into_iter().filter(|part| args.only.is_empty() || args.only.contains(part));
    for part in usual.chain(asked) {
        let left = match part {
            part if ASKED.contains(&part) => PART + ROW * u32::try_from(setup.many)?,
            _ => WHOLE.saturating_sub(begun.elapsed()).min(PART),
        };
        say(&format!("measuring: {part:?}").to_lowercase());
        figures.extend(measured(part, &setup, left).await);
    }
    say("");
    let new = |figure: &Figure, commit: &str| {
        let (figure, value) = (figure.name.clone(), *figure.ours.as_ref().ok()?);
        Some(KeptResult {
            figure,
            machine: machine.clone(),
            date: machine::date(),
            commit: commit.to_owned(),
            value,
        })
    };
    let last = |figure: &Figure| {
        let commit = commit.as_ref().ok()?;
        if is_less { None } else { results::last(&kept, &figure.name, &machine, commit) }
    };
    // Kept before they are shown: who looks at the first lines only ends the program there.
    let is_kept = match &commit {
        _ if is_less => Err("less was measured, or another program".to_owned()),
        Err(error) => Err(format!("the commit is not known: {error:#}")),
        Ok(commit) => {
            let new = figures.iter().filter_map(|figure| new(figure, commit)).collect();
            results::write(&file, &results::merge(kept.clone(), new)).map_err(|error| format!("{error:#}"))
        }
    };
    table::print(&mut figures, last)?;
    if let Err(why) = is_kept {
        say(&format!("\nNot kept: {why}"));
    }
    Ok(())
}

/// Runs a part within its time; what fails becomes a line of the table.
async fn measured(part: Part, setup: &Setup, limit: Duration) -> Vec<Figure> {
    let mut figures = Vec::new();
    let name = part.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned());
    let work = async {
        match part {
            Part::Campaign => campaign::measure(setup, &mut figures).await,
            Part::Postgres => postgres::measure(setup, &mut figures).await,
            Part::Receipts => carrier::receipts(setup, &mut figures).await,
            Part::Delay => carrier::delay(setup, &mut figures).await,
            Part::Scale => carrier::scale(setup, &mut figures).await,
            Part::Window => campaign::small_window(setup, &mut figures).await,
            Part::Api => api::measure(setup, &mut figures).await,
            Part::Contacts => contacts::measure(setup, &mut figures).await,
            Part::Console => console::measure(setup, &mut figures).await,
            Part::Start => start::measure(setup, &mut figures).await,
            Part::Kannel => kannel::measure(setup, &mut figures).await,
            Part::Voice => voice::measure(setup, &mut figures).await,
            Part::Beside => beside::measure(setup, &mut figures).await,
            Part::Large => campaign::large(setup, &mut figures).await,
            Part::Rates => campaign::with_rates(setup, &mut figures).await,
            Part::Year => year::on_sqlite(setup, &mut figures).await,
            Part::YearPostgres => year::on_postgres(setup, &mut figures).await,
        }
    };
    match tokio::time::timeout(limit, work).await {
        Ok(Ok(())) => {}
        Ok(Err(error)) => figures.push(Figure::missing(name, format!("{error:#}"))),
        Err(_) => figures.push(Figure::missing(name, format!("not done within {} s", limit.as_secs()))),
    }
    figures
}

/// Prints a line of progress.
fn say(text: &str) {
    // A closed standard output ends the run at the table; until then a failure to print is ignored.
    let _ = writeln!(std::io::stdout(), "{text}");
}
