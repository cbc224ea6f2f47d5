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
    let at = |at: Option<i64>| at.map(|at| Time(at).to_rfc3339());
    Ok(Json(match link {
        None => ChatLink::default(),
        Some(link) => ChatLink {
            linked: true,
            linked_at: at(Some(link.linked_at)),
            last_login_at: at(link.last_login_at),
            username: link.username,
            avatar_url: link.avatar_url,
        },
    }))
}
