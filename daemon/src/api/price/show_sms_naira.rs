//! `GET /admin/get-sms-unit-price-naira`.

use axum::Json;
use axum::extract::State;
use talkdrum_core::money::Currency;

use super::{NairaPrice, sms};
use crate::http::{AdminCaller, Answer};
use crate::state::AppState;

/// What one page of a short message costs in Naira.
#[utoipa::path(get, path = "/admin/get-sms-unit-price-naira", tag = "price", responses((status = 200, body = NairaPrice)))]
pub(super) async fn show_sms_price_naira(
    State(app): State<AppState>,
    _caller: AdminCaller,
) -> Answer<NairaPrice> {
    Ok(Json(NairaPrice { price: sms(&app, Currency::Naira).await? }))
}
