//! The signals that end the process, and the one that has it read its configuration again.

use anyhow::Context as _;

/// Each SIGHUP.
///
/// # Errors
/// When it cannot be listened for.
pub fn hangups() -> anyhow::Result<tokio::signal::unix::Signal> {
    use tokio::signal::unix::{SignalKind, signal};
    signal(SignalKind::hangup()).context("cannot listen for SIGHUP")
}

/// Returns when SIGINT or SIGTERM has come.
///
/// # Errors
/// When they cannot be listened for.
pub async fn to_stop() -> anyhow::Result<()> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut terminate = signal(SignalKind::terminate()).context("cannot listen for SIGTERM")?;
    let mut interrupt = signal(SignalKind::interrupt()).context("cannot listen for SIGINT")?;
    tokio::select! {
        _ = terminate.recv() => {}
        _ = interrupt.recv() => {}
    }
    Ok(())
}
