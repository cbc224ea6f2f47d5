//! One carrier of calls in this run: held as long as its lease is.
//!
//! A trunk connects only once this run holds its lease, and the lease is given back only when its last call is over: its
//! channels and its calls a second hold over all daemons.

use std::sync::{Arc, PoisonError};
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use crate::carrier::voice::VoiceCarrier;
use crate::error::Result;
use crate::worker::runtime::Workers;

/// How long calls may go on when the trunk is to end; then they are hung up.
const GRACE: Duration = Duration::from_secs(10);

impl Workers {
    /// The carriers of calls that this run holds.
    pub fn trunks(&self) -> Vec<Arc<dyn VoiceCarrier>> {
        self.trunks.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Whether calls may be placed: as for messages, while dispatch is not held and the database hears from this run.
    ///
    /// # Errors
    /// An error that tells why not, and what to do.
    pub fn may_call(&self) -> Result<()> {
        self.may_send()
    }

    /// Holds a trunk until its lease is to be given back or is lost, then ends its calls.
    pub(super) async fn carry_calls(&self, trunk: Arc<dyn VoiceCarrier>, end: CancellationToken) {
        let name = trunk.name().to_owned();
        self.trunks.write().unwrap_or_else(PoisonError::into_inner).push(Arc::clone(&trunk));
        tokio::select! {
            () = end.cancelled() => {}
            () = self.show_vitals(&name) => {}
        }
        end.cancelled().await;
        self.trunks.write().unwrap_or_else(PoisonError::into_inner).retain(|held| !Arc::ptr_eq(held, &trunk));
        trunk.shutdown(GRACE).await;
        self.release_carrier(&name).await;
    }

    /// Stores at once that this run holds the trunk.
    async fn show_vitals(&self, name: &str) {
        if let Err(error) = self.note_vitals(false).await {
            tracing::warn!(carrier = name, code = error.code(), %error, "the trunk is shown later");
        }
    }
}
