//! Webhooks: where events of campaigns and messages are sent. The secret of each is shown once, when it is made.

mod create;
mod deliveries;
mod edit;

use axum::Json;
use axum::extract::State;
use talkdrum_api::account::Message;
use talkdrum_api::webhook::{
    Redelivered, Webhook, WebhookDelivery, WebhookDeliveryDetails, WebhookWithSecret, Webhooks,
};
use talkdrum_core::account::WebhookChange;
use talkdrum_core::model::webhook::event::{DeliveryStatus, body};
use talkdrum_core::model::webhook::id::{DeliveryId, WebhookId};
use talkdrum_core::store::Lane;
use talkdrum_core::store::db::listing::like_pattern;
use talkdrum_core::store::webhook::delivery::DeliveryRow;
use talkdrum_core::store::webhook::{self, WebhookRow, delivery};
use talkdrum_core::time::Time;
use talkdrum_core::webhook::endpoint::{self, NewSecret};
use talkdrum_core::{Error, Result};

use crate::api::list_query::scope;
use crate::http::routes::{Operations, routes};
use crate::http::{AdminCaller, Answer, Caller, Page, Path, Search, SessionCaller};
use crate::state::AppState;

pub(super) fn router() -> Operations {
    Operations::new()
        .routes(routes!(list_webhooks, create::create_webhook))
        .routes(routes!(show_webhook, edit::edit_webhook, delete_webhook))
        .routes(routes!(rotate_webhook_secret))
        .routes(routes!(test_webhook))
        .routes(routes!(deliveries::list_webhook_deliveries))
        .routes(routes!(show_webhook_delivery))
        .routes(routes!(redeliver_webhook))
        .routes(routes!(redeliver_failed_webhooks))
        .routes(routes!(list_all_webhooks))
}

/// The wire form of an address.
fn shown(row: WebhookRow) -> Webhook {
    Webhook {
        id: row.id.0,
        user_id: row.user_id.0,
        username: row.username,
        url: row.url,
        description: row.description,
        events: row.events.codes().into_iter().map(str::to_owned).collect(),
        is_active: row.is_active,
        inactive_reason: row.inactive_reason,
        pending: row.pending,
        failing_since: row.failing_since.map(Time::to_rfc3339),
        created_at: row.created_at.to_rfc3339(),
        updated_at: row.updated_at.to_rfc3339(),
    }
}

/// The wire form of a line of the log.
fn shown_delivery(row: DeliveryRow) -> WebhookDelivery {
    WebhookDelivery {
        id: row.id.0,
        event_id: format!("msg_{}", row.event_id),
        kind: row.kind.code().to_owned(),
        next_attempt_at: (row.status == DeliveryStatus::Pending).then(|| row.due_at.to_rfc3339()),
        status: row.status.code().to_owned(),
        attempts: row.attempts,
        tried_at: row.tried_at.map(Time::to_rfc3339),
        answer: row.answer,
        note: row.note,
        delivered_at: row.delivered_at.map(Time::to_rfc3339),
        created_at: row.created_at.to_rfc3339(),
    }
}

/// List your webhooks: at most 20, so there are no pages.
#[utoipa::path(get, path = "/api/webhooks", tag = "webhook", responses((status = 200, body = Webhooks)))]
async fn list_webhooks(State(app): State<AppState>, caller: Caller) -> Answer<Webhooks> {
    let rows = webhook::of_user(&mut app.store.read().await?, caller.user_id).await?;
    let webhooks: Vec<_> = rows.into_iter().map(shown).collect();
    Ok(Json(Webhooks { total: i64::try_from(webhooks.len()).unwrap_or(i64::MAX), webhooks }))
}

/// Show one of your webhooks; administrators, anybody's.
#[utoipa::path(
    get, path = "/api/webhooks/{id}", tag = "webhook",
    params(("id" = i64, Path)),
    responses((status = 200, body = Webhook)),
)]
async fn show_webhook(
    State(app): State<AppState>,
    caller: Caller,
    Path(id): Path<WebhookId>,
) -> Answer<Webhook> {
    let row = endpoint::find(&mut app.store.read().await?, scope(&caller), id).await?;
    Ok(Json(shown(row)))
}

/// Delete a webhook with its log. What it was still to hear is not told any more.
#[utoipa::path(
    delete, path = "/api/webhooks/{id}", tag = "webhook",
    params(("id" = i64, Path)),
    responses((status = 200, body = Message)),
)]
async fn delete_webhook(
    State(app): State<AppState>,
    caller: Caller,
    Path(id): Path<WebhookId>,
) -> Answer<Message> {
    let piece = || {
        app.store.write(Lane::Interactive, (caller.user_id, id), |tx, (user_id, id)| {
            Box::pin(endpoint::delete(tx, *user_id, *id))
        })
    };
    while !piece().await? {}
    Ok(Json(Message { message: "The webhook is deleted".into() }))
}

/// Give a webhook a new secret. For 24 hours requests are signed with both, so that nothing is missed meanwhile.
/// Needs a session with a sign-in or `POST /api/sessions/reauthenticate` within the last ten minutes; an e-mail reports it to
/// the owner.
#[utoipa::path(
    post, path = "/api/webhooks/{id}/rotate", tag = "webhook",
    params(("id" = i64, Path)),
    responses((status = 200, body = WebhookWithSecret)),
)]
async fn rotate_webhook_secret(
    State(app): State<AppState>,
    caller: SessionCaller,
    Path(id): Path<WebhookId>,
) -> Answer<WebhookWithSecret> {
    caller.require_recent(&app).await?;
    let made = NewSecret::new(&app.vault, app.entropy.as_ref())?;
    let row = app
        .store
        .write(
            Lane::Interactive,
            (caller.user_id, id, made.sealed, app.identity.clone(), app.clock.now()),
            |tx, (user_id, id, sealed, identity, now)| {
                Box::pin(async move {
                    let row = endpoint::rotate(tx, *user_id, *id, sealed, *now).await?;
                    identity.tell_of_webhook(tx, &row, WebhookChange::Rotated, *now).await?;
                    Ok::<_, Error>(row)
                })
            },
        )
        .await?;
    Ok(Json(WebhookWithSecret {
        webhook: shown(row),
        secret: made.secret.to_secret().expose().to_owned(),
        message: "Keep this secret now: it is not shown again. The old one signs beside it for 24 hours"
            .into(),
    }))
}

/// List every user's webhooks, newest first; `q` searches addresses, descriptions and user names.
#[utoipa::path(
    get, path = "/admin/webhooks", tag = "webhook",
    params(Search, Page),
    responses((status = 200, body = Webhooks)),
)]
async fn list_all_webhooks(
    State(app): State<AppState>,
    _caller: AdminCaller,
    search: Search,
    page: Page,
) -> Answer<Webhooks> {
    let mut tx = app.store.snapshot().await?;
    let pattern = like_pattern(&search.q.to_lowercase());
    let rows = webhook::page(&mut tx, &pattern, page.limit, page.offset).await?;
    let total = webhook::total(&mut tx, &pattern).await?;
    Ok(Json(Webhooks { webhooks: rows.into_iter().map(shown).collect(), total }))
}

/// Show a delivery with the body that was sent.
#[utoipa::path(
    get, path = "/api/webhooks/{id}/deliveries/{delivery}", tag = "webhook",
    params(("id" = i64, Path), ("delivery" = i64, Path)),
    responses((status = 200, body = WebhookDeliveryDetails)),
)]
async fn show_webhook_delivery(
    State(app): State<AppState>,
    caller: Caller,
    Path((id, delivery)): Path<(WebhookId, DeliveryId)>,
) -> Answer<WebhookDeliveryDetails> {
    let mut tx = app.store.snapshot().await?;
    endpoint::find(&mut tx, scope(&caller), id).await?;
    let (row, stored) = delivery::find(&mut tx, id, delivery).await?.ok_or(Error::NotFound("delivery"))?;
    Ok(Json(WebhookDeliveryDetails { delivery: shown_delivery(row), body: body(&stored)? }))
}

/// Deliver one event again, whatever became of it; administrators, anybody's.
#[utoipa::path(
    post, path = "/api/webhooks/{id}/deliveries/{delivery}/redeliver", tag = "webhook",
    params(("id" = i64, Path), ("delivery" = i64, Path)),
    responses((status = 200, body = Redelivered)),
)]
async fn redeliver_webhook(
    State(app): State<AppState>,
    caller: Caller,
    Path((id, delivery)): Path<(WebhookId, DeliveryId)>,
) -> Answer<Redelivered> {
    app.trial_rate.check(caller.user_id)?;
    app.store
        .write(
            Lane::Interactive,
            (scope(&caller), caller.user_id, id, delivery, app.clock.now()),
            |tx, (scope, by, id, delivery, now)| {
                Box::pin(endpoint::redeliver(tx, (*scope, *by), *id, *delivery, *now))
            },
        )
        .await?;
    Ok(Json(Redelivered { redelivered: 1, message: "It is delivered again now".into() }))
}

/// Deliver everything again that was given up, up to 1,000 deliveries, oldest first: after the receiver was mended.
/// Administrators, anybody's.
#[utoipa::path(
    post, path = "/api/webhooks/{id}/redeliver-failed", tag = "webhook",
    params(("id" = i64, Path)),
    responses((status = 200, body = Redelivered)),
)]
async fn redeliver_failed_webhooks(
    State(app): State<AppState>,
    caller: Caller,
    Path(id): Path<WebhookId>,
) -> Answer<Redelivered> {
    app.trial_rate.check(caller.user_id)?;
    let count = app
        .store
        .write(
            Lane::Interactive,
            (scope(&caller), caller.user_id, id, app.clock.now()),
            |tx, (scope, by, id, now)| Box::pin(endpoint::redeliver_failed(tx, (*scope, *by), *id, *now)),
        )
        .await?;
    let redelivered = i64::try_from(count).unwrap_or(i64::MAX);
    Ok(Json(Redelivered { redelivered, message: format!("{redelivered} deliveries are made again now") }))
}

/// Send a test event, `webhook.test`, to a webhook. The log shows what came of it.
#[utoipa::path(
    post, path = "/api/webhooks/{id}/test", tag = "webhook",
    params(("id" = i64, Path)),
    responses((status = 200, body = WebhookDelivery)),
)]
async fn test_webhook(
    State(app): State<AppState>,
    caller: Caller,
    Path(id): Path<WebhookId>,
) -> Answer<WebhookDelivery> {
    app.trial_rate.check(caller.user_id)?;
    let row = app
        .store
        .write(Lane::Interactive, (caller.user_id, id, app.clock.now()), |tx, (user_id, id, now)| {
            Box::pin(async move {
                let delivery = endpoint::test(tx, *user_id, *id, *now).await?;
                let found = delivery::find(tx, *id, delivery).await?;
                Ok::<_, Error>(found.ok_or(Error::NotFound("delivery"))?.0)
            })
        })
        .await as Result<_>;
    Ok(Json(shown_delivery(row?)))
}

#[cfg(test)]
mod tests;
