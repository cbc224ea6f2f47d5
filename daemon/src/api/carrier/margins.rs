//! `GET /admin/margins`.

use axum::Json;
use axum::extract::State;
use talkdrum_api::carrier::{Margin, Margins};
use talkdrum_api::query::MarginQuery;
use talkdrum_core::Error;
use talkdrum_core::store::stats::traffic::{self, Sum, TrafficSelection};

use crate::http::{AdminCaller, Answer, Page, Query};
use crate::state::AppState;

/// What carriers were given, what customers paid for it, and what is left, by day, carrier and network. Traffic is
/// counted half a minute behind the send.
#[utoipa::path(
    get, path = "/admin/margins", tag = "carrier",
    params(MarginQuery, Page),
    responses((status = 200, body = Margins)),
)]
pub(super) async fn list_margins(
    State(app): State<AppState>,
    _caller: AdminCaller,
    page: Page,
    Query(filters): Query<MarginQuery>,
) -> Answer<Margins> {
    let wanted = TrafficSelection {
        from: day("from", &filters.from, "0000-01-01")?,
        to: day("to", &filters.to, "9999-12-31")?,
        carrier: filters.carrier,
        network: filters.network.to_lowercase(),
    };
    let mut tx = app.store.snapshot().await?;
    let sums = traffic::sums(&mut tx, &wanted, page.offset, page.limit).await?;
    let total = traffic::count(&mut tx, &wanted).await?;
    Ok(Json(Margins { margins: sums.into_iter().map(shown).collect(), total }))
}

fn day(field: &'static str, text: &str, usual: &str) -> Result<String, Error> {
    let text = if text.trim().is_empty() { usual } else { text.trim() };
    match text.parse::<jiff::civil::Date>() {
        Ok(date) => Ok(date.to_string()),
        Err(_) => {
            Err(Error::field(field, "bad_day", format!("'{text}' is no day: write it as in 2026-11-21")))
        }
    }
}

fn shown(sum: Sum) -> Margin {
    let comparable = sum.cost_currency == Some(sum.currency);
    Margin {
        margin: sum.cost.filter(|_| comparable).and_then(|cost| sum.revenue.minus(cost).ok()),
        day: sum.day,
        carrier: sum.carrier,
        network: sum.network,
        messages: sum.messages,
        segments: sum.segments,
        revenue: sum.revenue,
        currency: sum.currency.to_string(),
        cost: sum.cost,
        cost_currency: sum.cost_currency.map(|currency| currency.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use talkdrum_core::model::account::user::Role;

    use crate::testing::TestDaemon;

    #[tokio::test]
    async fn a_day_that_is_none_is_refused_and_no_traffic_is_an_empty_list() {
        let daemon = TestDaemon::start().await;
        let admin = daemon.signed_in("root", Role::Admin).await;
        let reply = daemon.get("/admin/margins?from=2026-11-31", &admin).await;
        assert_eq!((reply.status, reply.code().as_str()), (400, "bad_day"));
        let reply = daemon.get("/admin/margins?from=2026-11-01&network=MTN", &admin).await;
        assert_eq!((reply.status, &reply.json()["total"]), (200, &0.into()));
    }
}
