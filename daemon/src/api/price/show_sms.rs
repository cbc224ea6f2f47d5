//! `GET /api/get-sms-unit-price`.

use axum::Json;
use axum::extract::State;
use serde::Serialize;
use talkdrum_core::api::wallet::PriceRecord;
use talkdrum_core::money::Currency;
use utoipa::ToSchema;

use super::sms;
use crate::http::{Answer, Caller};
use crate::state::AppState;

/// The price of one page in both currencies.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct SmsPrices {
    /// In ESPEES: one record, or none while the price is not set.
    #[serde(rename = "SMS-UNIT-PRICE")]
    espees: Vec<PriceRecord>,
    /// In Naira: one record, or none while the price is not set.
    #[serde(rename = "SMS-UNIT-PRICE-IN-NAIRA")]
    naira: Vec<PriceRecord>,
}

/// What one page of a short message costs.
#[utoipa::path(get, path = "/api/get-sms-unit-price", tag = "price", responses((status = 200, body = SmsPrices)))]
pub(super) async fn show_sms_prices(State(app): State<AppState>, _caller: Caller) -> Answer<SmsPrices> {
    Ok(Json(SmsPrices {
        espees: sms(&app, Currency::Espees).await?,
        naira: sms(&app, Currency::Naira).await?,
    }))
}
