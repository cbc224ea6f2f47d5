//! The binary: reads the command line and hands over to the library.

use clap::Parser as _;
use std::process::ExitCode;

fn main() -> ExitCode {
    talkdrum_daemon::command::run(talkdrum_daemon::args::Args::parse())
}
