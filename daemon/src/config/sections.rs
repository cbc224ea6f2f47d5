//! The sections of the configuration file, with their defaults.
//!
//! `rules.rs` checks what their types do not say.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::num::NonZeroU32;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::Context as _;
use serde::{Deserialize, Serialize};
use talkdrum_api::kind::Kind;
use talkdrum_api::purpose::Purpose;
use talkdrum_core::account::SessionPolicy;
use talkdrum_core::phone::NetworkTable;
use talkdrum_core::routing::RouteConfig;
use talkdrum_core::routing::quiet_hours::QuietHours;

use super::Overrides;
use super::carrier::{CarrierPlan, CarrierSection};
use super::codes::Codes;
use super::kingschat::KingsChatSection;
use super::limits::Limits;
use super::list::words;
use super::mail::{Mail, NoticeSection};
use super::payment::Payment;
use super::retention::RetentionSection;
use super::voice::VoiceSection;

/// All settings.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// `[server]`
    pub server: Server,
    /// `[database]`
    pub database: Database,
    /// `[log]`
    pub log: Log,
    /// `[session]`
    pub session: Session,
    /// `[limits]`
    pub limits: Limits,
    /// `[dispatch]`
    pub dispatch: Dispatch,
    /// `[retention]`
    pub retention: RetentionSection,
    /// `[webhooks]`
    pub webhooks: Webhooks,
    /// `[payment]`
    pub payment: Payment,
    /// `[codes]`
    pub codes: Codes,
    /// `[mail]`
    pub mail: Mail,
    /// `[notices]`
    pub notices: NoticeSection,
    /// `[kingschat]`
    pub kingschat: KingsChatSection,
    /// `[quiet_hours]`
    pub quiet_hours: QuietHoursSection,
    /// `[voice]`
    pub voice: VoiceSection,
    /// `[[carriers]]`
    pub carriers: Vec<CarrierSection>,
    /// `[[routes]]`: the first match wins; without any, the first carrier is `DEFAULT`.
    pub routes: Vec<RouteSection>,
    /// What they were read from, to read it again.
    #[serde(skip)]
    pub source: Overrides,
}

/// Where the daemon listens and keeps its data.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Server {
    /// Address and port of the API.
    pub listen: SocketAddr,
    /// Where people and providers reach this daemon from outside: `https://sms.example.com`. Payment pages return to
    /// it and carriers report to it. When it is not set, the address it listens on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub public_url: Option<String>,
    /// Database, keys and generation.
    pub data_dir: PathBuf,
    /// Proxies whose `X-Forwarded-For` counts.
    #[serde(deserialize_with = "addresses")]
    pub trusted_proxies: Vec<IpAddr>,
    /// How long a shutdown waits for requests and carriers.
    pub shutdown_s: u64,
}

impl Default for Server {
    fn default() -> Self {
        Self {
            listen: SocketAddr::from((Ipv4Addr::LOCALHOST, 8080)),
            public_url: None,
            data_dir: PathBuf::from("./data"),
            trusted_proxies: vec![Ipv4Addr::LOCALHOST.into(), Ipv6Addr::LOCALHOST.into()],
            shutdown_s: 20,
        }
    }
}

impl Server {
    /// Where it is reached from outside, without a slash at the end, when it listens on `address`.
    pub fn public_url(&self, address: SocketAddr) -> String {
        match &self.public_url {
            Some(url) => url.trim_end_matches('/').to_owned(),
            // One cannot be reached at "any address"; from this machine one can at loopback.
            None if address.ip().is_unspecified() => format!("http://127.0.0.1:{}", address.port()),
            None => format!("http://{address}"),
        }
    }
}

fn addresses<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Vec<IpAddr>, D::Error> {
    let parse = |word: String| {
        word.parse().map_err(|_| serde::de::Error::custom(format!("'{word}' is not an IP address")))
    };
    words(deserializer)?.into_iter().map(parse).collect()
}

/// The database.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Database {
    /// `sqlite://PATH` or `postgres://...`; `sqlite://<data_dir>/talkdrum.db` when it is not set.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// Connections that may read at once. On PostgreSQL: that read or write, clients and workers so many each; orders
    /// that are carried out together and the heartbeat have three more.
    pub connections: NonZeroU32,
}

impl Default for Database {
    fn default() -> Self {
        Self { url: None, connections: NonZeroU32::MIN.saturating_add(7) }
    }
}

/// The log, on standard error.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Log {
    /// `text` or `json`.
    pub format: LogFormat,
    /// A filter: a level, or `target=level` pairs with commas.
    pub filter: String,
}

impl Default for Log {
    fn default() -> Self {
        Self { format: LogFormat::Text, filter: "info".into() }
    }
}

/// The form of a log line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LogFormat {
    /// For people.
    Text,
    /// For collectors.
    Json,
}

/// Sessions.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Session {
    /// A session ends when it is not used for this long.
    pub inactive_minutes: NonZeroU32,
    /// A session ends after this many days, whatever happens.
    pub days: NonZeroU32,
}

impl Default for Session {
    fn default() -> Self {
        Self {
            inactive_minutes: NonZeroU32::MIN.saturating_add(719),
            days: NonZeroU32::MIN.saturating_add(29),
        }
    }
}

impl Session {
    /// The same as spans of time.
    pub fn policy(&self) -> SessionPolicy {
        SessionPolicy {
            inactive_after: Duration::from_secs(60 * u64::from(self.inactive_minutes.get())),
            lives_for: Duration::from_secs(24 * 3600 * u64::from(self.days.get())),
        }
    }
}

/// How messages go out.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Dispatch {
    /// How long a message is of use after its campaign began, in seconds: what could not be sent by then is refunded.
    pub validity_s: NonZeroU32,
    /// Whether messages that the carrier accepted and did not deliver are refunded.
    pub refund_undelivered: bool,
    /// On PostgreSQL: a daemon that the database has not heard from for this many seconds is dead, and the others take
    /// what it held. All daemons on a database need the same value, 3 or more.
    pub lease_s: NonZeroU32,
    /// A table of number prefixes in place of the built-in one (CSV, see `core/src/phone/networks.csv`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub networks_file: Option<PathBuf>,
}

impl Default for Dispatch {
    fn default() -> Self {
        Self {
            validity_s: NonZeroU32::MIN.saturating_add(24 * 3_600 - 1),
            refund_undelivered: false,
            lease_s: NonZeroU32::MIN.saturating_add(14),
            networks_file: None,
        }
    }
}

/// Webhooks.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Webhooks {
    /// Whether customers' webhooks may lead into the daemon's own network and go without TLS: only where every
    /// customer is trusted with it. The sandbox allows it.
    pub allow_private: bool,
}

/// When the messages of promotional routes wait, and no phone is called to verify it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct QuietHoursSection {
    /// From then (`HH:MM`).
    pub from: String,
    /// Until then; the same as `from` for none.
    pub until: String,
    /// In this time zone.
    pub zone: String,
}

impl Default for QuietHoursSection {
    fn default() -> Self {
        Self { from: "20:00".into(), until: "08:00".into(), zone: "Africa/Lagos".into() }
    }
}

/// What goes through which carrier.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RouteSection {
    /// The carrier's name; empty where `carriers` names several.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub carrier: String,
    /// Carriers in the order in which they are tried: the first takes its messages, and the others what it never sent, or
    /// refused for a reason of its own.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub carriers: Vec<String>,
    /// Networks by name; empty means any.
    #[serde(default)]
    pub networks: Vec<String>,
    /// Beginnings of numbers in E.164 without `+`; empty means any.
    #[serde(default)]
    pub prefixes: Vec<String>,
    /// Kinds of message; empty means any.
    #[serde(default)]
    pub kinds: Vec<String>,
    /// Sender ids; empty means any.
    #[serde(default)]
    pub senders: Vec<String>,
    /// What its messages are for: `promotional`, `transactional`, `otp`; empty means any.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub purposes: Vec<Purpose>,
    /// Its messages wait during the quiet hours, but for codes. Promotional messages wait on every route.
    #[serde(default)]
    pub promotional: bool,
    /// What becomes of numbers on the Do-Not-Disturb list: `refuse` or `reroute:CARRIER`. A number that came on it after
    /// the quote is refused and refunded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dnd: Option<String>,
}

impl RouteSection {
    /// The carriers that it names, in the order in which they are tried.
    pub fn names(&self) -> &[String] {
        if self.carriers.is_empty() { std::slice::from_ref(&self.carrier) } else { &self.carriers }
    }

    /// The route as routing takes it.
    ///
    /// # Errors
    /// A kind that does not exist, or no carrier.
    pub fn config(&self) -> anyhow::Result<RouteConfig> {
        let Some((carrier, spares)) = self.names().split_first() else {
            anyhow::bail!("a route names no carrier");
        };
        let kind = |name: &String| {
            Kind::from_code(name).with_context(|| {
                format!(
                    "a route to '{carrier}' names the kind '{name}': use text, flash, unicode, wap-push, vcard or voice"
                )
            })
        };
        Ok(RouteConfig {
            carrier: carrier.clone(),
            spares: spares.to_vec(),
            networks: self.networks.clone(),
            prefixes: self.prefixes.clone(),
            kinds: self.kinds.iter().map(kind).collect::<anyhow::Result<_>>()?,
            senders: self.senders.clone(),
            purposes: self.purposes.clone(),
            promotional: self.promotional,
            dnd: self.dnd.clone(),
        })
    }
}

impl Dispatch {
    /// Which prefixes belong to which network.
    ///
    /// # Errors
    /// When the table cannot be read.
    pub fn networks(&self) -> anyhow::Result<NetworkTable> {
        let Some(path) = &self.networks_file else { return Ok(NetworkTable::builtin().clone()) };
        let shown = path.display();
        let text = std::fs::read_to_string(path)
            .with_context(|| format!("dispatch.networks_file {shown} cannot be read"))?;
        NetworkTable::from_csv(&text).with_context(|| format!("dispatch.networks_file {shown}"))
    }
}

impl Settings {
    /// The carriers, in the order of the file.
    ///
    /// # Errors
    /// When one of them cannot be used.
    pub fn carrier_plans(&self) -> anyhow::Result<Vec<CarrierPlan>> {
        self.carriers.iter().map(CarrierSection::plan).collect()
    }

    /// The quiet hours; `None` when there are none.
    ///
    /// # Errors
    /// A time or zone that cannot be read.
    pub fn hours(&self) -> anyhow::Result<Option<QuietHours>> {
        let hours = &self.quiet_hours;
        Ok(QuietHours::new(&hours.from, &hours.until, &hours.zone)?)
    }

    /// The address of the database.
    pub fn database_url(&self) -> String {
        self.database
            .url
            .clone()
            .unwrap_or_else(|| format!("sqlite://{}", self.server.data_dir.join("talkdrum.db").display()))
    }
}
