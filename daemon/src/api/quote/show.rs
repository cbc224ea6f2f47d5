//! `GET /api/quotes/{id}`.

use axum::Json;
use axum::extract::State;
use talkdrum_api::campaign::QuoteAnswer;

use crate::api::campaign::offer;
use crate::http::{Answer, Caller, Path};
use crate::state::AppState;

/// A quote of the caller's, for administrators anybody's, with the balance as it is now.
#[utoipa::path(
    get, path = "/api/quotes/{id}", tag = "quote",
    params(("id" = i64, Path, description = "The quote's id")),
    responses((status = 200, body = QuoteAnswer)),
)]
pub(super) async fn show_quote(
    State(app): State<AppState>,
    caller: Caller,
    Path(id): Path<i64>,
) -> Answer<QuoteAnswer> {
    let user = super::seen_as(&app, &caller, id).await?;
    Ok(Json(offer(app.campaigns.find_quote(user, id).await?)))
}
