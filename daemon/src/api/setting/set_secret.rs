//! `POST /admin/set-sms-api-key` and `set-espee-api-key`.

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use talkdrum_api::account::Message;
use talkdrum_core::account::Identity;
use talkdrum_core::model::platform::audit::AuditAction;
use talkdrum_core::platform::audit::{self, Entry};
use talkdrum_core::settings::{self, Sealed, Secret, SecretKey, Vault};
use talkdrum_core::store::operations::idempotency::{Claim, once};
use talkdrum_core::store::{Lane, Tx};
use talkdrum_core::time::Time;
use talkdrum_core::{Error, Result};
use utoipa::ToSchema;

use crate::http::routes::{Operations, routes};
use crate::http::{AdminCaller, Answer, Form, IdempotencyKey};
use crate::state::AppState;

/// The longest key, in characters.
const LONGEST: usize = 4_096;

/// A key, which no debug output shows.
#[derive(Deserialize, ToSchema)]
struct SetApiKey {
    /// The key as its issuer gave it.
    #[serde(default)]
    api_key: String,
}

/// A secret that was checked and sealed.
pub(super) struct SealedSecret {
    pub(super) key: SecretKey,
    sealed: Sealed,
    hint: String,
}

/// Secrets to be set together.
pub(super) struct Setting {
    pub(super) claim: Option<Claim>,
    pub(super) secrets: Vec<SealedSecret>,
    pub(super) by: i64,
    pub(super) now: Time,
}

/// Seals a secret; it may have no blanks inside, and not be longer than any key is.
pub(super) fn seal(vault: &Vault, key: SecretKey, field: &'static str, text: &str) -> Result<SealedSecret> {
    let secret = Secret::new(text);
    let plain = secret.expose().chars().all(|sign| !sign.is_whitespace() && !sign.is_control());
    if !plain || secret.expose().chars().count() > LONGEST {
        return Err(Error::field(field, "api_key_invalid", "A key is one word of at most 4096 characters"));
    }
    Ok(SealedSecret { key, sealed: vault.seal(key.name(), &secret)?, hint: secret.hint() })
}

/// Sets secrets, with what of them may be told in the audit trail and to administrators.
async fn apply(tx: &mut Tx, (vault, identity): (&Vault, &Identity), it: &Setting) -> Result<()> {
    for secret in &it.secrets {
        // A secret that cannot be decrypted any more is recorded as one that was set.
        let before = match settings::secret(tx, vault, secret.key).await {
            Ok(before) => before.map(|before| before.hint()),
            Err(Error::Unreadable(_)) => Some("(not readable)".to_owned()),
            Err(error) => return Err(error),
        };
        settings::set_secret(tx, secret.key, &secret.sealed, it.by, it.now).await?;
        let entry = Entry::new(it.by, AuditAction::SettingSet, secret.key.name());
        audit::record(tx, &entry.before(before).after(Some(secret.hint.as_str())), it.now).await?;
    }
    let named: Vec<_> = it.secrets.iter().map(|it| format!("{} ({})", it.key.name(), it.hint)).collect();
    let what = format!("{{}} set keys of payment providers or carriers of Talkdrum: {}.", named.join(", "));
    identity.tell_administrators(tx, it.by, ("Keys of providers were changed", &what), it.now).await
}

/// Runs [`apply`], once for its key.
pub(super) async fn write(app: &AppState, setting: Setting) -> Result<()> {
    let input = (setting, app.vault.clone(), app.identity.clone());
    app.store
        .write(Lane::Interactive, input, |tx, (setting, vault, identity)| {
            Box::pin(async move {
                once(tx, setting.claim.as_ref(), setting.now, async |tx| {
                    apply(tx, (vault, identity), setting).await?;
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
    let sealed = seal(&app.vault, secret, "api_key", &form.data.api_key)?;
    let claim = key.claim(caller, operation, form.digest);
    write(app, Setting { claim, secrets: vec![sealed], by: caller.user_id, now: app.clock.now() }).await?;
    tracing::info!(key = secret.name(), admin_id = caller.user_id, "setting.set");
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
