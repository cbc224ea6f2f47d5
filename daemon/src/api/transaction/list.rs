//! `GET /api/get-transaction-history`, and what both lists of transactions have in common.

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use talkdrum_api::payment::{OwnTransactions, Transactions};
use talkdrum_core::ledger::transactions::{self, Query as Wanted};
use talkdrum_core::store::Tx;
use talkdrum_core::store::money::transactions::TransactionSort;
use talkdrum_core::{Result, account};
use utoipa::IntoParams;

use crate::api::list_query::{CurrencyFilter, Period, window};
use crate::http::{Answer, Caller, Columns, Query, SortedPage};
use crate::state::AppState;

/// Which transactions.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct TransactionFilter {
    /// `payment`, `transfer`, `credit`, `reserve`, `release` or `refund`.
    kind: Option<String>,
    /// `successful`, `pending`, `failed`, `expired` or `mismatch`.
    status: Option<String>,
    /// Only what this campaign reserved, released or refunded.
    campaign_id: Option<i64>,
    /// Where another list ended: its `beyond`.
    beyond: Option<i64>,
}

/// What transactions can be sorted by.
pub(super) enum TransactionColumns {}

impl Columns for TransactionColumns {
    const NAMES: &'static [&'static str] = &["transaction_date", "price"];
}

impl TransactionFilter {
    /// The page of these transactions.
    pub(super) async fn page(
        &self,
        tx: &mut Tx,
        (caller, user): (&account::Caller, Option<i64>),
        (currency, period): (&CurrencyFilter, &Period),
        page: &SortedPage<TransactionColumns>,
    ) -> Result<Transactions> {
        let order = match page.sort {
            "price" => TransactionSort::Price { largest_first: page.descending },
            _ => TransactionSort::Time { newest_first: page.descending },
        };
        let (since, until) = period.bounds(tx, caller).await?;
        let wanted = Wanted {
            user,
            campaign: self.campaign_id,
            kind: transactions::kind(self.kind.as_deref())?,
            status: transactions::status(self.status.as_deref())?,
            currency: currency.currency()?,
            since,
            until,
            q: page.q.clone(),
            beyond: self.beyond,
        };
        transactions::page(tx, &wanted, order, window(&page.page)).await
    }
}

/// The caller's transactions, newest first: every movement of the wallets, and payments that are open or failed. `q`
/// searches references and narrations.
#[utoipa::path(
    get, path = "/api/get-transaction-history", tag = "payment",
    params(TransactionFilter, CurrencyFilter, Period, SortedPage<TransactionColumns>),
    responses((status = 200, body = OwnTransactions)),
)]
pub(super) async fn list_transactions(
    State(app): State<AppState>,
    caller: Caller,
    Query(filter): Query<TransactionFilter>,
    Query(currency): Query<CurrencyFilter>,
    Query(period): Query<Period>,
    page: SortedPage<TransactionColumns>,
) -> Answer<OwnTransactions> {
    let (store, user, is_search) = (app.store.clone(), caller.user_id, !page.q.is_empty());
    let read = async move {
        let mut tx = store.snapshot().await?;
        filter.page(&mut tx, (&caller, Some(user)), (&currency, &period), &page).await
    };
    let found = app.scans.read(is_search, user, read).await?;
    let Transactions { transactions, total, is_cut, beyond } = found;
    Ok(Json(OwnTransactions { transactions, total, is_cut, beyond }))
}
