//! `POST /admin/set-sms-api-key` and `set-espee-api-key`.

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use talkdrum_api::account::Message;
use talkdrum_core::model::account::id::UserId;
use talkdrum_core::operate::setting::{SealedSecret, change_secrets};
use talkdrum_core::settings::SecretKey;
use talkdrum_core::store::Lane;
use talkdrum_core::store::operations::idempotency::{Claim, once};
use talkdrum_core::time::Time;
use talkdrum_core::{Error, Result};
use utoipa::ToSchema;

use crate::http::routes::{Operations, routes};
use crate::http::{AdminCaller, Answer, Form, IdempotencyKey};
use crate::state::AppState;

/// A key, which no debug output shows.
#[derive(Deserialize, ToSchema)]
struct SetApiKey {
    /// The key as its issuer gave it.
    #[serde(default)]
    api_key: String,
}

/// Secrets to be set together.
pub(super) struct Setting {
    pub(super) claim: Option<Claim>,
    pub(super) secrets: Vec<SealedSecret>,
    pub(super) by: UserId,
    pub(super) now: Time,
}

/// Sets secrets, once for the key of the request.
pub(super) async fn write(app: &AppState, setting: Setting) -> Result<()> {
    let input = (setting, app.vault.clone(), app.identity.clone());
    app.store
        .write(Lane::Interactive, input, |tx, (setting, vault, identity)| {
            Box::pin(async move {
                once(tx, setting.claim.as_ref(), setting.now, async |tx| {
                    let Setting { secrets, by, now, .. } = setting;
                    change_secrets(tx, (vault, identity), secrets, *by, *now).await?;
                    Ok("set".to_owned())
                })
                .await
                .map(|_| ())
            })
        })
        .await
}

async fn set(
    app: &AppState,
    caller: &AdminCaller,
    key: IdempotencyKey,
    form: Form<SetApiKey>,
    (secret, operation): (SecretKey, &'static str),
) -> Answer<Message> {
    caller.require_recent(app).await?;
    if form.data.api_key.trim().is_empty() {
        return Err(Error::field("api_key", "api_key_required", "API key is required").into());
    }
    let sealed = SealedSecret::seal(&app.vault, secret, "api_key", &form.data.api_key)?;
    let claim = key.claim(caller, operation, form.digest);
    write(app, Setting { claim, secrets: vec![sealed], by: caller.user_id, now: app.clock.now() }).await?;
    tracing::info!(key = secret.name(), admin_id = caller.user_id.0, "setting.set");
    Ok(Json(Message { message: "API key updated successfully!".to_owned() }))
}

/// Set the key of SMS carriers that have none of their own in the configuration. Needs a session with a sign-in or
/// `POST /api/sessions/reauthenticate` within the last ten minutes; all administrators get an e-mail of it.
#[utoipa::path(
    post, path = "/admin/set-sms-api-key", tag = "setting",
    request_body = SetApiKey,
    responses((status = 200, body = Message)),
)]
async fn set_sms_api_key(
    State(app): State<AppState>,
    caller: AdminCaller,
    key: IdempotencyKey,
    form: Form<SetApiKey>,
) -> Answer<Message> {
    set(&app, &caller, key, form, (SecretKey::SmsApiKey, "setting.set_sms_api_key")).await
}

/// Set our key at ESPEES. Needs a session with a sign-in or `POST /api/sessions/reauthenticate` within the last ten
/// minutes; all administrators get an e-mail of it.
#[utoipa::path(
    post, path = "/admin/set-espee-api-key", tag = "setting",
    request_body = SetApiKey,
    responses((status = 200, body = Message)),
)]
async fn set_espee_api_key(
    State(app): State<AppState>,
    caller: AdminCaller,
    key: IdempotencyKey,
    form: Form<SetApiKey>,
) -> Answer<Message> {
    set(&app, &caller, key, form, (SecretKey::EspeeApiKey, "setting.set_espee_api_key")).await
}

pub(super) fn router() -> Operations {
    Operations::new().routes(routes!(set_sms_api_key)).routes(routes!(set_espee_api_key))
}
