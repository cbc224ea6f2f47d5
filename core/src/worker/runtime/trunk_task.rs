//! One carrier of calls in this run: held as long as its lease is.
//!
//! A trunk connects only once this run holds its lease, and the lease is given back only when its last call is over: its
//! channels and its calls a second hold over all daemons. A run that the database does not hear gives it up before other
//! runs may take it, and has it again only by a new lease.

use std::sync::{Arc, PoisonError};
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use crate::carrier::calls::CallCarrier;
use crate::carrier::voice::VoiceCarrier;
use crate::error::Result;
use crate::worker::runtime::{CarrierSlot, Workers};

/// How long calls may go on when the trunk is to end; then they are hung up.
const GRACE: Duration = Duration::from_secs(10);

/// How often it is asked whether the database still hears from this run: a small part of the shortest lease.
const FENCE_LOOK: Duration = Duration::from_millis(250);

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

    /// Calls for campaigns over a trunk, and holds it for test calls, until its lease is to be given back, then ends its calls. Where the lease is lost, or the database does
    /// not hear from this run any more, another run has the trunk or will soon: its calls are hung up at once.
    ///
    /// `held` is cancelled with `end`, and when the lease is lost.
    pub(in crate::worker) async fn carry_calls(
        &self,
        slot: &CarrierSlot,
        trunk: Arc<dyn VoiceCarrier>,
        held: CancellationToken,
        end: &CancellationToken,
    ) {
        let over = held.child_token();
        let campaigns = async {
            if let Some(clips) = self.clips.clone() {
                let policy = trunk.capabilities().policy.clone();
                let (carrier, events) = CallCarrier::new(Arc::clone(&trunk), clips, policy);
                self.carry_held(slot, carrier, events, over.clone()).await;
            }
        };
        tokio::join!(self.hold_trunk(Arc::clone(&trunk), held, over.clone(), end), campaigns);
        self.release_carrier(&slot.name).await;
    }

    /// Cancels `over` and ends the trunk's calls once `held` is cancelled or this run is fenced.
    async fn hold_trunk(
        &self,
        trunk: Arc<dyn VoiceCarrier>,
        held: CancellationToken,
        over: CancellationToken,
        end: &CancellationToken,
    ) {
        let name = trunk.name().to_owned();
        self.trunks.write().unwrap_or_else(PoisonError::into_inner).push(Arc::clone(&trunk));
        let shown_and_kept = async {
            self.show_vitals(&name).await;
            std::future::pending::<()>().await;
        };
        tokio::select! {
            () = held.cancelled() => {}
            () = self.fenced() => {}
            () = shown_and_kept => {}
        }
        over.cancel();
        self.trunks.write().unwrap_or_else(PoisonError::into_inner).retain(|held| !Arc::ptr_eq(held, &trunk));
        let is_in_time = end.is_cancelled()
            && tokio::select! {
                biased;
                () = self.fenced() => false,
                () = trunk.shutdown(GRACE) => true,
            };
        if !is_in_time {
            tracing::error!(carrier = name, "the trunk is not this run's any more: its calls are hung up");
            trunk.shutdown(Duration::ZERO).await;
        }
    }

    /// Waits until the database did not hear from this run for so long that other runs may soon take what it holds.
    async fn fenced(&self) {
        while !self.is_fenced() {
            tokio::time::sleep(FENCE_LOOK).await;
        }
    }

    /// Stores at once that this run holds the trunk.
    async fn show_vitals(&self, name: &str) {
        if let Err(error) = self.note_vitals(false).await {
            tracing::warn!(carrier = name, code = error.code(), %error, "the trunk is shown later");
        }
    }
}
