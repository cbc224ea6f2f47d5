//! What the daemons on one database say of a reload that was ordered of all of them.

use std::time::Duration;

use talkdrum_api::carrier::DaemonReloaded;
use talkdrum_core::Result;
use talkdrum_core::model::carrier::order::CarrierOrderId;
use talkdrum_core::model::platform::installation::{DaemonRole, ReloadOutcome};
use talkdrum_core::store::operations::peer;
use tokio::time::Instant;

use crate::state::AppState;

/// A daemon that is silent for so long is not waited for.
const SILENCE_MS: i64 = 15_000;
/// How long the daemon that asks waits for the others.
const WAIT: Duration = Duration::from_secs(8);
const WAIT_STEP: Duration = Duration::from_millis(100);

/// What a daemon says of a reload.
#[derive(Clone, Debug)]
pub(super) struct PeerAnswer {
    pub(super) name: String,
    pub(super) role: DaemonRole,
    /// `None` where it did not say in time.
    pub(super) outcome: Option<ReloadOutcome>,
    pub(super) message: String,
}

impl From<PeerAnswer> for DaemonReloaded {
    fn from(answer: PeerAnswer) -> Self {
        Self {
            name: answer.name,
            role: answer.role.code().to_owned(),
            outcome: answer.outcome.map_or("silent", ReloadOutcome::code).to_owned(),
            message: answer.message,
        }
    }
}

/// What became of a reload at every daemon, waiting for those that have not said.
pub(super) async fn answers(app: &AppState, reload: CarrierOrderId) -> Result<Vec<PeerAnswer>> {
    let until = Instant::now() + WAIT;
    loop {
        let peers = peer::living(&mut app.store.read().await?, SILENCE_MS).await?;
        let all = peers.iter().all(|peer| peer.reload >= reload);
        if all || Instant::now() >= until || !app.readiness.goes_on_after(WAIT_STEP).await {
            let answer = |peer: peer::PeerRow| {
                let (outcome, message) = if peer.reload >= reload {
                    (Some(peer.outcome), peer.message)
                } else {
                    (None, "It did not say in time; it follows when it can".to_owned())
                };
                PeerAnswer { name: peer.name, role: peer.role, outcome, message }
            };
            return Ok(peers.into_iter().map(answer).collect());
        }
    }
}
