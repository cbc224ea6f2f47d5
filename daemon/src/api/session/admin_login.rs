//! `POST /admin/admin-login`.

use axum::extract::State;
use talkdrum_api::account::LoginAnswer;
use talkdrum_core::account::Door;

use super::login::{Login, enter};
use crate::http::{Answer, Form, SignInAttempt};
use crate::state::AppState;

/// Sign in as an administrator.
#[utoipa::path(
    post, path = "/admin/admin-login", tag = "session", security(()),
    request_body = Login,
    responses((status = 200, body = LoginAnswer)),
)]
pub(super) async fn admin_login(
    State(app): State<AppState>,
    SignInAttempt(origin): SignInAttempt,
    Form { data, .. }: Form<Login>,
) -> Answer<LoginAnswer> {
    enter(&app, &origin, &data, Door::Admin).await
}
