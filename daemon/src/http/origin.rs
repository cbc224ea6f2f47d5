//! Where a request came from: the client's address and what the client calls itself.
//!
//! A sign-in and a code are attempts: their address is counted before the body is read.

use axum::extract::FromRequestParts;
use axum::http::header::USER_AGENT;
use axum::http::request::Parts;
use talkdrum_core::account;

use super::address::ClientAddress;
use crate::problem::ApiError;
use crate::state::AppState;

/// Where a request came from.
#[derive(Clone, Debug)]
pub struct Origin(pub account::Origin);

impl FromRequestParts<AppState> for Origin {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &AppState) -> Result<Self, ApiError> {
        let ClientAddress(address) = ClientAddress::from_request_parts(parts, app).await?;
        let agent = parts.headers.get(USER_AGENT).and_then(|value| value.to_str().ok());
        let client = agent.unwrap_or_default().to_owned();
        Ok(Self(account::Origin { address, client, is_known: app.login_rate.knows(address) }))
    }
}

/// An attempt to sign in, counted by address, and where it came from.
#[derive(Clone, Debug)]
pub struct SignInAttempt(pub account::Origin);

impl FromRequestParts<AppState> for SignInAttempt {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &AppState) -> Result<Self, ApiError> {
        let Origin(origin) = Origin::from_request_parts(parts, app).await?;
        app.login_rate.check(origin.address)?;
        Ok(Self(origin))
    }
}

/// An attempt to register, to get or show a code or to set a new password, counted by address, and where it came from.
#[derive(Clone, Debug)]
pub struct CodeAttempt(pub account::Origin);

impl FromRequestParts<AppState> for CodeAttempt {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &AppState) -> Result<Self, ApiError> {
        let Origin(origin) = Origin::from_request_parts(parts, app).await?;
        app.code_rate.check(origin.address)?;
        Ok(Self(origin))
    }
}
