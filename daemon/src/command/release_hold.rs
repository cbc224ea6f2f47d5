//! `talkdrumd release-hold`.

use std::process::ExitCode;

use talkdrum_core::store::Lane;
use talkdrum_core::store::operations::generation;

use super::say;
use crate::config::Settings;
use crate::lifecycle::database;

pub(super) async fn run(settings: &Settings) -> anyhow::Result<ExitCode> {
    let store = database::existing(settings).await?;
    let released = store.write(Lane::Interactive, (), |tx, ()| Box::pin(generation::release(tx))).await;
    store.close().await;
    say(if released? { "dispatch goes on" } else { "nothing was held" });
    Ok(ExitCode::SUCCESS)
}
