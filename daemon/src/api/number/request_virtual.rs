//! `POST /api/request-virtual-number`.

use axum::Json;
use axum::extract::State;
use talkdrum_api::account::Message;
use talkdrum_core::sender::request_virtual_number as request;
use talkdrum_core::store::Lane;
use talkdrum_core::store::operations::idempotency::once;

use crate::http::{Answer, Caller, IdempotencyKey};
use crate::state::AppState;

/// Ask for a virtual number; an administrator assigns one.
#[utoipa::path(
    post, path = "/api/request-virtual-number", tag = "number",
    responses((status = 200, body = Message)),
)]
pub(super) async fn request_virtual_number(
    State(app): State<AppState>,
    caller: Caller,
    key: IdempotencyKey,
) -> Answer<Message> {
    let user = caller.user_id;
    let input = (key.claim_on(&caller, "virtual_number.request", user.0), user, app.clock.now());
    app.store
        .write(Lane::Interactive, input, |tx, (claim, user, now)| {
            Box::pin(async move {
                once(tx, claim.as_ref(), *now, async |tx| request(tx, *user, *now).await).await
            })
        })
        .await?;
    tracing::info!(user_id = user.0, "virtual_number.request");
    let message = "Your request was received: a virtual number will be assigned to you shortly".to_owned();
    Ok(Json(Message { message }))
}

#[cfg(test)]
mod tests {
    use reqwest::Method;
    use talkdrum_core::model::account::user::Role;

    use crate::testing::TestDaemon;

    #[tokio::test]
    async fn a_number_is_requested_assigned_listed_and_deleted() {
        let daemon = TestDaemon::start().await;
        let admin = daemon.signed_in("root", Role::Admin).await;
        let id = daemon.user("ada", Role::User).await;
        let ada = daemon.login("ada").await;
        assert_eq!(daemon.post("/api/request-virtual-number", &ada, &[]).await.status, 200);
        let again = daemon.post("/api/request-virtual-number", &ada, &[]).await;
        assert_eq!((again.status, again.code().as_str()), (400, "virtual_number_requested"));
        let waiting = daemon.get("/admin/get-virtual-numbers?status=pending", &admin).await.json();
        assert_eq!(
            (&waiting["total"], &waiting["virtual-Number"][0]["username"]),
            (&1.into(), &"ada".into())
        );
        let assign = async |user: &str, form: &[(&str, &str)]| {
            daemon.post(&format!("/admin/approve-virtual-number/{user}"), &admin, form).await
        };
        let user = id.to_string();
        let number = [("virtual_num", "+2342012345678")];
        assert_eq!(assign(&user, &[]).await.json()["message"], "Kindly input User's number");
        assert_eq!(assign("undefined", &number).await.json()["message"], "Kindly input User's ID");
        assert_eq!(assign("999", &number).await.status, 404);
        let reply = assign(&user, &number).await;
        assert_eq!((reply.status, &reply.json()["virtual-Number"]["status"]), (200, &"approved".into()));
        assert_eq!(assign(&user, &number).await.code(), "number_taken");
        let own = daemon.get("/api/get-virtual-number", &ada).await.json();
        assert_eq!(
            (&own["total"], &own["virtual-Number"][0]["virtual_num"]),
            (&1.into(), &"2342012345678".into())
        );
        let record = own["virtual-Number"][0]["id"].as_i64().unwrap();
        let path = format!("/admin/delete-virtual-number/{record}");
        let reply = daemon.send(daemon.request(Method::DELETE, &path, &admin)).await;
        assert_eq!(reply.json()["message"], "Virtual Number deleted successfully");
        assert_eq!(daemon.send(daemon.request(Method::DELETE, &path, &admin)).await.status, 404);
        assert_eq!(daemon.get("/api/get-virtual-number", &ada).await.json()["total"], 0);
    }

    #[tokio::test]
    async fn the_same_assignment_twice_assigns_once() {
        let daemon = TestDaemon::start().await;
        let admin = daemon.signed_in("root", Role::Admin).await;
        let id = daemon.user("ada", Role::User).await;
        let path = format!("/admin/approve-virtual-number/{id}");
        let request = || {
            let form = [("virtual_num", "02012345678")];
            daemon.request(Method::POST, &path, &admin).header("Idempotency-Key", "k").form(&form)
        };
        let (first, second) = (daemon.send(request()).await, daemon.send(request()).await);
        assert_eq!((first.status, first.json()), (200, second.json()));
    }

    #[tokio::test]
    async fn own_numbers_and_voice_are_listed_and_there_are_none_before_voice() {
        let daemon = TestDaemon::start().await;
        let admin = daemon.signed_in("root", Role::Admin).await;
        let ada = daemon.signed_in("ada", Role::User).await;
        for (path, token, list) in [
            ("/api/get-own-number", &ada, "Own-Number"),
            ("/admin/get-own-numbers", &admin, "Own-Number"),
            ("/api/get-voice-records", &ada, "audioUrls"),
            ("/api/get-sent-voice-sms", &ada, "Voice-Sms"),
            ("/admin/get-all-sent-voice-sms", &admin, "Voice-Sms"),
        ] {
            let reply = daemon.get(path, token).await;
            assert_eq!((reply.status, &reply.json()["total"]), (200, &0.into()), "{path}");
            assert_eq!(reply.json()[list].as_array().unwrap().len(), 0, "{path}");
        }
    }
}
