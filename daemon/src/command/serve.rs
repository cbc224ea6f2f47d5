//! `talkdrumd serve`.

use std::process::ExitCode;

use crate::args::ServeArgs;
use crate::config::Settings;
use crate::lifecycle::Running;
use crate::state::Surroundings;

pub(super) async fn run(settings: &Settings, args: &ServeArgs) -> anyhow::Result<ExitCode> {
    let running = Running::start(settings, args.role, Surroundings::of_life(args.sandbox)).await?;
    running.until_signal().await?;
    Ok(ExitCode::SUCCESS)
}
