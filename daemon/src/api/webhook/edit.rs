//! `PUT /api/webhooks/{id}`.

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use talkdrum_api::webhook::ChangedWebhook;
use talkdrum_core::Error;
use talkdrum_core::account::WebhookChange;
use talkdrum_core::model::page::Scope;
use talkdrum_core::model::webhook_endpoint::Draft;
use talkdrum_core::store::Lane;
use talkdrum_core::webhook::endpoint;
use utoipa::ToSchema;

use super::shown;
use crate::http::{Answer, Caller, Form, Path};
use crate::state::AppState;

/// What is to change; what is not given stays as it is.
#[derive(Debug, Deserialize, ToSchema)]
pub(super) struct EditWebhook {
    /// `https://...`, reached over the Internet. Another one than the present needs a session with a sign-in or
    /// `POST /api/sessions/reauthenticate` within the last ten minutes; an e-mail reports it to the owner.
    url: Option<String>,
    /// What you say of it.
    description: Option<String>,
    /// What it shall hear of: repeated, or in one text with commas.
    #[serde(default)]
    events: Vec<String>,
    /// Whether it shall hear of anything.
    is_active: Option<bool>,
}

/// Change a webhook, or turn it on or off. Repeating the request changes nothing more.
#[utoipa::path(
    put, path = "/api/webhooks/{id}", tag = "webhook",
    params(("id" = i64, Path)),
    request_body = EditWebhook,
    responses((status = 200, body = ChangedWebhook)),
)]
pub(super) async fn edit_webhook(
    State(app): State<AppState>,
    caller: Caller,
    Path(id): Path<i64>,
    Form { data, .. }: Form<EditWebhook>,
) -> Answer<ChangedWebhook> {
    let row = endpoint::find(&mut app.store.read().await?, Scope::Own(caller.user_id), id).await?;
    let events = if data.events.is_empty() { vec![row.events.clone()] } else { data.events };
    let draft = Draft::parse(
        data.url.as_deref().unwrap_or(&row.url),
        data.description.as_deref().unwrap_or(&row.description),
        &events,
        app.webhook_reach,
    )?;
    let is_repointed = draft.url != row.url;
    if is_repointed {
        caller.require_recent(&app).await?;
    }
    let is_active = data.is_active.unwrap_or(row.is_active);
    let told = is_repointed.then(|| app.identity.clone());
    let change = (caller.user_id, id, draft, is_active, told, app.clock.now());
    let row = app
        .store
        .write(Lane::Interactive, change, |tx, (user_id, id, draft, is_active, told, now)| {
            Box::pin(async move {
                let row = endpoint::edit(tx, *user_id, *id, draft, *is_active, *now).await?;
                if let Some(identity) = told {
                    identity.tell_of_webhook(tx, &row, WebhookChange::Repointed, *now).await?;
                }
                Ok::<_, Error>(row)
            })
        })
        .await?;
    let message = if row.is_active { "The webhook is on" } else { "The webhook is off" };
    Ok(Json(ChangedWebhook { webhook: shown(row), message: message.into() }))
}
