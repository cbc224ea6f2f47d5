//! Rate plans: a list of rates for the users that have it. A plan is there while it has rates.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use talkdrum_api::money::{Amount, Currency};
use talkdrum_api::purpose::Purpose;

use crate::error::{Error, Result};
use crate::model::account::id::UserId;
use crate::model::money::rate::{Destination, PageRate};
use crate::model::platform::audit::AuditAction;
use crate::platform::audit::{self, Entry};
use crate::store::Tx;
use crate::store::platform::rate as rows;
use crate::time::Time;

pub use rows::plan_of;

/// The plans of these users; one without a plan is left out.
pub async fn plans_of(tx: &mut Tx, users: &[UserId]) -> Result<HashMap<UserId, String>> {
    Ok(rows::plans_of(tx, users).await?.into_iter().collect())
}

/// How many users have each plan; a plan that no user has is left out.
pub async fn users_by_plan(tx: &mut Tx) -> Result<HashMap<String, i64>> {
    Ok(rows::users_by_plan(tx).await?.into_iter().collect())
}

/// Gives a user a plan, or takes it (`None`). What was quoted keeps its price. Nothing is done where it is so already.
///
/// # Errors
/// 404 when there is no such user, or it was deleted; `unknown_plan` on the field `plan`.
pub async fn give_plan(tx: &mut Tx, id: UserId, plan: Option<&str>, by: UserId, now: Time) -> Result<()> {
    let plan = plan.map(|plan| plan.trim().to_lowercase()).filter(|plan| !plan.is_empty());
    // Users before settings, as everywhere; then no change of the rates takes the plan away meanwhile.
    let before = rows::lock_plan_of(tx, id).await?.ok_or(Error::NotFound("user"))?;
    rows::lock_version(tx).await?;
    if let Some(plan) = &plan
        && !rows::is_plan(tx, plan).await?
    {
        let there = match rows::plan_names(tx).await? {
            names if names.is_empty() => "there is none".to_owned(),
            names => format!("there are: {}", names.join(", ")),
        };
        return Err(Error::field("plan", "unknown_plan", format!("There is no rate plan '{plan}'; {there}")));
    }
    if before == plan {
        return Ok(());
    }
    rows::give_plan(tx, id, plan.as_deref(), now).await?;
    let entry = Entry::new(by, AuditAction::UserRatePlan, format!("user {id}"));
    audit::record(tx, &entry.before(before.as_deref()).after(plan.as_deref()), now).await
}

/// The rates of one list that says the same as the plan before the list for all: what a user with this plan pays by the rule
/// of a single list. An empty plan has those for all. A rate for all becomes at most one for each network that the plan
/// names and purpose, which is few: [`change_rates`](super::change_rates) bounds the networks.
pub fn rates_with_plan(rates: Vec<PageRate>, plan: &str) -> Vec<PageRate> {
    if plan.is_empty() {
        return rates.into_iter().filter(|rate| rate.plan.is_empty()).collect();
    }
    let of_purposes = Purpose::ALL.map(|purpose| merged(&for_purpose(&rates, plan, purpose)));
    let places: BTreeSet<&Destination> = of_purposes.iter().flat_map(BTreeMap::keys).collect();
    let mut list = BTreeMap::new();
    for place in places {
        for currency in Currency::ALL {
            let said = Purpose::ALL.iter().zip(&of_purposes).filter_map(|(purpose, rates)| {
                let rate = rates.get(place)?;
                Some((*purpose, rate, rate.price(currency)?))
            });
            let said: Vec<_> = said.collect();
            // Where each purpose has a price, that of most of them is for any purpose.
            let is_shared = |price: Amount| said.iter().filter(|(.., it)| *it == price).count() > 1;
            let shared = said.iter().find(|(.., price)| is_shared(*price));
            let shared = shared.or(said.first()).filter(|_| said.len() == Purpose::ALL.len());
            if let Some((_, rate, price)) = shared {
                add(&mut list, rate, (&place.network, None), currency, *price);
            }
            for (purpose, rate, price) in &said {
                if shared.is_none_or(|(.., shared)| shared != price) {
                    add(&mut list, rate, (&place.network, Some(*purpose)), currency, *price);
                }
            }
        }
    }
    list.into_values().collect()
}

/// What the plan's list and that for all say of messages of a purpose, without naming it.
fn for_purpose(rates: &[PageRate], plan: &str, purpose: Purpose) -> Vec<PageRate> {
    let mut lists: BTreeMap<(&str, &str, &str), PageRate> = BTreeMap::new();
    let is_wanted = |rate: &&PageRate| rate.plan.is_empty() || rate.plan == plan;
    // Those of any purpose first: what is said of the purpose takes their place, in the currencies that it has a price in.
    for wanted in [None, Some(purpose)] {
        for rate in rates.iter().filter(is_wanted).filter(|rate| rate.destination.purpose == wanted) {
            let Destination { prefix, network, .. } = &rate.destination;
            let destination = Destination { purpose: None, ..rate.destination.clone() };
            let entry = lists.entry((&rate.plan, prefix, network)).or_insert_with(|| PageRate {
                destination,
                espees: None,
                naira: None,
                ..rate.clone()
            });
            entry.espees = rate.espees.or(entry.espees);
            entry.naira = rate.naira.or(entry.naira);
            entry.updated_at = entry.updated_at.max(rate.updated_at);
        }
    }
    lists.into_values().collect()
}

/// The plan and the list for all, neither of which names a purpose, as one list.
fn merged(rates: &[PageRate]) -> BTreeMap<Destination, PageRate> {
    let (own, for_all): (Vec<&PageRate>, Vec<&PageRate>) =
        rates.iter().partition(|rate| !rate.plan.is_empty());
    let networks: BTreeSet<&str> = own.iter().map(|rate| rate.destination.network.as_str()).collect();
    let own: HashMap<(&str, &str), &PageRate> =
        own.into_iter().map(|rate| ((&*rate.destination.prefix, &*rate.destination.network), rate)).collect();
    let mut list = BTreeMap::new();
    for currency in Currency::ALL {
        for rate in &for_all {
            let Some(price) = rate.price(currency) else { continue };
            let Destination { prefix, network, .. } = &rate.destination;
            if found(&own, prefix, network, currency).is_none() {
                add(&mut list, rate, (network, None), currency, price);
            }
            // Below it, a network that the plan says something for at a shorter prefix keeps what the plan says.
            for network in networks.iter().filter(|_| network.is_empty()) {
                if let Some((price, said)) = found(&own, prefix, network, currency)
                    && !said.destination.network.is_empty()
                {
                    add(&mut list, rate, (network, None), currency, price);
                }
            }
        }
        for rate in own.values() {
            if let Some(price) = rate.price(currency) {
                add(&mut list, rate, (&rate.destination.network, None), currency, price);
            }
        }
    }
    list
}

/// What the plan says for the numbers of a network with a prefix; of no network (empty), for all of them.
fn found<'r>(
    own: &HashMap<(&str, &str), &'r PageRate>,
    prefix: &str,
    network: &str,
    currency: Currency,
) -> Option<(Amount, &'r PageRate)> {
    (1..=prefix.len()).rev().find_map(|length| {
        let prefix = prefix.get(..length)?;
        [network, ""].iter().find_map(|network| {
            let rate = own.get(&(prefix, *network))?;
            Some((rate.price(currency)?, *rate))
        })
    })
}

fn add(
    list: &mut BTreeMap<Destination, PageRate>,
    rate: &PageRate,
    (network, purpose): (&str, Option<Purpose>),
    currency: Currency,
    price: Amount,
) {
    let prefix = rate.destination.prefix.clone();
    let destination = Destination { prefix, network: network.to_owned(), purpose };
    let updated_at = rate.updated_at;
    let none = PageRate {
        plan: String::new(),
        destination: destination.clone(),
        espees: None,
        naira: None,
        updated_at,
    };
    let entry = list.entry(destination).or_insert(none);
    match currency {
        Currency::Espees => entry.espees = Some(price),
        Currency::Naira => entry.naira = Some(price),
    }
    entry.updated_at = entry.updated_at.max(updated_at);
}
