//! `GET /admin/payments`.

use axum::Json;
use axum::extract::State;
use talkdrum_api::payment::Payments;

use super::list::PaymentFilter;
use crate::api::list_query::UserFilter;
use crate::http::{AdminCaller, Answer, Page, Query, Search};
use crate::state::AppState;

/// Everybody's payments, newest first; `q` searches references, narrations, labels and user names. Those in `mismatch`
/// wait for a person: credit what is due under the payment's reference.
#[utoipa::path(
    get, path = "/admin/payments", tag = "payment",
    params(PaymentFilter, UserFilter, Search, Page),
    responses((status = 200, body = Payments)),
)]
pub(super) async fn list_all_payments(
    State(app): State<AppState>,
    caller: AdminCaller,
    Query(filter): Query<PaymentFilter>,
    Query(of): Query<UserFilter>,
    search: Search,
    page: Page,
) -> Answer<Payments> {
    let (store, is_search) = (app.store.clone(), !search.q.is_empty());
    let read = async move {
        let mut tx = store.snapshot().await?;
        let user = of.user(&mut tx).await?;
        filter.page(&mut tx, user, (&search, &page)).await
    };
    Ok(Json(app.scans.read(is_search, caller.user_id, read).await?))
}
