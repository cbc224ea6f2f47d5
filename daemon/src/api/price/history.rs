//! `GET /admin/price-history`.

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use talkdrum_api::setting::{PriceChange, PriceHistory};
use talkdrum_core::Error;
use talkdrum_core::settings::PriceKey;
use talkdrum_core::store::db::listing::like_pattern;
use talkdrum_core::store::platform::audit::{self, Selection};
use talkdrum_core::time::Time;
use utoipa::IntoParams;

use crate::http::{AdminCaller, Answer, Page, Query, Search};
use crate::state::AppState;

/// Which price.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct PriceFilter {
    /// The name of a price, such as `SMS-UNIT-PRICE`.
    price: Option<String>,
}

/// Every change of a price: who, when, before and after, newest first; `price` is the name of one of them.
#[utoipa::path(
    get, path = "/admin/price-history", tag = "price",
    params(PriceFilter, Search, Page),
    responses((status = 200, body = PriceHistory)),
)]
pub(super) async fn list_price_changes(
    State(app): State<AppState>,
    _caller: AdminCaller,
    Query(filter): Query<PriceFilter>,
    search: Search,
    page: Page,
) -> Answer<PriceHistory> {
    let subject = filter.price.unwrap_or_default().trim().to_owned();
    if !subject.is_empty() && !PriceKey::ALL.iter().any(|key| key.name() == subject) {
        let names: Vec<&str> = PriceKey::ALL.iter().map(|key| key.name()).collect();
        let message = format!("price must be one of: {}", names.join(", "));
        return Err(Error::field("price", "unknown_price", message).into());
    }
    let pattern = like_pattern(&search.q.to_lowercase());
    let which = Selection { action: "price.set".to_owned(), subject, pattern, ..Selection::default() };
    let (rows, total) =
        audit::page(&mut app.store.snapshot().await?, &which, page.offset, page.limit).await?;
    let prices = rows
        .into_iter()
        .map(|row| PriceChange {
            id: row.id,
            at: Time(row.at).to_rfc3339(),
            price: row.subject,
            before: row.before,
            after: row.after,
            user_id: row.user_id,
            username: row.username,
        })
        .collect();
    Ok(Json(PriceHistory { prices, total }))
}
