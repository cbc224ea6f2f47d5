//! What the calls of a campaign say is made before they are claimed: what cannot be made holds up no others.

use std::time::Duration;

use super::Dispatcher;
use crate::campaign::control::{self, Authority};
use crate::error::{Error, Result};
use crate::store::Lane;
use crate::time::Time;
use crate::worker::dispatch::open_chunks::OpenChunk;

/// How long other campaigns wait for a clip at a time. It goes on being made, and is there at the next look.
const WITHIN: Duration = Duration::from_secs(8);
/// Pause where too many texts wait to be spoken.
const BUSY_PAUSE: Duration = Duration::from_secs(1);

impl Dispatcher {
    /// Whether the calls of a chunk can be placed: what they say is there. False when it is not there yet, and when it
    /// cannot be made; the campaign is paused then. Where that may pass, its owner may resume it.
    pub(super) async fn is_prepared(&self, open: &OpenChunk, now: Time) -> Result<bool> {
        let Some(script) = open.script.as_call().filter(|_| open.expires_at > now) else { return Ok(true) };
        let error = match tokio::time::timeout(WITHIN, self.carrier.prepare(script)).await {
            Ok(Ok(())) => return Ok(true),
            Ok(Err(error @ (Error::Database(_) | Error::WentBack(_)))) => return Err(error),
            Ok(Err(error)) => error,
            Err(_) => return Ok(false),
        };
        if matches!(error, Error::SpeechBusy) {
            tokio::time::sleep(BUSY_PAUSE).await;
            return Ok(false);
        }
        let campaign = open.script.terms.campaign;
        if !error.is_passing() {
            self.set_aside(campaign, &error).await?;
            return Ok(false);
        }
        // What an engine lacks is for the operator, who reads the log.
        tracing::error!(campaign = campaign.0, code = error.code(), %error, "what calls say cannot be made: the campaign is paused");
        let pause = self.store.write(Lane::Interactive, (campaign, open.user), |tx, (campaign, user)| {
            let reason =
                "What its calls say could not be made: resume it in some minutes, or tell the operator";
            Box::pin(control::pause(tx, *campaign, Authority::Owner(*user), reason))
        });
        pause.await?;
        Ok(false)
    }
}
