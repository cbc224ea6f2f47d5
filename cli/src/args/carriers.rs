//! `margins` and `dnd ...`: what operators ask of carriers.

use std::path::PathBuf;

use clap::{Args, Subcommand};

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
    /// Empty the list first
    #[arg(long)]
    pub(crate) replace: bool,
}

/// `talkdrum dnd list`.
#[derive(Args, Debug)]
pub(crate) struct ListDndArgs {
    /// Which page of 1,000 numbers
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) page: u32,
}
