//! `GET /admin/get-all-transactions`.

use axum::Json;
use axum::extract::State;
use talkdrum_api::payment::{AllTransactions, Transactions};

use super::list::Which;
use crate::api::list_query::user_asked;
use crate::http::{AdminCaller, Answer, Page, Query};
use crate::state::AppState;

/// Everybody's transactions, newest first; of one user with `user_id` (an id or a user name). `q` searches references, narrations
/// and user names.
#[utoipa::path(
    get, path = "/admin/get-all-transactions", tag = "payment",
    params(("user_id" = Option<String>, Query), ("kind" = Option<String>, Query), ("status" = Option<String>, Query),
           ("currency" = Option<String>, Query), ("from" = Option<String>, Query), ("to" = Option<String>, Query),
           ("q" = Option<String>, Query), ("sort" = Option<String>, Query), ("order" = Option<String>, Query),
           ("campaign_id" = Option<i64>, Query, description = "Only what this campaign set aside, gave back or refunded"),
           ("beyond" = Option<i64>, Query, description = "Where another list ended: its `beyond`"),
           ("page" = Option<i64>, Query), ("per_page" = Option<i64>, Query)),
    responses((status = 200, body = AllTransactions)),
)]
pub(super) async fn list_all_transactions(
    State(app): State<AppState>,
    caller: AdminCaller,
    Query(which): Query<Which>,
    page: Page,
) -> Answer<AllTransactions> {
    let mut tx = app.store.snapshot().await?;
    let user = user_asked(&mut tx, which.user_id.as_deref()).await?;
    let found = which.page(&mut tx, &caller, user, &page).await?;
    let Transactions { transactions, total, is_cut, beyond } = found;
    Ok(Json(AllTransactions { transactions, total, is_cut, beyond }))
}
