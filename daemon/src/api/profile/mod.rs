//! The caller's own account.

mod avatar;
mod confirm_email;
mod confirm_phone;
mod edit;
mod show;

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::state::AppState;

pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(show::show_profile))
        .routes(routes!(edit::edit_profile))
        .routes(routes!(confirm_email::confirm_email))
        .routes(routes!(confirm_phone::confirm_phone))
        .routes(routes!(avatar::show_avatar))
}
