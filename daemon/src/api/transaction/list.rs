//! `GET /api/get-transaction-history`, and what both lists of transactions have in common.

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use talkdrum_api::money::{Currency, MoneyError};
use talkdrum_api::payment::{OwnTransactions, Transactions};
use talkdrum_core::ledger::transactions::{self, Query as Wanted};
use talkdrum_core::store::Tx;
use talkdrum_core::store::money::transactions::Order;
use talkdrum_core::{Error, Result, account};

use crate::api::list_query::{period_asked, window};
use crate::http::{Answer, Caller, Page, Query};
use crate::state::AppState;

/// Which transactions.
#[derive(Debug, Deserialize)]
pub(super) struct Which {
    kind: Option<String>,
    status: Option<String>,
    currency: Option<String>,
    from: Option<String>,
    to: Option<String>,
    pub(super) user_id: Option<String>,
    campaign_id: Option<i64>,
    beyond: Option<i64>,
}

impl Which {
    fn currency(&self) -> Result<Option<Currency>> {
        let name = self.currency.as_deref().map(str::trim).filter(|name| !name.is_empty());
        name.map(|name| {
            name.parse()
                .map_err(|error: MoneyError| Error::field("currency", error.code(), error.to_string()))
        })
        .transpose()
    }

    /// The page of these transactions.
    pub(super) async fn page(
        &self,
        tx: &mut Tx,
        caller: &account::Caller,
        user: Option<i64>,
        page: &Page,
    ) -> Result<Transactions> {
        let order = match page.sort_among(&["transaction_date", "price"])? {
            "price" => Order::Price { largest_first: page.descending },
            _ => Order::Time { newest_first: page.descending },
        };
        let (since, until) = period_asked(tx, caller, self.from.as_deref(), self.to.as_deref()).await?;
        let wanted = Wanted {
            user,
            campaign: self.campaign_id,
            kind: self.kind.clone(),
            status: self.status.clone(),
            currency: self.currency()?,
            since,
            until,
            q: page.q.clone(),
            beyond: self.beyond,
        };
        transactions::page(tx, &wanted, order, window(page)).await
    }
}

/// The caller's transactions, newest first: every movement of the wallets, and payments that are open or failed. `q`
/// searches references and narrations.
#[utoipa::path(
    get, path = "/api/get-transaction-history", tag = "payment",
    params(("kind" = Option<String>, Query, description = "`payment`, `transfer`, `credit`, `reserve`, `release` or `refund`"),
           ("status" = Option<String>, Query, description = "`successful`, `pending`, `failed`, `expired` or `mismatch`"),
           ("currency" = Option<String>, Query), ("from" = Option<String>, Query), ("to" = Option<String>, Query),
           ("q" = Option<String>, Query), ("sort" = Option<String>, Query, description = "`transaction_date` or `price`"),
           ("order" = Option<String>, Query),
           ("campaign_id" = Option<i64>, Query, description = "Only what this campaign set aside, gave back or refunded"),
           ("beyond" = Option<i64>, Query, description = "Where another list ended: its `beyond`"),
           ("page" = Option<i64>, Query), ("per_page" = Option<i64>, Query)),
    responses((status = 200, body = OwnTransactions)),
)]
pub(super) async fn list_transactions(
    State(app): State<AppState>,
    caller: Caller,
    Query(which): Query<Which>,
    page: Page,
) -> Answer<OwnTransactions> {
    let mut tx = app.store.snapshot().await?;
    let found = which.page(&mut tx, &caller, Some(caller.user_id), &page).await?;
    let Transactions { transactions, total, is_cut, beyond } = found;
    Ok(Json(OwnTransactions { transactions, total, is_cut, beyond }))
}
