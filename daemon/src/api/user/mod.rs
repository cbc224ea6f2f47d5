//! Users, for administrators.

mod activate;
mod create;
mod deactivate;
mod delete;
mod details;
mod limits;
mod list;
mod list_active;
mod list_inactive;
pub(crate) mod response;

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::state::AppState;

pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(create::create_user, list::list_users))
        .routes(routes!(list_active::list_active_users))
        .routes(routes!(list_inactive::list_inactive_users))
        .routes(routes!(activate::activate_user))
        .routes(routes!(deactivate::deactivate_user))
        .routes(routes!(delete::delete_user))
        .routes(routes!(details::show_user_details))
        .routes(routes!(limits::show_user_limits, limits::set_user_limits))
}
