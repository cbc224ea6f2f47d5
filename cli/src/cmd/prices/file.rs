//! Prices as a file. What a file does not name stays as it is; the rates that it names are all that there shall be.

use std::collections::BTreeSet;
use std::io::Read;
use std::path::Path;

use serde::Deserialize;
use talkdrum_api::money::{Amount, Currency};
use talkdrum_api::setting::{Rate, RatePlan};

use super::{ALL, destination};
use crate::args::Priced;
use crate::exit::{Code, Failure, Result};

/// The largest file.
const LARGEST_BYTES: u64 = 256 * 1024;

/// A file of prices.
#[derive(Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PriceFile {
    #[serde(default)]
    espees: InEspees,
    #[serde(default)]
    naira: InNaira,
    /// All rates by destination; `None` leaves them as they are.
    rates: Option<Vec<Rate>>,
    /// All rate plans; `None` leaves them as they are.
    plans: Option<Vec<RatePlan>>,
}

#[derive(Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
struct InEspees {
    sms: Option<Amount>,
    sms_abroad: Option<Amount>,
    voice: Option<Amount>,
    virtual_number: Option<Amount>,
    own_number: Option<Amount>,
}

#[derive(Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
struct InNaira {
    sms: Option<Amount>,
    sms_abroad: Option<Amount>,
    voice: Option<Amount>,
}

impl PriceFile {
    /// Reads a file, or stdin for `-`.
    pub(super) fn read(path: &Path) -> Result<Self> {
        let mut text = String::new();
        let read = if path == Path::new("-") {
            std::io::stdin().take(LARGEST_BYTES).read_to_string(&mut text)
        } else {
            std::fs::File::open(path).and_then(|file| file.take(LARGEST_BYTES).read_to_string(&mut text))
        };
        read.map_err(|error| Failure::unreadable(path, &error))?;
        Self::parse(&text).map_err(|reason| {
            Failure::refused(Code::File, format!("{} is no list of prices: {reason}", path.display()))
                .hint("examples/prices.toml shows how it is written")
        })
    }

    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let mut file: Self = toml::from_str(text).map_err(|error| error.message().to_owned())?;
        let of_plans = file.plans.iter_mut().flatten().flat_map(|plan| &mut plan.rates);
        for rate in file.rates.iter_mut().flatten().chain(of_plans) {
            // As the daemon stores them, so that a plan compares like with like.
            rate.prefix = rate.prefix.trim().trim_start_matches('+').to_owned();
            rate.network = rate.network.take().map(|name| name.trim().to_lowercase());
            rate.network.take_if(|name| name.is_empty());
            if [rate.espees, rate.naira].into_iter().flatten().any(|price| price < Amount::ZERO) {
                return Err(format!("the rate of +{} is below zero", rate.prefix));
            }
            if (rate.espees, rate.naira) == (None, None) {
                return Err(format!("the rate of +{} has no price", rate.prefix));
            }
        }
        let mut names = BTreeSet::new();
        for plan in file.plans.iter_mut().flatten() {
            plan.name = plan.name.trim().to_lowercase();
            if !names.insert(&*plan.name) {
                return Err(format!("the plan '{}' is given twice", plan.name));
            }
            if plan.rates.is_empty() {
                return Err(format!("the plan '{}' has no rates: leave it out to remove it", plan.name));
            }
            each_once(&plan.rates).map_err(|reason| format!("{reason} in the plan '{}'", plan.name))?;
        }
        each_once(file.rates.as_deref().unwrap_or_default())?;
        for (of, currency, _) in ALL {
            if file.price(of, currency).is_some_and(|price| price < Amount::ZERO) {
                return Err(format!("{}.{} is below zero", currency.code(), of.name()));
            }
        }
        Ok(file)
    }

    /// All plans that there shall be; `None` where the file says nothing of them.
    pub(super) fn plans(&self) -> Option<&[RatePlan]> {
        self.plans.as_deref()
    }

    /// All rates that there shall be; `None` where the file says nothing of them.
    pub(super) fn rates(&self) -> Option<&[Rate]> {
        self.rates.as_deref()
    }

    pub(super) fn price(&self, of: Priced, currency: Currency) -> Option<Amount> {
        match (of, currency) {
            (Priced::Sms, Currency::Espees) => self.espees.sms,
            (Priced::SmsAbroad, Currency::Espees) => self.espees.sms_abroad,
            (Priced::SmsAbroad, Currency::Naira) => self.naira.sms_abroad,
            (Priced::Voice, Currency::Espees) => self.espees.voice,
            (Priced::VirtualNumber, Currency::Espees) => self.espees.virtual_number,
            (Priced::OwnNumber, Currency::Espees) => self.espees.own_number,
            (Priced::Sms, Currency::Naira) => self.naira.sms,
            (Priced::Voice, Currency::Naira) => self.naira.voice,
            (Priced::VirtualNumber | Priced::OwnNumber, Currency::Naira) => None,
        }
    }
}

fn each_once(rates: &[Rate]) -> Result<(), String> {
    let mut seen = BTreeSet::new();
    for rate in rates {
        let destination = destination(rate);
        if !seen.insert(destination.clone()) {
            return Err(format!("the rate of {destination} is given twice"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_price_is_refused_by_name() {
        for text in [
            "[espees]\nsms = -1",
            "[naira]\nsms_abroad = -1",
            "[espees]\nmms = 1",
            "[naira]\nown_number = 1",
            "sms = 1",
            "[naira]\nsms = 1.1234567",
            "[[rates]]\nnaira = 1",
            "[[rates]]\nprefix = '44'\nniara = 1",
            "[[rates]]\nprefix = '44'\nnaira = -1",
            "[[rates]]\nprefix = 44\nnaira = 1",
            "[[rates]]\nprefix = '44'",
            "[[plans]]\nname = 'gold'",
            "[[plans]]\nname = 'gold'\nrates = []",
            "[[plans]]\nname = 'gold'\n[[plans.rates]]\nprefix = '44'\nnaira = -1",
            "[[plans]]\nname = 'gold'\n[[plans.rates]]\nprefix = '44'\nnaira = 1\n[[plans.rates]]\nprefix = '44'\nnaira = 1",
            "[[plans]]\nname = 'a'\n[[plans.rates]]\nprefix = '4'\nnaira = 1\n[[plans]]\nname = 'A'\n[[plans.rates]]\nprefix = '4'\nnaira = 1",
            "[[rates]]\nprefix = '44'\nnaira = 1\n[[rates]]\nprefix = '+44'\nespees = 1",
        ] {
            assert!(PriceFile::parse(text).is_err(), "{text}");
        }
        assert_eq!(PriceFile::parse("[naira]\nsms = 1").unwrap().rates(), None);
        assert_eq!(PriceFile::parse("rates = []").unwrap().rates(), Some(&[][..]));
    }
}
