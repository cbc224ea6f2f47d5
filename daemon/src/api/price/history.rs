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

use crate::http::{AdminCaller, Answer, Page, Query as Parameters};
use crate::state::AppState;

/// Which price.
#[derive(Debug, Deserialize)]
pub(super) struct Which {
    price: Option<String>,
}

/// Every change of a price: who, when, before and after, newest first; `price` is the name of one of them.
#[utoipa::path(
    get, path = "/admin/price-history", tag = "price",
    params(("price" = Option<String>, Query), ("q" = Option<String>, Query),
           ("page" = Option<i64>, Query), ("per_page" = Option<i64>, Query)),
    responses((status = 200, body = PriceHistory)),
)]
pub(super) async fn list_price_changes(
    State(app): State<AppState>,
    _caller: AdminCaller,
    Parameters(which): Parameters<Which>,
    page: Page,
) -> Answer<PriceHistory> {
    let subject = which.price.unwrap_or_default().trim().to_owned();
    if !subject.is_empty() && !PriceKey::ALL.iter().any(|key| key.name() == subject) {
        let names: Vec<&str> = PriceKey::ALL.iter().map(|key| key.name()).collect();
        let message = format!("price must be one of: {}", names.join(", "));
        return Err(Error::field("price", "unknown_price", message).into());
    }
    let pattern = like_pattern(&page.q.to_lowercase());
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
