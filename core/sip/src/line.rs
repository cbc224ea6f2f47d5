//! What the calls of a trunk share.

use std::future::Future;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;
use std::sync::{Arc, PoisonError, RwLock};

use rsipstack::sip::{Domain, Host, HostWithPort, Transport, Uri};
use rsipstack::transaction::TransactionReceiver;
use rsipstack::transaction::endpoint::TargetLocator;
use rsipstack::transport::SipAddr;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::config::TrunkConfig;
use crate::leg::Legs;
use crate::ports::Ports;
use crate::stack::{Stack, Whitelist, uri};

/// A trunk as its calls see it.
pub(crate) struct Line {
    pub(crate) config: TrunkConfig,
    pub(crate) stack: Stack,
    pub(crate) ports: Ports,
    pub(crate) legs: Legs,
    /// Hangs up every call.
    pub(crate) hang_up: CancellationToken,
    /// Calls, and what they leave to be answered.
    pub(crate) tasks: TaskTracker,
    host: HostWithPort,
    resolved: Arc<RwLock<SocketAddr>>,
}

impl Line {
    /// Finds the trunk and binds the socket of SIP.
    pub(crate) async fn open(config: TrunkConfig) -> io::Result<(Self, TransactionReceiver)> {
        let found = *resolve(&config).await?.first().ok_or(io::ErrorKind::NotFound)?;
        let resolved = Arc::new(RwLock::new(found));
        let host = host_of(&config);
        let external = match config.media_address {
            None if config.listen.is_unspecified() => Some(address_towards(config.listen, found).await?),
            configured => configured,
        };
        let locator = Locator { host: host.clone(), resolved: resolved.clone() };
        let listen = SocketAddr::new(config.listen, config.listen_port);
        let (stack, incoming) =
            Stack::start(listen, external, Some(Box::new(locator)), whitelist(&config, &resolved)).await?;
        let line = Self {
            ports: Ports::new(config.listen, config.rtp_ports.clone()),
            legs: Legs::default(),
            hang_up: CancellationToken::new(),
            tasks: TaskTracker::new(),
            config,
            stack,
            host,
            resolved,
        };
        Ok((line, incoming))
    }

    /// `sip:user@` the trunk.
    pub(crate) fn uri(&self, user: &str) -> Uri {
        uri(user, self.host.clone())
    }

    /// Looks its name up again, as a trunk moves. An address that its name still has is kept: a CANCEL goes where its
    /// INVITE went.
    pub(crate) async fn resolve(&self) -> io::Result<()> {
        let found = resolve(&self.config).await?;
        let mut resolved = self.resolved.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(first) = found.first().filter(|_| !found.contains(&resolved)) {
            *resolved = *first;
        }
        Ok(())
    }
}

fn host_of(config: &TrunkConfig) -> HostWithPort {
    let host = match config.host.parse::<IpAddr>() {
        Ok(address) => Host::IpAddr(address),
        Err(_) => Host::Domain(Domain::from(config.host.as_str())),
    };
    HostWithPort { host, port: (config.port != DEFAULT_PORT).then(|| config.port.into()) }
}

const DEFAULT_PORT: u16 = 5060;

/// Its addresses of the family that we listen in; at least one.
async fn resolve(config: &TrunkConfig) -> io::Result<Vec<SocketAddr>> {
    let found = tokio::net::lookup_host((config.host.as_str(), config.port)).await?;
    let found: Vec<_> = found.filter(|address| address.is_ipv4() == config.listen.is_ipv4()).collect();
    if found.is_empty() {
        let missing = "the trunk has no address of the family of `listen`";
        return Err(io::Error::new(io::ErrorKind::NotFound, missing));
    }
    Ok(found)
}

/// Whom SIP is taken from; `None` when no addresses are configured.
fn whitelist(config: &TrunkConfig, resolved: &Arc<RwLock<SocketAddr>>) -> Option<Whitelist> {
    if config.allowed.is_empty() {
        return None;
    }
    let (allowed, resolved) = (config.allowed.clone(), resolved.clone());
    Some(Box::new(move |address| {
        allowed.contains(&address) || resolved.read().unwrap_or_else(PoisonError::into_inner).ip() == address
    }))
}

/// The address that the system sends from towards another one.
async fn address_towards(listen: IpAddr, to: SocketAddr) -> io::Result<IpAddr> {
    let socket = tokio::net::UdpSocket::bind((listen, 0)).await?;
    socket.connect(to).await?;
    Ok(socket.local_addr()?.ip())
}

/// Sends what is for the trunk's name to the one address that was found for it, CANCEL as its INVITE.
struct Locator {
    host: HostWithPort,
    resolved: Arc<RwLock<SocketAddr>>,
}

impl TargetLocator for Locator {
    fn locate<'l, 'u, 'f>(
        &'l self,
        uri: &'u Uri,
    ) -> Pin<Box<dyn Future<Output = rsipstack::Result<SipAddr>> + Send + 'f>>
    where
        'l: 'f,
        'u: 'f,
        Self: 'f,
    {
        let asked = &uri.host_with_port;
        let found = if asked.host == self.host.host && port(asked) == port(&self.host) {
            let resolved = *self.resolved.read().unwrap_or_else(PoisonError::into_inner);
            Ok(SipAddr::new(Transport::Udp, resolved.into()))
        } else {
            SipAddr::try_from(uri)
        };
        Box::pin(async move { found })
    }
}

fn port(of: &HostWithPort) -> u16 {
    of.port.as_ref().map_or(DEFAULT_PORT, |port| port.value())
}
