//! `POST /api/campaigns/{id}/resend`.

use axum::Json;
use axum::extract::State;
use talkdrum_api::campaign::QuoteAnswer;

use super::offer;
use crate::http::{Answer, Caller, IdempotencyKey, Path};
use crate::state::AppState;

/// Quote what failed of the caller's campaign and was not sent again yet: undelivered, rejected, expired, or settled
/// as not sent. Nothing is charged before the quote is confirmed with `confirm-send-{kind}-sms`.
#[utoipa::path(
    post, path = "/api/campaigns/{id}/resend", tag = "campaign",
    params(("id" = i64, Path, description = "The campaign's id")),
    responses((status = 200, body = QuoteAnswer)),
)]
pub(super) async fn resend_campaign(
    State(app): State<AppState>,
    caller: Caller,
    key: IdempotencyKey,
    Path(id): Path<i64>,
) -> Answer<QuoteAnswer> {
    caller.require_active()?;
    Ok(Json(offer(app.desk.resend(caller.user_id, id, None, key.0).await?)))
}
