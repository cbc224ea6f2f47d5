//! `GET .../get-...-price...`: a price as it was set for administrators, and as it is charged for users. What a page and a
//! pulse cost is open: visitors read it.

use axum::Json;
use axum::extract::State;
use serde::Serialize;
use talkdrum_api::money::Currency;
use talkdrum_api::wallet::PriceRecord;
use talkdrum_core::Result;
use talkdrum_core::settings::{self, PriceKey};
use utoipa::ToSchema;

use super::records;
use crate::http::routes::{Operations, routes};
use crate::http::{AdminCaller, Answer, Caller};
use crate::state::AppState;

/// The price of a page in ESPEES.
#[derive(Debug, Serialize, ToSchema)]
struct SmsPrice {
    /// One record, or none while the price is not set.
    #[serde(rename = "SMS-UNIT-PRICE")]
    price: Vec<PriceRecord>,
}

/// The price of a page in Naira.
#[derive(Debug, Serialize, ToSchema)]
struct SmsNairaPrice {
    /// One record, or none while the price is not set.
    #[serde(rename = "SMS-UNIT-PRICE-IN-NAIRA")]
    price: Vec<PriceRecord>,
}

/// The price of a page in both currencies, at home and abroad.
#[derive(Debug, Serialize, ToSchema)]
struct SmsPrices {
    /// In ESPEES: one record, or none while the price is not set.
    #[serde(rename = "SMS-UNIT-PRICE")]
    espees: Vec<PriceRecord>,
    /// In Naira: one record, or none while the price is not set.
    #[serde(rename = "SMS-UNIT-PRICE-IN-NAIRA")]
    naira: Vec<PriceRecord>,
    /// In ESPEES, to a number outside Nigeria: one record, or none while no message goes there.
    #[serde(rename = "SMS-ABROAD-UNIT-PRICE")]
    abroad_espees: Vec<PriceRecord>,
    /// In Naira, to a number outside Nigeria: one record, or none while no message goes there.
    #[serde(rename = "SMS-ABROAD-UNIT-PRICE-IN-NAIRA")]
    abroad_naira: Vec<PriceRecord>,
}

/// The price of a call's pulse in ESPEES.
#[derive(Debug, Serialize, ToSchema)]
struct VoicePrice {
    /// One record, or none while the price is not set.
    #[serde(rename = "VOICE-UNIT-PRICE")]
    price: Vec<PriceRecord>,
}

/// The price of a call's pulse in Naira.
#[derive(Debug, Serialize, ToSchema)]
struct VoiceNairaPrice {
    /// One record, or none while the price is not set.
    #[serde(rename = "VOICE-UNIT-PRICE-NAIRA")]
    price: Vec<PriceRecord>,
}

/// The price of a call's pulse in both currencies.
#[derive(Debug, Serialize, ToSchema)]
struct VoicePrices {
    /// In ESPEES: that of a page where voice has none of its own; none while neither is set.
    #[serde(rename = "VOICE-UNIT-PRICE")]
    espees: Vec<PriceRecord>,
    /// The same again, under the name of the specification's pages: what a pulse costs, not a page.
    #[serde(rename = "SMS-UNIT-PRICE")]
    espees_as_sms: Vec<PriceRecord>,
    /// In Naira: one record, or none while the price is not set.
    #[serde(rename = "VOICE-UNIT-PRICE-NAIRA")]
    naira: Vec<PriceRecord>,
}

/// The price of a pulse of a call from a virtual number, in ESPEES.
#[derive(Debug, Serialize, ToSchema)]
struct VirtualNumberPrice {
    /// One record, or none while the price is not set.
    #[serde(rename = "VIRTUAL-UNIT-PRICE")]
    price: Vec<PriceRecord>,
}

/// The price of a pulse of a call from an own number, in ESPEES.
#[derive(Debug, Serialize, ToSchema)]
struct OwnNumberPrice {
    /// One record, or none while the price is not set.
    #[serde(rename = "OWN-UNIT-PRICE")]
    price: Vec<PriceRecord>,
}

async fn of(app: &AppState, key: PriceKey) -> Result<Vec<PriceRecord>> {
    Ok(records(settings::price(&mut app.store.read().await?, key).await?))
}

/// One call.
#[rustfmt::skip] // It would indent the attribute again every time.
macro_rules! call {
    ($name:ident, $path:literal, $summary:literal, $caller:ident, $answer:ident, |$app:ident| $value:expr) => {
        #[doc = $summary]
        #[utoipa::path(get, path = $path, tag = "price", responses((status = 200, body = $answer)))]
        async fn $name(State($app): State<AppState>, _caller: $caller) -> Answer<$answer> {
            Ok(Json($value))
        }
    };
}

/// One call that visitors make, too: the site's first page says what it costs.
#[rustfmt::skip] // It would indent the attribute again every time.
macro_rules! open {
    ($name:ident, $path:literal, $summary:literal, $answer:ident, |$app:ident| $value:expr) => {
        #[doc = $summary]
        #[utoipa::path(
            get, path = $path, tag = "price", security(()),
            responses((status = 200, body = $answer)),
        )]
        async fn $name(State($app): State<AppState>) -> Answer<$answer> {
            Ok(Json($value))
        }
    };
}

call!(
    show_sms_price,
    "/admin/get-sms-unit-price",
    "What one page of a short message costs in ESPEES.",
    AdminCaller,
    SmsPrice,
    |app| SmsPrice { price: of(&app, PriceKey::sms(Currency::Espees)).await? }
);
call!(
    show_sms_price_naira,
    "/admin/get-sms-unit-price-naira",
    "What one page of a short message costs in Naira.",
    AdminCaller,
    SmsNairaPrice,
    |app| SmsNairaPrice { price: of(&app, PriceKey::sms(Currency::Naira)).await? }
);
call!(
    show_voice_price,
    "/admin/get-voice-unit-price",
    "What one pulse of a call was set to cost in ESPEES. While it is not set, the price of a page serves.",
    AdminCaller,
    VoicePrice,
    |app| VoicePrice { price: of(&app, PriceKey::voice(Currency::Espees)).await? }
);
call!(
    show_voice_price_naira,
    "/admin/get-voice-unit-price-naira",
    "What one pulse of a call costs in Naira.",
    AdminCaller,
    VoiceNairaPrice,
    |app| VoiceNairaPrice { price: of(&app, PriceKey::voice(Currency::Naira)).await? }
);
call!(
    show_virtual_number_price,
    "/admin/get-virtual-price",
    "What one pulse of a call from a virtual number costs in ESPEES.",
    AdminCaller,
    VirtualNumberPrice,
    |app| VirtualNumberPrice { price: of(&app, PriceKey::virtual_number()).await? }
);
call!(
    show_own_number_price,
    "/admin/get-own-price",
    "What one pulse of a call from an own number costs in ESPEES.",
    AdminCaller,
    OwnNumberPrice,
    |app| OwnNumberPrice { price: of(&app, PriceKey::own_number()).await? }
);
open!(
    show_sms_prices,
    "/api/get-sms-unit-price",
    "What one page of a short message costs.",
    SmsPrices,
    |app| SmsPrices {
        espees: of(&app, PriceKey::sms(Currency::Espees)).await?,
        naira: of(&app, PriceKey::sms(Currency::Naira)).await?,
        abroad_espees: of(&app, PriceKey::sms_abroad(Currency::Espees)).await?,
        abroad_naira: of(&app, PriceKey::sms_abroad(Currency::Naira)).await?,
    }
);
open!(
    show_voice_prices,
    "/api/get-voice-unit-price",
    "What one pulse of a call costs.",
    VoicePrices,
    |app| {
        let espees = records(settings::voice_price(&mut app.store.read().await?).await?);
        let naira = of(&app, PriceKey::voice(Currency::Naira)).await?;
        VoicePrices { espees_as_sms: espees.clone(), espees, naira }
    }
);
call!(
    show_virtual_number_price_to_users,
    "/api/get-virtual-price",
    "What one pulse of a call from a virtual number costs in ESPEES.",
    Caller,
    VirtualNumberPrice,
    |app| VirtualNumberPrice { price: of(&app, PriceKey::virtual_number()).await? }
);
call!(
    show_own_number_price_to_users,
    "/api/get-own-price",
    "What one pulse of a call from an own number costs in ESPEES.",
    Caller,
    OwnNumberPrice,
    |app| OwnNumberPrice { price: of(&app, PriceKey::own_number()).await? }
);

pub(super) fn router() -> Operations {
    Operations::new()
        .routes(routes!(show_sms_price))
        .routes(routes!(show_sms_price_naira))
        .routes(routes!(show_voice_price))
        .routes(routes!(show_voice_price_naira))
        .routes(routes!(show_virtual_number_price))
        .routes(routes!(show_own_number_price))
        .routes(routes!(show_sms_prices))
        .routes(routes!(show_voice_prices))
        .routes(routes!(show_virtual_number_price_to_users))
        .routes(routes!(show_own_number_price_to_users))
}
