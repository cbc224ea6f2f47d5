//! Work that a request begins and that runs to its end without it.

use crate::error::{Error, Result};

/// Runs on a task of its own, so that a client that goes away leaves nothing half done. `what` names the work where it
/// panics.
///
/// # Errors
/// Those of the work.
pub(crate) fn run_to_end<T: Send + 'static>(
    what: &'static str,
    work: impl Future<Output = Result<T>> + Send + 'static,
) -> impl Future<Output = Result<T>> {
    let task = tokio::spawn(work);
    async move { task.await.unwrap_or_else(|panic| Err(Error::Corrupt(format!("{what} failed: {panic}")))) }
}
