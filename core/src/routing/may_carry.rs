//! Which carriers a message may go by, before its sender, kind and length are known.

use talkdrum_api::kind::Kind;
use talkdrum_api::purpose::Purpose;

use super::{Dnd, Route, RouteCarrier, Router};
use crate::phone::{Msisdn, NetworkId};

impl Router {
    /// What the numbers of its routes begin with.
    pub fn prefixes(&self) -> impl Iterator<Item = String> {
        self.routes.iter().flat_map(Route::prefix_texts)
    }

    /// What an operator should know of the routes: that short messages of a purpose have none, while others have. They are
    /// refused in every quote.
    pub fn warning(&self) -> Option<String> {
        let takes_texts = |route: &&Route| {
            let carrier = self.carriers.get(usize::from(route.carrier));
            let meant =
                |kind: &&Kind| kind.is_sms() && (route.kinds.is_empty() || route.kinds.contains(kind));
            carrier.is_some_and(|carrier| carrier.kinds.iter().any(|kind| meant(&kind)))
        };
        let routes: Vec<&Route> = self.routes.iter().filter(takes_texts).collect();
        let has_way = |purpose: &Purpose| {
            routes.iter().any(|route| route.purposes.is_empty() || route.purposes.contains(purpose))
        };
        let missing = Purpose::ALL.into_iter().filter(|purpose| !has_way(purpose)).map(Purpose::code);
        let missing = missing.collect::<Vec<_>>().join(" and ");
        (!routes.is_empty() && !missing.is_empty()).then(|| {
            format!(
                "No [[routes]] entry takes text messages with the purpose {missing}: they are refused. Add the purpose to the \
                 `purposes` of an entry, or an entry without any"
            )
        })
    }

    /// The carriers that short messages to a number may go by, whatever their sender, kind and length.
    pub fn may_carry(&self, number: Msisdn, network: NetworkId, purpose: Purpose) -> Vec<&RouteCarrier> {
        let all: Vec<Route>;
        let routes = if self.routes.is_empty() {
            all = (0..=u8::MAX).take(self.carriers.len()).map(Route::all).collect();
            &all
        } else {
            &self.routes
        };
        let mut carriers = Vec::new();
        let meant = |route: &&Route| route.purposes.is_empty() || route.purposes.contains(&purpose);
        for route in routes.iter().filter(meant).filter(|route| route.takes(number, network)) {
            let around = match route.dnd {
                Dnd::Reroute(carrier) if purpose != Purpose::Otp => Some(carrier),
                Dnd::Reroute(_) | Dnd::Ignore | Dnd::Refuse => None,
            };
            let all = [Some(route.carrier), around].into_iter().flatten().chain(route.spares.iter());
            let all = all.filter_map(|carrier| self.carriers.get(usize::from(carrier)));
            carriers.extend(all.filter(|carrier| carrier.kinds.iter().any(|kind| kind.is_sms())));
            let takes_all = |carrier: &RouteCarrier| {
                carrier.max_parts == 0 && !carrier.numeric_senders_only && carrier.has_all_sms_kinds()
            };
            let mut both = [Some(route.carrier), around].into_iter().flatten();
            let is_last = route.kinds.is_empty()
                && route.senders.is_empty()
                && both.all(|carrier| self.carriers.get(usize::from(carrier)).is_some_and(takes_all));
            if is_last {
                break;
            }
        }
        carriers
    }
}
