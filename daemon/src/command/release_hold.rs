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
    say(&match released? {
        Some(hold) => format!("dispatch goes on; it was held since {}: {}", hold.held_at, hold.reason),
        None => "nothing was held".to_owned(),
    });
    Ok(ExitCode::SUCCESS)
}
