//! `POST /admin/set-...-unit-price...`: one call a price, as the specification has them.

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use talkdrum_api::money::{Amount, Currency};
use talkdrum_api::wallet::PriceRecord;
use talkdrum_core::model::account::id::UserId;
use talkdrum_core::settings::{self, Price, PriceKey};
use talkdrum_core::store::operations::idempotency::{Claim, once};
use talkdrum_core::store::{Lane, Tx};
use talkdrum_core::time::Time;
use talkdrum_core::{Error, Result};
use utoipa::ToSchema;

use super::record;
use crate::http::routes::{Operations, routes};
use crate::http::{AdminCaller, Answer, Form, IdempotencyKey};
use crate::state::AppState;

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

/// A price that can be set: which, by which operation, and the specification's words when it is done.
struct Target {
    key: PriceKey,
    operation: &'static str,
    done: &'static str,
}

struct Setting {
    claim: Option<Claim>,
    key: PriceKey,
    amount: Amount,
    by: UserId,
    now: Time,
}

async fn set(
    app: &AppState,
    caller: &AdminCaller,
    key: IdempotencyKey,
    form: Form<SetPrice>,
    target: Target,
) -> Result<PriceSet> {
    let amount =
        form.data.price.ok_or_else(|| Error::field("price", "price_required", "Price is required"))?;
    let claim = key.claim(caller, target.operation, form.digest);
    let setting = Setting { claim, key: target.key, amount, by: caller.user_id, now: app.clock.now() };
    let price =
        app.store.write(Lane::Interactive, setting, |tx, setting| Box::pin(apply(tx, setting))).await?;
    tracing::info!(key = target.key.name(), %amount, admin_id = caller.user_id.0, "price.set");
    Ok(PriceSet { price: record(price), message: target.done.to_owned() })
}

async fn apply(tx: &mut Tx, it: &Setting) -> Result<Price> {
    once(tx, it.claim.as_ref(), it.now, async |tx| {
        settings::change_prices(tx, &[(it.key, it.amount)], None, it.by, it.now).await?;
        Ok(it.key.name().to_owned())
    })
    .await?;
    settings::require_price(tx, it.key).await
}

/// One call.
#[rustfmt::skip] // It would indent the attribute again every time.
macro_rules! call {
    ($name:ident, $path:literal, $summary:literal, $key:expr, $done:literal) => {
        #[doc = $summary]
        #[utoipa::path(
            post, path = $path, tag = "price",
            request_body = SetPrice,
            responses((status = 200, body = PriceSet)),
        )]
        async fn $name(
            State(app): State<AppState>,
            caller: AdminCaller,
            key: IdempotencyKey,
            form: Form<SetPrice>,
        ) -> Answer<PriceSet> {
            let target = Target { key: $key, operation: concat!("price.", stringify!($name)), done: $done };
            Ok(Json(set(&app, &caller, key, form, target).await?))
        }
    };
}

call!(
    set_sms_price,
    "/admin/set-sms-unit-price",
    "Set what one page of a short message costs in ESPEES. Quotes that stand keep their price.",
    PriceKey::sms(Currency::Espees),
    "Unit Price updated successfully!"
);
call!(
    set_sms_price_naira,
    "/admin/set-sms-unit-price-naira",
    "Set what one page of a short message costs in Naira. Quotes that stand keep their price.",
    PriceKey::sms(Currency::Naira),
    "Unit Price updated successfully!"
);
call!(
    set_sms_abroad_price,
    "/admin/set-sms-abroad-unit-price",
    "Set what one page of a short message to a number outside Nigeria costs in ESPEES. While it is not set, such numbers \
     are rejected. Quotes that stand keep their price.",
    PriceKey::sms_abroad(Currency::Espees),
    "Unit Price updated successfully!"
);
call!(
    set_sms_abroad_price_naira,
    "/admin/set-sms-abroad-unit-price-naira",
    "Set what one page of a short message to a number outside Nigeria costs in Naira. While it is not set, such numbers \
     are rejected. Quotes that stand keep their price.",
    PriceKey::sms_abroad(Currency::Naira),
    "Unit Price updated successfully!"
);
call!(
    set_voice_price,
    "/admin/set-voice-unit-price",
    "Set what one pulse of a call costs in ESPEES. While it is not set, the price of a page serves.",
    PriceKey::voice(Currency::Espees),
    "Unit Price updated successfully!"
);
call!(
    set_voice_price_naira,
    "/admin/set-voice-unit-price-naira",
    "Set what one pulse of a call costs in Naira.",
    PriceKey::voice(Currency::Naira),
    "Unit Price updated successfully!"
);
call!(
    set_virtual_number_price,
    "/admin/set-virtual-unit-price",
    "Set what one pulse of a call from a virtual number costs in ESPEES.",
    PriceKey::virtual_number(),
    "Virtual Unit Price updated successfully!"
);
call!(
    set_own_number_price,
    "/admin/set-own-number-unit-price",
    "Set what one pulse of a call from an own number costs in ESPEES.",
    PriceKey::own_number(),
    "Own Number Unit Price updated successfully!"
);

pub(super) fn router() -> Operations {
    Operations::new()
        .routes(routes!(set_sms_price))
        .routes(routes!(set_sms_price_naira))
        .routes(routes!(set_sms_abroad_price))
        .routes(routes!(set_sms_abroad_price_naira))
        .routes(routes!(set_voice_price))
        .routes(routes!(set_voice_price_naira))
        .routes(routes!(set_virtual_number_price))
        .routes(routes!(set_own_number_price))
}
