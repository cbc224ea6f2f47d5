//! `GET /admin/get-sms-api-key`, `get-espee-api-key`, `get-paystack-api-key`: by their last four characters.

use axum::Json;
use axum::extract::State;
use serde::Serialize;
use talkdrum_api::setting::SettingRecord;
use talkdrum_core::settings::{self, SecretKey};
use talkdrum_core::store::platform::setting;
use talkdrum_core::{Error, Result};
use utoipa::ToSchema;

use crate::http::routes::{Operations, routes};
use crate::http::{AdminCaller, Answer};
use crate::state::AppState;

/// The key of SMS carriers.
#[derive(Debug, Serialize, ToSchema)]
struct SmsApiKey {
    /// One record, or none while it is not set.
    #[serde(rename = "smsApiKey")]
    records: Vec<SettingRecord>,
}

/// Our key at ESPEES.
#[derive(Debug, Serialize, ToSchema)]
struct EspeeApiKey {
    /// One record, or none while it is not set.
    #[serde(rename = "espeeApiKey")]
    records: Vec<SettingRecord>,
}

/// Our keys at Paystack.
#[derive(Debug, Serialize, ToSchema)]
struct PaystackKeys {
    /// One record, or none while it is not set.
    paystack_secret_key: Vec<SettingRecord>,
    /// One record, or none while it is not set.
    paystack_public_key: Vec<SettingRecord>,
}

/// The records of a secret. One that the vault cannot open any more is shown as such: it has to be entered again.
async fn of(app: &AppState, key: SecretKey) -> Result<Vec<SettingRecord>> {
    let mut tx = app.store.read().await?;
    let found = match settings::secret_setting(&mut tx, &app.vault, key).await {
        Ok(found) => found.map(|it| (it.secret.hint(), it.updated_at, true)),
        Err(Error::Unreadable(_)) => {
            let row = setting::get(&mut tx, key.name()).await?;
            row.map(|row| {
                let shown = "(not readable: enter it again)".to_owned();
                (shown, row.updated_at, false)
            })
        }
        Err(error) => return Err(error),
    };
    Ok(found
        .map(|(value, at, readable)| SettingRecord { value, updated_at: at.to_rfc3339(), readable })
        .into_iter()
        .collect())
}

/// The key of SMS carriers, by its last four characters.
#[utoipa::path(get, path = "/admin/get-sms-api-key", tag = "setting", responses((status = 200, body = SmsApiKey)))]
async fn show_sms_api_key(State(app): State<AppState>, _caller: AdminCaller) -> Answer<SmsApiKey> {
    Ok(Json(SmsApiKey { records: of(&app, SecretKey::SmsApiKey).await? }))
}

/// Our key at ESPEES, by its last four characters.
#[utoipa::path(get, path = "/admin/get-espee-api-key", tag = "setting", responses((status = 200, body = EspeeApiKey)))]
async fn show_espee_api_key(State(app): State<AppState>, _caller: AdminCaller) -> Answer<EspeeApiKey> {
    Ok(Json(EspeeApiKey { records: of(&app, SecretKey::EspeeApiKey).await? }))
}

/// Our keys at Paystack, by their last four characters.
#[utoipa::path(
    get, path = "/admin/get-paystack-api-key", tag = "setting",
    responses((status = 200, body = PaystackKeys)),
)]
async fn show_paystack_keys(State(app): State<AppState>, _caller: AdminCaller) -> Answer<PaystackKeys> {
    Ok(Json(PaystackKeys {
        paystack_secret_key: of(&app, SecretKey::PaystackSecretKey).await?,
        paystack_public_key: of(&app, SecretKey::PaystackPublicKey).await?,
    }))
}

pub(super) fn router() -> Operations {
    Operations::new()
        .routes(routes!(show_sms_api_key))
        .routes(routes!(show_espee_api_key))
        .routes(routes!(show_paystack_keys))
}
