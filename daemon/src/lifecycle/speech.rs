//! The speech engine and the clips that are kept of it.

use std::sync::Arc;

use anyhow::Context as _;
use talkdrum_core::voice::speech::Speech;

use crate::args::Role;
use crate::config::Settings;
use crate::state::Surroundings;

/// Opens it. A missing engine is a sentence in the log of a daemon that would be asked for it, and no error.
///
/// # Errors
/// When the directory of the clips cannot be used.
pub(super) async fn open(settings: &Settings, role: Role, around: &Surroundings) -> anyhow::Result<Speech> {
    let engine = settings.voice.engine()?;
    let cache = settings.voice.cache(&settings.server.data_dir, settings.limits.free_disk_bytes());
    let clock = Arc::clone(&around.clock);
    let open = tokio::task::spawn_blocking(move || {
        let missing = engine.missing();
        anyhow::Ok((Speech::open(engine, cache, clock)?, missing))
    });
    let (speech, missing) = open.await.context("opening the speech engine was cut off")??;
    if let Some(missing) = missing.filter(|_| !matches!(role, Role::Worker)) {
        tracing::warn!("{missing}");
    }
    Ok(speech)
}
