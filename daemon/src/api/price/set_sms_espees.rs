//! `POST /admin/set-sms-unit-price`.

use axum::Json;
use axum::extract::State;
use talkdrum_core::money::Currency;

use super::{PriceSet, SetPrice, set_sms};
use crate::http::{AdminCaller, Answer, Form, IdempotencyKey};
use crate::state::AppState;

/// Set what one page of a short message costs in ESPEES. Quotes that stand keep their price.
#[utoipa::path(
    post, path = "/admin/set-sms-unit-price", tag = "price",
    request_body = SetPrice,
    responses((status = 200, body = PriceSet)),
)]
pub(super) async fn set_sms_price(
    State(app): State<AppState>,
    caller: AdminCaller,
    key: IdempotencyKey,
    form: Form<SetPrice>,
) -> Answer<PriceSet> {
    Ok(Json(set_sms(&app, &caller, key, form, Currency::Espees).await?))
}
