//! Signing in and out.

mod admin_login;
mod login;
mod logout;

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::state::AppState;

pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(login::login))
        .routes(routes!(admin_login::admin_login))
        .routes(routes!(logout::logout))
}
