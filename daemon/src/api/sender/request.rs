//! `POST /api/request-senderid`.

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use talkdrum_api::sender::SenderIdsRequested;
use talkdrum_core::model::account::id::UserId;
use talkdrum_core::model::sender::id::SenderRecordId;
use talkdrum_core::sender::{SenderId, one_sender_id, parse_list, request};
use talkdrum_core::store::operations::idempotency::{Claim, once};
use talkdrum_core::store::{Lane, Tx};
use talkdrum_core::time::Time;
use talkdrum_core::{Error, Result};
use utoipa::ToSchema;

use crate::http::{Answer, Caller, Form, IdempotencyKey};
use crate::state::AppState;

/// The sender ids that are asked for.
#[derive(Deserialize, ToSchema)]
pub(super) struct RequestSenderIds {
    /// Each at most 11 characters, spaces included, or 14 digits; at most 20 at once. May be repeated, also as
    /// `sender_ids[0]`, `sender_ids[1]` and so on.
    #[serde(default)]
    sender_ids: Vec<String>,
}

/// Ask for sender ids; they are free, and an administrator approves or disapproves them.
#[utoipa::path(
    post, path = "/api/request-senderid", tag = "sender",
    request_body = RequestSenderIds,
    responses((status = 200, body = SenderIdsRequested)),
)]
pub(super) async fn request_sender_ids(
    State(app): State<AppState>,
    caller: Caller,
    key: IdempotencyKey,
    Form { data, digest }: Form<RequestSenderIds>,
) -> Answer<SenderIdsRequested> {
    let asking = Asking {
        claim: key.claim(&caller, "sender.request", digest),
        user: caller.user_id,
        wanted: parse_list(&data.sender_ids, &app.notices.sender)?,
        now: app.clock.now(),
    };
    let asked = app.store.write(Lane::Interactive, asking, |tx, asking| Box::pin(ask(tx, asking))).await?;
    tracing::info!(user_id = caller.user_id.0, count = asked.sender_ids.len(), "sender.request");
    Ok(Json(asked))
}

struct Asking {
    claim: Option<Claim>,
    user: UserId,
    wanted: Vec<SenderId>,
    now: Time,
}

async fn ask(tx: &mut Tx, asking: &Asking) -> Result<SenderIdsRequested> {
    let ids: String = once(tx, asking.claim.as_ref(), asking.now, async |tx| {
        let ids = request(tx, asking.user, &asking.wanted, asking.now).await?;
        Ok(ids.iter().map(SenderRecordId::to_string).collect::<Vec<_>>().join(","))
    })
    .await?;
    let mut sender_ids = Vec::new();
    for id in ids.split(',') {
        sender_ids.push(one_sender_id(tx, read_id(id)?).await?);
    }
    let (what, it) = if sender_ids.len() == 1 {
        ("Your sender ID request was", "it")
    } else {
        ("Your sender ID requests were", "they")
    };
    let message = format!("{what} received: {it} will be approved or disapproved shortly");
    Ok(SenderIdsRequested { message, sender_ids })
}

fn read_id(text: &str) -> Result<SenderRecordId> {
    text.parse().map_err(|_| Error::Corrupt(format!("'{text}' is no sender ID's id")))
}

#[cfg(test)]
mod tests {
    use reqwest::Method;
    use serde_json::json;
    use talkdrum_core::model::account::user::Role;

    use crate::testing::TestDaemon;

    const ASK: &str = "/api/request-senderid";

    async fn approve(daemon: &TestDaemon, admin: &str, id: &str) -> crate::testing::Reply {
        daemon.post(&format!("/admin/approve-senderid/{id}"), admin, &[]).await
    }

    #[tokio::test]
    async fn several_are_requested_at_once_in_every_form_of_a_list() {
        let daemon = TestDaemon::start().await;
        let ada = daemon.signed_in("ada", Role::User).await;
        let indexed = [("sender_ids[0]", "SHOP"), ("sender_ids[1]", "My Shop")];
        let reply = daemon.post(ASK, &ada, &indexed).await;
        assert_eq!(reply.status, 200, "{}", reply.text);
        assert_eq!(reply.json()["senderId"].as_array().unwrap().len(), 2);
        assert!(reply.json()["message"].as_str().unwrap().contains("approved or disapproved shortly"));
        let repeated = daemon.post(ASK, &ada, &[("sender_ids", "A1"), ("sender_ids", "A2")]).await;
        assert_eq!(repeated.json()["senderId"][1]["sender_id"], "A2");
        let json = daemon.request(Method::POST, ASK, &ada).json(&json!({"sender_ids": ["A3"]}));
        assert_eq!(daemon.send(json).await.json()["senderId"][0]["status"], "pending");
        let nothing = daemon.post(ASK, &ada, &[("sender_ids[0]", "")]).await;
        assert_eq!(
            (nothing.status, nothing.json()["message"].as_str()),
            (400, Some("Please add a sender ID"))
        );
        let long = daemon.post(ASK, &ada, &[("sender_ids[0]", "TWELVE CHARS")]).await.json();
        assert_eq!(long["message"], "Sender ID cannot be more than 11 characters.");
        assert_eq!(long["errors"][0]["field"], "sender_ids");
    }

    #[tokio::test]
    async fn the_same_request_twice_asks_once() {
        let daemon = TestDaemon::start().await;
        let ada = daemon.signed_in("ada", Role::User).await;
        let request = || {
            let form = [("sender_ids", "A1"), ("sender_ids", "A2")];
            daemon.request(Method::POST, ASK, &ada).header("Idempotency-Key", "k").form(&form)
        };
        let (first, second) = (daemon.send(request()).await, daemon.send(request()).await);
        assert_eq!((first.status, first.json()), (200, second.json()));
        assert_eq!(daemon.post(ASK, &ada, &[("sender_ids", "A1")]).await.code(), "sender_requested");
    }

    #[tokio::test]
    async fn a_user_sees_what_may_be_used_and_with_a_status_what_was_asked_for() {
        let daemon = TestDaemon::start().await;
        let admin = daemon.signed_in("root", Role::Admin).await;
        let ada = daemon.signed_in("ada", Role::User).await;
        let eve = daemon.signed_in("eve", Role::User).await;
        let asked = daemon.post(ASK, &ada, &[("sender_ids", "SHOP"), ("sender_ids", "BAD")]).await.json();
        let shop = asked["senderId"][0]["id"].to_string();
        let names = async |query: &str, token: &str| {
            let reply = daemon.get(&format!("/api/get-sender-id{query}"), token).await.json();
            let rows = reply["senderId"].as_array().cloned().unwrap_or_default();
            rows.iter().map(|row| row["sender_id"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(names("", &ada).await, ["WEBSMS"], "what waits may not be used");
        assert_eq!(names("?status=pending", &ada).await, ["BAD", "SHOP"]);
        let reply = approve(&daemon, &admin, &shop).await;
        assert_eq!(reply.json()["message"], "Sender ID approved successfully!");
        assert_eq!(names("", &ada).await, ["WEBSMS", "SHOP"]);
        assert_eq!(names("", &eve).await, ["WEBSMS"]);
        assert_eq!(names("?status=all", &ada).await, ["WEBSMS", "BAD", "SHOP"]);
        assert_eq!(daemon.get("/api/get-sender-id?status=odd", &ada).await.status, 400);
    }

    #[tokio::test]
    async fn an_administrator_sees_all_and_rejects_with_a_reason() {
        let daemon = TestDaemon::start().await;
        let admin = daemon.signed_in("root", Role::Admin).await;
        let ada = daemon.signed_in("ada", Role::User).await;
        daemon.post(ASK, &ada, &[("sender_ids", "SHOP"), ("sender_ids", "BAD")]).await;
        let list =
            async |query: &str| daemon.get(&format!("/admin/get-sender-ids{query}"), &admin).await.json();
        let all = list("?sort=sender_id&order=asc").await;
        assert_eq!((&all["total"], &all["senderids"][0]["sender_id"]), (&2.into(), &"BAD".into()));
        assert_eq!(
            (&all["senderids"][0]["username"], &all["senderids"][0]["status"]),
            (&"ada".into(), &"pending".into())
        );
        let bad = all["senderids"][0]["id"].to_string();
        let reject = async |form: &[(&str, &str)]| {
            daemon.post(&format!("/admin/disapprove-senderid/{bad}"), &admin, form).await
        };
        assert_eq!(reject(&[]).await.json()["message"], "Reason is required");
        let reply = reject(&[("reason", "Not yours")]).await.json();
        assert_eq!(reply["message"], "Sender ID rejected successfully!");
        assert_eq!(reply["senderId"]["reason"], "Not yours");
        assert_eq!(reject(&[("reason", "Again")]).await.status, 409);
        for (status, total) in
            [("disapproved", 1), ("rejected", 1), ("pending", 1), ("approved", 0), ("all", 2)]
        {
            assert_eq!(list(&format!("?status={status}")).await["total"], total, "{status}");
        }
        assert_eq!(list("?q=shop").await["total"], 1);
        assert_eq!(list("?sort=reason").await["code"], "bad_sort");
        assert_eq!(approve(&daemon, &admin, "999").await.status, 404);
    }
}
