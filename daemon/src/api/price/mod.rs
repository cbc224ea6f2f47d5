//! Prices of one page, under the specification's names. An unset price is an empty list, never a zero.

mod set_sms_espees;
mod set_sms_naira;
mod show_sms;
mod show_sms_espees;
mod show_sms_naira;

use serde::{Deserialize, Serialize};
use talkdrum_core::api::wallet::PriceRecord;
use talkdrum_core::clock::Time;
use talkdrum_core::money::{Amount, Currency};
use talkdrum_core::settings::{self, Price, PriceKey};
use talkdrum_core::store::idempotency::{Claim, begin_if_any, finish_if_any};
use talkdrum_core::store::{Lane, Tx};
use talkdrum_core::{Error, Result};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::http::{AdminCaller, Form, IdempotencyKey};
use crate::state::AppState;

pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(show_sms::show_sms_prices))
        .routes(routes!(show_sms_espees::show_sms_price))
        .routes(routes!(set_sms_espees::set_sms_price))
        .routes(routes!(show_sms_naira::show_sms_price_naira))
        .routes(routes!(set_sms_naira::set_sms_price_naira))
}

/// The price of one page in ESPEES.
#[derive(Debug, Serialize, ToSchema)]
struct EspeesPrice {
    /// One record, or none while the price is not set.
    #[serde(rename = "SMS-UNIT-PRICE")]
    price: Vec<PriceRecord>,
}

/// The price of one page in Naira.
#[derive(Debug, Serialize, ToSchema)]
struct NairaPrice {
    /// One record, or none while the price is not set.
    #[serde(rename = "SMS-UNIT-PRICE-IN-NAIRA")]
    price: Vec<PriceRecord>,
}

/// The price to be set.
#[derive(Debug, Deserialize, ToSchema)]
struct SetPrice {
    /// With at most six decimals; zero is a price too.
    #[schema(value_type = Amount)]
    price: Option<Amount>,
}

/// What was set.
#[derive(Debug, Serialize, ToSchema)]
struct PriceSet {
    /// The price now.
    price: PriceRecord,
    /// For people.
    message: String,
}

fn record(price: Price) -> PriceRecord {
    PriceRecord { value: price.amount, updated_at: price.updated_at.to_rfc3339() }
}

/// The records of the SMS price in one currency.
async fn sms(app: &AppState, currency: Currency) -> Result<Vec<PriceRecord>> {
    let price = settings::price(&mut app.store.read().await?, PriceKey::sms(currency)).await?;
    Ok(price.map(record).into_iter().collect())
}

struct Setting {
    claim: Option<Claim>,
    currency: Currency,
    amount: Amount,
    by: i64,
    now: Time,
}

/// Sets the SMS price in one currency.
async fn set_sms(
    app: &AppState,
    caller: &AdminCaller,
    key: IdempotencyKey,
    form: Form<SetPrice>,
    currency: Currency,
) -> Result<PriceSet> {
    let amount =
        form.data.price.ok_or_else(|| Error::field("price", "price_required", "Price is required"))?;
    let operation = match currency {
        Currency::Espees => "price.set_sms_espees",
        Currency::Naira => "price.set_sms_naira",
    };
    let claim = key.claim(caller, operation, form.digest);
    let setting = Setting { claim, currency, amount, by: caller.user_id, now: app.clock.now() };
    let price = app.store.write(Lane::Interactive, setting, |tx, setting| Box::pin(set(tx, setting))).await?;
    tracing::info!(key = PriceKey::sms(currency).name(), %amount, admin_id = caller.user_id, "price set");
    let message = format!("A page costs {} {} now", price.amount, currency.label());
    Ok(PriceSet { price: record(price), message })
}

async fn set(tx: &mut Tx, setting: &Setting) -> Result<Price> {
    let key = PriceKey::sms(setting.currency);
    if begin_if_any(tx, setting.claim.as_ref(), setting.now).await?.is_some() {
        return settings::require_price(tx, key).await;
    }
    let price = settings::set_price(tx, key, setting.amount, setting.by, setting.now).await?;
    finish_if_any(tx, setting.claim.as_ref(), key.name()).await?;
    Ok(price)
}

#[cfg(test)]
mod tests {
    use reqwest::Method;
    use talkdrum_core::account::Role;

    use crate::testing::TestDaemon;

    #[tokio::test]
    async fn an_unset_price_is_an_empty_list_and_zero_is_a_price() {
        let daemon = TestDaemon::start().await;
        let admin = daemon.signed_in("root", Role::Admin).await;
        let prices = daemon.get("/api/get-sms-unit-price", &admin).await.json();
        assert_eq!(prices, serde_json::json!({ "SMS-UNIT-PRICE": [], "SMS-UNIT-PRICE-IN-NAIRA": [] }));
        assert_eq!(daemon.post("/admin/set-sms-unit-price", &admin, &[("price", "0")]).await.status, 200);
        let reply = daemon.post("/admin/set-sms-unit-price-naira", &admin, &[("price", "3.495")]).await;
        assert_eq!(reply.json()["message"], "A page costs 3.495 Naira now");
        let prices = daemon.get("/api/get-sms-unit-price", &admin).await;
        assert!(prices.text.contains(r#""SMS-UNIT-PRICE-IN-NAIRA":[{"value":3.495,"#), "{}", prices.text);
        assert_eq!(prices.json()["SMS-UNIT-PRICE"][0]["value"], 0);
        let naira = daemon.get("/admin/get-sms-unit-price-naira", &admin).await.json();
        assert_eq!(naira["SMS-UNIT-PRICE-IN-NAIRA"][0]["updated_at"], "2023-11-14T22:13:20.000Z");
    }

    #[tokio::test]
    async fn what_is_no_price_is_refused() {
        let daemon = TestDaemon::start().await;
        let admin = daemon.signed_in("root", Role::Admin).await;
        for (price, code) in [
            ("", "price_required"),
            ("-1", "price_negative"),
            ("cheap", "bad_request"),
            ("0.0000001", "bad_request"),
        ] {
            let reply = daemon.post("/admin/set-sms-unit-price", &admin, &[("price", price)]).await;
            assert_eq!((reply.status, reply.code().as_str()), (400, code), "{price}");
            assert_eq!(reply.json()["errors"][0]["field"], "price");
        }
    }

    #[tokio::test]
    async fn one_key_sets_one_price() {
        let daemon = TestDaemon::start().await;
        let admin = daemon.signed_in("root", Role::Admin).await;
        let set = |path: &'static str, price: f64| {
            let body = serde_json::json!({ "price": price });
            daemon.request(Method::POST, path, &admin).header("Idempotency-Key", "k").json(&body)
        };
        assert_eq!(daemon.send(set("/admin/set-sms-unit-price", 1.5)).await.status, 200);
        assert_eq!(daemon.send(set("/admin/set-sms-unit-price", 1.5)).await.status, 200);
        assert_eq!(daemon.send(set("/admin/set-sms-unit-price", 2.5)).await.status, 409);
        assert_eq!(daemon.send(set("/admin/set-sms-unit-price-naira", 1.5)).await.status, 409);
    }
}
