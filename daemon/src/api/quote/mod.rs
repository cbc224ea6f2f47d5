//! Quotes that were made: what they promise, and which entries they left out.

mod rejects;

use axum::Json;
use axum::extract::State;
use talkdrum_api::campaign::QuoteAnswer;
use talkdrum_core::model::account::id::UserId;
use talkdrum_core::model::campaign::id::QuoteId;
use talkdrum_core::store::campaign::quote;
use talkdrum_core::{Result, account};

use crate::api::campaign::offer;
use crate::http::routes::{Operations, routes};
use crate::http::{Answer, Caller, Path};
use crate::state::AppState;

pub(super) fn router() -> Operations {
    Operations::new().routes(routes!(show_quote)).routes(routes!(rejects::list_quote_rejects))
}

/// Under whose name a caller sees a quote: its owner's, where the caller [sees all](account::Caller::sees_all), else the own.
async fn seen_as(app: &AppState, caller: &account::Caller, id: QuoteId) -> Result<UserId> {
    if !caller.sees_all() {
        return Ok(caller.user_id);
    }
    let row = quote::by_id(&mut app.store.read().await?, id).await?;
    Ok(row.map_or(caller.user_id, |row| row.agreed.user_id))
}

/// A quote of the caller's, for administrators anybody's, with the balance as it is now.
#[utoipa::path(
    get, path = "/api/quotes/{id}", tag = "quote",
    params(("id" = i64, Path, description = "The quote's id")),
    responses((status = 200, body = QuoteAnswer)),
)]
async fn show_quote(
    State(app): State<AppState>,
    caller: Caller,
    Path(id): Path<QuoteId>,
) -> Answer<QuoteAnswer> {
    let user = seen_as(&app, &caller, id).await?;
    let quote = app.campaigns.find_quote(user, id).await?;
    Ok(Json(offer(&app, user, quote).await))
}
