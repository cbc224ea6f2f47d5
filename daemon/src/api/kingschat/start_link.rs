//! `POST /api/kingschat/link/start`.

use axum::Json;
use axum::extract::State;
use axum::http::HeaderMap;

use super::require_on;
use super::start::{ChatStarted, begun};
use crate::http::rate::ClientAddress;
use crate::http::{ApiError, SessionCaller};
use crate::state::AppState;

/// Begin to link a KingsChat account by the newer flow, to whoever is signed in. It comes to nothing once the session ends.
#[utoipa::path(
    post, path = "/api/kingschat/link/start", tag = "kingschat",
    responses((status = 200, body = ChatStarted)),
)]
pub(super) async fn start_kingschat_link(
    State(app): State<AppState>,
    caller: SessionCaller,
    ClientAddress(address): ClientAddress,
) -> Result<(HeaderMap, Json<ChatStarted>), ApiError> {
    require_on(&app)?;
    caller.require_recent(&app).await?;
    app.login_rate.check(address)?;
    begun(&app, Some((caller.user_id, caller.session_id)), true).await
}
