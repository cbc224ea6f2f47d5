//! `POST /admin/activate-user/{id}`.

use axum::Json;
use axum::extract::State;
use talkdrum_api::account::Message;
use talkdrum_core::Error;
use talkdrum_core::model::account::id::UserId;
use talkdrum_core::model::account::user::Role;
use talkdrum_core::operate::user::{self as operated, Reactivated};
use talkdrum_core::store::Lane;
use talkdrum_core::store::account::user;
use talkdrum_core::store::operations::idempotency::once;

use crate::api::user::response;
use crate::http::{AdminCaller, Answer, IdempotencyKey, Path};
use crate::state::AppState;

/// Let a user send and pay again. Campaigns that only the inactive account kept back go on, those whose time has passed
/// at once. An administrator needs a session with a sign-in or `POST /api/sessions/reauthenticate` within the last ten
/// minutes, and is reported to all administrators.
#[utoipa::path(
    post, path = "/admin/activate-user/{id}", tag = "user",
    params(("id" = i64, Path, description = "The user's id")),
    responses((status = 200, body = Message)),
)]
pub(super) async fn activate_user(
    State(app): State<AppState>,
    caller: AdminCaller,
    key: IdempotencyKey,
    Path(id): Path<UserId>,
) -> Answer<Message> {
    let found = user::by_id(&mut app.store.read().await?, id).await?.ok_or(Error::NotFound("user"))?;
    if found.role == Role::Admin {
        caller.require_recent(&app).await?;
    }
    let input = (
        key.claim_on(&caller, "user.activate", id.0),
        id,
        caller.user_id,
        app.identity.clone(),
        app.clock.now(),
    );
    let (user, went_on) = app
        .store
        .write(Lane::Interactive, input, |tx, (claim, id, by, identity, now)| {
            Box::pin(async move {
                let mut went_on = Reactivated::default();
                once(tx, claim.as_ref(), *now, async |tx| {
                    went_on = operated::activate_user(tx, identity, *id, *by, *now).await?;
                    Ok(*id)
                })
                .await?;
                Ok((response::by_id(tx, *id).await?, went_on))
            })
        })
        .await?;
    app.callers.forget_user(id);
    tracing::info!(user_id = id.0, admin_id = caller.user_id.0, "user.activate");
    Ok(Json(Message { message: format!("{} is active now{went_on}", user.username) }))
}

#[cfg(test)]
mod tests {
    use talkdrum_core::model::account::user::Role;

    use crate::testing::TestDaemon;

    #[tokio::test]
    async fn campaigns_that_only_the_inactive_account_kept_back_go_on_with_it() {
        let daemon = TestDaemon::start_in_sandbox().await;
        let admin = daemon.signed_in("root", Role::Admin).await;
        let ada_id = daemon.user("ada", Role::User).await;
        let ada = daemon.login("ada").await;
        let done = async |path: &str, token: &str, form: &[(&str, &str)]| {
            let reply = daemon.post(path, token, form).await;
            assert_eq!(reply.status, 200, "{path}: {}", reply.text);
            reply.json()
        };
        done("/admin/set-sms-unit-price", &admin, &[("price", "1")]).await;
        let credit = [("espees", "100"), ("payment_ref", "r")];
        done(&format!("/admin/assign-espee/{ada_id}"), &admin, &credit).await;
        let mut campaigns = Vec::new();
        for day in 20..26 {
            let day = &*format!("2023-11-{day} 09:00");
            let form = [
                ("senderid", "WEBSMS"),
                ("payment_method", "espees"),
                ("contacts", "08031234567"),
                ("message", "Hello"),
                ("time", day),
            ];
            let quote = done("/api/schedule-text-sms", &ada, &form).await["details"]["quote_id"].to_string();
            let confirmed = done("/api/confirm-schedule-text-sms", &ada, &[("quote_id", &quote)]).await;
            campaigns.push(confirmed["details"]["id"].to_string());
        }
        done(&format!("/api/campaigns/{}/pause", campaigns[0]), &ada, &[]).await;
        done(&format!("/api/campaigns/{}/pause", campaigns[1]), &admin, &[]).await;
        done(&format!("/admin/deactivate-user/{ada_id}"), &admin, &[]).await;
        let ada = daemon.login("ada").await;
        let status = async |campaign: &str| {
            let shown = daemon.get(&format!("/api/campaigns/{campaign}"), &ada).await.json();
            shown["campaign"]["status"].as_str().unwrap_or_default().to_owned()
        };
        for campaign in &campaigns {
            assert_eq!(status(campaign).await, "paused");
        }
        // Both pause what the deactivation paused already, and mean it.
        done(&format!("/api/campaigns/{}/pause", campaigns[2]), &ada, &[]).await;
        done(&format!("/api/campaigns/{}/pause", campaigns[3]), &admin, &[]).await;
        let activated = done(&format!("/admin/activate-user/{ada_id}"), &admin, &[]).await;
        assert_eq!(activated["message"], "ada is active now: 2 campaigns scheduled again");
        for (campaign, expected, why) in [
            (0, "paused", "its owner paused it before"),
            (1, "paused", "an administrator paused it before"),
            (2, "paused", "its owner paused it while the account was inactive"),
            (3, "paused", "an administrator paused it while the account was inactive"),
            (4, "scheduled", "only the deactivation paused it"),
            (5, "scheduled", "only the deactivation paused it"),
        ] {
            assert_eq!(status(&campaigns[campaign]).await, expected, "{why}");
        }
        let held = daemon.post(&format!("/api/campaigns/{}/resume", campaigns[3]), &ada, &[]).await;
        assert_eq!(held.code(), "campaign_held");
        done(&format!("/api/campaigns/{}/resume", campaigns[2]), &ada, &[]).await;
        assert_eq!(status(&campaigns[2]).await, "scheduled");
        let trail = daemon.get("/admin/audit?action=user.activate", &admin).await.json();
        assert_eq!(trail["audit"][0]["after"], "active: 2 campaigns scheduled again");
        let again = done(&format!("/admin/activate-user/{ada_id}"), &admin, &[]).await;
        assert_eq!(again["message"], "ada is active now");
    }
}
