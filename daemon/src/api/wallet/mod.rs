//! Wallets: what they hold, how it came and went, and an administrator's correction.

mod assign;
mod assign_espees;
mod assign_naira;
mod balances;
mod statement;

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::state::AppState;

pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(balances::show_balances))
        .routes(routes!(statement::list_statement))
        .routes(routes!(assign_espees::assign_espees))
        .routes(routes!(assign_naira::assign_naira))
}
