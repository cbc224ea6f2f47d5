//! A trunk: places calls within its channels and its rate, answers what it is asked, and knows whether it is there.

mod health;
mod incoming;
mod rate;

use std::io;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{Semaphore, watch};
use tokio_util::sync::CancellationToken;

pub use self::health::{Health, Reach};
use self::rate::Rate;
use crate::call::place::place;
use crate::call::{Call, CallError, CallRequest, call};
use crate::config::{ConfigError, TrunkConfig};
use crate::line::Line;

/// Why a trunk could not be started.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// A setting cannot work.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// Its name has no address, or a local address or port cannot be had.
    #[error("the trunk {host} cannot be reached from here: {error}")]
    Network {
        /// The trunk.
        host: String,
        /// What the system says.
        #[source]
        error: io::Error,
    },
}

/// How long the answers to the last BYE and CANCEL are waited for: four times that they are sent (RFC 3261, section
/// 17.1.2.1).
const LAST_ANSWERS: Duration = Duration::from_secs(4);

/// A trunk that is running. Dropping it, without [`Trunk::shutdown`], leaves its calls to their end.
pub struct Trunk {
    line: Arc<Line>,
    channels: Arc<Semaphore>,
    rate: Rate,
    health: watch::Receiver<Health>,
    /// Stops the pings and the answers.
    stop: CancellationToken,
}

impl Trunk {
    /// Finds the trunk, binds a socket, and begins to ping it.
    ///
    /// # Errors
    /// When a setting cannot work, its name has no address, or a local address or port cannot be had. That the trunk does
    /// not answer is no error, and told by [`Trunk::health`].
    pub async fn start(config: TrunkConfig) -> Result<Self, StartError> {
        config.check()?;
        let (channels, rate) = (config.channels.get(), config.rate);
        let host = config.host.clone();
        let (line, incoming) =
            Line::open(config).await.map_err(|error| StartError::Network { host, error })?;
        let line = Arc::new(line);
        let stop = CancellationToken::new();
        tokio::spawn(stop.clone().run_until_cancelled_owned(incoming::answer_all(line.clone(), incoming)));
        let (told, health) = watch::channel(Health::at_start(line.config.options.is_some()));
        tokio::spawn(stop.clone().run_until_cancelled_owned(health::watch(line.clone(), told)));
        let channels = Arc::new(Semaphore::new(usize::try_from(channels).unwrap_or(usize::MAX)));
        Ok(Self { line, channels, rate: Rate::new(rate), health, stop })
    }

    /// Places a call as soon as a channel is free and the rate allows. Dropping the future before places none.
    ///
    /// # Errors
    /// When the request cannot be dialled, or the trunk is shut down. What becomes of a call that was dialled is told by
    /// the [`Call`].
    pub async fn call(&self, request: CallRequest) -> Result<Call, CallError> {
        request.check()?;
        let channel = self.channels.clone().acquire_owned().await.map_err(|_| CallError::ShutDown)?;
        self.rate.turn().await;
        if self.channels.is_closed() {
            return Err(CallError::ShutDown);
        }
        let hang_up = self.line.hang_up.child_token();
        let (call, mut teller) = call(hang_up.clone());
        let line = self.line.clone();
        self.line.tasks.spawn(async move {
            let result = place(line, request, &mut teller, &hang_up).await;
            // Its channel is free before its end is told.
            drop(channel);
            teller.ended(result);
        });
        Ok(call)
    }

    /// Whether the trunk is there, by its last ping.
    #[must_use]
    pub fn health(&self) -> Health {
        *self.health.borrow()
    }

    /// Waits until the health is told again, by the next ping.
    ///
    /// # Errors
    /// When the trunk is not pinged, or shut down.
    pub async fn next_health(&self) -> Result<Health, CallError> {
        let mut health = self.health.clone();
        health.mark_unchanged();
        health.changed().await.map_err(|_| CallError::ShutDown)?;
        Ok(*health.borrow())
    }

    /// Channels that are free.
    #[must_use]
    pub fn free_channels(&self) -> usize {
        self.channels.available_permits()
    }

    /// Places no more calls, lets those that are up end within `grace`, hangs up the others and waits until that is
    /// answered, for four seconds at most.
    pub async fn shutdown(&self, grace: Duration) {
        self.channels.close();
        self.line.tasks.close();
        if tokio::time::timeout(grace, self.line.tasks.wait()).await.is_err() {
            self.line.hang_up.cancel();
            if tokio::time::timeout(LAST_ANSWERS, self.line.tasks.wait()).await.is_err() {
                tracing::warn!(trunk = %self.line.config.host, "calls were left that the trunk did not end");
            }
        }
        self.stop.cancel();
        self.line.stack.stop();
    }
}

impl Drop for Trunk {
    fn drop(&mut self) {
        self.channels.close();
        let (line, stop) = (self.line.clone(), self.stop.clone());
        line.tasks.close();
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(async move {
                line.tasks.wait().await;
                stop.cancel();
            });
        }
    }
}

impl std::fmt::Debug for Trunk {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Trunk").field("host", &self.line.config.host).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::callee::Callee;
    use crate::clip::Clip;
    use crate::outcome::Outcome;

    #[tokio::test]
    async fn nothing_of_a_call_that_is_over_is_kept() {
        let callee = Callee::start(([127, 0, 0, 1], 0).into(), Duration::ZERO).await.unwrap();
        let trunk = Trunk::start(TrunkConfig {
            port: callee.address().port(),
            listen: [127, 0, 0, 1].into(),
            channels: std::num::NonZeroU32::new(9).unwrap(),
            rate: std::num::NonZeroU32::new(1_000).unwrap(),
            ring: Duration::from_secs(2),
            ..TrunkConfig::new("127.0.0.1", "1")
        })
        .await
        .unwrap();
        let mut calls = Vec::new();
        for digits in ["9101", "9102", "9103", "9104", "9105", "9107", "1", "2"] {
            let request = CallRequest::new(digits, Clip::from_samples(&[0; 160]).unwrap());
            calls.push(trunk.call(request).await.unwrap());
        }
        let mut outcomes = Vec::new();
        for call in calls {
            outcomes.push(call.result().await.unwrap().outcome);
        }
        use Outcome::{Answered, Busy, InvalidNumber, NoAnswer, Rejected, TrunkError};
        assert_eq!(
            outcomes,
            [Busy, NoAnswer, Answered, InvalidNumber, TrunkError, Rejected, Answered, Answered]
        );
        trunk.shutdown(Duration::from_secs(20)).await;
        assert!(trunk.line.tasks.is_empty());
        assert!(trunk.line.legs.is_empty());
        assert_eq!(trunk.line.stack.dialogs.all_dialog_ids(), Vec::<String>::new());
    }
}
