//! Which carrier takes which message: the carriers' capabilities and the operator's routes, decided when a campaign
//! is quoted.
//!
//! Routes are read in order and the first that fits wins; without routes the first carrier that carries the kind
//! takes everything (`DEFAULT`). The invariant: a kind or a number that no carrier takes is refused before anything
//! is charged.

use std::sync::Arc;

use serde::Deserialize;

use crate::carrier::SmsCarrier;
use crate::content::Kind;
use crate::error::{Error, Result};
use crate::phone::{Msisdn, NetworkId, NetworkTable};

/// The label of the route when the operator has written none.
pub const DEFAULT_ROUTE: &str = "DEFAULT";

/// The rate assumed of a carrier without a configured one, in short messages a second: it only serves the estimate
/// of when a campaign is finished.
pub const ASSUMED_RATE: u32 = 5_000;

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
}

/// What routing knows of a carrier.
#[derive(Clone, Debug)]
pub struct Exit {
    /// The carrier's name.
    pub name: Arc<str>,
    /// The kinds it carries.
    pub kinds: Vec<Kind>,
    /// Messages a second it was configured to take; 0 is as fast as it answers.
    pub rate: u32,
}

impl Exit {
    /// What routing needs of a carrier.
    pub fn of(carrier: &dyn SmsCarrier) -> Self {
        let capabilities = carrier.capabilities();
        Self { name: carrier.name().into(), kinds: capabilities.kinds.clone(), rate: capabilities.rate }
    }

    /// How long it takes for this many short messages, in ms.
    fn duration_ms(&self, segments: u64) -> u64 {
        let rate = if self.rate == 0 { ASSUMED_RATE } else { self.rate };
        segments.saturating_mul(1_000).div_ceil(u64::from(rate))
    }
}

/// The carriers and the routes to them.
#[derive(Clone, Debug)]
pub struct Router {
    exits: Arc<[Exit]>,
    routes: Vec<Route>,
}

#[derive(Clone, Debug)]
struct Route {
    exit: u8,
    /// One bit a network; all set means any.
    networks: u128,
    prefixes: Vec<Prefix>,
    kinds: Vec<Kind>,
}

#[derive(Clone, Copy, Debug)]
struct Prefix {
    digits: u64,
    length: u32,
}

/// The routes of one kind of message, ready for millions of numbers.
#[derive(Clone, Debug)]
pub struct Plan {
    exits: Arc<[Exit]>,
    routes: Vec<Route>,
    is_default: bool,
}

impl Router {
    /// Carriers in the order of the configuration, and routes among them.
    ///
    /// # Errors
    /// `bad_route` when a route names a carrier or a network that does not exist, or a prefix is no number.
    pub fn new(exits: Vec<Exit>, routes: &[RouteConfig], networks: &NetworkTable) -> Result<Self> {
        if exits.len() > usize::from(u8::MAX) {
            return Err(Error::rule("too_many_carriers", "At most 255 carriers can be configured"));
        }
        let routes =
            routes.iter().map(|route| Route::read(route, &exits, networks)).collect::<Result<_>>()?;
        Ok(Self { exits: exits.into(), routes })
    }

    /// The carriers, in the order of the indices that [`Plan::exit_of`] answers.
    pub fn exits(&self) -> &[Exit] {
        &self.exits
    }

    /// Whether there is a carrier of this name.
    pub fn has(&self, name: &str) -> bool {
        self.exits.iter().any(|exit| *exit.name == *name)
    }

    /// The routes of a kind.
    ///
    /// # Errors
    /// `kind_not_carried` when no carrier takes it.
    pub fn plan(&self, kind: Kind) -> Result<Plan> {
        let carries = |exit: u8| self.exits.get(usize::from(exit)).is_some_and(|it| it.kinds.contains(&kind));
        let is_default = self.routes.is_empty();
        let routes: Vec<Route> = if is_default {
            (0..=u8::MAX)
                .take(self.exits.len())
                .filter(|exit| carries(*exit))
                .take(1)
                .map(Route::all)
                .collect()
        } else {
            let fits = |route: &&Route| route.kinds.is_empty() || route.kinds.contains(&kind);
            self.routes.iter().filter(fits).filter(|route| carries(route.exit)).cloned().collect()
        };
        if routes.is_empty() {
            return Err(self.not_carried(kind));
        }
        Ok(Plan { exits: Arc::clone(&self.exits), routes, is_default })
    }

    fn not_carried(&self, kind: Kind) -> Error {
        if self.exits.is_empty() {
            return Error::rule(
                "no_carrier",
                "No carrier is configured, so nothing can be sent: an administrator must add one under [[carriers]]",
            );
        }
        let able: Vec<&str> = Kind::ALL
            .iter()
            .filter(|other| self.exits.iter().any(|exit| exit.kinds.contains(other)))
            .map(|other| other.code())
            .collect();
        Error::rule(
            "kind_not_carried",
            format!(
                "No carrier takes {} messages; nothing was charged. Send it as one of: {}",
                kind.code(),
                able.join(", ")
            ),
        )
    }
}

impl Route {
    const fn all(exit: u8) -> Self {
        Self { exit, networks: u128::MAX, prefixes: Vec::new(), kinds: Vec::new() }
    }

    fn read(config: &RouteConfig, exits: &[Exit], table: &NetworkTable) -> Result<Self> {
        let exit = exits
            .iter()
            .position(|exit| *exit.name == *config.carrier)
            .and_then(|place| u8::try_from(place).ok())
            .ok_or_else(|| {
                bad_route(&format!("there is no carrier named '{}' under [[carriers]]", config.carrier))
            })?;
        let mut networks = if config.networks.is_empty() { u128::MAX } else { 0 };
        for name in &config.networks {
            let network = table.id(&name.to_lowercase()).ok_or_else(|| {
                let known: Vec<&str> = (0..table.len()).map(|id| table.name(NetworkId(id as u8))).collect();
                bad_route(&format!("'{name}' is no network of the prefix table: use {}", known.join(", ")))
            })?;
            networks |= 1 << network.0;
        }
        let prefixes = config.prefixes.iter().map(|text| Prefix::read(text)).collect::<Result<_>>()?;
        Ok(Self { exit, networks, prefixes, kinds: config.kinds.clone() })
    }

    fn takes(&self, number: Msisdn, network: NetworkId) -> bool {
        self.networks & (1 << (network.0 & 127)) != 0
            && (self.prefixes.is_empty() || self.prefixes.iter().any(|prefix| prefix.begins(number)))
    }
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

fn bad_route(what: &str) -> Error {
    Error::rule("bad_route", format!("A [[routes]] entry cannot be used: {what}"))
}

impl Plan {
    /// The index of the carrier that takes a number; `None` when no route leads to it.
    #[inline]
    pub fn exit_of(&self, number: Msisdn, network: NetworkId) -> Option<u8> {
        self.routes.iter().find(|route| route.takes(number, network)).map(|route| route.exit)
    }

    /// The carriers, by index.
    pub fn exits(&self) -> &[Exit] {
        &self.exits
    }

    /// `DEFAULT`, or the names of the carriers that have short messages to take, given by index.
    pub fn label(&self, segments: &[u64]) -> String {
        if self.is_default {
            return DEFAULT_ROUTE.to_owned();
        }
        let used = self.exits.iter().zip(segments).filter(|(_, segments)| **segments > 0);
        used.map(|(exit, _)| &*exit.name).collect::<Vec<_>>().join(", ")
    }

    /// How long the carriers need, side by side, for so many short messages each, in ms. A carrier without a
    /// configured rate is taken to do [`ASSUMED_RATE`].
    pub fn duration_ms(&self, segments: &[u64]) -> u64 {
        let durations = self.exits.iter().zip(segments).map(|(exit, segments)| exit.duration_ms(*segments));
        durations.max().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exit(name: &str, kinds: &[Kind], rate: u32) -> Exit {
        Exit { name: name.into(), kinds: kinds.to_vec(), rate }
    }

    fn route(carrier: &str) -> RouteConfig {
        RouteConfig { carrier: carrier.into(), ..RouteConfig::default() }
    }

    fn router(exits: Vec<Exit>, routes: &[RouteConfig]) -> Result<Router> {
        Router::new(exits, routes, NetworkTable::builtin())
    }

    fn chosen(plan: &Plan, digits: u64) -> Option<&str> {
        let number = Msisdn::from_digits(digits).unwrap();
        let network = NetworkTable::builtin().lookup(number);
        plan.exit_of(number, network).map(|exit| &*plan.exits()[usize::from(exit)].name)
    }

    #[test]
    fn without_routes_the_first_carrier_of_the_kind_takes_everything_as_default() {
        let exits = vec![exit("a", &[Kind::Text], 0), exit("b", &Kind::ALL, 0)];
        let router = router(exits, &[]).unwrap();
        let text = router.plan(Kind::Text).unwrap();
        assert_eq!(chosen(&text, 2_348_031_234_567), Some("a"));
        assert_eq!(text.label(&[1, 0]), "DEFAULT");
        assert_eq!(chosen(&router.plan(Kind::Vcard).unwrap(), 447_911_123_456), Some("b"));
    }

    #[test]
    fn the_first_route_that_fits_wins_and_all_its_conditions_hold() {
        let exits = vec![exit("a", &Kind::ALL, 0), exit("b", &Kind::ALL, 0), exit("c", &[Kind::Text], 0)];
        let routes = [
            RouteConfig { kinds: vec![Kind::Flash], ..route("b") },
            RouteConfig { networks: vec!["MTN".into()], prefixes: vec!["234803".into()], ..route("c") },
            RouteConfig { networks: vec!["mtn".into(), "glo".into()], ..route("b") },
            RouteConfig { prefixes: vec!["+44".into()], ..route("a") },
        ];
        let router = router(exits, &routes).unwrap();
        let text = router.plan(Kind::Text).unwrap();
        assert_eq!(chosen(&text, 2_348_031_234_567), Some("c"));
        assert_eq!(chosen(&text, 2_348_061_234_567), Some("b"));
        assert_eq!(chosen(&text, 447_911_123_456), Some("a"));
        assert_eq!(chosen(&text, 33_612_345_678), None, "no route leads there");
        assert_eq!(text.label(&[0, 3, 1]), "b, c");
        assert_eq!(chosen(&router.plan(Kind::Flash).unwrap(), 33_612_345_678), Some("b"));
        // A route to a carrier that cannot take the kind is passed over.
        assert_eq!(chosen(&router.plan(Kind::Vcard).unwrap(), 2_348_031_234_567), Some("b"));
    }

    #[test]
    fn a_kind_nobody_carries_is_refused_with_the_kinds_there_are() {
        let error = router(vec![exit("a", &[Kind::Text, Kind::Flash], 0)], &[])
            .unwrap()
            .plan(Kind::Vcard)
            .unwrap_err();
        assert_eq!(error.code(), "kind_not_carried");
        assert!(error.to_string().contains("text, flash"), "{error}");
        assert_eq!(router(vec![], &[]).unwrap().plan(Kind::Text).unwrap_err().code(), "no_carrier");
    }

    #[test]
    fn a_route_to_nowhere_is_refused_at_start_with_what_is_wrong() {
        let try_one =
            |route: RouteConfig| router(vec![exit("a", &Kind::ALL, 0)], &[route]).unwrap_err().to_string();
        assert!(try_one(route("b")).contains("no carrier named 'b'"));
        assert!(try_one(RouteConfig { networks: vec!["mtm".into()], ..route("a") }).contains("'mtm'"));
        for prefix in ["0803", "", "23a", "1234567890123456"] {
            let said = try_one(RouteConfig { prefixes: vec![prefix.into()], ..route("a") });
            assert!(said.contains("is no prefix"), "{said}");
        }
    }

    #[test]
    fn carriers_work_side_by_side_and_an_unknown_rate_is_assumed() {
        let exits = vec![exit("a", &Kind::ALL, 100), exit("b", &Kind::ALL, 0)];
        let plan = router(exits, &[]).unwrap().plan(Kind::Text).unwrap();
        assert_eq!(plan.duration_ms(&[250, 0]), 2_500);
        assert_eq!(plan.duration_ms(&[1, 50_000]), 10_000);
        assert_eq!(plan.duration_ms(&[0, 0]), 0);
    }
}
