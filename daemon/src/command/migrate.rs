//! `talkdrumd migrate`.

use std::process::ExitCode;

use talkdrum_core::time::{Clock as _, SystemClock};

use super::say;
use crate::config::Settings;
use crate::lifecycle::database;

pub(super) async fn run(settings: &Settings, copies: bool) -> anyhow::Result<ExitCode> {
    let store = database::migrated(settings, SystemClock.now(), copies).await?;
    store.close().await;
    say("the schema is up to date");
    Ok(ExitCode::SUCCESS)
}
