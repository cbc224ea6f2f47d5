//! Webhooks: where customers hear of their campaigns and messages. The secret of each is shown once, when it is made.

mod create;
mod delete;
mod deliveries;
mod delivery;
mod edit;
mod list;
mod list_all;
mod redeliver;
mod redeliver_failed;
mod rotate;
mod show;
mod test;

use talkdrum_api::webhook::{Webhook, WebhookDelivery};
use talkdrum_core::Result;
use talkdrum_core::platform::audit::{self, Entry};
use talkdrum_core::store::Tx;
use talkdrum_core::store::webhook::WebhookRow;
use talkdrum_core::store::webhook::delivery::DeliveryRow;
use talkdrum_core::time::Time;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::state::AppState;

pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(list::list_webhooks, create::create_webhook))
        .routes(routes!(show::show_webhook, edit::edit_webhook, delete::delete_webhook))
        .routes(routes!(rotate::rotate_webhook_secret))
        .routes(routes!(test::test_webhook))
        .routes(routes!(deliveries::list_webhook_deliveries))
        .routes(routes!(delivery::show_webhook_delivery))
        .routes(routes!(redeliver::redeliver_webhook))
        .routes(routes!(redeliver_failed::redeliver_failed_webhooks))
        .routes(routes!(list_all::list_all_webhooks))
}

/// Notes in the audit trail that an administrator had another user's event delivered again.
async fn note(tx: &mut Tx, webhook: &WebhookRow, by: i64, what: String, now: Time) -> Result<()> {
    if webhook.user_id == by {
        return Ok(());
    }
    let entry = Entry::new(by, "webhook.redeliver", format!("webhook {}", webhook.id)).after(Some(what));
    audit::record(tx, &entry, now).await
}

/// The wire form of an address.
fn shown(row: WebhookRow) -> Webhook {
    Webhook {
        id: row.id,
        user_id: row.user_id,
        username: row.username,
        url: row.url,
        description: row.description,
        events: row.events.split(',').map(str::to_owned).collect(),
        is_active: row.is_active,
        inactive_reason: row.inactive_reason,
        pending: row.pending,
        failing_since: row.failing_since.map(|at| Time(at).to_rfc3339()),
        created_at: Time(row.created_at).to_rfc3339(),
        updated_at: Time(row.updated_at).to_rfc3339(),
    }
}

/// The wire form of a line of the log.
fn shown_delivery(row: DeliveryRow) -> WebhookDelivery {
    let at = |time: i64| Time(time).to_rfc3339();
    WebhookDelivery {
        id: row.id,
        event_id: format!("msg_{}", row.event_id),
        kind: row.kind,
        next_attempt_at: (row.status == "pending").then(|| at(row.due_at)),
        status: row.status,
        attempts: row.attempts,
        tried_at: row.tried_at.map(at),
        answer: row.answer,
        note: row.note,
        delivered_at: row.delivered_at.map(at),
        created_at: at(row.created_at),
    }
}

#[cfg(test)]
mod tests;
