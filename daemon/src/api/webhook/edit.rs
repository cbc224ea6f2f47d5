//! `PUT /api/webhooks/{id}`.

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use talkdrum_api::webhook::ChangedWebhook;
use talkdrum_core::Result;
use talkdrum_core::account::{Identity, WebhookChange};
use talkdrum_core::model::account::id::UserId;
use talkdrum_core::model::page::RecordScope;
use talkdrum_core::model::webhook::endpoint::EndpointDraft;
use talkdrum_core::model::webhook::id::WebhookId;
use talkdrum_core::store::webhook::WebhookRow;
use talkdrum_core::store::{Lane, Tx};
use talkdrum_core::time::Time;
use talkdrum_core::webhook::endpoint::{self, Reach};
use utoipa::ToSchema;

use super::shown;
use crate::http::{Answer, Caller, Form, Path};
use crate::state::AppState;

/// What is to change; what is not given stays as it is.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub(super) struct EditWebhook {
    /// `https://...`, reached over the Internet. Another one than the present needs a session with a sign-in or
    /// `POST /api/sessions/reauthenticate` within the last ten minutes; an e-mail reports it to the owner.
    url: Option<String>,
    /// What you say of it.
    description: Option<String>,
    /// The events that it receives: repeated, or in one text with commas.
    #[serde(default)]
    events: Vec<String>,
    /// Whether events are sent to it.
    is_active: Option<bool>,
}

/// A change about to be written.
#[derive(Clone, Debug)]
struct Change {
    user_id: UserId,
    id: WebhookId,
    given: EditWebhook,
    reach: Reach,
    /// Whether the caller's fresh proof was seen, which another address needs.
    is_proven: bool,
    identity: Identity,
    now: Time,
}

impl Change {
    /// Changes the webhook as it is now; `None`, and nothing, when it would get another address without a fresh proof.
    async fn write(&self, tx: &mut Tx) -> Result<Option<WebhookRow>> {
        let Self { user_id, id, reach, now, .. } = *self;
        let EditWebhook { url, description, events, is_active } = &self.given;
        let row = endpoint::find(tx, RecordScope::Own(user_id), id).await?;
        let draft = EndpointDraft::parse(
            url.as_deref().unwrap_or(&row.url),
            description.as_deref().unwrap_or(&row.description),
            events,
            reach,
        )?;
        let is_repointed = draft.url != row.url;
        if is_repointed && !self.is_proven {
            return Ok(None);
        }
        let is_active = is_active.unwrap_or(row.is_active);
        let row = endpoint::edit(tx, user_id, id, &draft, is_active, now).await?;
        if is_repointed {
            self.identity.tell_of_webhook(tx, &row, WebhookChange::Repointed, now).await?;
        }
        Ok(Some(row))
    }
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
    Path(id): Path<WebhookId>,
    Form { data, .. }: Form<EditWebhook>,
) -> Answer<ChangedWebhook> {
    let mut change = Change {
        user_id: caller.user_id,
        id,
        given: data,
        reach: app.webhook_reach,
        is_proven: false,
        identity: app.identity.clone(),
        now: app.clock.now(),
    };
    // Whether it is another address is known in the transaction only, as others edit the webhook meanwhile.
    let row = loop {
        let written = app
            .store
            .write(Lane::Interactive, change.clone(), |tx, change| Box::pin(change.write(tx)))
            .await?;
        if let Some(row) = written {
            break row;
        }
        caller.require_recent(&app).await?;
        change.is_proven = true;
    };
    let message = if row.is_active { "The webhook is on" } else { "The webhook is off" };
    Ok(Json(ChangedWebhook { webhook: shown(row), message: message.into() }))
}
