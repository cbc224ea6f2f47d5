//! `GET /api/kingschat/link`.

use axum::Json;
use axum::extract::State;
use talkdrum_api::account::ChatLink;
use talkdrum_core::store::account::kingschat;
use talkdrum_core::time::Time;

use crate::http::{Answer, Caller};
use crate::state::AppState;

/// Show which KingsChat account is linked.
#[utoipa::path(
    get, path = "/api/kingschat/link", tag = "kingschat",
    responses((status = 200, body = ChatLink)),
)]
pub(super) async fn show_kingschat_link(State(app): State<AppState>, caller: Caller) -> Answer<ChatLink> {
    let link = kingschat::of_user(&mut app.store.read().await?, caller.user_id).await?;
    Ok(Json(match link {
        None => ChatLink::default(),
        Some(link) => ChatLink {
            linked: true,
            linked_at: Some(link.linked_at.to_rfc3339()),
            last_login_at: link.last_login_at.map(Time::to_rfc3339),
            username: link.username,
            avatar_url: link.avatar_url,
        },
    }))
}
