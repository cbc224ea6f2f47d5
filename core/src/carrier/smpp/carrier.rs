//! The handle of an SMPP carrier.
//!
//! Nothing here waits for the wire; the links' tasks do.

use std::fmt;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures::FutureExt;
use futures::future::BoxFuture;
use talkdrum_api::kind::Kind;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio::time::Instant;

use super::config::{BindMode, SmppConfig};
use super::link;
use super::shared::{Link, LinkStatus, Role, Shared};
use super::wire::Dialer;
use crate::carrier::submit_queue::unsent;
use crate::carrier::vitals::Line;
use crate::carrier::{Capabilities, Events, Health, ReceiptToken, SmsCarrier, Submission, Trace};
use crate::entropy::{Entropy, SystemEntropy};
use crate::error::Result;
use crate::time::{Clock, SystemClock};

/// Batches of events that may wait for the worker.
const BATCHES_WAITING_MAX: usize = 32;

/// What an SMPP carrier needs from the daemon.
#[derive(Clone, Debug)]
pub struct SmppDeps {
    /// For validity periods relative to now.
    pub clock: Arc<dyn Clock>,
    /// For the jitter of reconnections.
    pub entropy: Arc<dyn Entropy>,
}

impl Default for SmppDeps {
    /// The machine's clock and randomness.
    fn default() -> Self {
        Self { clock: Arc::new(SystemClock), entropy: Arc::new(SystemEntropy) }
    }
}

/// A carrier over SMPP 3.4. Its links run as tasks until it is closed or dropped.
pub struct SmppCarrier {
    shared: Arc<Shared>,
    capabilities: Capabilities,
    tasks: Mutex<Vec<JoinHandle<()>>>,
}

impl fmt::Debug for SmppCarrier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SmppCarrier").field("config", &self.shared.config).finish_non_exhaustive()
    }
}

impl SmppCarrier {
    /// Starts the links on the current runtime. A carrier that cannot be reached is no error: it is tried again.
    ///
    /// # Errors
    /// A setting that cannot be, a password or authority file that cannot be read.
    pub fn start(config: SmppConfig, deps: SmppDeps) -> Result<(Arc<Self>, Events)> {
        config.validate()?;
        let password = config.password()?;
        let dialer = Dialer::new(&config)?;
        let (sender, events) = mpsc::channel(BATCHES_WAITING_MAX);
        let now = deps.clock.now();
        let links = roles(&config).enumerate().map(|(index, role)| Link::new(index, role, now)).collect();
        let capabilities = Capabilities {
            kinds: Kind::SMS.to_vec(),
            rate: config.rate,
            window: config.window.saturating_mul(config.binds.into()),
            calls: None,
        };
        let shared = Shared::new(config, password, dialer, deps.clock, deps.entropy, sender, links);
        let shared = Arc::new(shared);
        let tasks = (0..shared.links.len()).map(|index| tokio::spawn(link::run(Arc::clone(&shared), index)));
        let tasks = Mutex::new(tasks.collect());
        Ok((Arc::new(Self { shared, capabilities, tasks }), events))
    }

    /// The best state of the links that do this; up where none does.
    fn health_of(&self, does: fn(Role) -> bool) -> Health {
        let links = self.shared.links.iter().filter(|link| does(link.role));
        let best = links.map(Link::status).min_by_key(|status| match status {
            LinkStatus::Up => 0,
            LinkStatus::Connecting(_) => 1,
            LinkStatus::Stopped(_) => 2,
        });
        best.map_or(Health::Up, Health::from)
    }

    async fn close_links(&self, grace: Duration) {
        let by = Instant::now() + grace;
        self.shared.close_by(by);
        self.shared.queue.end(&self.tasks, by).await;
    }
}

fn roles(config: &SmppConfig) -> impl Iterator<Item = Role> + use<> {
    let one: &[Role] = match config.bind {
        BindMode::Transceiver => &[Role::Transceiver],
        BindMode::TransmitterReceiver => &[Role::Transmitter, Role::Receiver],
        BindMode::Transmitter => &[Role::Transmitter],
    };
    std::iter::repeat_n(one, config.binds.into()).flatten().copied()
}

impl Drop for SmppCarrier {
    fn drop(&mut self) {
        self.shared.close_by(Instant::now());
    }
}

impl SmsCarrier for SmppCarrier {
    fn name(&self) -> &str {
        &self.shared.config.name
    }

    fn capabilities(&self) -> &Capabilities {
        &self.capabilities
    }

    /// Up when at least one session sends and, where receipts come over SMPP, at least one receives.
    fn health(&self) -> Health {
        let parts = [self.health_of(Role::sends), self.health_of(Role::receives)];
        parts.into_iter().find(|health| *health != Health::Up).unwrap_or(Health::Up)
    }

    fn sending_health(&self) -> Health {
        self.health_of(Role::sends)
    }

    fn line(&self) -> Line {
        self.shared.line()
    }

    fn trace(&self) -> Option<&Trace> {
        Some(&self.shared.trace)
    }

    fn ready(&self) -> BoxFuture<'_, u32> {
        self.shared.wait_for_room().boxed()
    }

    fn submit(&self, batch: Vec<Submission>) {
        if let Err(batch) = self.shared.enqueue(batch) {
            let shared = Arc::clone(&self.shared);
            tokio::spawn(async move { shared.queue.report(batch.iter().map(unsent).collect()).await });
        }
    }

    fn acknowledge(&self, tokens: Vec<ReceiptToken>) {
        self.shared.acknowledge(&tokens);
    }

    fn close(&self, grace: Duration) -> BoxFuture<'_, ()> {
        self.close_links(grace).boxed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_carrier_whose_receiver_is_away_is_not_up_and_takes_messages() {
        let config = SmppConfig {
            name: "main".into(),
            port: 1,
            system_id: "talkdrum".into(),
            bind: BindMode::TransmitterReceiver,
            binds: 2,
            ..SmppConfig::default()
        };
        let (carrier, _events) = SmppCarrier::start(config, SmppDeps::default()).unwrap();
        let show = |link: usize, status: LinkStatus| {
            carrier.shared.links[link].set_status(status, SystemClock.now());
            (carrier.health(), carrier.sending_health())
        };
        let refused = || LinkStatus::Stopped("the password is wrong".into());
        let connecting = Health::Connecting { reason: "not connected yet".into() };
        let stopped = Health::Stopped { reason: "the password is wrong".into() };
        // Two pairs, each of a transmitter and a receiver.
        assert_eq!(show(0, LinkStatus::Up), (connecting.clone(), Health::Up));
        assert_eq!(show(1, LinkStatus::Up), (Health::Up, Health::Up));
        assert_eq!(show(0, refused()), (connecting.clone(), connecting));
        assert_eq!(show(2, refused()), (stopped.clone(), stopped));
    }
}
