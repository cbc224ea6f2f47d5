//! The binary: reads the command line and hands over to the library.

use clap::Parser as _;
use std::process::ExitCode;

/// A message is many small allocations, by SQLite as much as by Rust, and what one thread allocates another frees: hence jemalloc
/// for both. How it is set up is in `.cargo/config.toml`.
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

fn main() -> ExitCode {
    talkdrum_daemon::command::run(talkdrum_daemon::args::Args::parse())
}
