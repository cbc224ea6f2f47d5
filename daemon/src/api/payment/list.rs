//! `GET /api/payments`, and what the lists of payments have in common.

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use talkdrum_api::payment::{Payment as Shown, Payments};
use talkdrum_core::Result;
use talkdrum_core::ledger::transactions::pattern;
use talkdrum_core::store::Tx;
use talkdrum_core::store::money::payment as rows;
use talkdrum_core::store::money::payment::Selection;
use utoipa::IntoParams;

use crate::api::list_query::asked;
use crate::http::{Answer, Caller, Page, Query, Search};
use crate::state::AppState;

/// Which payments.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct PaymentFilter {
    /// `initiated`, `pending`, `settled`, `failed`, `expired` or `mismatch`.
    status: Option<String>,
    /// `paystack` or `espees`.
    provider: Option<String>,
}

impl PaymentFilter {
    fn selection(&self, user: Option<i64>, search: &Search) -> Result<Selection> {
        Ok(Selection {
            user,
            status: asked(self.status.as_deref()).map(str::parse).transpose()?,
            provider: asked(self.provider.as_deref()).map(str::parse).transpose()?,
            pattern: pattern(&search.q),
        })
    }

    /// The page of these payments.
    pub(super) async fn page(
        &self,
        tx: &mut Tx,
        user: Option<i64>,
        (search, page): (&Search, &Page),
    ) -> Result<Payments> {
        let selection = self.selection(user, search)?;
        let (found, total) = rows::list(tx, &selection, page.offset, page.limit).await?;
        let shown = |row: rows::ListedRow| Shown { username: Some(row.username), ..row.payment.into() };
        Ok(Payments { payments: found.into_iter().map(shown).collect(), total })
    }
}

/// The caller's payments, newest first; `q` searches references, narrations and labels.
#[utoipa::path(
    get, path = "/api/payments", tag = "payment",
    params(PaymentFilter, Search, Page),
    responses((status = 200, body = Payments)),
)]
pub(super) async fn list_payments(
    State(app): State<AppState>,
    caller: Caller,
    Query(filter): Query<PaymentFilter>,
    search: Search,
    page: Page,
) -> Answer<Payments> {
    let (store, user, is_search) = (app.store.clone(), caller.user_id, !search.q.is_empty());
    let read = async move { filter.page(&mut store.snapshot().await?, Some(user), (&search, &page)).await };
    Ok(Json(app.scans.read(is_search, user, read).await?))
}
