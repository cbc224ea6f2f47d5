//! `GET /api/get-transaction-history`, and what both lists of transactions have in common.

use axum::Json;
use axum::extract::{Query, State};
use serde::Deserialize;
use talkdrum_core::api::payment::{OwnTransactions, Transactions};
use talkdrum_core::campaign::start::parse;
use talkdrum_core::clock::Time;
use talkdrum_core::ledger::transactions::{self, Query as Wanted};
use talkdrum_core::money::Currency;
use talkdrum_core::store::transactions::Order;
use talkdrum_core::store::user;
use talkdrum_core::{Error, Result};

use crate::api::reading::window;
use crate::http::{Answer, Caller, Page};
use crate::state::AppState;

/// Which transactions.
#[derive(Debug, Deserialize)]
pub(super) struct Which {
    kind: Option<String>,
    status: Option<String>,
    currency: Option<String>,
    since: Option<String>,
    until: Option<String>,
    pub(super) user: Option<String>,
}

impl Which {
    fn currency(&self) -> Result<Option<Currency>> {
        let name = self.currency.as_deref().map(str::trim).filter(|name| !name.is_empty());
        name.map(|name| {
            name.parse()
                .map_err(|error: Error| Error::field("currency", "unknown_currency", error.to_string()))
        })
        .transpose()
    }

    /// The page of these transactions; local times are those of `caller`'s zone.
    pub(super) async fn page(
        &self,
        app: &AppState,
        caller: i64,
        whose: Option<i64>,
        page: &Page,
    ) -> Result<Transactions> {
        let order = match page.sort_among(&["transaction_date", "price"])? {
            "price" => Order::Price { largest_first: page.descending },
            _ => Order::Time { newest_first: page.descending },
        };
        let mut tx = app.store.read().await?;
        let zone = user::by_id(&mut tx, caller).await?.map(|user| user.zone).unwrap_or_default();
        let wanted = Wanted {
            user: whose,
            kind: self.kind.clone(),
            status: self.status.clone(),
            currency: self.currency()?,
            since: time("since", self.since.as_deref(), &zone)?,
            until: time("until", self.until.as_deref(), &zone)?,
            q: page.q.clone(),
        };
        transactions::page(&mut tx, &wanted, order, window(page)).await
    }
}

fn time(field: &'static str, given: Option<&str>, zone: &str) -> Result<Option<Time>> {
    let Some(given) = given.map(str::trim).filter(|given| !given.is_empty()) else { return Ok(None) };
    let whole = if given.len() == "2030-01-31".len() { format!("{given} 00:00") } else { given.to_owned() };
    parse(&whole, zone).map(Some).map_err(|error| Error::field(field, "bad_time", error.to_string()))
}

/// The caller's transactions, newest first: every movement of the wallets, and payments that are open or failed. `q`
/// searches references and narrations.
#[utoipa::path(
    get, path = "/api/get-transaction-history", tag = "payment",
    params(("kind" = Option<String>, Query, description = "`payment`, `transfer`, `credit`, `reserve`, `release` or `refund`"),
           ("status" = Option<String>, Query, description = "`successful`, `pending`, `failed`, `expired` or `mismatch`"),
           ("currency" = Option<String>, Query), ("since" = Option<String>, Query), ("until" = Option<String>, Query),
           ("q" = Option<String>, Query), ("sort" = Option<String>, Query, description = "`transaction_date` or `price`"),
           ("order" = Option<String>, Query), ("page" = Option<i64>, Query), ("per_page" = Option<i64>, Query)),
    responses((status = 200, body = OwnTransactions)),
)]
pub(super) async fn list_transactions(
    State(app): State<AppState>,
    caller: Caller,
    Query(which): Query<Which>,
    page: Page,
) -> Answer<OwnTransactions> {
    let found = which.page(&app, caller.user_id, Some(caller.user_id), &page).await?;
    let Transactions { transactions, total, is_cut } = found;
    Ok(Json(OwnTransactions { transactions, total, is_cut }))
}
