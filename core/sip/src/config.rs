//! What has to be known of a trunk.

use std::fmt;
use std::net::IpAddr;
use std::num::NonZeroU32;
use std::ops::RangeInclusive;
use std::time::Duration;

use crate::g711::Codec;

/// A trunk: where it is, what it lets us do, and where we listen.
#[derive(Clone, Debug)]
pub struct TrunkConfig {
    /// Its name or address; it is the domain of the numbers that are called.
    pub host: String,
    /// Its port.
    pub port: u16,
    /// How SIP reaches it.
    pub transport: Transport,
    /// Name and password of digest authentication; `None` where the trunk knows our address.
    pub credentials: Option<Credentials>,
    /// The number that calls are from when a request names none.
    pub caller_id: String,
    /// Whether calls carry `P-Asserted-Identity` too (RFC 3325).
    pub asserted_identity: bool,
    /// Whether numbers are written with a `+` before them.
    pub plus: bool,
    /// Where SIP is taken from, beside the addresses that `host` has: the other addresses that the trunk sends BYE from.
    /// What comes from elsewhere is dropped unread.
    pub allowed: Vec<IpAddr>,
    /// The address that SIP and audio are bound to; `0.0.0.0` for all.
    pub listen: IpAddr,
    /// The local port of SIP; 0 for any.
    pub listen_port: u16,
    /// The address that the trunk reaches us at, where it is not the one we are bound to: behind NAT, which has to
    /// forward the port of SIP and those of audio unchanged.
    pub media_address: Option<IpAddr>,
    /// The local ports of audio; `None` for any. Only even ones are taken, one a call.
    pub rtp_ports: Option<RangeInclusive<u16>>,
    /// What is offered, best first.
    pub codecs: Vec<Codec>,
    /// Calls at the same time.
    pub channels: NonZeroU32,
    /// New calls a second. They are spaced evenly: a trunk counts, and refuses what comes in a burst.
    pub rate: NonZeroU32,
    /// How long it may ring; then CANCEL, and no answer.
    pub ring: Duration,
    /// How long the first provisional answer may take; then trunk error. SIP itself would wait for 32 s (Timer B).
    pub first_answer: Duration,
    /// The pause between two OPTIONS pings; `None` for none, and then the trunk counts as up from its start on.
    pub options: Option<Duration>,
}

/// How SIP is carried.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Transport {
    /// UDP.
    #[default]
    Udp,
}

/// Name and password at a trunk.
#[derive(Clone, PartialEq, Eq)]
pub struct Credentials {
    /// The name.
    pub username: String,
    /// The password; never shown.
    pub password: String,
}

impl fmt::Debug for Credentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Credentials").field("username", &self.username).finish_non_exhaustive()
    }
}

impl TrunkConfig {
    /// A trunk with the usual values: port 5060, both laws, one channel, one call a second, 40 s of ringing, 6 s to the
    /// first answer, a ping each 30 s, any local port.
    #[must_use]
    pub fn new(host: &str, caller_id: &str) -> Self {
        Self {
            host: host.into(),
            port: 5060,
            transport: Transport::Udp,
            credentials: None,
            caller_id: caller_id.into(),
            asserted_identity: true,
            plus: false,
            allowed: Vec::new(),
            listen: IpAddr::from([0, 0, 0, 0]),
            listen_port: 0,
            media_address: None,
            rtp_ports: None,
            codecs: vec![Codec::Pcma, Codec::Pcmu],
            channels: NonZeroU32::MIN,
            rate: NonZeroU32::MIN,
            ring: Duration::from_secs(40),
            first_answer: Duration::from_secs(6),
            options: Some(Duration::from_secs(30)),
        }
    }

    /// Checks what types do not.
    ///
    /// # Errors
    /// The first setting that cannot work, in a sentence that says what to do.
    pub fn check(&self) -> Result<(), ConfigError> {
        let is_host = |byte: u8| byte.is_ascii_alphanumeric() || b"-.:".contains(&byte);
        if self.host.is_empty() || self.host.len() > 253 || !self.host.bytes().all(is_host) {
            return Err(ConfigError("`host` must be the name or the address of the trunk, without a port"));
        }
        let address = self.host.parse::<IpAddr>().ok();
        if self.host.contains(':') && address.is_none() {
            return Err(ConfigError("`host` must be a name or an address alone: write its port as `port`"));
        }
        let is_other_family = |address: &IpAddr| address.is_ipv4() != self.listen.is_ipv4();
        if address.as_ref().is_some_and(is_other_family) {
            return Err(ConfigError("`host` and `listen` must both be IPv4 or both be IPv6 addresses"));
        }
        if self.media_address.as_ref().is_some_and(is_other_family) {
            return Err(ConfigError(
                "`media_address` and `listen` must both be IPv4 or both be IPv6 addresses",
            ));
        }
        if self.port == 0 {
            return Err(ConfigError("`port` must be from 1 to 65535"));
        }
        if !is_number(&self.caller_id) {
            return Err(ConfigError(
                "`caller_id` must be a number of up to 20 digits, such as 2342012345678",
            ));
        }
        let is_secret =
            |text: &str| !text.is_empty() && text.len() <= 256 && !text.contains(['\r', '\n', '"']);
        if self.credentials.as_ref().is_some_and(|it| !is_secret(&it.username) || !is_secret(&it.password)) {
            return Err(ConfigError(
                "`username` and `password` must be one line without quotation marks each",
            ));
        }
        if self.codecs.is_empty() || self.codecs.len() > 2 {
            return Err(ConfigError("`codecs` must name pcma, pcmu or both"));
        }
        if self.allowed.len() > MAX_ALLOWED {
            return Err(ConfigError("`allowed` must name at most 100 addresses"));
        }
        if self.channels.get() > MAX_CHANNELS {
            return Err(ConfigError("`channels` must be at most 10000"));
        }
        if self.rate.get() > 1_000 {
            return Err(ConfigError("`rate` must be at most 1000 calls a second"));
        }
        if self.ring.is_zero() || self.ring > Duration::from_secs(300) {
            return Err(ConfigError("`ring_s` must be from 1 to 300 seconds"));
        }
        if self.first_answer.is_zero() || self.first_answer > Duration::from_secs(30) {
            return Err(ConfigError("the time to the first answer must be at most 30 seconds"));
        }
        if self.options.is_some_and(|pause| pause.is_zero() || pause > Duration::from_secs(3_600)) {
            return Err(ConfigError("`options_s` must be from 1 to 3600 seconds"));
        }
        if let Some(ports) = &self.rtp_ports {
            let count = (u32::from(*ports.end()) + 1).saturating_sub(u32::from(*ports.start())) / 2;
            if *ports.start() == 0 || count < self.channels.get() {
                return Err(ConfigError("`rtp_ports` must hold two ports for each of `channels`"));
            }
        }
        Ok(())
    }
}

/// The most addresses that SIP is taken from.
const MAX_ALLOWED: usize = 100;
/// The most calls at the same time.
const MAX_CHANNELS: u32 = 10_000;

/// A setting that cannot work.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ConfigError(&'static str);

/// Whether a text is a number to call or to call from: digits, perhaps after a `+`.
pub(crate) fn is_number(text: &str) -> bool {
    let digits = text.strip_prefix('+').unwrap_or(text);
    (1..=20).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(change: impl FnOnce(&mut TrunkConfig)) -> String {
        let mut config = TrunkConfig::new("sip.example.com", "2342012345678");
        assert_eq!(config.check(), Ok(()));
        change(&mut config);
        config.check().unwrap_err().to_string()
    }

    #[test]
    fn a_setting_that_cannot_work_is_named() {
        assert!(refused(|it| it.host = "sip.example.com\r\nX: y".into()).starts_with("`host`"));
        assert!(refused(|it| it.host = "sip.example.com:5060".into()).contains("write its port as `port`"));
        assert!(refused(|it| it.host = "192.0.2.1:5060".into()).contains("write its port as `port`"));
        assert!(refused(|it| it.host = "2001:db8::1".into()).starts_with("`host` and `listen`"));
        let six = "2001:db8::1".parse().ok();
        assert!(refused(|it| it.media_address = six).starts_with("`media_address` and `listen`"));
        assert!(refused(|it| it.port = 0).starts_with("`port`"));
        assert!(refused(|it| it.caller_id = "<sip:a@b>".into()).starts_with("`caller_id`"));
        let bad = Credentials { username: "a\"".into(), password: "b".into() };
        assert!(refused(|it| it.credentials = Some(bad)).starts_with("`username`"));
        assert!(refused(|it| it.codecs.clear()).starts_with("`codecs`"));
        assert!(refused(|it| it.allowed = vec![it.listen; 101]).starts_with("`allowed`"));
        assert!(refused(|it| it.rate = NonZeroU32::new(2_000).unwrap()).starts_with("`rate`"));
        assert!(refused(|it| it.channels = NonZeroU32::MAX).starts_with("`channels`"));
        assert!(refused(|it| it.ring = Duration::from_secs(301)).starts_with("`ring_s`"));
        assert!(refused(|it| it.first_answer = Duration::ZERO).starts_with("the time"));
        assert!(refused(|it| it.options = Some(Duration::ZERO)).starts_with("`options_s`"));
        assert!(refused(|it| it.rtp_ports = Some(40_000..=40_000)).starts_with("`rtp_ports`"));
    }

    #[test]
    fn a_password_is_not_shown() {
        let credentials = Credentials { username: "talkdrum".into(), password: "hush".into() };
        let shown =
            format!("{:?}", TrunkConfig { credentials: Some(credentials), ..TrunkConfig::new("a", "1") });
        assert!(shown.contains("talkdrum") && !shown.contains("hush"), "{shown}");
    }
}
