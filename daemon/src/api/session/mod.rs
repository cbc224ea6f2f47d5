//! Signing in and out.

mod admin_login;
mod list;
mod login;
mod logout;
mod reauthenticate;
mod resend_code;
mod revoke;
mod verify_email;

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::state::AppState;

pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(login::login))
        .routes(routes!(admin_login::admin_login))
        .routes(routes!(verify_email::verify_email))
        .routes(routes!(resend_code::resend_sign_in_code))
        .routes(routes!(logout::logout))
        .routes(routes!(list::list_sessions, revoke::revoke_other_sessions))
        .routes(routes!(revoke::revoke_session))
        .routes(routes!(reauthenticate::reauthenticate))
}
