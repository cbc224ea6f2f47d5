//! `carriers ...`, `margins` and `dnd ...`: what operators ask of carriers.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::SureArgs;

/// `talkdrum carriers`.
#[derive(Args, Debug)]
pub(crate) struct CarriersArgs {
    /// What to do; without it they are listed
    #[command(subcommand)]
    pub(crate) command: Option<CarriersCommand>,
}

/// `talkdrum carriers ...`.
#[derive(Debug, Subcommand)]
pub(crate) enum CarriersCommand {
    /// Show how they are and what waits at them
    List,
    /// Show one carrier with each of its connections
    Show {
        /// The carrier's name
        name: String,
    },
    /// Let new messages wait; receipts are still taken
    Pause(HoldCarrierArgs),
    /// Let messages go out again
    Resume(HoldCarrierArgs),
    /// Let what is claimed go out, and claim nothing new
    Drain(DrainCarrierArgs),
    /// Pause a carrier of calls, and hang up the calls that are up
    HangUp(HangUpCarrierArgs),
    /// Let promotional messages go to a network that a carrier delivers too little to, or let them wait
    Breaker(BreakerArgs),
    /// Move the queue of a paused, drained or removed carrier to another one
    Reroute(RerouteCarrierArgs),
    /// Have every daemon read its carriers and routes from its configuration file again
    Reload,
    /// Send one message over a carrier, charged to no account; also while it is paused
    Test(TestCarrierArgs),
    /// Show what goes over a carrier's wire, numbers masked and texts left out
    Trace(TraceCarrierArgs),
}

/// `talkdrum carriers pause` and `resume`.
#[derive(Args, Debug)]
pub(crate) struct HoldCarrierArgs {
    /// The carrier's name
    pub(crate) name: String,
    /// Why, for the next operator who looks at it
    #[arg(long)]
    pub(crate) reason: Option<String>,
}

/// `talkdrum carriers hang-up`.
#[derive(Args, Debug)]
pub(crate) struct HangUpCarrierArgs {
    #[command(flatten)]
    pub(crate) hold: HoldCarrierArgs,
    /// Do not ask
    #[arg(short, long)]
    pub(crate) yes: bool,
}

/// `talkdrum carriers drain`.
#[derive(Args, Debug)]
pub(crate) struct DrainCarrierArgs {
    #[command(flatten)]
    pub(crate) hold: HoldCarrierArgs,
    /// Wait until it is drained, for at most so many seconds [default: 60]
    #[arg(long, value_name = "SECONDS", num_args = 0..=1, default_missing_value = "60")]
    pub(crate) wait: Option<u64>,
}

/// `talkdrum carriers breaker`.
#[derive(Args, Debug)]
pub(crate) struct BreakerArgs {
    /// The carrier's name
    pub(crate) name: String,
    /// Let promotional messages go to this network at once; where it does not deliver, they wait again
    #[arg(long, value_name = "NETWORK", required_unless_present = "open", conflicts_with = "open")]
    pub(crate) close: Option<String>,
    /// Let promotional messages to this network wait; a few are tried after a while
    #[arg(long, value_name = "NETWORK")]
    pub(crate) open: Option<String>,
}

/// `talkdrum carriers reroute`.
#[derive(Args, Debug)]
pub(crate) struct RerouteCarrierArgs {
    /// The carrier where messages wait
    pub(crate) name: String,
    /// The carrier that takes them [default: where the present routes lead]
    #[arg(long, value_name = "NAME")]
    pub(crate) to: Option<String>,
    /// Whether to ask first.
    #[command(flatten)]
    pub(crate) consent: SureArgs,
}

/// `talkdrum carriers test`.
#[derive(Args, Debug)]
pub(crate) struct TestCarrierArgs {
    /// The carrier's name
    pub(crate) name: String,
    /// The number to send it to
    #[arg(long, value_name = "NUMBER")]
    pub(crate) to: String,
    /// What it says [default: This is a test.]
    #[arg(short, long, value_name = "TEXT")]
    pub(crate) message: Option<String>,
    /// How many seconds its receipt is waited for
    #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = clap::value_parser!(u64).range(0..=300))]
    pub(crate) wait: u64,
    /// Make the command repeatable: the same key never sends two tests
    #[arg(long, value_name = "KEY")]
    pub(crate) key: Option<String>,
}

/// `talkdrum carriers trace`.
#[derive(Args, Debug)]
pub(crate) struct TraceCarrierArgs {
    /// The carrier's name
    pub(crate) name: String,
    /// Trace it for so many seconds from now on, at most 3600
    #[arg(long = "for", value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=3600))]
    pub(crate) seconds: Option<u64>,
    /// Print new lines as they come, as long as it is traced
    #[arg(long)]
    pub(crate) follow: bool,
    /// End the trace
    #[arg(long, conflicts_with_all = ["seconds", "follow"])]
    pub(crate) off: bool,
}

/// `talkdrum margins`.
#[derive(Args, Debug)]
pub(crate) struct MarginsArgs {
    /// The first day, YYYY-MM-DD in Africa/Lagos
    #[arg(long, value_name = "DAY")]
    pub(crate) from: Option<String>,
    /// The last day
    #[arg(long, value_name = "DAY")]
    pub(crate) to: Option<String>,
    /// Only this carrier
    #[arg(long)]
    pub(crate) carrier: Option<String>,
    /// Only this network: mtn, airtel, glo, ...
    #[arg(long)]
    pub(crate) network: Option<String>,
}

/// `talkdrum dnd`.
#[derive(Debug, Subcommand)]
pub(crate) enum DndCommand {
    /// Put the numbers of a file on the list
    Import(ImportDndArgs),
    /// Show the list
    List(ListDndArgs),
}

/// `talkdrum dnd import`.
#[derive(Args, Debug)]
pub(crate) struct ImportDndArgs {
    /// A text or CSV file with numbers in it; - reads standard input
    pub(crate) file: PathBuf,
    /// Put the numbers in the place of the list
    #[arg(long)]
    pub(crate) replace: bool,
    /// Replace the list also when it shrinks by more than a tenth, without asking
    #[arg(long, requires = "replace")]
    pub(crate) allow_shrink: bool,
    /// Count the numbers and change nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
}

/// `talkdrum dnd list`.
#[derive(Args, Debug)]
pub(crate) struct ListDndArgs {
    /// Which page of 1,000 numbers
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) page: u32,
}
