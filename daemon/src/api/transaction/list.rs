//! `GET /api/get-transaction-history`, and what both lists of transactions have in common.

use axum::Json;
use axum::extract::State;
use talkdrum_api::payment::{OwnTransactions, Transactions};
use talkdrum_api::query::{CurrencyQuery, PeriodQuery, TransactionQuery};
use talkdrum_core::ledger::transactions;
use talkdrum_core::model::account::id::UserId;
use talkdrum_core::model::campaign::id::CampaignId;
use talkdrum_core::store::Tx;
use talkdrum_core::store::money::transactions::TransactionSort;
use talkdrum_core::{Result, account};

use crate::api::list_query::{bounds, currency_asked, window};
use crate::http::{Answer, Caller, Columns, Query, SortedPage};
use crate::state::AppState;

/// What transactions can be sorted by.
pub(super) enum TransactionColumns {}

impl Columns for TransactionColumns {
    const NAMES: &'static [&'static str] = &["transaction_date", "price"];
}

/// The page of these transactions.
pub(super) async fn page_of(
    of: &TransactionQuery,
    tx: &mut Tx,
    (caller, user): (&account::Caller, Option<UserId>),
    (currency, period): (&CurrencyQuery, &PeriodQuery),
    page: &SortedPage<TransactionColumns>,
) -> Result<Transactions> {
    let order = match page.sort {
        "price" => TransactionSort::Price { largest_first: page.descending },
        _ => TransactionSort::Time { newest_first: page.descending },
    };
    let (since, until) = bounds(period, tx, caller).await?;
    let wanted = transactions::Query {
        user,
        campaign: of.campaign_id.map(CampaignId),
        kind: transactions::kind(of.kind.as_deref())?,
        status: transactions::status(of.status.as_deref())?,
        currency: currency_asked(currency)?,
        since,
        until,
        q: page.q.clone(),
        beyond: of.beyond,
    };
    transactions::page(tx, &wanted, order, window(&page.page)).await
}

/// The caller's transactions, newest first: every movement of the wallets, and payments that are open or failed. `q`
/// searches references and narrations.
#[utoipa::path(
    get, path = "/api/get-transaction-history", tag = "payment",
    params(TransactionQuery, CurrencyQuery, PeriodQuery, SortedPage<TransactionColumns>),
    responses((status = 200, body = OwnTransactions)),
)]
pub(super) async fn list_transactions(
    State(app): State<AppState>,
    caller: Caller,
    Query(filter): Query<TransactionQuery>,
    Query(currency): Query<CurrencyQuery>,
    Query(period): Query<PeriodQuery>,
    page: SortedPage<TransactionColumns>,
) -> Answer<OwnTransactions> {
    let (store, user, is_search) = (app.store.clone(), caller.user_id, !page.q.is_empty());
    let read = async move {
        let mut tx = store.snapshot().await?;
        page_of(&filter, &mut tx, (&caller, Some(user)), (&currency, &period), &page).await
    };
    let found = app.scans.read(is_search, user, read).await?;
    let Transactions { transactions, total, is_cut, beyond } = found;
    Ok(Json(OwnTransactions { transactions, total, is_cut, beyond }))
}
