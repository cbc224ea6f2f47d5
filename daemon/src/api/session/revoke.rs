//! `DELETE /api/sessions/{id}` and `DELETE /api/sessions`.

use axum::Json;
use axum::extract::State;
use talkdrum_api::account::Message;
use talkdrum_core::Error;
use talkdrum_core::model::account::id::SessionId;
use talkdrum_core::store::Lane;
use talkdrum_core::store::account::session;

use crate::http::{Answer, LeavingCaller, Path};
use crate::state::AppState;

/// End one of your sessions, at once.
#[utoipa::path(
    delete, path = "/api/sessions/{id}", tag = "session",
    params(("id" = i64, Path, description = "The session's id")),
    responses((status = 200, body = Message)),
)]
pub(super) async fn revoke_session(
    State(app): State<AppState>,
    caller: LeavingCaller,
    Path(id): Path<SessionId>,
) -> Answer<Message> {
    let ended = app
        .store
        .write(Lane::Interactive, (caller.user_id, id), |tx, (user_id, id)| {
            Box::pin(session::delete_of(tx, *user_id, *id))
        })
        .await?;
    if !ended {
        return Err(Error::NotFound("session").into());
    }
    app.callers.forget_session(id);
    Ok(Json(Message { message: "The session has ended".into() }))
}

/// End all your sessions but this one.
#[utoipa::path(delete, path = "/api/sessions", tag = "session", responses((status = 200, body = Message)))]
pub(super) async fn revoke_other_sessions(
    State(app): State<AppState>,
    caller: LeavingCaller,
) -> Answer<Message> {
    let ended = app.identity.end_other_sessions(caller.user_id, caller.session_id).await?;
    app.callers.forget_user(caller.user_id);
    Ok(Json(Message { message: format!("{ended} other sessions have ended") }))
}

#[cfg(test)]
mod tests {
    use reqwest::Method;
    use talkdrum_core::model::account::user::Role;

    use crate::testing::TestDaemon;

    #[tokio::test]
    async fn sessions_are_listed_and_ended_by_their_owner_only() {
        let daemon = TestDaemon::start().await;
        let here = daemon.signed_in("ada", Role::User).await;
        let there = daemon.login("ada").await;
        let eve = daemon.signed_in("eve", Role::User).await;
        let listed = daemon.get("/api/sessions", &here).await.json();
        assert_eq!(listed["total"], 2);
        let other =
            listed["sessions"].as_array().unwrap().iter().find(|it| it["is_current"] == false).unwrap();
        assert_eq!(other["address"], "127.0.0.1");
        let path = format!("/api/sessions/{}", other["id"]);
        let end = async |token: &str| daemon.send(daemon.request(Method::DELETE, &path, token)).await.status;
        assert_eq!(daemon.get("/api/user-profile", &there).await.status, 200);
        assert_eq!(end(&eve).await, 404);
        assert_eq!(end(&here).await, 200);
        assert_eq!(daemon.get("/api/user-profile", &there).await.status, 401);
        let again = daemon.login("ada").await;
        assert_eq!(daemon.send(daemon.request(Method::DELETE, "/api/sessions", &here)).await.status, 200);
        assert_eq!(daemon.get("/api/user-profile", &again).await.status, 401);
        assert_eq!(daemon.get("/api/user-profile", &here).await.status, 200);
    }
}
