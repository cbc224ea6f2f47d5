//! Signing in and out.

mod login;
mod reauthenticate;
mod revoke;

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use talkdrum_api::account::{CodeSent, LoginAnswer, Message, Session, Sessions, SignedIn};
use talkdrum_core::account::{self, Credential, Door, SignIn};
use talkdrum_core::store::account::session;
use utoipa::ToSchema;

use self::login::{Login, enter, signed_in};
use crate::api::register::told;
use crate::http::routes::{Operations, routes};
use crate::http::{Answer, ApiError, Caller, CodeAttempt, Form, LeavingCaller, Page, SignInAttempt};
use crate::state::AppState;

pub(super) fn router() -> Operations {
    Operations::new()
        .routes(routes!(login::login))
        .routes(routes!(admin_login))
        .routes(routes!(verify_email))
        .routes(routes!(resend_sign_in_code))
        .routes(routes!(logout))
        .routes(routes!(list_sessions, revoke::revoke_other_sessions))
        .routes(routes!(revoke::revoke_session))
        .routes(routes!(reauthenticate::reauthenticate))
}

/// Sign in as an administrator.
#[utoipa::path(
    post, path = "/admin/admin-login", tag = "session", security(()),
    request_body = Login,
    responses((status = 200, body = LoginAnswer)),
)]
async fn admin_login(
    State(app): State<AppState>,
    SignInAttempt(origin): SignInAttempt,
    Form { data, .. }: Form<Login>,
) -> Answer<LoginAnswer> {
    enter(&app, &origin, &data, Door::Admin).await
}

/// The code that came.
#[derive(Deserialize, ToSchema)]
struct VerifyEmail {
    /// The user name or e-mail address that signs in; `email` is taken as well.
    #[serde(default, alias = "email")]
    username: String,
    /// Six digits.
    #[serde(default)]
    code: String,
}

/// Finish a first sign-in with the code that was sent to the e-mail address.
#[utoipa::path(
    post, path = "/api/verify/email", tag = "session", security(()),
    request_body = VerifyEmail,
    responses((status = 200, body = SignedIn)),
)]
async fn verify_email(
    State(app): State<AppState>,
    CodeAttempt(origin): CodeAttempt,
    Form { data, .. }: Form<VerifyEmail>,
) -> Answer<SignedIn> {
    app.account_rate.check(&data.username, origin.address)?;
    match app.identity.verify_email(&data.username, &data.code, &origin).await? {
        SignIn::Accepted { token, user } => {
            app.account_rate.signed_in(&[&user.username, &user.email], origin.address);
            app.login_rate.signed_in(origin.address);
            Ok(Json(signed_in(&app, &token, &user).await?))
        }
        _ => Err(ApiError::unauthorized()),
    }
}

/// Whose code did not come.
#[derive(Debug, Deserialize, ToSchema)]
struct ResendSignInCode {
    /// The user name or e-mail address that signs in; `email` is taken as well.
    #[serde(default, alias = "email")]
    username: String,
}

/// Send another code to a first sign-in whose password was right; to others nothing is sent, and the same is said.
#[utoipa::path(
    post, path = "/api/verify/email/resend", tag = "session", security(()),
    request_body = ResendSignInCode,
    responses((status = 200, body = CodeSent)),
)]
async fn resend_sign_in_code(
    State(app): State<AppState>,
    CodeAttempt(origin): CodeAttempt,
    Form { data, .. }: Form<ResendSignInCode>,
) -> Answer<CodeSent> {
    let asked = app.identity.resend_sign_in_code(&data.username, &origin).await?;
    Ok(Json(told(asked, "Code sent", &app)?))
}

/// End this session.
#[utoipa::path(post, path = "/api/logout", tag = "session", responses((status = 200, body = Message)))]
async fn logout(State(app): State<AppState>, caller: LeavingCaller) -> Answer<Message> {
    account::sign_out(&app.store, caller.session_id).await?;
    app.callers.forget_session(caller.session_id);
    Ok(Json(Message { message: "Logged out".into() }))
}

/// List where you are signed in, the newest use first.
#[utoipa::path(
    get, path = "/api/sessions", tag = "session",
    params(Page),
    responses((status = 200, body = Sessions)),
)]
async fn list_sessions(State(app): State<AppState>, caller: Caller, page: Page) -> Answer<Sessions> {
    let now = app.clock.now();
    let alive = (now, app.sessions.seen_after(now));
    let mut tx = app.store.snapshot().await?;
    let (rows, total) = session::of_user(&mut tx, caller.user_id, alive, (page.offset, page.limit)).await?;
    let shown = |row: session::ShownSession| Session {
        is_current: matches!(caller.credential, Credential::Session { id } if id == row.id),
        id: row.id.0,
        created_at: row.created_at.to_rfc3339(),
        last_seen_at: row.last_seen_at.to_rfc3339(),
        expires_at: row.expires_at.to_rfc3339(),
        client: row.client,
        address: row.address,
    };
    Ok(Json(Sessions { sessions: rows.into_iter().map(shown).collect(), total }))
}
