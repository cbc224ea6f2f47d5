//! `POST /admin/set-paystack-keys`.

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use talkdrum_api::account::Message;
use talkdrum_core::Error;
use talkdrum_core::operate::setting::SealedSecret;
use talkdrum_core::settings::SecretKey;
use utoipa::ToSchema;

use super::set_secret::{Setting, write};
use crate::http::routes::{Operations, routes};
use crate::http::{AdminCaller, Answer, Form, IdempotencyKey};
use crate::state::AppState;

/// Our keys at Paystack, which no debug output shows.
#[derive(Deserialize, ToSchema)]
struct SetPaystackKeys {
    /// `sk_...`
    #[serde(default)]
    secret_key: String,
    /// `pk_...`
    #[serde(default)]
    public_key: String,
}

/// Set our keys at Paystack, both at once. Needs a session with a sign-in or `POST /api/sessions/reauthenticate` within
/// the last ten minutes; all administrators get an e-mail of it.
#[utoipa::path(
    post, path = "/admin/set-paystack-keys", tag = "setting",
    request_body = SetPaystackKeys,
    responses((status = 200, body = Message)),
)]
async fn set_paystack_keys(
    State(app): State<AppState>,
    caller: AdminCaller,
    key: IdempotencyKey,
    Form { data, digest }: Form<SetPaystackKeys>,
) -> Answer<Message> {
    caller.require_recent(&app).await?;
    for (field, text) in [("secret_key", &data.secret_key), ("public_key", &data.public_key)] {
        if text.trim().is_empty() {
            let message = "Please provide both secret and public keys.";
            return Err(Error::field(field, "keys_required", message).into());
        }
    }
    // The public key is shown to browsers: the secret one must never be in its place.
    if data.public_key.trim().starts_with("sk_") || data.secret_key.trim().starts_with("pk_") {
        let message =
            "The keys are in each other's place: the secret one begins with sk_, the public one with pk_";
        return Err(Error::field("secret_key", "keys_swapped", message).into());
    }
    let secrets = vec![
        SealedSecret::seal(&app.vault, SecretKey::PaystackSecretKey, "secret_key", &data.secret_key)?,
        SealedSecret::seal(&app.vault, SecretKey::PaystackPublicKey, "public_key", &data.public_key)?,
    ];
    let claim = key.claim(&caller, "setting.set_paystack_keys", digest);
    write(&app, Setting { claim, secrets, by: caller.user_id, now: app.clock.now() }).await?;
    tracing::info!(admin_id = caller.user_id.0, "setting.set_paystack_keys");
    Ok(Json(Message { message: "Paystack keys updated successfully!".to_owned() }))
}

pub(super) fn router() -> Operations {
    Operations::new().routes(routes!(set_paystack_keys))
}
