//! `GET /admin/payments`.

use axum::Json;
use axum::extract::{Query, State};
use talkdrum_core::api::payment::Payments;

use super::list::Which;
use crate::http::{AdminCaller, Answer, Page};
use crate::state::AppState;

/// Everybody's payments, newest first; `q` searches references, narrations, labels and user names. Those in `mismatch`
/// wait for a person: credit what is due under the payment's reference.
#[utoipa::path(
    get, path = "/admin/payments", tag = "payment",
    params(("status" = Option<String>, Query), ("provider" = Option<String>, Query),
           ("user" = Option<i64>, Query, description = "A user's id"), ("q" = Option<String>, Query),
           ("page" = Option<i64>, Query), ("per_page" = Option<i64>, Query)),
    responses((status = 200, body = Payments)),
)]
pub(super) async fn list_all_payments(
    State(app): State<AppState>,
    _caller: AdminCaller,
    Query(which): Query<Which>,
    page: Page,
) -> Answer<Payments> {
    Ok(Json(which.page(&app, which.user, &page).await?))
}
