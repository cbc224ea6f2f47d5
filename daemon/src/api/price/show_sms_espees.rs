//! `GET /admin/get-sms-unit-price`.

use axum::Json;
use axum::extract::State;
use talkdrum_core::money::Currency;

use super::{EspeesPrice, sms};
use crate::http::{AdminCaller, Answer};
use crate::state::AppState;

/// What one page of a short message costs in ESPEES.
#[utoipa::path(get, path = "/admin/get-sms-unit-price", tag = "price", responses((status = 200, body = EspeesPrice)))]
pub(super) async fn show_sms_price(State(app): State<AppState>, _caller: AdminCaller) -> Answer<EspeesPrice> {
    Ok(Json(EspeesPrice { price: sms(&app, Currency::Espees).await? }))
}
