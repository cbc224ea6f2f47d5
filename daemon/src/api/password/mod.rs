//! New passwords: by the old one, or by a code sent to the account's address.

mod change;
mod forgot;
mod reset;

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::state::AppState;

pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(change::change_password))
        .routes(routes!(forgot::forgot_password))
        .routes(routes!(reset::reset_password))
}
