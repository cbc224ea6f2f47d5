//! Who calls, as extractors.
//!
//! The invariant: an operation without one of these is open to everybody, and says so in its documentation. A key's
//! scopes are checked here: reading needs any key, changing something needs `send`, `/admin` needs `admin`.

use std::ops::Deref;
use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::http::header::AUTHORIZATION;
use axum::http::request::Parts;
use talkdrum_core::account::{self, Authentication, Credential, Scope};

use super::problem::ApiError;
use crate::state::AppState;

/// Anybody who is signed in, user or admin, by session or key.
#[derive(Clone, Debug)]
pub struct Caller(pub Arc<account::Caller>);

/// An administrator.
#[derive(Clone, Debug)]
pub struct AdminCaller(pub Arc<account::Caller>);

/// Anybody signed in with a password: for what a key may never do, such as making keys.
#[derive(Clone, Debug)]
pub struct SessionCaller {
    /// Who.
    pub caller: Arc<account::Caller>,
    /// The session.
    pub session_id: i64,
}

impl Deref for Caller {
    type Target = account::Caller;
    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl Deref for AdminCaller {
    type Target = account::Caller;
    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl Deref for SessionCaller {
    type Target = account::Caller;
    fn deref(&self) -> &Self::Target {
        &self.caller
    }
}

impl FromRequestParts<AppState> for Caller {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &AppState) -> Result<Self, ApiError> {
        let caller = authenticate(parts, app).await?;
        let scope = if parts.method.is_safe() { Scope::Read } else { Scope::Send };
        require_scope(&caller, scope)?;
        Ok(Self(caller))
    }
}

impl FromRequestParts<AppState> for AdminCaller {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &AppState) -> Result<Self, ApiError> {
        let caller = authenticate(parts, app).await?;
        if !caller.is_admin() {
            return Err(ApiError::forbidden("admin_only", "Only administrators may do this"));
        }
        require_scope(&caller, Scope::Admin)?;
        Ok(Self(caller))
    }
}

impl FromRequestParts<AppState> for SessionCaller {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &AppState) -> Result<Self, ApiError> {
        let caller = authenticate(parts, app).await?;
        match caller.credential {
            Credential::Session { id } => Ok(Self { caller, session_id: id }),
            Credential::ApiKey { .. } => Err(ApiError::forbidden(
                "session_only",
                "An API key may not do this: sign in with a user name and password",
            )),
        }
    }
}

/// Whose request it is, for what is read after the caller was found: an extension of the request.
#[derive(Clone, Copy, Debug)]
pub(super) struct SignedIn(pub(super) i64);

fn require_scope(caller: &account::Caller, scope: Scope) -> Result<(), ApiError> {
    if caller.allows(scope) {
        return Ok(());
    }
    Err(ApiError::forbidden(
        "scope_missing",
        format!("This API key has no scope '{}': use a key that has it", scope.code()),
    ))
}

async fn authenticate(parts: &mut Parts, app: &AppState) -> Result<Arc<account::Caller>, ApiError> {
    let token = bearer(parts).ok_or_else(ApiError::unauthorized)?;
    match app.callers.authenticate(token, app.clock.now()).await? {
        Authentication::Caller(caller) => {
            parts.extensions.insert(SignedIn(caller.user_id));
            Ok(caller)
        }
        Authentication::Expired => Err(ApiError::token_expired()),
        Authentication::KeyExpired => Err(ApiError::key_expired()),
        Authentication::Unknown => Err(ApiError::unauthorized()),
    }
}

pub(super) fn bearer(parts: &Parts) -> Option<&str> {
    let (scheme, token) = parts.headers.get(AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}
