//! `POST /admin/admin-send-sms-user`.

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use talkdrum_core::account::user::message;
use talkdrum_core::model::account::id::UserId;
use talkdrum_core::store::Lane;
use talkdrum_core::store::operations::idempotency::once;
use utoipa::ToSchema;

use crate::http::{AdminCaller, Answer, Form, IdempotencyKey};
use crate::state::AppState;

/// A message to users.
#[derive(Deserialize, ToSchema)]
pub(super) struct SendUserMessage {
    /// What it says: at most six pages.
    #[serde(default)]
    message: String,
    /// To whom; to all users when it is not given.
    user_id: Option<i64>,
}

/// A message that was noted.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct UserMessageNoted {
    /// The message's id: see `GET /admin/user-messages/{id}`.
    id: i64,
    /// For people.
    message: String,
}

/// Message one user or all, by text message and by KingsChat where an account is linked. It is given out in the
/// background.
#[utoipa::path(
    post, path = "/admin/admin-send-sms-user", tag = "user",
    request_body = SendUserMessage,
    responses((status = 200, body = UserMessageNoted)),
)]
pub(super) async fn send_user_message(
    State(app): State<AppState>,
    caller: AdminCaller,
    key: IdempotencyKey,
    Form { data, digest }: Form<SendUserMessage>,
) -> Answer<UserMessageNoted> {
    caller.require_active()?;
    message::check(&app.notices, &data.message)?;
    let claim = key.claim(&caller, "user.message", digest);
    let to = data.user_id.map(UserId);
    let input = (claim, caller.user_id, to, data.message, app.clock.now());
    let id = app
        .store
        .write(Lane::Interactive, input, |tx, (claim, by, to, text, now)| {
            Box::pin(async move {
                once(tx, claim.as_ref(), *now, async |tx| {
                    message::write(tx, *by, *to, text.trim(), *now).await
                })
                .await
            })
        })
        .await?;
    tracing::info!(message_id = id.0, admin_id = caller.user_id.0, "user.message");
    let message = match to {
        Some(_) => "Message is on its way to the user",
        None => "Message is on its way to all users",
    };
    Ok(Json(UserMessageNoted { id: id.0, message: message.into() }))
}

impl std::fmt::Debug for SendUserMessage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SendUserMessage").field("user_id", &self.user_id).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use reqwest::Method;
    use serde_json::{Value, json};
    use talkdrum_core::model::account::user::Role;

    use crate::testing::TestDaemon;

    /// Waits until a message was given out and nothing of it is queued.
    async fn given_out(daemon: &TestDaemon, admin: &str, id: &Value) -> Value {
        for _ in 0..200 {
            let shown = daemon.get(&format!("/admin/user-messages/{id}"), admin).await.json();
            let waits = |what: &str| {
                ["queued", "sending", "submitting"].iter().any(|it| shown["user_message"][what][it].is_i64())
            };
            if shown["user_message"]["status"] == "given_out" && !waits("sms") && !waits("chat") {
                return shown;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        panic!("the message was not given out");
    }

    #[tokio::test]
    async fn all_users_get_it_once_by_text_message_and_by_kingschat() {
        let daemon = TestDaemon::start_in_sandbox().await;
        let admin = daemon.signed_in("root", Role::Admin).await;
        let ada = [
            ("name", "Ada"),
            ("username", "ada"),
            ("email", "ada@example.com"),
            ("phone_number", "+2348031234567"),
            ("password", "correct horse"),
        ];
        daemon.post("/admin/users", &admin, &ada).await;
        let token = daemon.get("/sandbox/kingschat/token?id=7&username=bola", "").await.json();
        daemon
            .post("/api/kingschat-login", "", &[("access_token", token["access_token"].as_str().unwrap())])
            .await;
        let send = || {
            daemon.send(
                daemon
                    .request(Method::POST, "/admin/admin-send-sms-user", &admin)
                    .header("idempotency-key", "once")
                    .form(&[("message", "We are open")]),
            )
        };
        let reply = send().await;
        assert_eq!(reply.status, 200, "{}", reply.text);
        assert_eq!(reply.json()["message"], "Message is on its way to all users");
        assert_eq!(send().await.json()["id"], reply.json()["id"]);
        let shown = given_out(&daemon, &admin, &reply.json()["id"]).await;
        assert_eq!(shown["user_message"]["recipients"], 2, "{shown}");
        assert_eq!(shown["user_message"]["sms"]["no_phone"], 1, "{shown}");
        assert_eq!(shown["user_message"]["chat"], json!({ "sent": 1 }), "{shown}");
        let outbox = daemon.get("/sandbox/outbox", "").await.json();
        let to_ada = outbox.as_array().unwrap().iter().filter(|sent| sent["to"] == "2348031234567").count();
        assert_eq!(to_ada, 1, "{outbox}");
        let chats = daemon.get("/sandbox/kingschat/messages", "").await.json();
        assert_eq!(chats.as_array().unwrap().len(), 1);
        assert_eq!(chats[0]["text"], "We are open");
        let list = daemon.get("/admin/user-messages", &admin).await.json();
        assert_eq!((&list["total"], &list["user_messages"][0]["id"]), (&json!(1), &reply.json()["id"]));
    }

    #[tokio::test]
    async fn a_text_is_needed_and_a_user_must_be_there() {
        let daemon = TestDaemon::start_in_sandbox().await;
        let admin = daemon.signed_in("root", Role::Admin).await;
        let empty = daemon.post("/admin/admin-send-sms-user", &admin, &[("message", " ")]).await;
        assert_eq!((empty.status, empty.json()["message"].as_str()), (400, Some("Message is required")));
        let long = "x".repeat(6 * 156 + 1);
        assert_eq!(
            daemon.post("/admin/admin-send-sms-user", &admin, &[("message", &long)]).await.status,
            400
        );
        let nobody = [("message", "hello"), ("user_id", "99")];
        assert_eq!(daemon.post("/admin/admin-send-sms-user", &admin, &nobody).await.status, 404);
        assert_eq!(daemon.get("/admin/user-messages/1", &admin).await.status, 404);
        let id = daemon.user("ada", Role::User).await;
        let one = [("message", "hello".to_owned()), ("user_id", id.to_string())];
        let reply =
            daemon.send(daemon.request(Method::POST, "/admin/admin-send-sms-user", &admin).form(&one)).await;
        let shown = given_out(&daemon, &admin, &reply.json()["id"]).await;
        assert_eq!(shown["recipients"][0]["username"], "ada");
        assert_eq!(shown["recipients"][0]["sms"], "no_phone");
    }
}
