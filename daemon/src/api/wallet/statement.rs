//! `GET /api/wallet/statement`.

use axum::Json;
use axum::extract::State;
use talkdrum_api::wallet::Statement;
use talkdrum_core::ledger::statement;

use crate::api::list_query::{CurrencyFilter, window};
use crate::http::{Answer, Caller, Page, Query};
use crate::state::AppState;

/// Every movement of the caller's wallets, newest first; of one of them with `currency`.
#[utoipa::path(
    get, path = "/api/wallet/statement", tag = "wallet",
    params(CurrencyFilter, Page),
    responses((status = 200, body = Statement)),
)]
pub(super) async fn list_statement(
    State(app): State<AppState>,
    caller: Caller,
    Query(filter): Query<CurrencyFilter>,
    page: Page,
) -> Answer<Statement> {
    let currency = filter.currency()?;
    let mut tx = app.store.snapshot().await?;
    Ok(Json(statement::page(&mut tx, caller.user_id, currency, window(&page)).await?))
}
