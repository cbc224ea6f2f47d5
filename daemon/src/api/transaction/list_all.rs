//! `GET /admin/get-all-transactions`.

use axum::Json;
use axum::extract::{Query, State};
use talkdrum_core::api::payment::{AllTransactions, Transactions};
use talkdrum_core::store::user;
use talkdrum_core::{Error, Result};

use super::list::Which;
use crate::http::{AdminCaller, Answer, Page};
use crate::state::AppState;

/// Everybody's transactions, newest first; of one user with `user` (id or user name). `q` searches references, narrations
/// and user names.
#[utoipa::path(
    get, path = "/admin/get-all-transactions", tag = "payment",
    params(("user" = Option<String>, Query), ("kind" = Option<String>, Query), ("status" = Option<String>, Query),
           ("currency" = Option<String>, Query), ("since" = Option<String>, Query), ("until" = Option<String>, Query),
           ("q" = Option<String>, Query), ("sort" = Option<String>, Query), ("order" = Option<String>, Query),
           ("page" = Option<i64>, Query), ("per_page" = Option<i64>, Query)),
    responses((status = 200, body = AllTransactions)),
)]
pub(super) async fn list_all_transactions(
    State(app): State<AppState>,
    caller: AdminCaller,
    Query(which): Query<Which>,
    page: Page,
) -> Answer<AllTransactions> {
    let whose = whose(&app, which.user.as_deref()).await?;
    let found = which.page(&app, caller.user_id, whose, &page).await?;
    let Transactions { transactions, total, is_cut } = found;
    Ok(Json(AllTransactions { transactions, total, is_cut }))
}

/// The user meant by an id or a name.
async fn whose(app: &AppState, given: Option<&str>) -> Result<Option<i64>> {
    let Some(given) = given.map(str::trim).filter(|given| !given.is_empty()) else { return Ok(None) };
    let mut tx = app.store.read().await?;
    let found = match given.parse() {
        Ok(id) => user::by_id(&mut tx, id).await?,
        Err(_) => user::by_username(&mut tx, &given.to_lowercase()).await?,
    };
    found.map(|user| Some(user.id)).ok_or(Error::NotFound("user"))
}
