//! `GET /api/inbound-messages`.

use axum::Json;
use axum::extract::State;
use talkdrum_api::inbound::InboundMessages;
use talkdrum_core::inbound;

use crate::api::list_query::{scope, window};
use crate::http::{Answer, Caller, Page, Search};
use crate::state::AppState;

/// What handsets sent to the caller's virtual numbers, and answered to the caller's messages; administrators see
/// all users'. Newest first; `q` searches number and text.
#[utoipa::path(
    get, path = "/api/inbound-messages", tag = "message",
    params(Search, Page),
    responses((status = 200, body = InboundMessages)),
)]
pub(super) async fn list_inbound_messages(
    State(app): State<AppState>,
    caller: Caller,
    search: Search,
    page: Page,
) -> Answer<InboundMessages> {
    let (store, scope, is_search) = (app.store.clone(), scope(&caller), !search.q.is_empty());
    let read =
        async move { inbound::list(&mut store.snapshot().await?, scope, &search.q, window(&page)).await };
    Ok(Json(app.scans.read(is_search, caller.user_id, read).await?))
}

#[cfg(test)]
mod tests {
    use talkdrum_core::inbound;
    use talkdrum_core::model::account::user::Role;
    use talkdrum_core::store::Lane;
    use talkdrum_core::store::message::inbound::NewInbound;

    use crate::testing::{START, TestDaemon};

    #[tokio::test]
    async fn a_stop_becomes_an_opt_out_while_the_daemon_runs_and_is_seen_by_whom_it_concerns() {
        let daemon = TestDaemon::start().await;
        let admin = daemon.signed_in("root", Role::Admin).await;
        let id = daemon.user("ada", Role::User).await;
        let ada = daemon.login("ada").await;
        daemon.post("/api/request-virtual-number", &ada, &[]).await;
        let approve = format!("/admin/approve-virtual-number/{id}");
        let number = [("virtual_num", "2342012345678")];
        assert_eq!(daemon.post(&approve, &admin, &number).await.status, 200);
        let message = NewInbound {
            sender: "2348031234567".into(),
            recipient: "2342012345678".into(),
            text: "Stop".into(),
            ..NewInbound::default()
        };
        let kept = daemon.store().write(Lane::Background, message, |tx, message| {
            Box::pin(inbound::take(tx, "main", std::slice::from_ref(message), START))
        });
        kept.await.unwrap();
        let mut shown = serde_json::Value::Null;
        for _ in 0..400 {
            shown = daemon.get("/api/inbound-messages", &ada).await.json();
            if shown["messages"][0]["action"] == "stop" {
                break;
            }
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
        assert_eq!(shown["messages"][0]["action"], "stop", "{shown}");
        assert_eq!(shown["messages"][0]["username"], "ada");
        let optouts = daemon.get("/api/optouts", &ada).await.json();
        assert_eq!((&optouts["total"], &optouts["optouts"][0]["source"]), (&1.into(), &"stop".into()));
        let eve = daemon.signed_in("eve", Role::User).await;
        assert_eq!(daemon.get("/api/inbound-messages", &eve).await.json()["total"], 0);
        assert_eq!(daemon.get("/api/inbound-messages?q=sto", &admin).await.json()["total"], 1);
        assert_eq!(daemon.get("/api/inbound-messages?q=never", &admin).await.json()["total"], 0);
    }
}
