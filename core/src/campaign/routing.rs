//! Which carrier takes which message: the carriers' capabilities and the operator's routes, decided when a campaign
//! is quoted.
//!
//! Routes are read in order and the first that fits wins; without routes the first carrier that carries the kind
//! takes everything (`DEFAULT`). The invariant: a kind, a sender, a length or a number that no carrier takes is refused
//! before anything is charged.

use std::sync::Arc;

use serde::Deserialize;

use super::dnd::Snapshot;
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
    /// Sender ids, in any case; empty means any.
    #[serde(default)]
    pub senders: Vec<String>,
    /// Its messages wait during the quiet hours.
    #[serde(default)]
    pub promotional: bool,
    /// What becomes of numbers on the Do-Not-Disturb list: `refuse`, or `reroute:CARRIER`; nothing when left out.
    #[serde(default)]
    pub dnd: Option<String>,
}

/// What routing knows of a carrier.
#[derive(Clone, Debug, Default)]
pub struct Exit {
    /// The carrier's name.
    pub name: Arc<str>,
    /// The kinds it carries.
    pub kinds: Vec<Kind>,
    /// Messages a second it was configured to take; 0 is as fast as it answers.
    pub rate: u32,
    /// Short messages of one message, at most; 0 is no limit.
    pub max_parts: u8,
    /// It takes no sender ids with letters.
    pub numeric_senders_only: bool,
    /// Its own refund policy; the house's when `None`.
    pub refund_undelivered: Option<bool>,
}

impl Exit {
    /// What routing needs of a carrier.
    pub fn of(carrier: &dyn SmsCarrier) -> Self {
        let capabilities = carrier.capabilities();
        Self {
            name: carrier.name().into(),
            kinds: capabilities.kinds.clone(),
            rate: capabilities.rate,
            ..Self::default()
        }
    }

    /// Whether it takes such a message at all.
    ///
    /// # Errors
    /// What about it the carrier does not take.
    pub fn check(&self, kind: Kind, sender: &str, segments: u8) -> Result<()> {
        let refuse = |what: String| {
            Err(Error::rule("not_carried", format!("The carrier '{}' takes no {what}", self.name)))
        };
        if !self.kinds.contains(&kind) {
            return refuse(format!("{} messages", kind.code()));
        }
        if !self.takes_sender(sender) {
            return refuse(format!("messages from '{sender}': its senders are numbers"));
        }
        if !self.takes_length(segments) {
            return refuse(format!("messages of {segments} parts: {} are the most", self.max_parts));
        }
        Ok(())
    }

    fn takes_sender(&self, sender: &str) -> bool {
        !self.numeric_senders_only || sender.trim_start_matches('+').bytes().all(|byte| byte.is_ascii_digit())
    }

    const fn takes_length(&self, segments: u8) -> bool {
        self.max_parts == 0 || segments <= self.max_parts
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
    senders: Vec<String>,
    promotional: bool,
    dnd: Dnd,
}

/// What becomes of a number on the Do-Not-Disturb list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Dnd {
    Ignore,
    Refuse,
    Reroute(u8),
}

#[derive(Clone, Copy, Debug)]
struct Prefix {
    digits: u64,
    length: u32,
}

/// Messages that go out alike: through one carrier, at the same hours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Way {
    /// The carrier, by index.
    pub exit: u8,
    /// Whether they wait during the quiet hours.
    pub promotional: bool,
    /// Whether they must not go to numbers on the Do-Not-Disturb list, also to those that come on it later.
    pub minds_dnd: bool,
}

/// Why no carrier takes a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoWay {
    /// No route leads to it.
    Unrouted,
    /// It is on the Do-Not-Disturb list and its route respects that.
    Dnd,
    /// The message has more parts than the carriers of its routes take.
    TooLong,
}

impl NoWay {
    /// The reject's code.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Unrouted => "no_route",
            Self::Dnd => "dnd",
            Self::TooLong => "too_long",
        }
    }

    /// The reject's reason.
    pub const fn reason(self) -> &'static str {
        match self {
            Self::Unrouted => "No carrier is set up for this number: ask the administrator for a route to it",
            Self::Dnd => "The number is on the Do-Not-Disturb list, which this kind of traffic respects",
            Self::TooLong => "The message has more parts than the carrier for this number takes: shorten it",
        }
    }
}

/// The routes of one kind of message, ready for millions of numbers.
#[derive(Clone, Debug)]
pub struct Plan {
    exits: Arc<[Exit]>,
    routes: Vec<Route>,
    ways: Vec<Way>,
    is_default: bool,
    dnd: Option<Arc<Snapshot>>,
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
        let routes: Vec<Route> =
            routes.iter().map(|route| Route::read(route, &exits, networks)).collect::<Result<_>>()?;
        if routes.len() > MOST_ROUTES {
            return Err(bad_route("there are more than 100 of them"));
        }
        Ok(Self { exits: exits.into(), routes })
    }

    /// The carriers, in the order of the indices that [`Plan::way_of`] answers.
    pub fn exits(&self) -> &[Exit] {
        &self.exits
    }

    /// The carrier of this name.
    pub fn exit(&self, name: &str) -> Option<&Exit> {
        self.exits.iter().find(|exit| *exit.name == *name)
    }

    /// Whether a route asks for the Do-Not-Disturb list.
    pub fn minds_dnd(&self) -> bool {
        self.routes.iter().any(|route| route.dnd != Dnd::Ignore)
    }

    /// The routes of a kind from a sender. `dnd` is the Do-Not-Disturb list, where [`Router::minds_dnd`].
    ///
    /// # Errors
    /// `kind_not_carried`, `sender_not_carried` when no carrier takes it.
    pub fn plan(&self, kind: Kind, sender: &str, dnd: Option<Arc<Snapshot>>) -> Result<Plan> {
        let exit_of = |exit: u8| self.exits.get(usize::from(exit));
        let carries = |exit: u8| exit_of(exit).is_some_and(|it| it.kinds.contains(&kind));
        let is_default = self.routes.is_empty();
        let of_kind: Vec<Route> = if is_default {
            (0..=u8::MAX).take(self.exits.len()).filter(|exit| carries(*exit)).map(Route::all).collect()
        } else {
            let fits = |route: &&Route| route.kinds.is_empty() || route.kinds.contains(&kind);
            self.routes.iter().filter(fits).filter(|route| carries(route.exit)).cloned().collect()
        };
        if of_kind.is_empty() {
            return Err(self.not_carried(kind));
        }
        let takes = |exit: u8| exit_of(exit).is_some_and(|it| it.takes_sender(sender));
        let named = |route: &Route| {
            route.senders.is_empty() || route.senders.iter().any(|name| name.eq_ignore_ascii_case(sender))
        };
        let mut routes: Vec<Route> =
            of_kind.into_iter().filter(|route| takes(route.exit) && named(route)).collect();
        if is_default {
            routes.truncate(1);
        }
        if routes.is_empty() {
            return Err(Error::field(
                "sender",
                "sender_not_carried",
                format!(
                    "No carrier takes messages from '{sender}'; nothing was charged. Use another sender id"
                ),
            ));
        }
        for route in &mut routes {
            // A way around that cannot take the message is none.
            if let Dnd::Reroute(exit) = route.dnd
                && !(carries(exit) && takes(exit))
            {
                route.dnd = Dnd::Refuse;
            }
        }
        let mut ways: Vec<Way> = Vec::new();
        for route in &routes {
            let around = match route.dnd {
                Dnd::Reroute(exit) => Some(exit),
                Dnd::Ignore | Dnd::Refuse => None,
            };
            let minds_dnd = route.dnd != Dnd::Ignore;
            let straight = (route.exit, minds_dnd);
            for (exit, minds_dnd) in [Some(straight), around.map(|exit| (exit, false))].into_iter().flatten()
            {
                let way = Way { exit, promotional: route.promotional, minds_dnd };
                if !ways.contains(&way) {
                    ways.push(way);
                }
            }
        }
        Ok(Plan { exits: Arc::clone(&self.exits), routes, ways, is_default, dnd })
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

/// Routes of one configuration: each number walks them.
const MOST_ROUTES: usize = 100;

impl Route {
    const fn all(exit: u8) -> Self {
        Self {
            exit,
            networks: u128::MAX,
            prefixes: Vec::new(),
            kinds: Vec::new(),
            senders: Vec::new(),
            promotional: false,
            dnd: Dnd::Ignore,
        }
    }

    fn read(config: &RouteConfig, exits: &[Exit], table: &NetworkTable) -> Result<Self> {
        let exit = place_of(&config.carrier, exits)?;
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
            Some((_, Some(carrier))) => Dnd::Reroute(place_of(carrier.trim(), exits)?),
            Some((other, None)) => {
                return Err(bad_route(&format!("dnd = '{other}' is neither 'refuse' nor 'reroute:CARRIER'")));
            }
        };
        Ok(Self {
            exit,
            networks,
            prefixes,
            kinds: config.kinds.clone(),
            senders: config.senders.clone(),
            promotional: config.promotional,
            dnd,
        })
    }

    fn takes(&self, number: Msisdn, network: NetworkId) -> bool {
        self.networks & (1 << (network.0 & 127)) != 0
            && (self.prefixes.is_empty() || self.prefixes.iter().any(|prefix| prefix.begins(number)))
    }
}

fn place_of(carrier: &str, exits: &[Exit]) -> Result<u8> {
    let place =
        exits.iter().position(|exit| *exit.name == *carrier).and_then(|place| u8::try_from(place).ok());
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

fn bad_route(what: &str) -> Error {
    Error::rule("bad_route", format!("A [[routes]] entry cannot be used: {what}"))
}

impl Plan {
    /// The index of the way that a number goes, whose message has so many parts.
    ///
    /// # Errors
    /// Why no carrier takes it.
    #[inline]
    pub fn way_of(&self, number: Msisdn, network: NetworkId, segments: u8) -> Result<u8, NoWay> {
        let mut why = NoWay::Unrouted;
        for route in self.routes.iter().filter(|route| route.takes(number, network)) {
            let disturbs = route.dnd != Dnd::Ignore && self.dnd.as_ref().is_some_and(|list| list.has(number));
            let (exit, minds_dnd) = match route.dnd {
                Dnd::Refuse if disturbs => return Err(NoWay::Dnd),
                Dnd::Reroute(exit) if disturbs => (exit, false),
                dnd => (route.exit, dnd != Dnd::Ignore),
            };
            if !self.exits[usize::from(exit)].takes_length(segments) {
                why = NoWay::TooLong;
                continue;
            }
            let way = Way { exit, promotional: route.promotional, minds_dnd };
            let place = self.ways.iter().position(|it| *it == way).and_then(|place| u8::try_from(place).ok());
            return place.ok_or(NoWay::Unrouted);
        }
        Err(why)
    }

    /// The ways there are, by index.
    pub fn ways(&self) -> &[Way] {
        &self.ways
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
        Exit { name: name.into(), kinds: kinds.to_vec(), rate, ..Exit::default() }
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
        let way = plan.way_of(number, network, 1).ok()?;
        Some(&*plan.exits()[usize::from(plan.ways()[usize::from(way)].exit)].name)
    }

    #[test]
    fn without_routes_the_first_carrier_of_the_kind_takes_everything_as_default() {
        let exits = vec![exit("a", &[Kind::Text], 0), exit("b", &Kind::ALL, 0)];
        let router = router(exits, &[]).unwrap();
        let text = router.plan(Kind::Text, "WEBSMS", None).unwrap();
        assert_eq!(chosen(&text, 2_348_031_234_567), Some("a"));
        assert_eq!(text.label(&[1, 0]), "DEFAULT");
        assert_eq!(chosen(&router.plan(Kind::Vcard, "WEBSMS", None).unwrap(), 447_911_123_456), Some("b"));
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
        let text = router.plan(Kind::Text, "WEBSMS", None).unwrap();
        assert_eq!(chosen(&text, 2_348_031_234_567), Some("c"));
        assert_eq!(chosen(&text, 2_348_061_234_567), Some("b"));
        assert_eq!(chosen(&text, 447_911_123_456), Some("a"));
        assert_eq!(chosen(&text, 33_612_345_678), None, "no route leads there");
        assert_eq!(text.label(&[0, 3, 1]), "b, c");
        assert_eq!(chosen(&router.plan(Kind::Flash, "WEBSMS", None).unwrap(), 33_612_345_678), Some("b"));
        // A route to a carrier that cannot take the kind is passed over.
        assert_eq!(chosen(&router.plan(Kind::Vcard, "WEBSMS", None).unwrap(), 2_348_031_234_567), Some("b"));
    }

    #[test]
    fn a_kind_nobody_carries_is_refused_with_the_kinds_there_are() {
        let error = router(vec![exit("a", &[Kind::Text, Kind::Flash], 0)], &[])
            .unwrap()
            .plan(Kind::Vcard, "WEBSMS", None)
            .unwrap_err();
        assert_eq!(error.code(), "kind_not_carried");
        assert!(error.to_string().contains("text, flash"), "{error}");
        assert_eq!(
            router(vec![], &[]).unwrap().plan(Kind::Text, "WEBSMS", None).unwrap_err().code(),
            "no_carrier"
        );
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
        let plan = router(exits, &[]).unwrap().plan(Kind::Text, "WEBSMS", None).unwrap();
        assert_eq!(plan.duration_ms(&[250, 0]), 2_500);
        assert_eq!(plan.duration_ms(&[1, 50_000]), 10_000);
        assert_eq!(plan.duration_ms(&[0, 0]), 0);
    }

    #[test]
    fn what_a_carrier_cannot_take_goes_to_the_next_or_is_refused_before_it_costs() {
        let short = Exit { max_parts: 1, ..exit("short", &Kind::ALL, 0) };
        let digits = Exit { numeric_senders_only: true, ..exit("digits", &Kind::ALL, 0) };
        let number = Msisdn::from_digits(2_348_031_234_567).unwrap();
        let network = NetworkTable::builtin().lookup(number);
        let both = router(vec![short.clone(), digits.clone()], &[route("short"), route("digits")]).unwrap();
        let plan = both.plan(Kind::Text, "32811", None).unwrap();
        assert_eq!((plan.way_of(number, network, 1), plan.way_of(number, network, 2)), (Ok(0), Ok(1)));
        let plan = both.plan(Kind::Text, "WEBSMS", None).unwrap();
        assert_eq!(plan.way_of(number, network, 2), Err(NoWay::TooLong));
        let error = router(vec![digits], &[]).unwrap().plan(Kind::Text, "WEBSMS", None).unwrap_err();
        assert_eq!(error.code(), "sender_not_carried");
        let named = RouteConfig { senders: vec!["mybank".into()], ..route("short") };
        let router = router(vec![short, exit("rest", &Kind::ALL, 0)], &[named, route("rest")]).unwrap();
        assert_eq!(chosen(&router.plan(Kind::Text, "MyBank", None).unwrap(), number.digits()), Some("short"));
        assert_eq!(chosen(&router.plan(Kind::Text, "WEBSMS", None).unwrap(), number.digits()), Some("rest"));
    }

    #[test]
    fn numbers_that_must_not_be_disturbed_are_refused_or_go_around() {
        let listed = Msisdn::from_digits(2_348_031_234_567).unwrap();
        let list = Arc::new(Snapshot::of([listed]));
        let exits = vec![exit("promo", &Kind::ALL, 0), exit("corporate", &[Kind::Text], 0)];
        let ask = |dnd: &str, kind: Kind| {
            let routes = [RouteConfig { dnd: Some(dnd.into()), promotional: true, ..route("promo") }];
            let plan = router(exits.clone(), &routes)?.plan(kind, "WEBSMS", Some(Arc::clone(&list)))?;
            let network = NetworkTable::builtin().lookup(listed);
            let free = Msisdn::from_digits(2_348_031_234_568).unwrap();
            let straight = plan.way_of(free, network, 1).map(|way| plan.ways()[usize::from(way)]);
            assert_eq!(straight, Ok(Way { exit: 0, promotional: true, minds_dnd: true }));
            Ok::<_, Error>(plan.way_of(listed, network, 1).map(|way| plan.ways()[usize::from(way)]))
        };
        assert_eq!(ask("refuse", Kind::Text).unwrap(), Err(NoWay::Dnd));
        let around = Way { exit: 1, promotional: true, minds_dnd: false };
        assert_eq!(ask("reroute:corporate", Kind::Text).unwrap(), Ok(around));
        assert_eq!(ask("reroute:corporate", Kind::Flash).unwrap(), Err(NoWay::Dnd), "it cannot take flash");
        assert_eq!(ask("reroute:nobody", Kind::Text).unwrap_err().code(), "bad_route");
        assert_eq!(ask("ignore", Kind::Text).unwrap_err().code(), "bad_route");
    }
}
