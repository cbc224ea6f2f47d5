//! `GET /api/sessions`.

use axum::Json;
use axum::extract::State;
use talkdrum_api::account::{Session, Sessions};
use talkdrum_core::account::Credential;
use talkdrum_core::store::account::session;

use crate::http::{Answer, Caller, Page};
use crate::state::AppState;

/// List where you are signed in, the newest use first.
#[utoipa::path(
    get, path = "/api/sessions", tag = "session",
    params(Page),
    responses((status = 200, body = Sessions)),
)]
pub(super) async fn list_sessions(
    State(app): State<AppState>,
    caller: Caller,
    page: Page,
) -> Answer<Sessions> {
    let now = app.clock.now();
    let alive = (now, app.sessions.seen_after(now));
    let mut tx = app.store.snapshot().await?;
    let (rows, total) = session::of_user(&mut tx, caller.user_id, alive, (page.offset, page.limit)).await?;
    let shown = |row: session::ShownSession| Session {
        is_current: matches!(caller.credential, Credential::Session { id } if id == row.id),
        id: row.id,
        created_at: row.created_at.to_rfc3339(),
        last_seen_at: row.last_seen_at.to_rfc3339(),
        expires_at: row.expires_at.to_rfc3339(),
        client: row.client,
        address: row.address,
    };
    Ok(Json(Sessions { sessions: rows.into_iter().map(shown).collect(), total }))
}
