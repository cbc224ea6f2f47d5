//! Whether a call may be placed over a trunk at this very moment.

use std::fmt;
use std::sync::Arc;

use futures::future::BoxFuture;
use talkdrum_core::carrier::voice::VoiceCarrier;
use talkdrum_core::operate::{self, Hold};
use talkdrum_core::store::Store;
use talkdrum_core::voice::single_call::Permit;
use talkdrum_core::worker::runtime::Workers;

use crate::state::AppState;

/// Asks the workers and the database each time.
pub(in crate::api::voice) struct AsOfNow {
    store: Store,
    workers: Option<Workers>,
}

impl AsOfNow {
    /// Of this daemon.
    pub(in crate::api::voice) fn of(app: &AppState) -> Self {
        Self { store: app.store.clone(), workers: app.workers.clone() }
    }
}

impl fmt::Debug for AsOfNow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AsOfNow").finish_non_exhaustive()
    }
}

impl Permit for AsOfNow {
    fn check<'a>(
        &'a self,
        trunk: &'a Arc<dyn VoiceCarrier>,
    ) -> BoxFuture<'a, std::result::Result<(), &'static str>> {
        Box::pin(async move {
            let Some(workers) = &self.workers else { return Err("no calls are placed here") };
            workers.may_call().map_err(|error| {
                tracing::info!(code = error.code(), %error, "no call is placed");
                "calls are held at the moment"
            })?;
            if !workers.trunks().iter().any(|held| Arc::ptr_eq(held, trunk)) {
                return Err("the trunk is being shut down");
            }
            let hold = async { operate::hold_of(&mut self.store.read().await?, trunk.name()).await };
            match hold.await {
                Ok(Hold::Open) => Ok(()),
                Ok(Hold::Paused | Hold::Draining) => Err("the operator has paused calls"),
                Err(error) => {
                    tracing::warn!(code = error.code(), %error, "whether calls are paused is not known");
                    Err("the database does not answer")
                }
            }
        })
    }
}
