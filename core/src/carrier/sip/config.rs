//! The settings of a SIP trunk, as they stand under `[[carriers]]` with `kind = "sip"`.

use std::net::IpAddr;
use std::num::NonZeroU32;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Deserialize;
use talkdrum_sip::{Codec, Credentials, TrunkConfig};

use crate::carrier::CallPolicy;
use crate::carrier::ConfigSecret;
use crate::error::{Error, Result};
use crate::phone::Msisdn;

/// The most calls of a campaign to one number.
const ATTEMPTS_MAX: u32 = 10;
/// The shortest and the longest wait before a number is called again, in seconds.
const RETRY_AFTER_MIN: u32 = 1;
const RETRY_AFTER_MAX: u32 = 86_400;

/// The settings of one SIP trunk. Times are in seconds.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SipConfig {
    /// The label of reports and metrics.
    pub name: String,
    /// Name or address of the trunk; the domain of the numbers that are called.
    pub host: String,
    /// Its UDP port.
    pub port: u16,
    /// `udp`, the only one there is.
    pub transport: String,
    /// The name of digest authentication; left out where the trunk knows our address.
    pub username: Option<String>,
    /// Its password.
    pub password: ConfigSecret,
    /// A file with the password on its first line, instead of `password`.
    pub password_file: Option<PathBuf>,
    /// The number that calls are from where the customer chose no number of their own.
    pub caller_id: String,
    /// Whether calls carry the caller id in `P-Asserted-Identity` too (RFC 3325).
    pub asserted_identity: bool,
    /// Whether numbers are written with a `+`.
    pub plus: bool,
    /// Calls at the same time.
    pub channels: NonZeroU32,
    /// New calls a second.
    pub rate: NonZeroU32,
    /// `pcma` and `pcmu`, best first.
    pub codecs: Vec<String>,
    /// How long it may ring.
    pub ring_s: u32,
    /// Calls of a campaign to one number at most, the first one among them: after busy, no answer, or a trunk error.
    pub attempts: u32,
    /// How long after the end of a call the next one may begin.
    pub retry_after_s: u32,
    /// Other carriers of calls, in the order in which they place what this trunk fails to.
    pub failover: Vec<String>,
    /// How long the first sign of the trunk may take before the call is a trunk error.
    pub first_answer_s: u32,
    /// The pause between two pings, which tell its health; with 0 it is not pinged, and counts as up once it is bound.
    pub options_s: u32,
    /// The local ports of audio, such as `40000-40999`; any when left out.
    pub rtp_ports: Option<String>,
    /// The address that SIP and audio are bound to.
    pub listen: IpAddr,
    /// The local port of SIP; 0 for any.
    pub listen_port: u16,
    /// The address that the trunk reaches us at, where that is not the one we are bound to.
    pub media_address: Option<IpAddr>,
    /// Where SIP is taken from beside the addresses that `host` has: the other addresses that the trunk sends from. What
    /// comes from elsewhere is dropped.
    pub allowed: Vec<IpAddr>,
}

impl Default for SipConfig {
    fn default() -> Self {
        Self {
            name: String::new(),
            host: String::new(),
            port: 5060,
            transport: "udp".into(),
            username: None,
            password: ConfigSecret::default(),
            password_file: None,
            caller_id: String::new(),
            asserted_identity: true,
            plus: false,
            channels: NonZeroU32::MIN,
            rate: NonZeroU32::MIN,
            codecs: vec!["pcma".into(), "pcmu".into()],
            ring_s: 40,
            attempts: 2,
            retry_after_s: 300,
            failover: Vec::new(),
            first_answer_s: 6,
            options_s: 30,
            rtp_ports: None,
            listen: IpAddr::from([0, 0, 0, 0]),
            listen_port: 0,
            media_address: None,
            allowed: Vec::new(),
        }
    }
}

impl SipConfig {
    /// Checks what the types do not, without reading a file.
    ///
    /// # Errors
    /// The first rule that is broken, naming the setting and what to write instead.
    pub fn validate(&self) -> Result<()> {
        let has_password = !self.password.reveal().is_empty();
        if self.password_file.is_some() && has_password {
            return Err(self.refuse("`password_file` and `password` are both set: keep one"));
        }
        if self.username.is_none() && (has_password || self.password_file.is_some()) {
            return Err(self.refuse("`username` is missing beside the password"));
        }
        if self.username.is_some() && !has_password && self.password_file.is_none() {
            return Err(self.refuse("`username` needs a `password`, or a `password_file`"));
        }
        if !(1..=ATTEMPTS_MAX).contains(&self.attempts) {
            return Err(self.refuse("`attempts` must be from 1, which is no second call, to 10"));
        }
        if !(RETRY_AFTER_MIN..=RETRY_AFTER_MAX).contains(&self.retry_after_s) {
            return Err(self.refuse("`retry_after_s` must be from 1 to 86400, a day"));
        }
        // The password of a file is looked at when it is read.
        let password = if has_password { self.password.reveal() } else { "-" };
        self.with_password(password).map(|_| ())
    }

    /// Reads the file that the settings name, as starting would.
    ///
    /// # Errors
    /// When it cannot be read, or what is in it is no password.
    pub fn check_files(&self) -> Result<()> {
        self.trunk().map(|_| ())
    }

    /// The trunk's own settings, with the password read.
    ///
    /// # Errors
    /// Those of [`Self::validate`] and [`Self::check_files`].
    pub(super) fn trunk(&self) -> Result<TrunkConfig> {
        match &self.password_file {
            Some(file) => self.with_password(&self.read(file)?),
            None => self.with_password(self.password.reveal()),
        }
    }

    /// How campaigns call again over it.
    pub(super) fn policy(&self) -> CallPolicy {
        let caller = self.caller_id.trim_start_matches('+').parse().ok().and_then(Msisdn::from_digits);
        let retry_after = Duration::from_secs(self.retry_after_s.into());
        CallPolicy { failover: self.failover.clone(), caller, ..CallPolicy::new(self.attempts, retry_after) }
    }

    fn read(&self, file: &Path) -> Result<String> {
        let text = std::fs::read_to_string(file).map_err(|error| {
            let what = format!("Carrier `{}`: cannot read `password_file` {}", self.name, file.display());
            Error::io(what, error)
        })?;
        Ok(text.lines().next().unwrap_or_default().trim().to_owned())
    }

    fn with_password(&self, password: &str) -> Result<TrunkConfig> {
        if self.transport != "udp" {
            return Err(self.refuse("`transport` must be udp"));
        }
        let credentials = self
            .username
            .as_ref()
            .map(|username| Credentials { username: username.clone(), password: password.to_owned() });
        let seconds = |seconds: u32| Duration::from_secs(seconds.into());
        let trunk = TrunkConfig {
            port: self.port,
            credentials,
            asserted_identity: self.asserted_identity,
            plus: self.plus,
            allowed: self.allowed.clone(),
            listen: self.listen,
            listen_port: self.listen_port,
            media_address: self.media_address,
            rtp_ports: self.rtp_ports.as_deref().map(|ports| self.ports(ports)).transpose()?,
            codecs: self.codecs.iter().map(|name| self.codec(name)).collect::<Result<_>>()?,
            channels: self.channels,
            rate: self.rate,
            ring: seconds(self.ring_s),
            first_answer: seconds(self.first_answer_s),
            options: (self.options_s > 0).then(|| seconds(self.options_s)),
            ..TrunkConfig::new(self.host.trim(), &self.caller_id)
        };
        trunk.check().map_err(|error| self.refuse(&error.to_string()))?;
        if trunk.codecs.first() == trunk.codecs.get(1) {
            return Err(self.refuse("`codecs` names one of them twice"));
        }
        Ok(trunk)
    }

    fn codec(&self, name: &str) -> Result<Codec> {
        Codec::of_name(name)
            .ok_or_else(|| self.refuse(&format!("`codecs`: there is no '{name}': use pcma and pcmu")))
    }

    fn ports(&self, text: &str) -> Result<RangeInclusive<u16>> {
        let range = text.split_once('-').and_then(|(first, last)| {
            let (first, last) = (first.trim().parse().ok()?, last.trim().parse().ok()?);
            (first < last).then_some(first..=last)
        });
        range.ok_or_else(|| self.refuse("`rtp_ports` must be a range such as 40000-40999"))
    }

    fn refuse(&self, says: &str) -> Error {
        Error::rule("carrier_config", format!("Carrier `{}`: {says}", self.name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(options: &serde_json::Value) -> SipConfig {
        let mut all = serde_json::json!({
            "name": "trunk", "host": "sip.example.com", "caller_id": "2342012345678",
        });
        for (key, value) in options.as_object().unwrap() {
            all[key] = value.clone();
        }
        serde_json::from_value(all).unwrap()
    }

    #[test]
    fn every_option_reaches_the_trunk() {
        let config = read(&serde_json::json!({
            "port": 5080, "username": "drum", "password": "hush", "channels": 30, "rate": 2, "codecs": ["PCMU"],
            "ring_s": 20, "first_answer_s": 4, "options_s": 60, "rtp_ports": "40000-40999", "listen": "127.0.0.1",
            "listen_port": 5062, "media_address": "192.0.2.1", "allowed": ["192.0.2.2"], "asserted_identity": false,
            "plus": true, "transport": "udp",
        }));
        config.validate().unwrap();
        let trunk = config.trunk().unwrap();
        assert_eq!((trunk.port, trunk.channels.get(), trunk.rate.get()), (5080, 30, 2));
        assert_eq!((trunk.codecs, trunk.rtp_ports), (vec![Codec::Pcmu], Some(40_000..=40_999)));
        assert_eq!((trunk.ring.as_secs(), trunk.options.unwrap().as_secs()), (20, 60));
        assert_eq!((trunk.first_answer.as_secs(), trunk.listen_port), (4, 5062));
        assert_eq!(trunk.media_address.unwrap().to_string(), "192.0.2.1");
        assert_eq!((trunk.listen.to_string().as_str(), trunk.allowed.len()), ("127.0.0.1", 1));
        assert!(trunk.plus && !trunk.asserted_identity);
        assert_eq!(read(&serde_json::json!({"options_s": 0})).trunk().unwrap().options, None);
        assert_eq!(trunk.credentials.unwrap().password, "hush");
        assert!(!format!("{config:?}").contains("hush"));
    }

    #[test]
    fn what_cannot_work_is_said_in_a_sentence_that_names_carrier_and_setting() {
        for (options, says) in [
            (serde_json::json!({"host": ""}), "`host` must be the name"),
            (serde_json::json!({"caller_id": "TALKDRUM"}), "`caller_id` must be a number"),
            (serde_json::json!({"username": "a"}), "`username` needs a `password`"),
            (serde_json::json!({"password": "a"}), "`username` is missing"),
            (
                serde_json::json!({"username": "a", "password": "a", "password_file": "b"}),
                "`password_file` and `password` are both set",
            ),
            (serde_json::json!({"codecs": ["opus"]}), "there is no 'opus'"),
            (serde_json::json!({"codecs": ["pcma", "PCMA"]}), "twice"),
            (serde_json::json!({"codecs": []}), "`codecs` must name"),
            (serde_json::json!({"rtp_ports": "40000"}), "must be a range such as"),
            (serde_json::json!({"rtp_ports": "9-7"}), "must be a range such as"),
            (serde_json::json!({"rtp_ports": "40000-40003", "channels": 30}), "two ports for each"),
            (serde_json::json!({"ring_s": 0}), "`ring_s` must be from 1"),
            (serde_json::json!({"options_s": 3_601}), "`options_s` must be from 1"),
            (serde_json::json!({"host": "sip.example.com:5060"}), "write its port as `port`"),
            (serde_json::json!({"media_address": "2001:db8::1"}), "`media_address` and `listen`"),
            (serde_json::json!({"transport": "tls"}), "`transport` must be udp"),
        ] {
            let refused = read(&options).validate().unwrap_err().to_string();
            assert!(refused.starts_with("Carrier `trunk`: ") && refused.contains(says), "{refused}");
        }
    }

    #[test]
    fn the_password_is_the_first_line_of_its_file() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("password");
        let config = read(&serde_json::json!({"username": "drum", "password_file": file}));
        config.validate().unwrap();
        assert!(config.check_files().unwrap_err().to_string().contains("`password_file`"));
        std::fs::write(&file, "hush \nsecond").unwrap();
        assert_eq!(config.trunk().unwrap().credentials.unwrap().password, "hush");
        std::fs::write(&file, "\n").unwrap();
        assert!(config.check_files().unwrap_err().to_string().contains("`password`"));
    }
}
