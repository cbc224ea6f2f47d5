//! Who calls, as extractors.
//!
//! An operation without one of these extractors is open to all, and says so in its documentation. A key's scopes
//! are checked here: reading needs any key, changing something needs `send`, `/admin` needs `admin`. So is the account of
//! an administrator: an inactive one signs in, reads the own records and signs out, and does nothing else.

use std::ops::Deref;
use std::sync::Arc;

use axum::extract::{FromRequestParts, OptionalFromRequestParts};
use axum::http::header::AUTHORIZATION;
use axum::http::request::Parts;
use futures::future::BoxFuture;
use talkdrum_api::code;
use talkdrum_api::purpose::Purpose;
use talkdrum_core::account::{self, Authentication, Credential, KeyScope};
use talkdrum_core::campaign::quote::read_purpose;
use talkdrum_core::model::account::id::{SessionId, UserId};
use talkdrum_core::model::account::user::Role;

use crate::limit::admission::HeldRoom;
use crate::problem::ApiError;
use crate::state::AppState;

/// Anybody who is signed in, user or admin, by session or key.
#[derive(Clone, Debug)]
pub struct Caller(pub Arc<account::Caller>);

/// The same, for an operation that keeps nothing of what it is sent: a key needs no more than to read.
#[derive(Clone, Debug)]
pub struct ReadingCaller(pub Arc<account::Caller>);

/// An administrator.
#[derive(Clone, Debug)]
pub struct AdminCaller(pub Arc<account::Caller>);

/// A user or administrator by session: for what a key may never do, such as making keys.
#[derive(Clone, Debug)]
pub struct SessionCaller {
    /// Who.
    pub caller: Arc<account::Caller>,
    /// The session.
    pub session_id: SessionId,
}

/// A session, also that of an inactive administrator: for operations that only end sessions and keys of the caller's.
#[derive(Clone, Debug)]
pub struct LeavingCaller(pub SessionCaller);

impl Deref for Caller {
    type Target = account::Caller;
    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl Deref for ReadingCaller {
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

impl Caller {
    /// See [`require_recent`].
    ///
    /// # Errors
    /// 403 `session_only`, `reauthentication_required`.
    pub async fn require_recent(&self, app: &AppState) -> Result<(), ApiError> {
        require_recent(self, app).await
    }
}

impl AdminCaller {
    /// See [`require_recent`].
    ///
    /// # Errors
    /// 403 `session_only`, `reauthentication_required`.
    pub async fn require_recent(&self, app: &AppState) -> Result<(), ApiError> {
        require_recent(self, app).await
    }
}

impl SessionCaller {
    /// See [`require_recent`].
    ///
    /// # Errors
    /// 403 `reauthentication_required`.
    pub async fn require_recent(&self, app: &AppState) -> Result<(), ApiError> {
        require_recent(self, app).await
    }
}

/// Refuses API keys, and sessions whose user neither signed in nor gave the password in the last
/// [`account::PROVEN_FOR`]: asked before what outlasts the session or key that does it.
async fn require_recent(caller: &account::Caller, app: &AppState) -> Result<(), ApiError> {
    let Credential::Session { id } = caller.credential else { return Err(session_only()) };
    if app.identity.is_recently_proven(id).await? {
        return Ok(());
    }
    Err(ApiError::forbidden(
        code::REAUTHENTICATION_REQUIRED,
        "Enter your password again to do this, or sign in again",
    ))
}

impl Deref for LeavingCaller {
    type Target = SessionCaller;
    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl Caller {
    /// What a request says of `purpose`, else the default of the API key that makes it.
    ///
    /// # Errors
    /// `bad_purpose`.
    pub fn purpose_or_default(&self, text: Option<&str>) -> talkdrum_core::Result<Option<Purpose>> {
        purpose_or_default(self, text)
    }
}

impl ReadingCaller {
    /// See [`Caller::purpose_or_default`].
    ///
    /// # Errors
    /// `bad_purpose`.
    pub fn purpose_or_default(&self, text: Option<&str>) -> talkdrum_core::Result<Option<Purpose>> {
        purpose_or_default(self, text)
    }
}

fn purpose_or_default(
    caller: &account::Caller,
    text: Option<&str>,
) -> talkdrum_core::Result<Option<Purpose>> {
    Ok(read_purpose(text)?.or(caller.default_purpose()))
}

impl FromRequestParts<AppState> for Caller {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &AppState) -> Result<Self, ApiError> {
        let caller = authenticate(parts, app).await?;
        let scope = if parts.method.is_safe() { KeyScope::Read } else { KeyScope::Send };
        require_scope(&caller, scope)?;
        require_may_change(&caller, parts)?;
        Ok(Self(caller))
    }
}

impl FromRequestParts<AppState> for ReadingCaller {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &AppState) -> Result<Self, ApiError> {
        let caller = authenticate(parts, app).await?;
        require_scope(&caller, KeyScope::Read)?;
        require_may_change(&caller, parts)?;
        Ok(Self(caller))
    }
}

/// For an operation that is open to all and tells those who sign in something of their own, whatever their key may do. A
/// token that is none, or has expired, is refused as everywhere.
impl OptionalFromRequestParts<AppState> for ReadingCaller {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &AppState) -> Result<Option<Self>, ApiError> {
        if bearer(parts).is_none() {
            return Ok(None);
        }
        authenticate(parts, app).await.map(|caller| Some(Self(caller)))
    }
}

impl FromRequestParts<AppState> for AdminCaller {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &AppState) -> Result<Self, ApiError> {
        let caller = authenticate(parts, app).await?;
        if caller.role != Role::Admin {
            return Err(ApiError::forbidden("admin_only", "Only administrators may do this"));
        }
        if !caller.is_admin() {
            return Err(inactive_administrator());
        }
        require_scope(&caller, KeyScope::Admin)?;
        Ok(Self(caller))
    }
}

impl FromRequestParts<AppState> for SessionCaller {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &AppState) -> Result<Self, ApiError> {
        let LeavingCaller(caller) = LeavingCaller::from_request_parts(parts, app).await?;
        require_may_change(&caller, parts)?;
        Ok(caller)
    }
}

impl FromRequestParts<AppState> for LeavingCaller {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &AppState) -> Result<Self, ApiError> {
        let caller = authenticate(parts, app).await?;
        match caller.credential {
            Credential::Session { id } => Ok(Self(SessionCaller { caller, session_id: id })),
            Credential::ApiKey { .. } => Err(session_only()),
        }
    }
}

fn session_only() -> ApiError {
    ApiError::forbidden("session_only", "An API key may not do this: sign in with a user name and password")
}

/// Whose request it is, for what is read after the caller was found: an extension of the request.
#[derive(Clone, Copy, Debug)]
pub(super) struct SignedIn(pub(super) UserId);

fn require_may_change(caller: &account::Caller, parts: &Parts) -> Result<(), ApiError> {
    if parts.method.is_safe() || caller.may_change() { Ok(()) } else { Err(inactive_administrator()) }
}

/// The refusal of an administrator whose account is inactive.
pub(crate) fn inactive_administrator() -> ApiError {
    ApiError::forbidden(
        code::ACCOUNT_INACTIVE,
        "This administrator's account is inactive: another administrator has to activate it",
    )
}

fn require_scope(caller: &account::Caller, scope: KeyScope) -> Result<(), ApiError> {
    if caller.allows(scope) {
        return Ok(());
    }
    Err(ApiError::forbidden(
        "scope_missing",
        format!("This API key has no scope '{}': use a key that has it", scope.code()),
    ))
}

/// The future is boxed, as it is part of nearly every operation's.
fn authenticate<'a>(
    parts: &'a mut Parts,
    app: &'a AppState,
) -> BoxFuture<'a, Result<Arc<account::Caller>, ApiError>> {
    Box::pin(async move {
        let token = bearer(parts).ok_or_else(ApiError::unauthorized)?;
        match app.callers.authenticate(token, app.clock.now()).await? {
            Authentication::Caller(caller) => {
                parts.extensions.insert(SignedIn(caller.user_id));
                if let Some(held) = parts.extensions.get::<HeldRoom>() {
                    held.is_for(caller.user_id);
                }
                Ok(caller)
            }
            Authentication::Expired => Err(ApiError::token_expired()),
            Authentication::KeyExpired => Err(ApiError::key_expired()),
            Authentication::Unknown => Err(ApiError::unauthorized()),
        }
    })
}

pub(super) fn bearer(parts: &Parts) -> Option<&str> {
    let (scheme, token) = parts.headers.get(AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}
