//! One route: the operator's entry, read and ready to be asked of a number.

use serde::Deserialize;
use talkdrum_api::kind::Kind;
use talkdrum_api::purpose::Purpose;

use super::RouteCarrier;
use crate::error::{Error, Result};
use crate::phone::{Msisdn, NetworkId, NetworkTable};

/// One `[[routes]]` entry of the configuration. Each condition that is given must hold; an entry without conditions
/// takes everything that reaches it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RouteConfig {
    /// The carrier's name.
    pub carrier: String,
    /// Networks by name (`mtn`, `airtel`, `abroad`, ...); empty means any.
    #[serde(default)]
    pub networks: Vec<String>,
    /// The first digits of the number in E.164, with or without `+`; empty means any.
    #[serde(default)]
    pub prefixes: Vec<String>,
    /// Kinds of message; empty means any.
    #[serde(default)]
    pub kinds: Vec<Kind>,
    /// Sender ids, in any case; empty means any.
    #[serde(default)]
    pub senders: Vec<String>,
    /// What its messages are for: `promotional`, `transactional`, `otp`; empty means any.
    #[serde(default)]
    pub purposes: Vec<Purpose>,
    /// Its messages wait during the quiet hours, but for codes; those that are promotional wait on every route.
    #[serde(default)]
    pub promotional: bool,
    /// What becomes of numbers on the Do-Not-Disturb list: `refuse`, or `reroute:CARRIER`; nothing when left out. It does not
    /// hold for codes.
    #[serde(default)]
    pub dnd: Option<String>,
}

/// A route whose names are looked up.
#[derive(Clone, Debug)]
pub(super) struct Route {
    pub(super) carrier: u8,
    /// One bit a network; all set means any.
    networks: u128,
    prefixes: Vec<Prefix>,
    pub(super) kinds: Vec<Kind>,
    pub(super) senders: Vec<String>,
    pub(super) purposes: Vec<Purpose>,
    pub(super) promotional: bool,
    pub(super) dnd: Dnd,
}

/// What becomes of a number on the Do-Not-Disturb list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dnd {
    Ignore,
    Refuse,
    Reroute(u8),
}

#[derive(Clone, Copy, Debug)]
struct Prefix {
    digits: u64,
    length: u32,
}

impl Route {
    /// Takes every number to this carrier.
    pub(super) const fn all(carrier: u8) -> Self {
        Self {
            carrier,
            networks: u128::MAX,
            prefixes: Vec::new(),
            kinds: Vec::new(),
            senders: Vec::new(),
            purposes: Vec::new(),
            promotional: false,
            dnd: Dnd::Ignore,
        }
    }

    pub(super) fn read(
        config: &RouteConfig,
        carriers: &[RouteCarrier],
        table: &NetworkTable,
    ) -> Result<Self> {
        let carrier = place_of(&config.carrier, carriers)?;
        let mut networks = if config.networks.is_empty() { u128::MAX } else { 0 };
        for name in &config.networks {
            let network = table.id(&name.to_lowercase()).ok_or_else(|| {
                let known: Vec<&str> = (0..table.len()).map(|id| table.name(NetworkId(id as u8))).collect();
                bad_route(&format!("'{name}' is no network of the prefix table: use {}", known.join(", ")))
            })?;
            networks |= 1 << network.0;
        }
        let prefixes = config.prefixes.iter().map(|text| Prefix::read(text)).collect::<Result<_>>()?;
        let dnd = match config.dnd.as_deref().map(|text| (text, text.strip_prefix("reroute:"))) {
            None => Dnd::Ignore,
            Some(("refuse", _)) => Dnd::Refuse,
            Some((_, Some(carrier))) => Dnd::Reroute(place_of(carrier.trim(), carriers)?),
            Some((other, None)) => {
                return Err(bad_route(&format!("dnd = '{other}' is neither 'refuse' nor 'reroute:CARRIER'")));
            }
        };
        Ok(Self {
            carrier,
            networks,
            prefixes,
            kinds: config.kinds.clone(),
            senders: config.senders.clone(),
            purposes: config.purposes.clone(),
            promotional: config.promotional,
            dnd,
        })
    }

    /// What the numbers that it takes begin with; none where it takes all.
    pub(super) fn prefix_texts(&self) -> impl Iterator<Item = String> {
        self.prefixes.iter().map(|prefix| prefix.digits.to_string())
    }

    pub(super) fn takes(&self, number: Msisdn, network: NetworkId) -> bool {
        self.networks & (1 << (network.0 & 127)) != 0
            && (self.prefixes.is_empty() || self.prefixes.iter().any(|prefix| prefix.begins(number)))
    }
}

fn place_of(carrier: &str, carriers: &[RouteCarrier]) -> Result<u8> {
    let place =
        carriers.iter().position(|it| *it.name == *carrier).and_then(|place| u8::try_from(place).ok());
    place.ok_or_else(|| bad_route(&format!("there is no carrier named '{carrier}' under [[carriers]]")))
}

impl Prefix {
    fn read(text: &str) -> Result<Self> {
        let digits = text.strip_prefix('+').unwrap_or(text);
        let plain = (1..=15).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit());
        let value = digits.parse().ok().filter(|_| plain && !digits.starts_with('0'));
        let digits_count = digits.len() as u32;
        value.map(|digits| Self { digits, length: digits_count }).ok_or_else(|| {
            bad_route(&format!("'{text}' is no prefix: write digits with the country code, as in 234803"))
        })
    }

    fn begins(self, number: Msisdn) -> bool {
        let length = number.digits().ilog10() + 1;
        self.length <= length && number.digits() / 10_u64.pow(length - self.length) == self.digits
    }
}

pub(super) fn bad_route(what: &str) -> Error {
    Error::rule("bad_route", format!("A [[routes]] entry cannot be used: {what}"))
}
