//! Whether the credential of a request still stands, for streams that outlive the request.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use talkdrum_core::account::{self, Authentication};
use tokio::time::Instant;

use super::caller::{self, AdminCaller, Caller};
use crate::problem::ApiError;
use crate::state::AppState;

/// How often the credential is asked for again.
const EVERY: Duration = Duration::from_secs(2);

/// The caller of a stream, and the token to ask for again.
#[derive(Debug)]
pub struct StreamCaller {
    /// Who called when the stream began.
    pub caller: Caller,
    token: String,
    asked: Instant,
}

impl FromRequestParts<AppState> for StreamCaller {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &AppState) -> Result<Self, ApiError> {
        let caller = Caller::from_request_parts(parts, app).await?;
        let token = caller::bearer(parts).ok_or_else(ApiError::unauthorized)?.to_owned();
        Ok(Self { caller, token, asked: Instant::now() })
    }
}

/// The caller of an administrators' stream.
#[derive(Debug)]
pub struct AdminStreamCaller(pub StreamCaller);

impl FromRequestParts<AppState> for AdminStreamCaller {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &AppState) -> Result<Self, ApiError> {
        AdminCaller::from_request_parts(parts, app).await?;
        StreamCaller::from_request_parts(parts, app).await.map(Self)
    }
}

impl StreamCaller {
    /// Whether the session or key is still good for the same user, role and scopes. It is asked for every two seconds;
    /// in between the last answer stands.
    pub async fn is_good(&mut self, app: &AppState) -> bool {
        if self.asked.elapsed() < EVERY {
            return true;
        }
        self.asked = Instant::now();
        match app.callers.authenticate(&self.token, app.clock.now()).await {
            Ok(Authentication::Caller(now)) => is_same(&self.caller.0, &now),
            Ok(Authentication::Expired | Authentication::KeyExpired | Authentication::Unknown) => false,
            Err(error) => {
                tracing::warn!(code = error.code(), %error, "the caller of a stream cannot be asked for");
                false
            }
        }
    }
}

/// Whether a caller may see what it could when the stream began.
fn is_same(then: &Arc<account::Caller>, now: &Arc<account::Caller>) -> bool {
    (then.user_id, then.role, then.credential) == (now.user_id, now.role, now.credential)
}

#[cfg(test)]
mod tests;
