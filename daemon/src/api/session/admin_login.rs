//! `POST /admin/admin-login`.

use axum::extract::State;
use talkdrum_core::account::Door;
use talkdrum_core::api::account::LoginAnswer;

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
