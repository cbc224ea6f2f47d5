//! `DELETE /api/own-numbers/{number}` and `DELETE /admin/delete-own-number/{id}`.

use axum::Json;
use axum::extract::State;
use talkdrum_api::sender::OwnNumberWithdrawn;
use talkdrum_core::model::account::id::UserId;
use talkdrum_core::model::sender::id::OwnNumberId;
use talkdrum_core::sender::own_number::{OwnNumberKey, withdraw};
use talkdrum_core::store::Lane;
use talkdrum_core::store::operations::idempotency::{Claim, once};
use talkdrum_core::{Error, phone};

use crate::http::{AdminCaller, Answer, ApiError, Caller, IdempotencyKey, Path};
use crate::state::AppState;

/// Withdraw an own number: no later call shows it, and campaigns that call from it, or are to, pause. It can be verified again.
#[utoipa::path(
    delete, path = "/api/own-numbers/{number}", tag = "number",
    params(("number" = String, Path, description = "The number, in any usual form")),
    responses((status = 200, body = OwnNumberWithdrawn)),
)]
pub(super) async fn withdraw_own_number(
    State(app): State<AppState>,
    caller: Caller,
    key: IdempotencyKey,
    Path(number): Path<String>,
) -> Answer<OwnNumberWithdrawn> {
    // Text that is not a phone number matches no own number.
    let number = phone::parse(&number).map_err(|_| Error::NotFound("own number"))?.to_string();
    let claim = key.claim_named(&caller, "own_number.withdraw", &number, [0; 32]);
    apply(&app, claim, OwnNumberKey::OfUser(caller.user_id, number), caller.user_id).await
}

/// Withdraw a user's own number: no later call shows it, campaigns that call from it, or are to, pause, and its owner gets a notice.
#[utoipa::path(
    delete, path = "/admin/delete-own-number/{id}", tag = "number",
    params(("id" = i64, Path, description = "The own number's record")),
    responses((status = 200, body = OwnNumberWithdrawn)),
)]
pub(super) async fn delete_own_number(
    State(app): State<AppState>,
    caller: AdminCaller,
    key: IdempotencyKey,
    Path(id): Path<OwnNumberId>,
) -> Answer<OwnNumberWithdrawn> {
    let claim = key.claim_on(&caller, "own_number.delete", id.0);
    apply(&app, claim, OwnNumberKey::Record(id), caller.user_id).await
}

async fn apply(
    app: &AppState,
    claim: Option<Claim>,
    which: OwnNumberKey,
    by: UserId,
) -> Result<Json<OwnNumberWithdrawn>, ApiError> {
    let input = (app.notices.clone(), claim, which, by, app.clock.now());
    let paused = app.store.write(Lane::Interactive, input, |tx, (notices, claim, which, by, now)| {
        Box::pin(async move {
            once(tx, claim.as_ref(), *now, async |tx| withdraw(tx, notices, which, *by, *now).await).await
        })
    });
    let campaigns_paused = paused.await?;
    tracing::info!(user_id = by.0, campaigns_paused, "own_number.withdraw");
    let and_so = match campaigns_paused {
        0 => String::new(),
        1 => "; 1 campaign that calls from it is paused".to_owned(),
        many => format!("; {many} campaigns that call from it are paused"),
    };
    let message = format!("Number withdrawn: no more calls show it{and_so}");
    Ok(Json(OwnNumberWithdrawn { message, campaigns_paused }))
}

#[cfg(test)]
mod tests {
    use reqwest::Method;
    use serde_json::json;
    use talkdrum_core::model::account::id::UserId;
    use talkdrum_core::model::account::user::Role;
    use talkdrum_core::model::sender::id::OwnNumberId;
    use talkdrum_core::store::Lane;
    use talkdrum_core::store::sender::number as table;

    use crate::testing::{START, TestDaemon};

    const PHONE: &str = "2348031230001";

    async fn verified(daemon: &TestDaemon, user: UserId) -> OwnNumberId {
        let put = daemon.store().write(Lane::Interactive, user, |tx, user| {
            Box::pin(table::put_verified(tx, *user, PHONE, START, START))
        });
        put.await.unwrap()
    }

    #[tokio::test]
    async fn a_user_withdraws_an_own_number_once_and_an_administrator_any() {
        let daemon = TestDaemon::start_in_sandbox().await;
        let admin = daemon.signed_in("root", Role::Admin).await;
        let (ada, eve) = (daemon.user("ada", Role::User).await, daemon.user("eve", Role::User).await);
        let tokens = (daemon.login("ada").await, daemon.login("eve").await);
        verified(&daemon, ada).await;
        let delete = async |path: &str, token: &str, key: &str| {
            let request = daemon.request(Method::DELETE, path, token);
            let request = if key.is_empty() { request } else { request.header("Idempotency-Key", key) };
            daemon.send(request).await
        };
        let path = "/api/own-numbers/08031230001";
        let foreign = delete(path, &tokens.1, "").await;
        assert_eq!((foreign.status, foreign.code().as_str()), (404, "not_found"), "{}", foreign.text);
        let withdrawn = delete(path, &tokens.0, "k1").await;
        let says = json!({"message": "Number withdrawn: no more calls show it", "campaigns_paused": 0});
        assert_eq!((withdrawn.status, withdrawn.json()), (200, says), "{}", withdrawn.text);
        assert_eq!(delete(path, &tokens.0, "k1").await.json(), withdrawn.json(), "under its key once more");
        assert_eq!(delete(path, &tokens.0, "").await.status, 404);
        assert_eq!(daemon.get("/api/get-own-number", &tokens.0).await.json()["total"], 0);
        assert!(
            daemon
                .outbox_to("ada@example.com")
                .await
                .contains("ending in 0001 was withdrawn from your account")
        );

        let path = format!("/admin/delete-own-number/{}", verified(&daemon, eve).await);
        assert_eq!(delete(&path, &tokens.1, "").await.code(), "admin_only");
        let withdrawn = delete(&path, &admin, "").await;
        assert_eq!(withdrawn.status, 200, "{}", withdrawn.text);
        assert!(daemon.outbox_to("eve@example.com").await.contains("withdrawn by an administrator"));
        assert_eq!(daemon.get("/admin/get-own-numbers", &admin).await.json()["total"], 0);
        daemon.stop().await;
    }
}
