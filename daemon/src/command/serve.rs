//! `talkdrumd serve`.

use std::process::ExitCode;

use crate::args::ServeArgs;
use crate::config::Settings;
use crate::lifecycle::Running;
use crate::state::Surroundings;

pub(super) async fn run(settings: &Settings, args: &ServeArgs) -> anyhow::Result<ExitCode> {
    let around = Surroundings { smsc: args.smsc(), ..Surroundings::of_life(args.sandbox) };
    let running = Running::start(settings, args.role, around).await?;
    running.until_signal().await?;
    Ok(ExitCode::SUCCESS)
}
