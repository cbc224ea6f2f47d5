//! `GET /admin/payment-events`.

use axum::Json;
use axum::extract::State;
use talkdrum_api::payment::{PaymentEvent, PaymentEvents};
use talkdrum_core::store::money::payment::{EventRow, events};

use crate::http::{AdminCaller, Answer, Page};
use crate::state::AppState;

/// Refunds and disputes as the provider told of them, newest first. No money moves by them: a person decides.
#[utoipa::path(
    get, path = "/admin/payment-events", tag = "payment",
    params(Page),
    responses((status = 200, body = PaymentEvents)),
)]
pub(super) async fn list_payment_events(
    State(app): State<AppState>,
    _caller: AdminCaller,
    page: Page,
) -> Answer<PaymentEvents> {
    let (rows, total) = events(&mut app.store.snapshot().await?, page.offset, page.limit).await?;
    Ok(Json(PaymentEvents { events: rows.into_iter().map(shown).collect(), total }))
}

fn shown(row: EventRow) -> PaymentEvent {
    PaymentEvent {
        id: row.id,
        provider: row.provider.code().to_owned(),
        event: row.event,
        reference: row.reference,
        payment_id: row.payment_id,
        user_id: row.user_id,
        username: row.username,
        summary: row.summary,
        received_at: row.received_at.to_rfc3339(),
    }
}
