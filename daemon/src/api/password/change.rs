//! `POST /api/change-password`.

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use talkdrum_api::account::Message;
use utoipa::ToSchema;

use crate::http::{Answer, Form, SessionCaller};
use crate::state::AppState;

/// The old password and the new one.
#[derive(Deserialize, ToSchema)]
pub(super) struct ChangePassword {
    /// The password as it is; `old_password` is taken as well.
    #[serde(default, alias = "old_password")]
    current_password: String,
    /// The new password, at least 8 characters; `new_password` is taken as well.
    #[serde(default, alias = "new_password")]
    password: String,
    /// The new password again; `confirm_password` is taken as well.
    #[serde(default, alias = "confirm_password", alias = "new_password_confirmation")]
    password_confirmation: String,
}

/// Change your password. All your other sessions end.
#[utoipa::path(
    post, path = "/api/change-password", tag = "password",
    request_body = ChangePassword,
    responses((status = 200, body = Message)),
)]
pub(super) async fn change_password(
    State(app): State<AppState>,
    caller: SessionCaller,
    Form { data, .. }: Form<ChangePassword>,
) -> Answer<Message> {
    app.proof_rate.check(caller.user_id)?;
    let new = (data.password.as_str(), data.password_confirmation.as_str());
    let who = (caller.user_id, caller.session_id);
    app.identity.change_password(who, &data.current_password, new).await?;
    app.callers.forget_user(caller.user_id);
    Ok(Json(Message { message: "Your password is changed; your other sessions have ended".into() }))
}

#[cfg(test)]
mod tests {
    use talkdrum_core::model::account::user::Role;

    use crate::testing::{PASSWORD, TestDaemon};

    #[tokio::test]
    async fn a_new_password_ends_the_other_sessions_at_once_and_this_one_goes_on() {
        let daemon = TestDaemon::start().await;
        let here = daemon.signed_in("ada", Role::User).await;
        let there = daemon.login("ada").await;
        assert_eq!(daemon.get("/api/user-profile", &there).await.status, 200);
        let wrong = [("old_password", "wrong horse"), ("password", "a new horse")];
        let reply = daemon.post("/api/change-password", &here, &wrong).await;
        assert_eq!((reply.status, reply.json()["message"].as_str()), (400, Some("Passwords do not match")));
        let change = [
            ("current_password", PASSWORD),
            ("password", "a new horse"),
            ("password_confirmation", "a new horse"),
        ];
        assert_eq!(daemon.post("/api/change-password", &here, &change).await.status, 200);
        assert_eq!(daemon.get("/api/user-profile", &there).await.status, 401);
        assert_eq!(daemon.get("/api/user-profile", &here).await.status, 200);
        let old = daemon.post("/api/login", "", &[("username", "ada"), ("password", PASSWORD)]).await;
        assert_eq!(old.status, 401);
    }

    #[tokio::test]
    async fn a_forgotten_password_is_replaced_by_the_code_from_the_mailbox() {
        let daemon = TestDaemon::start_in_sandbox().await;
        let token = daemon.signed_in("ada", Role::User).await;
        assert_eq!(daemon.get("/api/user-profile", &token).await.status, 200);
        let email = ("email", "ada@example.com");
        assert_eq!(daemon.post("/api/password/forgot", "", &[email]).await.status, 200);
        let code = daemon.code_for("ada@example.com").await;
        let reset = [
            email,
            ("code", code.as_str()),
            ("password", "a new horse"),
            ("password_confirmation", "a new horse"),
        ];
        assert_eq!(daemon.post("/api/password/reset", "", &reset).await.status, 200);
        assert_eq!(daemon.get("/api/user-profile", &token).await.status, 401);
        assert_eq!(daemon.post("/api/password/reset", "", &reset).await.code(), "code_wrong");
        let login = daemon.post("/api/login", "", &[("username", "ada"), ("password", "a new horse")]).await;
        assert_eq!(login.status, 200);
    }
}
