//! `talkdrumd migrate`.

use std::process::ExitCode;

use talkdrum_core::time::{Clock as _, SystemClock};

use super::say;
use crate::config::Settings;
use crate::lifecycle::database;

pub(super) async fn run(settings: &Settings) -> anyhow::Result<ExitCode> {
    let store = database::migrated(settings, SystemClock.now()).await?;
    store.close().await;
    say("the schema is up to date");
    Ok(ExitCode::SUCCESS)
}
