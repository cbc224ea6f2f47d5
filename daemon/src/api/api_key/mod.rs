//! The caller's API keys.

mod create;
mod list;
mod revoke;

use talkdrum_api::account::ApiKey;
use talkdrum_core::store::account::api_key::ApiKeyRow;
use talkdrum_core::time::Time;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::state::AppState;

pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(list::list_api_keys, create::create_api_key))
        .routes(routes!(revoke::revoke_api_key))
}

/// The wire form of a key.
pub(super) fn shown(row: ApiKeyRow) -> ApiKey {
    ApiKey {
        id: row.id,
        name: row.name,
        prefix: row.prefix,
        scopes: row.scopes.codes().into_iter().map(str::to_owned).collect(),
        created_at: row.created_at.to_rfc3339(),
        last_used_at: row.last_used_at.map(Time::to_rfc3339),
        expires_at: row.expires_at.map(Time::to_rfc3339),
    }
}
