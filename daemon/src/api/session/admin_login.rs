//! `POST /admin/admin-login`.

use axum::extract::State;
use talkdrum_core::account::Door;
use talkdrum_core::api::account::SignedIn;

use super::login::{Login, enter};
use crate::http::rate::ClientAddress;
use crate::http::{Answer, Form};
use crate::state::AppState;

/// Sign in as an administrator.
#[utoipa::path(
    post, path = "/admin/admin-login", tag = "session", security(()),
    request_body = Login,
    responses((status = 200, body = SignedIn)),
)]
pub(super) async fn admin_login(
    State(app): State<AppState>,
    address: ClientAddress,
    Form { data, .. }: Form<Login>,
) -> Answer<SignedIn> {
    enter(&app, address, &data, Door::Admin).await
}
