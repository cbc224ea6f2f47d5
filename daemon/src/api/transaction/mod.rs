//! Histories of transactions.

mod list;

use axum::Json;
use axum::extract::State;
use list::{TransactionColumns, page_of};
use talkdrum_api::payment::{AllTransactions, Transactions};
use talkdrum_api::query::{CurrencyQuery, PeriodQuery, TransactionQuery, UserQuery};

use crate::api::list_query::user_asked;
use crate::http::routes::{Operations, routes};
use crate::http::{AdminCaller, Answer, Query, SortedPage};
use crate::state::AppState;

pub(super) fn router() -> Operations {
    Operations::new().routes(routes!(list::list_transactions)).routes(routes!(list_all_transactions))
}

/// All users' transactions, newest first; of one user with `user_id` (an id or a user name). `q` searches references, narrations
/// and user names.
#[utoipa::path(
    get, path = "/admin/get-all-transactions", tag = "payment",
    params(TransactionQuery, CurrencyQuery, PeriodQuery, UserQuery, SortedPage<TransactionColumns>),
    responses((status = 200, body = AllTransactions)),
)]
async fn list_all_transactions(
    State(app): State<AppState>,
    caller: AdminCaller,
    Query(filter): Query<TransactionQuery>,
    Query(currency): Query<CurrencyQuery>,
    Query(period): Query<PeriodQuery>,
    Query(of): Query<UserQuery>,
    page: SortedPage<TransactionColumns>,
) -> Answer<AllTransactions> {
    let (store, admin, is_search) = (app.store.clone(), caller.user_id, !page.q.is_empty());
    let read = async move {
        let mut tx = store.snapshot().await?;
        let user = user_asked(&of, &mut tx).await?;
        page_of(&filter, &mut tx, (&caller, user), (&currency, &period), &page).await
    };
    let found = app.scans.read(is_search, admin, read).await?;
    let Transactions { transactions, total, is_cut, beyond } = found;
    Ok(Json(AllTransactions { transactions, total, is_cut, beyond }))
}
