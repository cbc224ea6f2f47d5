//! `GET /admin/payments`.

use axum::Json;
use axum::extract::State;
use talkdrum_api::payment::Payments;

use super::list::Which;
use crate::api::list_query::user_asked;
use crate::http::{AdminCaller, Answer, Page, Query};
use crate::state::AppState;

/// Everybody's payments, newest first; `q` searches references, narrations, labels and user names. Those in `mismatch`
/// wait for a person: credit what is due under the payment's reference.
#[utoipa::path(
    get, path = "/admin/payments", tag = "payment",
    params(("status" = Option<String>, Query), ("provider" = Option<String>, Query),
           ("user_id" = Option<String>, Query, description = "A user's id or user name"), ("q" = Option<String>, Query),
           ("page" = Option<i64>, Query), ("per_page" = Option<i64>, Query)),
    responses((status = 200, body = Payments)),
)]
pub(super) async fn list_all_payments(
    State(app): State<AppState>,
    _caller: AdminCaller,
    Query(which): Query<Which>,
    page: Page,
) -> Answer<Payments> {
    let mut tx = app.store.snapshot().await?;
    let user = user_asked(&mut tx, which.user_id.as_deref()).await?;
    Ok(Json(which.page(&mut tx, user, &page).await?))
}
