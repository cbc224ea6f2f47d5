//! `POST /api/webhooks`.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::Deserialize;
use talkdrum_api::webhook::WebhookWithSecret;
use talkdrum_core::account::{Identity, WebhookChange};
use talkdrum_core::model::account::id::UserId;
use talkdrum_core::model::webhook::endpoint::EndpointDraft;
use talkdrum_core::settings::Sealed;
use talkdrum_core::store::operations::idempotency::{Claim, once};
use talkdrum_core::store::webhook::WebhookRow;
use talkdrum_core::store::{Lane, Tx};
use talkdrum_core::time::Time;
use talkdrum_core::webhook::endpoint::{self, NewSecret};
use talkdrum_core::{Error, Result};
use utoipa::ToSchema;

use super::shown;
use crate::http::{ApiError, Form, IdempotencyKey, SessionCaller};
use crate::state::AppState;

/// The address to be added.
#[derive(Debug, Deserialize, ToSchema)]
pub(super) struct CreateWebhook {
    /// `https://...`, reached over the Internet.
    #[serde(default)]
    url: String,
    /// What you say of it.
    #[serde(default)]
    description: String,
    /// The events that it receives: repeated, or in one text with commas; everything when none is given.
    #[serde(default)]
    events: Vec<String>,
}

/// Add an address that events of your campaigns and messages are sent to. The secret that signs its requests is shown this once, and an
/// e-mail reports the address to its owner. Needs a session with a sign-in or `POST /api/sessions/reauthenticate` within
/// the last ten minutes: an address outlasts the key that added it.
///
/// Requests are `POST`s of JSON (`type`, `timestamp`, `data`) with the headers `webhook-id`, `webhook-timestamp` and
/// `webhook-signature` of Standard Webhooks. Any answer 2xx within 15 seconds takes an event; else it is tried again
/// seven times over 28 hours.
#[utoipa::path(
    post, path = "/api/webhooks", tag = "webhook",
    request_body = CreateWebhook,
    responses((status = 201, body = WebhookWithSecret)),
)]
pub(super) async fn create_webhook(
    State(app): State<AppState>,
    caller: SessionCaller,
    key: IdempotencyKey,
    Form { data, digest }: Form<CreateWebhook>,
) -> Result<(StatusCode, Json<WebhookWithSecret>), ApiError> {
    caller.require_recent(&app).await?;
    let draft = EndpointDraft::parse(&data.url, &data.description, &data.events, app.webhook_reach)?;
    let made = NewSecret::new(&app.vault, app.entropy.as_ref())?;
    let making = Making {
        claim: key.claim(&caller, "webhook.create", digest),
        user_id: caller.user_id,
        draft,
        sealed: made.sealed,
        identity: app.identity.clone(),
        now: app.clock.now(),
    };
    let row = app.store.write(Lane::Interactive, making, |tx, making| Box::pin(make(tx, making))).await?;
    let answer = WebhookWithSecret {
        webhook: shown(row),
        secret: made.secret.to_secret().expose().to_owned(),
        message: "Keep this secret now: it is not shown again".into(),
    };
    Ok((StatusCode::CREATED, Json(answer)))
}

struct Making {
    claim: Option<Claim>,
    user_id: UserId,
    draft: EndpointDraft,
    sealed: Sealed,
    identity: Identity,
    now: Time,
}

async fn make(tx: &mut Tx, making: &Making) -> Result<WebhookRow> {
    let mut made = None;
    once(tx, making.claim.as_ref(), making.now, async |tx| {
        let row = endpoint::create(tx, making.user_id, &making.draft, &making.sealed, making.now).await?;
        making.identity.tell_of_webhook(tx, &row, WebhookChange::Added, making.now).await?;
        let id = row.id;
        made = Some(row);
        Ok(id)
    })
    .await?;
    made.ok_or_else(|| {
        Error::conflict(
            "already_made",
            "This webhook was made by an earlier request and its secret cannot be shown again: rotate it",
        )
    })
}
