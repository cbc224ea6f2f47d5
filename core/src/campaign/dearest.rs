//! What the carriers of destinations charge at most, found by numbers that stand for all others: of each network, of each
//! route, and of each destination itself.

use std::collections::HashMap;

use talkdrum_api::money::{Amount, Currency};
use talkdrum_api::purpose::Purpose;

use crate::model::money::rate::{Destination, PageRate};
use crate::phone::{Msisdn, NetworkId, NetworkTable};
use crate::routing::Router;
use crate::settings::{RateTable, RatesOf};

/// Digits of the numbers that stand for others.
const DIGITS: usize = 13;

/// The most that a short message costs, by currency.
pub type Charges = HashMap<Currency, Amount>;

/// What carriers charge, for lists of rates.
#[derive(Debug)]
pub struct Dearest<'r, C> {
    router: &'r Router,
    networks: &'r NetworkTable,
    charge: C,
    /// What numbers begin with that differ in network or route.
    bases: Vec<String>,
}

impl<'r, C: Fn(&str, &str) -> Option<(Currency, Amount)>> Dearest<'r, C> {
    /// `charge` says what a carrier, by name, charges for a short message to a network.
    pub fn new(router: &'r Router, networks: &'r NetworkTable, charge: C) -> Self {
        let bases = networks.prefixes().chain(router.prefixes()).collect();
        Self { router, networks, charge, bases }
    }

    /// For each rate of a list the most that a message costs which has this rate: at any carrier that a route may lead to,
    /// whatever the sender, the kind and the length. Takes time in proportion to the rates and to the
    /// prefixes of networks and routes.
    pub fn of(&self, rates: &[PageRate]) -> Vec<Charges> {
        let for_all: Vec<PageRate> =
            rates.iter().map(|rate| PageRate { plan: String::new(), ..rate.clone() }).collect();
        let places: HashMap<&Destination, usize> =
            rates.iter().zip(0..).map(|(rate, place)| (&rate.destination, place)).collect();
        let mut found = vec![Charges::new(); rates.len()];
        let numbers = self.numbers(rates);
        for purpose in Purpose::ALL {
            let charged: Vec<_> = numbers.iter().map(|it| (*it, self.charged(*it, purpose))).collect();
            for currency in Currency::ALL {
                let table = RateTable::new(&for_all, RatesOf { plan: "", purpose }, currency, self.networks);
                for ((number, network), charges) in &charged {
                    let rate = table.find(*number, *network).and_then(|rate| table.destination(rate));
                    let place = rate.and_then(|destination| places.get(destination));
                    let charges = place.and_then(|place| found.get_mut(*place)).zip(charges.get(&currency));
                    if let Some((dearest, charge)) = charges {
                        let dearest = dearest.entry(currency).or_insert(*charge);
                        *dearest = (*charge).max(*dearest);
                    }
                }
            }
        }
        found
    }

    /// The numbers that stand for all: ten behind each base and each prefix of a rate, one for every next digit.
    fn numbers(&self, rates: &[PageRate]) -> Vec<(Msisdn, NetworkId)> {
        let prefixes = rates.iter().map(|rate| rate.destination.prefix.as_str());
        let bases = self.bases.iter().map(String::as_str).chain(prefixes);
        let numbers = bases.flat_map(|base| {
            (0..10).filter_map(move |next| {
                let digits = if base.len() < DIGITS { format!("{base}{next}") } else { base.to_owned() };
                Msisdn::from_digits(format!("{digits:0<DIGITS$}").parse().ok()?)
            })
        });
        let mut numbers: Vec<Msisdn> = numbers.collect();
        numbers.sort_unstable();
        numbers.dedup();
        numbers.into_iter().map(|number| (number, self.networks.lookup(number))).collect()
    }

    fn charged(&self, (number, network): (Msisdn, NetworkId), purpose: Purpose) -> Charges {
        let name = self.networks.name(network);
        let mut charges = Charges::new();
        for carrier in self.router.may_carry(number, network, purpose) {
            if let Some((currency, charge)) = (self.charge)(&carrier.name, name) {
                let dearest = charges.entry(currency).or_insert(charge);
                *dearest = charge.max(*dearest);
            }
        }
        charges
    }
}

#[cfg(test)]
mod tests {
    use talkdrum_api::kind::Kind;

    use super::*;
    use crate::routing::RouteConfig;
    use crate::testing::campaign::route_carrier;
    use crate::time::Time;

    /// Lines as `+234 mtn: espees 0.05, naira 2.5`.
    fn told(routes: &[RouteConfig], rates: &[(&str, &str, Option<Purpose>)]) -> Vec<String> {
        let networks = NetworkTable::from_csv(
            "prefix,network,as_of\n234803,mtn,2026-01-01\n2348031,mtn-south,2026-01-01\n23480512,glo,2026-01-01\n\
             234802,airtel,2026-01-01\n233,ghana,2026-01-01\n",
        )
        .unwrap();
        let mut carriers = ["bulk", "bank", "abroad", "unpriced"].map(route_carrier);
        for carrier in &mut carriers {
            carrier.kinds = Kind::SMS.to_vec();
        }
        let router = Router::new(carriers.to_vec(), routes, &networks).unwrap();
        let charge = |carrier: &str, network: &str| {
            let (currency, text) = match (carrier, network) {
                ("bulk", "mtn") => (Currency::Naira, "2.5"),
                ("bulk", "glo") => (Currency::Naira, "2.3"),
                ("bulk", _) => (Currency::Naira, "2.2"),
                ("bank", _) => (Currency::Naira, "4"),
                ("abroad", "ghana") => (Currency::Espees, "0.07"),
                ("abroad", _) => (Currency::Espees, "0.05"),
                _ => return None,
            };
            Some((currency, text.parse().unwrap()))
        };
        let rate = |(prefix, network, purpose): &(&str, &str, Option<Purpose>)| PageRate {
            plan: "gold".into(),
            destination: Destination {
                prefix: (*prefix).into(),
                network: (*network).into(),
                purpose: *purpose,
            },
            espees: Some(Amount(1)),
            naira: Some(Amount(1)),
            updated_at: Time(1),
        };
        let rates: Vec<PageRate> = rates.iter().map(rate).collect();
        let found = Dearest::new(&router, &networks, charge).of(&rates);
        let line = |(rate, charges): (&PageRate, &Charges)| {
            let of = |currency: Currency| Some(format!(" {} {}", currency.code(), charges.get(&currency)?));
            let charges: Vec<String> =
                [Currency::Espees, Currency::Naira].into_iter().filter_map(of).collect();
            format!("{}:{}", rate.destination, charges.join(","))
        };
        rates.iter().zip(&found).map(line).collect()
    }

    fn route(carrier: &str) -> RouteConfig {
        RouteConfig { carrier: carrier.into(), ..RouteConfig::default() }
    }

    #[test]
    fn a_rate_costs_what_the_dearest_carrier_charges_of_the_messages_that_have_it() {
        let prefixed =
            |carrier: &str, prefix: &str| RouteConfig { prefixes: vec![prefix.into()], ..route(carrier) };
        let routes = [
            RouteConfig { purposes: vec![Purpose::Otp], ..prefixed("bank", "234") },
            RouteConfig { networks: vec!["airtel".into()], ..route("unpriced") },
            prefixed("abroad", "2348039"),
            prefixed("bulk", "234"),
            route("abroad"),
        ];
        let (otp, promotional) = (Some(Purpose::Otp), Some(Purpose::Promotional));
        let list = [
            ("234", "", None),
            ("234", "", otp),
            ("234", "mtn", None),
            ("234", "mtn", otp),
            ("2348051", "", promotional),
            ("234802", "", promotional),
            ("233", "", None),
            ("2", "", None),
            ("447911123456", "", None),
        ];
        assert_eq!(
            told(&routes, &list),
            [
                // Nothing of MTN's, of codes and of Glo's advertising, which have rates of their own.
                "+234: naira 2.3",
                "+234 for otp: naira 4",
                "+234 mtn: espees 0.05, naira 2.5",
                "+234 mtn for otp: naira 4",
                "+2348051 for promotional: naira 2.3",
                "+234802 for promotional:",
                "+233: espees 0.07",
                "+2: espees 0.05",
                "+447911123456: espees 0.05",
            ]
        );
    }

    #[test]
    fn what_some_messages_only_go_by_counts_too() {
        let list = [("234", "", Some(Purpose::Transactional))];
        let with = |one: RouteConfig| told(&[one, route("bulk")], &list);
        assert_eq!(
            told(&[route("bulk"), route("bank")], &list),
            ["+234 for transactional: naira 2.5"],
            "the first"
        );
        for dear in [
            RouteConfig { kinds: vec![Kind::Unicode], ..route("bank") },
            RouteConfig { senders: vec!["Bank".into()], ..route("bank") },
            RouteConfig { dnd: Some("reroute:bank".into()), ..route("bulk") },
        ] {
            assert_eq!(with(dear), ["+234 for transactional: naira 4"]);
        }
        let rerouted = [RouteConfig { dnd: Some("reroute:bank".into()), ..route("bulk") }];
        let codes = [("234", "", Some(Purpose::Otp))];
        assert_eq!(told(&rerouted, &codes), ["+234 for otp: naira 2.5"], "codes mind no list");
        assert_eq!(told(&[], &list), ["+234 for transactional: naira 2.5"], "the first carrier takes all");
    }
}
