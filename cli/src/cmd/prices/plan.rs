//! What a file of prices would change.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use talkdrum_api::money::{Amount, Currency};
use talkdrum_api::setting::{Prices, Rate, RateCosts, RatePlan, Rates, SetRates};
use talkdrum_api::wallet::PriceRecord;

use super::file::PriceFile;
use super::{ALL, CURRENCIES, destination, named, rate_in};
use crate::args::Priced;
use crate::client::{Answer, CallError, Client};
use crate::exit::{Failure, Result};
use crate::output::{Cell, Column};

/// A price that a file names otherwise than it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Change {
    /// The specification's name; `None` of a rate.
    #[serde(skip)]
    key: Option<&'static str>,
    of: String,
    /// The rate plan; `None` of prices and of rates for all.
    plan: Option<String>,
    currency: &'static str,
    before: Option<Amount>,
    after: Option<Amount>,
}

impl Change {
    fn difference(&self) -> Option<Amount> {
        self.after?.minus(self.before?).ok()
    }
}

/// Changes as a table.
pub(super) const CHANGE_COLUMNS: &[Column<Change>] = &[
    Column::left("of", "Price of", |it| Cell::text(named(&it.of, it.plan.as_deref()))),
    Column::left("currency", "Currency", |it| Cell::text(it.currency)),
    Column::right("before", "Now", |it| it.before.map_or(Cell::Empty, Cell::charge)),
    Column::right("after", "Then", |it| it.after.map_or(Cell::Empty, Cell::charge)),
    Column::right("difference", "Change", |it| it.difference().map_or(Cell::Empty, Cell::charge)),
];

/// What a file would change, and the version of the prices it was compared with.
#[derive(Debug, Serialize)]
pub(super) struct Plan {
    /// The version; where the file has rates, those of the prices and of the rates.
    pub(super) version: String,
    /// The changes; none when the prices are the file's already.
    pub(super) changes: Vec<Change>,
    #[serde(skip)]
    of_prices: String,
    /// The rates and plans that there shall be.
    #[serde(skip)]
    lists: (Option<Vec<Rate>>, Option<Vec<RatePlan>>),
    /// The version of the rates that there are; `None` where the file says nothing of rates and plans.
    #[serde(skip)]
    of_rates: Option<String>,
    /// Rates that are below what a carrier charges.
    pub(super) warnings: Vec<String>,
}

impl Plan {
    /// Compares a file with the prices of a daemon.
    pub(super) async fn of(client: &Client, file: &PriceFile) -> Result<Self> {
        let prices: Answer<Prices> = client.get("/admin/get-prices", &()).await?;
        let rates = match (file.rates(), file.plans()) {
            (None, None) => None,
            _ => Some(client.get::<Rates>("/admin/rates", &()).await?.value),
        };
        let warnings = below_cost(client, file).await;
        Ok(Self { warnings, ..Self::compare(file, &prices.value, rates.as_ref()) })
    }

    fn compare(file: &PriceFile, prices: &Prices, rates: Option<&Rates>) -> Self {
        let changes = ALL.into_iter().filter_map(|(of, currency, key)| {
            let after = Some(file.price(of, currency)?);
            let before = records(prices, of, currency).first().map(|record| record.value);
            let of = of.name().to_owned();
            Some(Change { key: Some(key), of, plan: None, currency: currency.code(), before, after })
        });
        let of_rates = rates.map(|rates| {
            let for_all = file.rates().map(|wanted| compare_rates(wanted, &rates.rates));
            let present = rates.plans.as_deref().unwrap_or_default();
            let of_plans = file.plans().map(|wanted| compare_plans(wanted, present));
            for_all.into_iter().chain(of_plans).flatten().collect::<Vec<_>>()
        });
        let changes = changes.chain(of_rates.into_iter().flatten()).filter(|it| it.before != it.after);
        let of_prices = prices.version.clone();
        Self {
            version: match rates {
                Some(rates) => format!("{of_prices}-{}", rates.version),
                None => of_prices.clone(),
            },
            changes: changes.collect(),
            of_prices,
            lists: (file.rates().map(<[_]>::to_vec), file.plans().map(<[_]>::to_vec)),
            of_rates: rates.map(|rates| rates.version.clone()),
            warnings: Vec::new(),
        }
    }

    /// The prices that change, by the specification's names.
    pub(super) fn prices(&self) -> BTreeMap<String, Amount> {
        let changed = self.changes.iter().filter_map(|it| Some((it.key?.to_owned(), it.after?)));
        changed.collect()
    }

    /// The version of the prices it was compared with.
    pub(super) fn version_of_prices(&self) -> &str {
        &self.of_prices
    }

    /// The order that sets rates and prices together; `None` where the file says nothing of rates.
    pub(super) fn with_rates(&self) -> Option<SetRates> {
        let version = self.of_rates.clone()?;
        let (rates, plans) = self.lists.clone();
        Some(SetRates {
            rates,
            plans,
            expect: Some(version),
            prices: self.prices(),
            expect_prices: Some(self.of_prices.clone()),
            purposes: true,
            total: None,
            version: None,
        })
    }
}

/// Which rates of a file are below what the dearest of their carriers charges, a sentence each. Where that cannot be looked
/// up, a sentence says so.
async fn below_cost(client: &Client, file: &PriceFile) -> Vec<String> {
    let asked = RateCosts {
        rates: file.rates().unwrap_or_default().to_vec(),
        plans: file.plans().unwrap_or_default().to_vec(),
    };
    if asked == RateCosts::default() {
        return Vec::new();
    }
    let answer: Result<Answer<RateCosts>, CallError> = client.post("/admin/rate-costs", &asked, None).await;
    match answer {
        Ok(Answer { value: RateCosts { rates, plans }, .. }) => {
            let of_plans = plans.iter().flat_map(|plan| plan.rates.iter().map(|it| (it, Some(&*plan.name))));
            let all = rates.iter().map(|rate| (rate, None)).chain(of_plans);
            all.flat_map(|(rate, plan)| warnings_of(rate, plan)).collect()
        }
        Err(error) => {
            let why = Failure::from(error).message;
            vec![format!("what carriers charge could not be looked up: {why}")]
        }
    }
}

fn warnings_of(rate: &Rate, plan: Option<&str>) -> Vec<String> {
    let below = CURRENCIES.into_iter().filter_map(|currency| {
        let cost = match currency {
            Currency::Espees => rate.cost_espees?,
            Currency::Naira => rate.cost_naira?,
        };
        let price = rate_in(rate, currency).filter(|price| *price < cost)?;
        let (of, label) = (named(&destination(rate), plan), currency.label());
        Some(format!("{of}: {price} {label} a page is below the {cost} that a carrier charges"))
    });
    below.collect()
}

/// Every rate in each currency, as it is and as it shall be.
fn compare_rates<'r>(wanted: &'r [Rate], present: &'r [Rate]) -> Vec<Change> {
    let by_place = |rates: &'r [Rate]| -> BTreeMap<String, &'r Rate> {
        rates.iter().map(|rate| (destination(rate), rate)).collect()
    };
    let (wanted, present) = (by_place(wanted), by_place(present));
    let places: BTreeSet<&String> = wanted.keys().chain(present.keys()).collect();
    let changes = places.iter().flat_map(|of| {
        let price = |rates: &BTreeMap<String, &Rate>, currency| {
            rates.get(*of).and_then(|rate| rate_in(rate, currency))
        };
        CURRENCIES.map(|currency| Change {
            key: None,
            of: (*of).clone(),
            plan: None,
            currency: currency.code(),
            before: price(&present, currency),
            after: price(&wanted, currency),
        })
    });
    changes.collect()
}

/// Every rate of every plan.
fn compare_plans(wanted: &[RatePlan], present: &[RatePlan]) -> Vec<Change> {
    let names: BTreeSet<&str> = wanted.iter().chain(present).map(|plan| &*plan.name).collect();
    let changes = names.iter().flat_map(|name| {
        let rates = |plans: &'_ [RatePlan]| {
            let plan = plans.iter().find(|plan| plan.name == *name);
            plan.map(|plan| plan.rates.clone()).unwrap_or_default()
        };
        let changes = compare_rates(&rates(wanted), &rates(present));
        changes.into_iter().map(move |it| Change { plan: Some((*name).to_owned()), ..it })
    });
    changes.collect()
}

fn records(prices: &Prices, of: Priced, currency: Currency) -> &[PriceRecord] {
    match (of, currency) {
        (Priced::Sms, Currency::Espees) => &prices.sms,
        (Priced::Sms, Currency::Naira) => &prices.sms_naira,
        (Priced::SmsAbroad, Currency::Espees) => &prices.sms_abroad,
        (Priced::SmsAbroad, Currency::Naira) => &prices.sms_abroad_naira,
        (Priced::Voice, Currency::Espees) => &prices.voice,
        (Priced::Voice, Currency::Naira) => &prices.voice_naira,
        (Priced::VirtualNumber, Currency::Espees) => &prices.virtual_number,
        (Priced::OwnNumber, Currency::Espees) => &prices.own_number,
        (Priced::VirtualNumber | Priced::OwnNumber, Currency::Naira) => &[],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn price(text: &str) -> PriceRecord {
        PriceRecord { value: text.parse().unwrap(), updated_at: String::new() }
    }

    fn prices() -> Prices {
        Prices {
            sms: vec![price("1.5")],
            sms_naira: vec![price("4.5")],
            sms_abroad: Vec::new(),
            sms_abroad_naira: vec![price("60")],
            voice: Vec::new(),
            voice_naira: vec![price("9")],
            virtual_number: Vec::new(),
            own_number: Vec::new(),
            version: "v".into(),
        }
    }

    #[test]
    fn a_file_changes_what_it_names_and_nothing_else() {
        let file =
            PriceFile::parse("[espees]\nsms = 1.50\nvoice = '2'\n[naira]\nsms = 4.75\nsms_abroad = 60\n")
                .unwrap();
        let plan = Plan::compare(&file, &prices(), None);
        let told: Vec<_> = plan.changes.iter().map(|it| (it.key.unwrap(), it.difference())).collect();
        assert_eq!(told, [("SMS-UNIT-PRICE-IN-NAIRA", Some(Amount(250_000))), ("VOICE-UNIT-PRICE", None)]);
        assert_eq!((plan.version.as_str(), plan.with_rates()), ("v", None));
        assert!(Plan::compare(&PriceFile::default(), &prices(), None).changes.is_empty());
    }

    #[test]
    fn the_rates_of_a_file_are_all_that_there_shall_be() {
        let file = PriceFile::parse(
            "[naira]\nsms = 5\n\n[[rates]]\nprefix = '+44'\nespees = 0.08\nnaira = 61\n\n\
             [[rates]]\nprefix = '234'\nnetwork = 'MTN'\nnaira = 3.9\n\n\
             [[rates]]\nprefix = '234'\nnetwork = 'MTN'\npurpose = 'otp'\nnaira = 3.5\n",
        )
        .unwrap();
        let rate = |prefix: &str, espees: Option<i64>, naira: Option<i64>| Rate {
            prefix: prefix.into(),
            network: None,
            purpose: None,
            espees: espees.map(Amount),
            naira: naira.map(Amount),
            updated_at: Some("then".into()),
            cost_espees: None,
            cost_naira: None,
        };
        let present = Rates {
            rates: vec![rate("1", Some(5), None), rate("44", Some(80_000), Some(60_000_000))],
            plans: None,
            total: 2,
            version: "r".into(),
            purposes: true,
        };
        let plan = Plan::compare(&file, &prices(), Some(&present));
        let told: Vec<_> =
            plan.changes.iter().map(|it| (&*it.of, it.currency, it.before, it.after)).collect();
        assert_eq!(
            told,
            [
                ("sms", "naira", Some(Amount(4_500_000)), Some(Amount(5_000_000))),
                ("+1", "espees", Some(Amount(5)), None),
                ("+234 mtn", "naira", None, Some(Amount(3_900_000))),
                ("+234 mtn for otp", "naira", None, Some(Amount(3_500_000))),
                ("+44", "naira", Some(Amount(60_000_000)), Some(Amount(61_000_000))),
            ]
        );
        let order = plan.with_rates().unwrap();
        assert_eq!(
            (plan.version.as_str(), order.rates.as_ref().map_or(0, Vec::len), order.prices.len()),
            ("v-r", 3, 1)
        );
        assert_eq!((order.expect.as_deref(), order.expect_prices.as_deref()), (Some("r"), Some("v")));
        let none = Plan::compare(&PriceFile::parse("rates = []").unwrap(), &prices(), Some(&present));
        assert!(none.changes.iter().all(|it| it.after.is_none()) && none.changes.len() == 3, "{none:?}");
    }

    #[test]
    fn a_rate_below_what_a_carrier_charges_is_told() {
        let text = |text: &str| Some(text.parse().unwrap());
        let rate = Rate {
            prefix: "234".into(),
            network: Some("mtn".into()),
            purpose: None,
            espees: text("0.02"),
            naira: text("2.4"),
            updated_at: None,
            cost_espees: text("0.02"),
            cost_naira: text("2.5"),
        };
        let told = ["+234 mtn (plan gold): 2.4 Naira a page is below the 2.5 that a carrier charges"];
        assert_eq!(warnings_of(&rate, Some("gold")), told);
        assert!(warnings_of(&Rate { cost_naira: None, ..rate }, None).is_empty());
    }

    #[test]
    fn the_plans_of_a_file_are_all_that_there_shall_be_and_it_may_leave_them_out() {
        let rate = |prefix: &str, naira: i64| Rate {
            prefix: prefix.into(),
            network: None,
            purpose: None,
            espees: None,
            naira: Some(Amount(naira)),
            updated_at: None,
            cost_espees: None,
            cost_naira: None,
        };
        let plan = |name: &str, rates: &[Rate]| RatePlan {
            name: name.into(),
            rates: rates.to_vec(),
            users: Some(2),
        };
        let present = Rates {
            rates: vec![rate("44", 60)],
            plans: Some(vec![plan("gold", &[rate("44", 50)]), plan("old", &[rate("1", 5)])]),
            total: 1,
            version: "r".into(),
            purposes: true,
        };
        let file =
            PriceFile::parse("[[plans]]\nname = ' Gold'\n[[plans.rates]]\nprefix = '+44'\nnaira = 0.00004\n")
                .unwrap();
        let compared = Plan::compare(&file, &prices(), Some(&present));
        let told: Vec<_> = compared
            .changes
            .iter()
            .map(|it| (named(&it.of, it.plan.as_deref()), it.before, it.after))
            .collect();
        assert_eq!(
            told,
            [
                ("+44 (plan gold)".to_owned(), Some(Amount(50)), Some(Amount(40))),
                ("+1 (plan old)".to_owned(), Some(Amount(5)), None)
            ]
        );
        let order = compared.with_rates().unwrap();
        assert_eq!((order.rates, order.plans.unwrap().len(), order.expect.as_deref()), (None, 1, Some("r")));
        let without = Plan::compare(&PriceFile::parse("rates = []").unwrap(), &prices(), Some(&present));
        assert_eq!((without.changes.len(), without.with_rates().unwrap().plans), (1, None));
    }
}
