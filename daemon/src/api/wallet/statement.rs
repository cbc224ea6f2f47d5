//! `GET /api/wallet/statement`.

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use talkdrum_api::money::{Currency, MoneyError};
use talkdrum_api::wallet::Statement;
use talkdrum_core::ledger::statement;
use talkdrum_core::{Error, Result};

use crate::api::list_query::window;
use crate::http::{Answer, Caller, Page, Query};
use crate::state::AppState;

/// Which wallet.
#[derive(Debug, Deserialize)]
pub(super) struct Which {
    currency: Option<String>,
}

impl Which {
    /// The currency; `None` is both.
    fn currency(&self) -> Result<Option<Currency>> {
        let name = self.currency.as_deref().map(str::trim).filter(|name| !name.is_empty());
        name.map(|name| {
            name.parse()
                .map_err(|error: MoneyError| Error::field("currency", error.code(), error.to_string()))
        })
        .transpose()
    }
}

/// Every movement of the caller's wallets, newest first; of one of them with `currency`.
#[utoipa::path(
    get, path = "/api/wallet/statement", tag = "wallet",
    params(("currency" = Option<String>, Query, description = "`espees` or `naira`; both when it is not given"),
           ("page" = Option<i64>, Query), ("per_page" = Option<i64>, Query)),
    responses((status = 200, body = Statement)),
)]
pub(super) async fn list_statement(
    State(app): State<AppState>,
    caller: Caller,
    Query(which): Query<Which>,
    page: Page,
) -> Answer<Statement> {
    let currency = which.currency()?;
    let mut tx = app.store.snapshot().await?;
    Ok(Json(statement::page(&mut tx, caller.user_id, currency, window(&page)).await?))
}
