//! Prices under the specification's names: one by one, all as one list, and their history. An unset price is an empty
//! list, never a zero.

mod change;
mod rates;
mod set;
mod show;

use axum::Json;
use axum::extract::State;
use talkdrum_api::money::Currency;
use talkdrum_api::query::PriceQuery;
use talkdrum_api::setting::{PriceChange, PriceHistory, Prices};
use talkdrum_api::wallet::PriceRecord;
use talkdrum_core::model::platform::audit::AuditAction;
use talkdrum_core::settings::{Price, PriceKey, price_list, price_version};
use talkdrum_core::store::Tx;
use talkdrum_core::store::db::listing::like_pattern;
use talkdrum_core::store::platform::audit::{self, AuditSelection};
use talkdrum_core::{Error, Result};

use crate::http::routes::{Operations, routes};
use crate::http::{AdminCaller, Answer, Page, Query, Search};
use crate::state::AppState;

pub(super) fn router() -> Operations {
    Operations::new()
        .merge(set::router())
        .merge(show::router())
        .merge(rates::router())
        .routes(routes!(list_prices))
        .routes(routes!(change::change_prices))
        .routes(routes!(list_price_changes))
}

/// The records of a price: one, or none while it is not set.
fn records(price: Option<Price>) -> Vec<PriceRecord> {
    price.map(record).into_iter().collect()
}

fn record(price: Price) -> PriceRecord {
    PriceRecord { value: price.amount, updated_at: price.updated_at.to_rfc3339() }
}

/// Every price, with the version that `POST /admin/set-prices` takes as `expect`.
#[utoipa::path(get, path = "/admin/get-prices", tag = "price", responses((status = 200, body = Prices)))]
async fn list_prices(State(app): State<AppState>, _caller: AdminCaller) -> Answer<Prices> {
    Ok(Json(shown(&mut app.store.snapshot().await?).await?))
}

/// Every price.
async fn shown(tx: &mut Tx) -> Result<Prices> {
    let list = price_list(tx).await?;
    let of = |key: PriceKey| -> Vec<PriceRecord> {
        records(list.iter().find(|(known, _)| *known == key).and_then(|(_, price)| *price))
    };
    Ok(Prices {
        sms: of(PriceKey::sms(Currency::Espees)),
        sms_naira: of(PriceKey::sms(Currency::Naira)),
        sms_abroad: of(PriceKey::sms_abroad(Currency::Espees)),
        sms_abroad_naira: of(PriceKey::sms_abroad(Currency::Naira)),
        voice: of(PriceKey::voice(Currency::Espees)),
        voice_naira: of(PriceKey::voice(Currency::Naira)),
        virtual_number: of(PriceKey::virtual_number()),
        own_number: of(PriceKey::own_number()),
        version: price_version(&list),
    })
}

/// Every change of a price: who, when, before and after, newest first; `price` is the name of one of them.
#[utoipa::path(
    get, path = "/admin/price-history", tag = "price",
    params(PriceQuery, Search, Page),
    responses((status = 200, body = PriceHistory)),
)]
async fn list_price_changes(
    State(app): State<AppState>,
    _caller: AdminCaller,
    Query(filter): Query<PriceQuery>,
    search: Search,
    page: Page,
) -> Answer<PriceHistory> {
    let subject = filter.price.unwrap_or_default().trim().to_owned();
    let is_rate = subject.starts_with("RATE ");
    if !subject.is_empty() && !is_rate && !PriceKey::ALL.iter().any(|key| key.name() == subject) {
        return Err(unknown_price("price").into());
    }
    let pattern = like_pattern(&search.q.to_lowercase());
    let which = AuditSelection {
        action: AuditAction::PriceSet.code().to_owned(),
        subject,
        pattern,
        ..AuditSelection::default()
    };
    let (rows, total) =
        audit::page(&mut app.store.snapshot().await?, &which, page.offset, page.limit).await?;
    let prices = rows
        .into_iter()
        .map(|row| PriceChange {
            id: row.id.0,
            at: row.at.to_rfc3339(),
            price: row.subject,
            before: row.before,
            after: row.after,
            user_id: row.user_id.map(|user| user.0),
            username: row.username,
        })
        .collect();
    Ok(Json(PriceHistory { prices, total }))
}

/// What is said of a change of so many prices.
fn told(changed: i64) -> String {
    match changed {
        0 => "No price changed".to_owned(),
        1 => "1 price changed; quotes that were given keep theirs".to_owned(),
        many => format!("{many} prices changed; quotes that were given keep theirs"),
    }
}

/// The refusal of a name that no price has.
fn unknown_price(field: &'static str) -> Error {
    let names: Vec<&str> = PriceKey::ALL.iter().map(|key| key.name()).collect();
    Error::field(field, "unknown_price", format!("{field} must be one of: {}", names.join(", ")))
}

#[cfg(test)]
mod tests;
