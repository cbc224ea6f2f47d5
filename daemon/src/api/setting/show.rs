//! `GET .../get-wallet-address`, `get-contact-...`, `get-admin-number`, `get-about-us`.

use axum::Json;
use axum::extract::State;
use serde::Serialize;
use talkdrum_api::setting::SettingRecord;
use talkdrum_core::Result;
use talkdrum_core::settings::{self, TextKey};
use utoipa::ToSchema;

use super::records;
use crate::http::routes::{Operations, routes};
use crate::http::{AdminCaller, Answer};
use crate::state::AppState;

/// Where ESPEES payments go.
#[derive(Debug, Serialize, ToSchema)]
struct WalletAddress {
    /// One record, or none while it is not set.
    #[serde(rename = "wallet-Address")]
    records: Vec<SettingRecord>,
}

/// The business's postal address.
#[derive(Debug, Serialize, ToSchema)]
struct ContactAddress {
    /// One record, or none while it is not set.
    #[serde(rename = "Contact-address")]
    records: Vec<SettingRecord>,
}

/// The address that visitors write to.
#[derive(Debug, Serialize, ToSchema)]
struct ContactEmail {
    /// One record, or none while it is not set.
    #[serde(rename = "Contact-email")]
    records: Vec<SettingRecord>,
}

/// The number that visitors call.
#[derive(Debug, Serialize, ToSchema)]
struct ContactPhone {
    /// One record, or none while it is not set.
    #[serde(rename = "Contact-phone")]
    records: Vec<SettingRecord>,
}

/// The administrator's own number.
#[derive(Debug, Serialize, ToSchema)]
struct AdminNumber {
    /// One record, or none while it is not set.
    #[serde(rename = "Admin-Number")]
    records: Vec<SettingRecord>,
}

/// The pricing write-up: HTML that was sanitised.
#[derive(Debug, Serialize, ToSchema)]
struct AboutUs {
    /// One record, or none while it is not set.
    #[serde(rename = "About-Us")]
    records: Vec<SettingRecord>,
}

async fn of(app: &AppState, key: TextKey) -> Result<Vec<SettingRecord>> {
    Ok(records(settings::text(&mut app.store.read().await?, key).await?))
}

/// A call of administrators.
#[rustfmt::skip] // It would indent the attribute again every time.
macro_rules! closed {
    ($name:ident, $path:literal, $summary:literal, $answer:ident, $key:ident) => {
        #[doc = $summary]
        #[utoipa::path(get, path = $path, tag = "setting", responses((status = 200, body = $answer)))]
        async fn $name(State(app): State<AppState>, _caller: AdminCaller) -> Answer<$answer> {
            Ok(Json($answer { records: of(&app, TextKey::$key).await? }))
        }
    };
}

/// A call of anybody.
#[rustfmt::skip] // It would indent the attribute again every time.
macro_rules! open {
    ($name:ident, $path:literal, $summary:literal, $answer:ident, $key:ident) => {
        #[doc = $summary]
        #[utoipa::path(
            get, path = $path, tag = "setting", security(()),
            responses((status = 200, body = $answer)),
        )]
        async fn $name(State(app): State<AppState>) -> Answer<$answer> {
            Ok(Json($answer { records: of(&app, TextKey::$key).await? }))
        }
    };
}

closed!(
    show_wallet_address,
    "/admin/get-wallet-address",
    "Where ESPEES payments go.",
    WalletAddress,
    WalletAddress
);
closed!(
    show_admin_number,
    "/admin/get-admin-number",
    "The administrator's own number.",
    AdminNumber,
    AdminNumber
);
open!(
    show_contact_address,
    "/admin/get-contact-address",
    "The business's postal address; open, as visitors need it.",
    ContactAddress,
    ContactAddress
);
open!(
    show_contact_email,
    "/admin/get-contact-email",
    "The address that visitors write to; open, as visitors need it.",
    ContactEmail,
    ContactEmail
);
open!(
    show_contact_phone,
    "/admin/get-contact-phone",
    "The number that visitors call; open, as visitors need it.",
    ContactPhone,
    ContactPhone
);
open!(
    show_about_us,
    "/admin/get-about-us",
    "The pricing write-up, sanitised HTML; open, as visitors need it.",
    AboutUs,
    AboutUs
);
open!(
    show_contact_address_to_visitors,
    "/api/get-contact-address",
    "The business's postal address.",
    ContactAddress,
    ContactAddress
);
open!(
    show_contact_email_to_visitors,
    "/api/get-contact-email",
    "The address that visitors write to.",
    ContactEmail,
    ContactEmail
);
open!(
    show_contact_phone_to_visitors,
    "/api/get-contact-phone",
    "The number that visitors call.",
    ContactPhone,
    ContactPhone
);
open!(
    show_about_us_to_visitors,
    "/api/get-about-us",
    "The pricing write-up, sanitised HTML.",
    AboutUs,
    AboutUs
);

pub(super) fn router() -> Operations {
    Operations::new()
        .routes(routes!(show_wallet_address))
        .routes(routes!(show_admin_number))
        .routes(routes!(show_contact_address))
        .routes(routes!(show_contact_email))
        .routes(routes!(show_contact_phone))
        .routes(routes!(show_about_us))
        .routes(routes!(show_contact_address_to_visitors))
        .routes(routes!(show_contact_email_to_visitors))
        .routes(routes!(show_contact_phone_to_visitors))
        .routes(routes!(show_about_us_to_visitors))
}
