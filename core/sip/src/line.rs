//! What the calls of a trunk share.

use std::future::Future;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, Instant};

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
    addresses: Arc<Addresses>,
}

/// How long SIP is taken from an address that the trunk's name no longer has: a call that began there lasts at most so long.
const TAKEN_FOR: Duration = Duration::from_secs(3_600);
/// The most addresses of a name that SIP is taken from. Beyond them the oldest is forgotten.
const TAKEN_MAX: usize = 100;

/// Where the trunk is, and whom SIP is taken from.
struct Addresses {
    /// What is configured beside the trunk's own.
    allowed: Vec<IpAddr>,
    /// Where requests go, and the addresses that the trunk's name had, each with when it had it last.
    found: RwLock<(SocketAddr, Vec<(IpAddr, Instant)>)>,
}

impl Addresses {
    /// Those that were found for a name, of which there is at least one.
    fn new(allowed: Vec<IpAddr>, found: &[SocketAddr]) -> Option<Self> {
        let addresses = Self { allowed, found: RwLock::new((*found.first()?, Vec::new())) };
        addresses.note(found, Instant::now());
        Some(addresses)
    }

    /// Where requests go.
    fn target(&self) -> SocketAddr {
        self.found.read().unwrap_or_else(PoisonError::into_inner).0
    }

    /// Takes what the name has now. Requests go where they went while the name still has that address: a CANCEL goes where
    /// its INVITE went.
    fn note(&self, found: &[SocketAddr], now: Instant) {
        let mut known = self.found.write().unwrap_or_else(PoisonError::into_inner);
        let (target, taken) = &mut *known;
        if let Some(first) = found.first().filter(|_| !found.contains(target)) {
            *target = *first;
        }
        let is_old = |at: &Instant| now.saturating_duration_since(*at) > TAKEN_FOR;
        taken.retain(|(ip, at)| !is_old(at) && !found.iter().any(|address| address.ip() == *ip));
        taken.extend(found.iter().take(TAKEN_MAX).map(|address| (address.ip(), now)));
        let more = taken.len().saturating_sub(TAKEN_MAX);
        taken.drain(..more);
    }

    /// Whether SIP is taken from an address.
    fn is_taken(&self, from: IpAddr) -> bool {
        let from = from.to_canonical();
        self.allowed.contains(&from) || {
            let (target, taken) = &*self.found.read().unwrap_or_else(PoisonError::into_inner);
            target.ip() == from || taken.iter().any(|(ip, _)| *ip == from)
        }
    }
}

impl Line {
    /// Finds the trunk and binds the socket of SIP.
    pub(crate) async fn open(config: TrunkConfig) -> io::Result<(Self, TransactionReceiver)> {
        let found = resolve(&config).await?;
        let addresses = Addresses::new(config.allowed.clone(), &found).ok_or(io::ErrorKind::NotFound)?;
        let addresses = Arc::new(addresses);
        let host = host_of(&config);
        let external = match config.media_address {
            None if config.listen.is_unspecified() => {
                Some(address_towards(config.listen, addresses.target()).await?)
            }
            configured => configured,
        };
        let locator = Locator { host: host.clone(), addresses: addresses.clone() };
        let listen = SocketAddr::new(config.listen, config.listen_port);
        let taken = addresses.clone();
        let whitelist: Whitelist = Box::new(move |from| taken.is_taken(from));
        let (stack, incoming) =
            Stack::start(listen, external, Some(Box::new(locator)), Some(whitelist)).await?;
        let line = Self {
            ports: Ports::new(config.listen, config.rtp_ports.clone()),
            legs: Legs::default(),
            hang_up: CancellationToken::new(),
            tasks: TaskTracker::new(),
            config,
            stack,
            host,
            addresses,
        };
        Ok((line, incoming))
    }

    /// `sip:user@` the trunk.
    pub(crate) fn uri(&self, user: &str) -> Uri {
        uri(user, self.host.clone())
    }

    /// Looks its name up again, as a trunk moves.
    pub(crate) async fn resolve(&self) -> io::Result<()> {
        self.addresses.note(&resolve(&self.config).await?, Instant::now());
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

/// The address that the system sends from towards another one.
async fn address_towards(listen: IpAddr, to: SocketAddr) -> io::Result<IpAddr> {
    let socket = tokio::net::UdpSocket::bind((listen, 0)).await?;
    socket.connect(to).await?;
    Ok(socket.local_addr()?.ip())
}

/// Sends what is for the trunk's name to the one address that was found for it, CANCEL as its INVITE.
struct Locator {
    host: HostWithPort,
    addresses: Arc<Addresses>,
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
            Ok(SipAddr::new(Transport::Udp, self.addresses.target().into()))
        } else {
            SipAddr::try_from(uri)
        };
        Box::pin(async move { found })
    }
}

fn port(of: &HostWithPort) -> u16 {
    of.port.as_ref().map_or(DEFAULT_PORT, |port| port.value())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sip_is_taken_from_what_the_name_has_and_had_in_the_last_hour_and_from_what_is_allowed() {
        let at = |last: u8| SocketAddr::from(([192, 0, 2, last], 5060));
        let addresses = Addresses::new(vec![at(9).ip()], &[at(1), at(2)]).unwrap();
        let taken = |addresses: &Addresses| {
            (0..10).filter(|last| addresses.is_taken(at(*last).ip())).collect::<Vec<_>>()
        };
        assert_eq!((addresses.target(), taken(&addresses)), (at(1), vec![1, 2, 9]));
        let now = Instant::now();
        addresses.note(&[at(2), at(1)], now);
        assert_eq!(addresses.target(), at(1), "it still has it");
        addresses.note(&[at(3)], now + TAKEN_FOR / 2);
        assert_eq!((addresses.target(), taken(&addresses)), (at(3), vec![1, 2, 3, 9]));
        addresses.note(&[at(3)], now + TAKEN_FOR * 2);
        assert_eq!(taken(&addresses), [3, 9]);
        for last in 0..=255 {
            addresses.note(&[at(last)], now + TAKEN_FOR * 2);
        }
        assert_eq!(addresses.found.read().unwrap().1.len(), TAKEN_MAX);
        assert!(Addresses::new(Vec::new(), &[]).is_none());
    }
}
