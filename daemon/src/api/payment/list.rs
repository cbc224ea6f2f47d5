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

use crate::api::list_query::asked;
use crate::http::{Answer, Caller, Page, Query};
use crate::state::AppState;

/// Which payments.
#[derive(Debug, Deserialize)]
pub(super) struct Which {
    status: Option<String>,
    provider: Option<String>,
    pub(super) user_id: Option<String>,
}

impl Which {
    fn selection(&self, user: Option<i64>, page: &Page) -> Result<Selection> {
        Ok(Selection {
            user,
            status: asked(self.status.as_deref()).map(str::parse).transpose()?,
            provider: asked(self.provider.as_deref()).map(str::parse).transpose()?,
            pattern: pattern(&page.q),
        })
    }

    /// The page of these payments.
    pub(super) async fn page(&self, tx: &mut Tx, user: Option<i64>, page: &Page) -> Result<Payments> {
        let selection = self.selection(user, page)?;
        let (found, total) = rows::list(tx, &selection, page.offset, page.limit).await?;
        let shown = |row: rows::ListedRow| Shown { username: Some(row.username), ..row.payment.into() };
        Ok(Payments { payments: found.into_iter().map(shown).collect(), total })
    }
}

/// The caller's payments, newest first; `q` searches references, narrations and labels.
#[utoipa::path(
    get, path = "/api/payments", tag = "payment",
    params(("status" = Option<String>, Query), ("provider" = Option<String>, Query), ("q" = Option<String>, Query),
           ("page" = Option<i64>, Query), ("per_page" = Option<i64>, Query)),
    responses((status = 200, body = Payments)),
)]
pub(super) async fn list_payments(
    State(app): State<AppState>,
    caller: Caller,
    Query(which): Query<Which>,
    page: Page,
) -> Answer<Payments> {
    Ok(Json(which.page(&mut app.store.snapshot().await?, Some(caller.user_id), &page).await?))
}
