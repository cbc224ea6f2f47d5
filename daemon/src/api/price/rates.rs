//! Rates by destination: the list, which visitors read, too, and setting it whole.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use talkdrum_api::money::{Amount, Currency};
use talkdrum_api::setting::{Rate, RateCosts, RatePlan, Rates, RatesChanged, SetRates};
use talkdrum_core::campaign::dearest::{Charges, Dearest};
use talkdrum_core::model::account::id::UserId;
use talkdrum_core::model::money::rate::{Destination, PageRate};
use talkdrum_core::phone::NetworkTable;
use talkdrum_core::settings::{self, ALL_RATES_MAX, PLANS_MAX, PriceKey, RatesChange};
use talkdrum_core::store::{Lane, Tx};
use talkdrum_core::time::Time;
use talkdrum_core::{Error, Result};

use super::{told, unknown_price};
use crate::http::routes::{Operations, routes};
use crate::http::{AdminCaller, Answer, Document, ReadingCaller};
use crate::state::AppState;

pub(super) fn router() -> Operations {
    Operations::new()
        .routes(routes!(show_rates))
        .routes(routes!(list_rates, set_rates))
        .routes(routes!(rate_costs))
}

/// What a page costs by where it goes. The longest prefix wins, for the same prefix the network, and for the same network the
/// purpose. Where no rate has a price
/// in the currency, `GET /api/get-sms-unit-price` says the price, in Nigeria and elsewhere. A user with a rate plan who is
/// signed in is told the rates that hold for this user, visitors those for all.
#[utoipa::path(
    get, path = "/api/rates", tag = "price", security(()),
    responses((status = 200, body = Rates)),
)]
async fn show_rates(State(app): State<AppState>, caller: Option<ReadingCaller>) -> Answer<Rates> {
    let mut tx = app.store.snapshot().await?;
    let plan = match caller {
        Some(caller) => settings::plan_of(&mut tx, caller.user_id).await?,
        None => String::new(),
    };
    let (rates, version) = settings::rates(&mut tx).await?;
    drop(tx);
    let rates = settings::rates_with_plan(rates, &plan);
    Ok(Json(list(rates.into_iter(), None, version)))
}

/// The rates and the plans, each with what its carriers charge, and the version that `PUT /admin/rates` takes as `expect`.
#[utoipa::path(get, path = "/admin/rates", tag = "price", responses((status = 200, body = Rates)))]
async fn list_rates(State(app): State<AppState>, _caller: AdminCaller) -> Answer<Rates> {
    let shown = shown(&mut app.store.snapshot().await?).await?;
    Ok(Json(costed(&app, shown).await?))
}

/// Look up what the carriers charge for messages to these destinations, before a rate is set for them. Nothing is changed.
#[utoipa::path(
    post, path = "/admin/rate-costs", tag = "price",
    request_body = RateCosts,
    responses((status = 200, body = RateCosts)),
)]
async fn rate_costs(
    State(app): State<AppState>,
    _caller: AdminCaller,
    Document(asked): Document<RateCosts>,
) -> Answer<RateCosts> {
    let RateCosts { rates, plans } = asked;
    let count = rates.len() + plans.iter().map(|plan| plan.rates.len()).sum::<usize>();
    if count > ALL_RATES_MAX {
        let message = format!("There may be {ALL_RATES_MAX} rates, and these are {count}");
        return Err(Error::field("rates", "too_many_rates", message).into());
    }
    if plans.len() > PLANS_MAX {
        let message = format!("There may be {PLANS_MAX} plans, and these are {}", plans.len());
        return Err(Error::field("plans", "too_many_plans", message).into());
    }
    let (rates, plans) = with_costs(&app, (rates, plans)).await?;
    Ok(Json(RateCosts { rates, plans }))
}

/// The rates of lists, each with what its carriers charge.
async fn with_costs(app: &AppState, lists: Lists) -> Result<Lists> {
    let (router, networks) = (app.campaigns.router.now(), Arc::clone(&app.campaigns.networks));
    let fleet = app.fleet.now();
    let work = move || {
        let charge = |carrier: &str, network: &str| {
            let cost = fleet.costs.get(carrier)?;
            Some((cost.currency, cost.of(network)))
        };
        let dearest = Dearest::new(&router, &networks, charge);
        let costs = |rates: Vec<Rate>| -> Vec<Rate> {
            let found = dearest.of(&rates.iter().cloned().map(read).collect::<Vec<_>>());
            let with = |(rate, mut charges): (Rate, Charges)| Rate {
                cost_espees: charges.remove(&Currency::Espees),
                cost_naira: charges.remove(&Currency::Naira),
                ..rate
            };
            rates.into_iter().zip(found).map(with).collect()
        };
        let (rates, plans) = lists;
        let plans = plans.into_iter().map(|plan| RatePlan { rates: costs(plan.rates), ..plan });
        (costs(rates), plans.collect())
    };
    let costs = tokio::task::spawn_blocking(work).await;
    costs.map_err(|panic| Error::Corrupt(format!("looking up what carriers charge failed: {panic}")))
}

/// The list for all, and the plans.
type Lists = (Vec<Rate>, Vec<RatePlan>);

/// All lists as they are stored.
async fn shown(tx: &mut Tx) -> Result<Rates> {
    let (rates, version) = settings::rates(tx).await?;
    let users = settings::users_by_plan(tx).await?;
    let (for_all, of_plans): (Vec<PageRate>, Vec<PageRate>) =
        rates.into_iter().partition(|rate| rate.plan.is_empty());
    let plans = of_plans.chunk_by(|one, other| one.plan == other.plan).filter_map(|rates| {
        let name = rates.first()?.plan.clone();
        let users = Some(users.get(&name).copied().unwrap_or_default());
        Some(RatePlan { name, rates: rates.iter().cloned().map(told_rate).collect(), users })
    });
    let plans = plans.collect();
    Ok(list(for_all.into_iter(), Some(plans), version))
}

/// The same with what carriers charge.
async fn costed(app: &AppState, shown: Rates) -> Result<Rates> {
    let (rates, plans) = with_costs(app, (shown.rates, shown.plans.unwrap_or_default())).await?;
    Ok(Rates { rates, plans: Some(plans), ..shown })
}

fn list(rates: impl Iterator<Item = PageRate>, plans: Option<Vec<RatePlan>>, version: String) -> Rates {
    let rates: Vec<Rate> = rates.map(told_rate).collect();
    let total = i64::try_from(rates.len()).unwrap_or(i64::MAX);
    Rates { rates, plans, total, version, purposes: true }
}

fn told_rate(it: PageRate) -> Rate {
    Rate {
        prefix: it.destination.prefix,
        network: Some(it.destination.network).filter(|name| !name.is_empty()),
        purpose: it.destination.purpose,
        espees: it.espees,
        naira: it.naira,
        updated_at: Some(it.updated_at.to_rfc3339()),
        cost_espees: None,
        cost_naira: None,
    }
}

/// Set all rates for all, all rate plans, or both, and prices with them if they are given; all or none. Quotes that stand
/// keep theirs. Repeating the request changes nothing more.
#[utoipa::path(
    put, path = "/admin/rates", tag = "price",
    request_body = SetRates,
    responses((status = 200, body = RatesChanged)),
)]
async fn set_rates(
    State(app): State<AppState>,
    caller: AdminCaller,
    Document(wanted): Document<SetRates>,
) -> Answer<RatesChanged> {
    if wanted.rates.is_none() && wanted.plans.is_none() {
        return Err(Error::rule("rates_required", "Rates are required: name 'rates', 'plans' or both").into());
    }
    let read_all = |rates: Vec<Rate>| rates.into_iter().map(read).collect::<Vec<_>>();
    let plan = |plan: RatePlan| (plan.name.trim().to_lowercase(), read_all(plan.rates));
    let change = Change {
        rates: RatesChange {
            rates: wanted.rates.map(read_all),
            plans: wanted.plans.map(|plans| plans.into_iter().map(plan).collect()),
            knows_purposes: wanted.purposes,
        },
        expect: wanted.expect.or(wanted.version),
        prices: wanted.prices.into_iter().map(priced).collect::<Result<_>>()?,
        expect_prices: wanted.expect_prices,
        networks: (*app.campaigns.networks).clone(),
        by: caller.user_id,
        now: app.clock.now(),
    };
    let changed = app.store.write(Lane::Interactive, change, |tx, it| Box::pin(it.apply(tx))).await?;
    tracing::info!(changed = changed.changed, admin_id = caller.user_id.0, "rates.set");
    let rates = costed(&app, changed.rates).await?;
    Ok(Json(RatesChanged { rates, ..changed }))
}

fn read(given: Rate) -> PageRate {
    PageRate {
        plan: String::new(),
        destination: Destination {
            prefix: given.prefix.trim().trim_start_matches('+').to_owned(),
            network: given.network.unwrap_or_default().trim().to_lowercase(),
            purpose: given.purpose,
        },
        espees: given.espees,
        naira: given.naira,
        updated_at: Time::default(),
    }
}

fn priced((name, amount): (String, Amount)) -> Result<(PriceKey, Amount)> {
    let key = PriceKey::ALL.into_iter().find(|key| key.name() == name);
    key.map(|key| (key, amount)).ok_or_else(|| unknown_price("prices"))
}

struct Change {
    rates: RatesChange,
    expect: Option<String>,
    prices: Vec<(PriceKey, Amount)>,
    expect_prices: Option<String>,
    networks: NetworkTable,
    by: UserId,
    now: Time,
}

impl Change {
    async fn apply(&self, tx: &mut Tx) -> Result<RatesChanged> {
        let Self { rates, expect, prices, expect_prices, networks, by, now } = self;
        let of_prices = settings::change_prices(tx, prices, expect_prices.as_deref(), *by, *now).await?;
        let of_rates = settings::change_rates(tx, rates, networks, expect.as_deref(), *by, *now).await?;
        let changed = i64::try_from(of_prices + of_rates).unwrap_or(i64::MAX);
        Ok(RatesChanged { changed, rates: shown(tx).await?, message: told(changed) })
    }
}
