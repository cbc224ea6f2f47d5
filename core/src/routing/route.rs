//! One route: the operator's entry, read and ready to be asked of a number.

use serde::Deserialize;
use talkdrum_api::kind::Kind;
use talkdrum_api::purpose::Purpose;

use super::{RouteCarrier, SpareCarriers};
use crate::error::{Error, Result};
use crate::phone::{Msisdn, NetworkId, NetworkTable};

/// One `[[routes]]` entry of the configuration. Each condition that is given must hold; an entry without conditions
/// takes everything that reaches it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RouteConfig {
    /// The carrier's name.
    pub carrier: String,
    /// Carriers that take over what the first never sent, or refused for a reason of its own: in the order in which they are
    /// tried, seven at most. They are carriers of text messages, as the first is.
    #[serde(default)]
    pub spares: Vec<String>,
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
    pub(super) spares: SpareCarriers,
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
            spares: SpareCarriers::NONE,
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
            spares: spares(config, carrier, carriers)?,
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

/// The carriers that take over from the first, `from`.
fn spares(config: &RouteConfig, from: u8, carriers: &[RouteCarrier]) -> Result<SpareCarriers> {
    let mut spares = SpareCarriers::NONE;
    let kinds = |place: u8| carriers.get(usize::from(place)).map_or(&[][..], |it| it.kinds.as_slice());
    let taken = |kind: &&Kind| kind.is_sms() && (config.kinds.is_empty() || config.kinds.contains(kind));
    for name in &config.spares {
        let place = place_of(name, carriers)?;
        if place == from || spares.iter().any(|spare| spare == place) {
            return Err(bad_route(&format!("it names the carrier '{name}' twice")));
        }
        for place in [from, place] {
            if !kinds(place).iter().any(|kind| kind.is_sms()) {
                return Err(bad_route(
                    "carriers that take over are of text messages; a trunk names others as its `failover`",
                ));
            }
        }
        if !kinds(from).iter().filter(taken).any(|kind| kinds(place).contains(kind)) {
            return Err(bad_route(&format!(
                "'{name}' takes no kind of message that the first carrier takes"
            )));
        }
        if !spares.push(place) {
            return Err(bad_route("it names more than eight carriers"));
        }
    }
    Ok(spares)
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
