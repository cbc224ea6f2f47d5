//! Which carrier takes which message: the carriers' capabilities and the operator's routes, decided when a campaign
//! is quoted.
//!
//! Routes are read in order and the first that fits wins; without routes the first carrier that carries the kind
//! takes everything (`DEFAULT`). A kind, a sender, a length or a number that no carrier takes is refused
//! before anything is charged.

pub mod dnd;
pub mod live_router;
mod may_carry;
pub mod quiet_hours;
mod route;
mod route_carrier;
mod spares;
#[cfg(test)]
mod tests;

use std::sync::Arc;

pub use route::RouteConfig;
use route::{Dnd, Route, bad_route};
pub use route_carrier::{ASSUMED_RATE, RouteCarrier};
pub use spares::SpareCarriers;
use talkdrum_api::kind::Kind;
use talkdrum_api::purpose::Purpose;

use crate::error::{Error, Result};
use crate::phone::{Msisdn, NetworkId, NetworkTable};
use crate::routing::dnd::DndSnapshot;

/// The label of the route when the operator has written none.
pub const DEFAULT_ROUTE: &str = "DEFAULT";

/// Routes of one configuration: each number walks them.
const MOST_ROUTES: usize = 100;

/// The carriers and the routes to them.
#[derive(Clone, Debug)]
pub struct Router {
    carriers: Arc<[RouteCarrier]>,
    routes: Vec<Route>,
}

/// Messages that go out alike: through one carrier, with the same others to take over, at the same hours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RouteDecision {
    /// The carrier, by index.
    pub carrier: u8,
    /// Whether they wait during the quiet hours.
    pub promotional: bool,
    /// Whether they must not go to numbers on the Do-Not-Disturb list, also to those that come on it later.
    pub minds_dnd: bool,
    /// The carriers that take over what it never sent, or refused for a reason of its own. A message costs the same by each:
    /// rates are by destination, pages by the content, and the refund policy is that of the first. So what a quote reserves
    /// is enough for every path, and what is not sent by any is released as ever.
    pub spares: SpareCarriers,
}

/// Why no carrier takes a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoRoute {
    /// No route leads to it.
    Unrouted,
    /// It is on the Do-Not-Disturb list and its route respects that.
    Dnd,
    /// The message has more parts than the carriers of its routes take.
    TooLong,
}

impl NoRoute {
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
    carriers: Arc<[RouteCarrier]>,
    routes: Vec<Route>,
    decisions: Vec<RouteDecision>,
    is_default: bool,
    dnd: Option<Arc<DndSnapshot>>,
}

impl Router {
    /// Carriers in the order of the configuration, and routes among them.
    ///
    /// # Errors
    /// `bad_route` when a route names a carrier or a network that does not exist, or a prefix is no number.
    pub fn new(carriers: Vec<RouteCarrier>, routes: &[RouteConfig], networks: &NetworkTable) -> Result<Self> {
        if carriers.len() > usize::from(u8::MAX) {
            return Err(Error::rule("too_many_carriers", "At most 255 carriers can be configured"));
        }
        let routes: Vec<Route> =
            routes.iter().map(|route| Route::read(route, &carriers, networks)).collect::<Result<_>>()?;
        if routes.len() > MOST_ROUTES {
            return Err(bad_route("there are more than 100 of them"));
        }
        Ok(Self { carriers: carriers.into(), routes })
    }

    /// The carriers, in the order of the indices that [`Plan::decide`] answers.
    pub fn carriers(&self) -> &[RouteCarrier] {
        &self.carriers
    }

    /// The carrier of this name.
    pub fn carrier(&self, name: &str) -> Option<&RouteCarrier> {
        self.carriers.iter().find(|carrier| *carrier.name == *name)
    }

    /// Whether a route asks for the Do-Not-Disturb list.
    pub fn minds_dnd(&self) -> bool {
        self.routes.iter().any(|route| route.dnd != Dnd::Ignore)
    }

    /// The routes of a kind and a purpose from a sender. Promotional messages wait in the quiet hours on every route, and
    /// others on those for promotional traffic; codes never wait, and obey no Do-Not-Disturb list. `dnd` is the Do-Not-Disturb list, where [`Router::minds_dnd`].
    ///
    /// # Errors
    /// `kind_not_carried`, `purpose_not_carried`, `sender_not_carried` when no carrier takes it.
    pub fn plan(
        &self,
        kind: Kind,
        purpose: Purpose,
        sender: &str,
        dnd: Option<Arc<DndSnapshot>>,
    ) -> Result<Plan> {
        let carrier_of = |carrier: u8| self.carriers.get(usize::from(carrier));
        let carries = |carrier: u8| carrier_of(carrier).is_some_and(|it| it.kinds.contains(&kind));
        // Routes to carriers of text messages alone say nothing of calls: these go to the first trunk then.
        let is_default = self.routes.is_empty()
            || (!kind.is_sms() && !self.routes.iter().any(|route| carries(route.carrier)));
        let of_kind: Vec<Route> = if is_default {
            (0..=u8::MAX)
                .take(self.carriers.len())
                .filter(|carrier| carries(*carrier))
                .map(Route::all)
                .collect()
        } else {
            let fits = |route: &&Route| route.kinds.is_empty() || route.kinds.contains(&kind);
            self.routes.iter().filter(fits).filter(|route| carries(route.carrier)).cloned().collect()
        };
        if of_kind.is_empty() {
            return Err(self.not_carried(kind));
        }
        let takes = |carrier: u8| carrier_of(carrier).is_some_and(|it| it.takes_sender(sender));
        let named = |route: &Route| {
            route.senders.is_empty() || route.senders.iter().any(|name| name.eq_ignore_ascii_case(sender))
        };
        let meant = |route: &Route| route.purposes.is_empty() || route.purposes.contains(&purpose);
        if !of_kind.iter().any(meant) {
            return Err(not_for(purpose));
        }
        let mut routes: Vec<Route> = of_kind
            .into_iter()
            .filter(|route| meant(route) && takes(route.carrier) && named(route))
            .collect();
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
            route.promotional =
                purpose == Purpose::Promotional || (route.promotional && purpose != Purpose::Otp);
            if purpose == Purpose::Otp {
                route.dnd = Dnd::Ignore;
            }
            // A reroute that cannot take the message is none.
            if let Dnd::Reroute(carrier) = route.dnd
                && !(carries(carrier) && takes(carrier))
            {
                route.dnd = Dnd::Refuse;
            }
            route.spares = route.spares.that(|carrier| carries(carrier) && takes(carrier));
        }
        let decisions = self.decisions(&routes);
        Ok(Plan { carriers: Arc::clone(&self.carriers), routes, decisions, is_default, dnd })
    }

    /// All that routes may decide. Those without carriers that take over come first, as they serve where there is no
    /// place for another.
    fn decisions(&self, routes: &[Route]) -> Vec<RouteDecision> {
        let mut decisions: Vec<RouteDecision> = Vec::new();
        let mut add = |decision: RouteDecision| {
            if decisions.len() <= usize::from(u8::MAX) && !decisions.contains(&decision) {
                decisions.push(decision);
            }
        };
        for route in routes {
            let around = match route.dnd {
                Dnd::Reroute(carrier) => Some(carrier),
                Dnd::Ignore | Dnd::Refuse => None,
            };
            let minds_dnd = route.dnd != Dnd::Ignore;
            let straight = (route.carrier, minds_dnd);
            for (carrier, minds_dnd) in
                [Some(straight), around.map(|carrier| (carrier, false))].into_iter().flatten()
            {
                let spares = SpareCarriers::NONE;
                add(RouteDecision { carrier, promotional: route.promotional, minds_dnd, spares });
            }
        }
        for route in routes {
            // Those that take a message differ where one takes fewer parts than another.
            let longest = route.spares.iter().filter_map(|spare| self.carriers.get(usize::from(spare)));
            let lengths =
                longest.filter(|spare| spare.max_parts > 0).map(|spare| spare.max_parts.saturating_add(1));
            for segments in std::iter::once(1).chain(lengths) {
                let decision = RouteDecision {
                    carrier: route.carrier,
                    promotional: route.promotional,
                    minds_dnd: route.dnd != Dnd::Ignore,
                    spares: spares_for(&self.carriers, route, segments),
                };
                add(decision);
            }
        }
        decisions
    }

    fn not_carried(&self, kind: Kind) -> Error {
        if self.carriers.is_empty() {
            return Error::rule(
                "no_carrier",
                "No carrier is configured, so nothing can be sent: an administrator must add one under [[carriers]]",
            );
        }
        let able: Vec<&str> = Kind::ALL
            .iter()
            .filter(|other| self.carriers.iter().any(|carrier| carrier.kinds.contains(other)))
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

/// The carriers that take over a message of so many parts on this route.
#[inline]
fn spares_for(carriers: &[RouteCarrier], route: &Route, segments: u8) -> SpareCarriers {
    if route.spares.is_empty() {
        return SpareCarriers::NONE;
    }
    route.spares.that(|spare| carriers.get(usize::from(spare)).is_some_and(|it| it.takes_length(segments)))
}

/// The refusal of a purpose that every route of the kind leaves out.
fn not_for(purpose: Purpose) -> Error {
    let code = purpose.code();
    Error::field(
        "purpose",
        "purpose_not_carried",
        format!(
            "No route takes {code} messages of this kind; nothing was charged. Ask the administrator for a route with \
             purposes = [\"{code}\"]"
        ),
    )
}

impl Plan {
    /// The index in [`Plan::decisions`] of what becomes of a number whose message has so many parts.
    ///
    /// # Errors
    /// Why no carrier takes it.
    #[inline]
    pub fn decide(&self, number: Msisdn, network: NetworkId, segments: u8) -> Result<u8, NoRoute> {
        let mut refused = NoRoute::Unrouted;
        for route in self.routes.iter().filter(|route| route.takes(number, network)) {
            let disturbs = route.dnd != Dnd::Ignore && self.dnd.as_ref().is_some_and(|list| list.has(number));
            let (carrier, minds_dnd, spares) = match route.dnd {
                Dnd::Refuse if disturbs => return Err(NoRoute::Dnd),
                // The others of the route are for those who may be disturbed.
                Dnd::Reroute(carrier) if disturbs => (carrier, false, SpareCarriers::NONE),
                dnd => (route.carrier, dnd != Dnd::Ignore, spares_for(&self.carriers, route, segments)),
            };
            if !self.carriers[usize::from(carrier)].takes_length(segments) {
                refused = NoRoute::TooLong;
                continue;
            }
            let decision = RouteDecision { carrier, promotional: route.promotional, minds_dnd, spares };
            let place = |decision| self.decisions.iter().position(|it| *it == decision);
            let place =
                place(decision).or_else(|| place(RouteDecision { spares: SpareCarriers::NONE, ..decision }));
            return place.and_then(|place| u8::try_from(place).ok()).ok_or(NoRoute::Unrouted);
        }
        Err(refused)
    }

    /// Whether every carrier that these calls may go by can ask a question that is played so often.
    ///
    /// # Errors
    /// `keys_not_carried`, `plays_not_carried`.
    pub fn check_question(&self, plays: u8) -> Result<()> {
        let mut carriers =
            self.decisions.iter().filter_map(|decision| self.carriers.get(usize::from(decision.carrier)));
        if carriers.clone().any(|carrier| !carrier.keys) {
            let says = "These calls go over a line that does not tell which keys are pressed, so they cannot ask a \
                        question; nothing was charged. Leave the keys out, or ask the administrator for another line";
            return Err(Error::field("digits", "keys_not_carried", says));
        }
        if plays > 1 && carriers.any(|carrier| !carrier.repeats) {
            let says = "These calls go over a line that plays a question once; nothing was charged. Leave out how often \
                        it is played";
            return Err(Error::field("plays", "plays_not_carried", says));
        }
        Ok(())
    }

    /// The decisions there are, by index.
    pub fn decisions(&self) -> &[RouteDecision] {
        &self.decisions
    }

    /// The carriers, by index.
    pub fn carriers(&self) -> &[RouteCarrier] {
        &self.carriers
    }

    /// `DEFAULT`, or the names of the carriers that have short messages to take, given by index, each with those that may
    /// take over from it: `main then spare, other`.
    pub fn label(&self, segments: &[u64]) -> String {
        if self.is_default {
            return DEFAULT_ROUTE.to_owned();
        }
        let used = self.carriers.iter().zip(segments).filter(|(_, segments)| **segments > 0);
        used.map(|(carrier, _)| self.with_spares(carrier)).collect::<Vec<_>>().join(", ")
    }

    fn with_spares(&self, carrier: &RouteCarrier) -> String {
        let is_its = |decision: &&RouteDecision| {
            self.carriers.get(usize::from(decision.carrier)).is_some_and(|its| its.name == carrier.name)
        };
        let mut names: Vec<&str> = Vec::new();
        for spare in self.decisions.iter().filter(is_its).flat_map(|decision| decision.spares.iter()) {
            let name = self.carriers.get(usize::from(spare)).map(|spare| &*spare.name);
            names.extend(name.filter(|name| !names.contains(name)));
        }
        std::iter::once(&*carrier.name).chain(names).collect::<Vec<_>>().join(" then ")
    }

    /// How long the carriers need, side by side, for so many short messages each, or calls of `call_ms`, in ms. A carrier
    /// without a configured rate is taken to do [`ASSUMED_RATE`].
    pub fn duration_ms(&self, segments: &[u64], call_ms: u64) -> u64 {
        let durations = self
            .carriers
            .iter()
            .zip(segments)
            .map(|(carrier, segments)| carrier.duration_ms(*segments, call_ms));
        durations.max().unwrap_or(0)
    }
}
