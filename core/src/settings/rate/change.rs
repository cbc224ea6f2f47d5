//! Changing the list of rates.

use std::collections::{BTreeMap, BTreeSet};

use sha2::{Digest as _, Sha256};
use talkdrum_api::money::{Amount, Currency};

use crate::error::{Error, Result};
use crate::model::account::id::UserId;
use crate::model::money::rate::{Destination, PageRate};
use crate::model::platform::audit::AuditAction;
use crate::phone::NetworkTable;
use crate::platform::audit::{self, Entry};
use crate::settings::price_list::VERSION_DIGITS;
use crate::store::Tx;
use crate::store::platform::{rate as rows, setting};
use crate::time::Time;

/// The most rates that a list may have.
pub const RATES_MAX: usize = 1_000;
/// The most rates of all lists together.
pub const ALL_RATES_MAX: usize = 3_000;
/// The most plans.
pub const PLANS_MAX: usize = 100;
/// The most networks that a plan may name: what its users are told of the list for all is told for each of them.
const PLAN_NETWORKS_MAX: usize = 16;
/// Digits of the longest prefix: of a whole number.
const PREFIX_DIGITS: usize = 15;
/// Bytes of the longest name of a plan.
const NAME_BYTES: usize = 40;

/// What the rates shall be; what is `None` stays as it is.
#[derive(Clone, Debug, Default)]
pub struct RatesChange {
    /// The list for all.
    pub rates: Option<Vec<PageRate>>,
    /// All plans: names with their rates.
    pub plans: Option<Vec<(String, Vec<PageRate>)>>,
    /// Whether it was made by who knows that a rate may have a purpose.
    pub knows_purposes: bool,
}

impl RatesChange {
    /// The rates of all lists that it names, each with its plan.
    fn rates(&self) -> Vec<PageRate> {
        let for_all = self.rates.iter().map(|rates| ("", rates));
        let of_plans = self.plans.iter().flatten().map(|(plan, rates)| (plan.as_str(), rates));
        let lists = for_all.chain(of_plans);
        let rates = lists.flat_map(|(plan, rates)| {
            rates.iter().map(move |rate| PageRate { plan: plan.to_owned(), ..rate.clone() })
        });
        rates.collect()
    }

    /// Whether it says what this list shall be.
    fn names(&self, plan: &str) -> bool {
        if plan.is_empty() { self.rates.is_some() } else { self.plans.is_some() }
    }
}

/// All rates of all lists, that for all first, and their version.
pub async fn rates(tx: &mut Tx) -> Result<(Vec<PageRate>, String)> {
    let version = setting::get(tx, rows::VERSION).await?.map(|row| row.value).unwrap_or_default();
    Ok((rows::all(tx).await?, version))
}

/// Makes these the rates, all or none; returns how many prices changed. With `expect`, only if that is still the version;
/// where they are the rates already nothing is to be done, and the version does not matter.
///
/// # Errors
/// On the field `rates`, or `plans`: `too_many_rates`, `bad_prefix`, `unknown_network`, `rate_without_price`,
/// `price_negative`, `rate_twice`. On `plans`: `too_many_plans`, `bad_plan_name`, `plan_twice`, `plan_without_rates`, `too_many_networks`,
/// `plan_in_use` (409) of one that is left out while users have it. `rates_have_purposes` (409). `rates_changed` (409) when the rates are not the
/// expected ones any more.
pub async fn change_rates(
    tx: &mut Tx,
    wanted: &RatesChange,
    networks: &NetworkTable,
    expect: Option<&str>,
    by: UserId,
    now: Time,
) -> Result<usize> {
    check(wanted, networks)?;
    let knows_purposes = wanted.knows_purposes;
    let version = rows::lock_version(tx).await?;
    let (named, others): (Vec<PageRate>, Vec<PageRate>) =
        rows::all(tx).await?.into_iter().partition(|rate| wanted.names(&rate.plan));
    let wanted = wanted.rates();
    if others.len() + wanted.len() > ALL_RATES_MAX {
        return Err(too_many(
            "rates",
            ALL_RATES_MAX,
            "rates in all lists together",
            others.len() + wanted.len(),
        ));
    }
    let before: BTreeMap<_, _> = named.iter().map(|rate| (rate.key(), rate)).collect();
    let after: BTreeMap<_, _> = wanted.iter().map(|rate| (rate.key(), rate)).collect();
    let removed: Vec<_> = before.keys().filter(|it| !after.contains_key(*it)).copied().collect();
    let is_other = |rate: &&PageRate| {
        before.get(&rate.key()).is_none_or(|it| (it.espees, it.naira) != (rate.espees, rate.naira))
    };
    let put: Vec<PageRate> = wanted.iter().filter(is_other).cloned().collect();
    let mut entries = Vec::new();
    for key in removed.iter().copied().chain(put.iter().map(PageRate::key)) {
        for currency in Currency::ALL {
            let was = before.get(&key).and_then(|rate| rate.price(currency));
            let is = after.get(&key).and_then(|rate| rate.price(currency));
            if was != is {
                let (plan, destination) = key;
                let space = if plan.is_empty() { "" } else { " " };
                let subject = format!("RATE {plan}{space}{destination} {}", currency.code());
                let text = |price: Option<Amount>| price.map(|price| price.to_string());
                entries
                    .push(Entry::new(by, AuditAction::PriceSet, subject).before(text(was)).after(text(is)));
            }
        }
    }
    if entries.is_empty() {
        return Ok(0);
    }
    let have_purposes = |rates: &[PageRate]| rates.iter().any(|rate| rate.destination.purpose.is_some());
    if !knows_purposes && have_purposes(&named) && !have_purposes(&wanted) {
        return Err(Error::conflict(
            "rates_have_purposes",
            "There are rates for one purpose, which this list leaves out: load the page again, or use a client of this \
             version; a program that means it says 'purposes': true",
        ));
    }
    if let Some(expected) = expect.map(str::trim).filter(|expected| *expected != version) {
        return Err(Error::conflict(
            "rates_changed",
            format!(
                "The rates were changed meanwhile (they are at version '{version}' now, not '{expected}'): look again"
            ),
        ));
    }
    let gone: BTreeSet<&str> = removed.iter().map(|(plan, _)| *plan).collect();
    for (plan, users) in rows::users_by_plan(tx).await? {
        if gone.contains(plan.as_str()) && after.keys().all(|(kept, _)| *kept != plan) {
            let have = if users == 1 { "1 user has".to_owned() } else { format!("{users} users have") };
            return Err(Error::conflict(
                "plan_in_use",
                format!("The plan '{plan}' cannot be removed: {have} it. Take it from them first"),
            ));
        }
    }
    rows::remove(tx, &removed).await?;
    rows::put(tx, &put, now).await?;
    audit::record_all(tx, &entries, now).await?;
    let fresh = version_of(&rows::all(tx).await?);
    setting::put(tx, rows::VERSION, &fresh, by, now).await?;
    Ok(entries.len())
}

/// A name for exactly these rates of all lists; empty when there are none.
pub(super) fn version_of(rates: &[PageRate]) -> String {
    if rates.is_empty() {
        return String::new();
    }
    let mut sorted: Vec<&PageRate> = rates.iter().collect();
    sorted.sort_by_key(|rate| rate.key());
    let mut hash = Sha256::new();
    for rate in sorted {
        let text = |price: Option<Amount>| price.map_or_else(String::new, |price| price.to_string());
        let (plan, destination) = rate.key();
        hash.update(format!("{plan}{destination}={}/{}\n", text(rate.espees), text(rate.naira)));
    }
    hex::encode(hash.finalize()).chars().take(VERSION_DIGITS).collect()
}

fn too_many(field: &'static str, most: usize, what: &str, are: usize) -> Error {
    let code = if what == "plans" { "too_many_plans" } else { "too_many_rates" };
    Error::field(field, code, format!("There may be {most} {what}, and these are {are}"))
}

fn check(wanted: &RatesChange, networks: &NetworkTable) -> Result<()> {
    check_list("rates", wanted.rates.as_deref().unwrap_or_default(), networks)?;
    let plans = wanted.plans.as_deref().unwrap_or_default();
    if plans.len() > PLANS_MAX {
        return Err(too_many("plans", PLANS_MAX, "plans", plans.len()));
    }
    let refused = |code, message: String| Err(Error::field("plans", code, message));
    let mut seen = BTreeSet::new();
    for (name, rates) in plans {
        let is_letter =
            |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"-_".contains(&byte);
        if !(1..=NAME_BYTES).contains(&name.len()) || !name.bytes().all(is_letter) {
            return refused(
                "bad_plan_name",
                format!(
                    "'{name}' is no name of a plan: write up to {NAME_BYTES} small letters, digits, '-' and '_'"
                ),
            );
        }
        if !seen.insert(name) {
            return refused("plan_twice", format!("The plan '{name}' is given twice"));
        }
        if rates.is_empty() {
            return refused(
                "plan_without_rates",
                format!("The plan '{name}' has no rates: leave it out to remove it"),
            );
        }
        check_list("plans", rates, networks)?;
        let named: BTreeSet<&str> = rates.iter().map(|rate| &*rate.destination.network).collect();
        let named = named.iter().filter(|network| !network.is_empty()).count();
        if named > PLAN_NETWORKS_MAX {
            return refused(
                "too_many_networks",
                format!("A plan may name {PLAN_NETWORKS_MAX} networks, and '{name}' names {named}"),
            );
        }
    }
    Ok(())
}

fn check_list(field: &'static str, rates: &[PageRate], networks: &NetworkTable) -> Result<()> {
    let refused = |code, message: String| Err(Error::field(field, code, message));
    if rates.len() > RATES_MAX {
        return Err(too_many(field, RATES_MAX, "rates in a list", rates.len()));
    }
    let mut seen = BTreeSet::new();
    for rate in rates {
        let Destination { prefix, network, .. } = &rate.destination;
        let are_digits = prefix.bytes().all(|byte| byte.is_ascii_digit()) && !prefix.starts_with('0');
        if !are_digits || !(1..=PREFIX_DIGITS).contains(&prefix.len()) {
            return refused(
                "bad_prefix",
                format!("'{prefix}' is no prefix: write digits from the calling code on, as in 44 or 234803"),
            );
        }
        if !network.is_empty() && networks.id(network).is_none() {
            return refused(
                "unknown_network",
                format!("'{network}' (+{prefix}) is no network of the table of prefixes"),
            );
        }
        if rate.espees.is_none() && rate.naira.is_none() {
            return refused(
                "rate_without_price",
                format!(
                    "The rate of {} has no price: give one in espees, in naira or in both",
                    rate.destination
                ),
            );
        }
        if rate.espees.into_iter().chain(rate.naira).any(|price| price < Amount::ZERO) {
            return refused("price_negative", format!("The rate of {} is below zero", rate.destination));
        }
        if !seen.insert(&rate.destination) {
            return refused("rate_twice", format!("The rate of {} is given twice", rate.destination));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::both_databases;
    use crate::model::account::user::Role;
    use crate::store::platform::audit as trail;
    use crate::store::{Lane, Store};
    use crate::testing::account::make_user;

    fn rate(prefix: &str, network: &str, espees: Option<i64>, naira: Option<i64>) -> PageRate {
        PageRate {
            plan: String::new(),
            destination: Destination { prefix: prefix.into(), network: network.into(), purpose: None },
            espees: espees.map(Amount),
            naira: naira.map(Amount),
            updated_at: Time(0),
        }
    }

    #[test]
    fn a_plan_names_few_networks() {
        let rows: String = (10..40).map(|n| format!("2348{n},net{n},2026-01-01\n")).collect();
        let networks = NetworkTable::from_csv(&format!("prefix,network,as_of\n{rows}")).unwrap();
        let plan = |last: usize| RatesChange {
            plans: Some(vec![(
                "gold".into(),
                (10..last).map(|n| rate("234", &format!("net{n}"), None, Some(1))).collect(),
            )]),
            ..RatesChange::default()
        };
        assert!(check(&plan(10 + PLAN_NETWORKS_MAX), &networks).is_ok());
        let refused = check(&plan(11 + PLAN_NETWORKS_MAX), &networks).unwrap_err();
        assert_eq!(refused.code(), "too_many_networks");
        assert!(refused.to_string().contains("'gold' names 17"), "{refused}");
    }

    async fn change(
        store: &Store,
        by: UserId,
        rates: &[PageRate],
        expect: Option<&str>,
        at: i64,
    ) -> Result<usize> {
        let change = RatesChange { rates: Some(rates.to_vec()), ..RatesChange::default() };
        let input = (change, expect.map(str::to_owned), by, at);
        store
            .write(Lane::Interactive, input, |tx, (rates, expect, by, at)| {
                Box::pin(async move {
                    let networks = NetworkTable::builtin();
                    change_rates(tx, rates, networks, expect.as_deref(), *by, Time(*at)).await
                })
            })
            .await
    }

    both_databases! {
        async fn a_list_is_changed_whole_from_what_was_seen_and_each_price_is_told(store: Store) {
            let admin = make_user(&store, "root", Role::Admin).await;
            let all = async || rates(&mut store.read().await.unwrap()).await.unwrap();
            assert_eq!(all().await, (Vec::new(), String::new()));
            let first = [rate("44", "", Some(8), Some(60)), rate("234", "mtn", None, Some(4))];
            assert_eq!(change(&store, admin, &first, Some(""), 5).await.unwrap(), 3);
            let (stored, version) = all().await;
            assert_eq!(stored.iter().map(|it| it.destination.to_string()).collect::<Vec<_>>(), ["+234 mtn", "+44"]);
            assert_eq!(change(&store, admin, &first, Some(&version), 6).await.unwrap(), 0, "the same again");
            assert_eq!(all().await.1, version);
            // One price changes, one goes, one comes; what stays keeps its time.
            let second = [rate("44", "", Some(9), Some(60)), rate("1", "", Some(3), None)];
            let late = change(&store, admin, &second, Some(""), 7).await.unwrap_err();
            assert_eq!((late.code(), all().await.1 == version), ("rates_changed", true));
            assert_eq!(change(&store, admin, &second, Some(&version), 7).await.unwrap(), 3);
            let told = trail::newest(&mut store.read().await.unwrap(), 10).await.unwrap();
            let told: Vec<_> = told.iter().rev().skip(3)
                .map(|row| (row.subject.as_str(), row.before.as_deref(), row.after.as_deref())).collect();
            assert_eq!(told, [
                ("RATE +234 mtn naira", Some("0.000004"), None),
                ("RATE +44 espees", Some("0.000008"), Some("0.000009")),
                ("RATE +1 espees", None, Some("0.000003")),
            ]);
            assert_eq!(change(&store, admin, &[], None, 8).await.unwrap(), 3);
            assert_eq!(all().await, (Vec::new(), String::new()), "no rate has no version");
        }

        async fn what_is_no_list_of_rates_is_refused_and_changes_nothing(store: Store) {
            let admin = make_user(&store, "root", Role::Admin).await;
            let good = rate("44", "", Some(1), None);
            let many: Vec<PageRate> = (0..=RATES_MAX).map(|it| rate(&(1_000 + it).to_string(), "", Some(1), None)).collect();
            for (bad, code) in [
                (vec![good.clone(), rate("0044", "", Some(1), None)], "bad_prefix"),
                (vec![rate("", "", Some(1), None)], "bad_prefix"),
                (vec![rate("4 4", "", Some(1), None)], "bad_prefix"),
                (vec![rate("1234567890123456", "", Some(1), None)], "bad_prefix"),
                (vec![rate("234", "nitel", Some(1), None)], "unknown_network"),
                (vec![rate("44", "", None, None)], "rate_without_price"),
                (vec![rate("44", "", Some(-1), None)], "price_negative"),
                (vec![rate("44", "", Some(1), Some(-1))], "price_negative"),
                (vec![good.clone(), good.clone()], "rate_twice"),
                (many, "too_many_rates"),
            ] {
                assert_eq!(change(&store, admin, &bad, None, 5).await.unwrap_err().code(), code);
            }
            assert!(rates(&mut store.read().await.unwrap()).await.unwrap().0.is_empty());
        }
    }
}
