//! `GET /admin/users/{id}/limits` and `PUT` of it: what a user may spend in a day, and whether large sends wait.

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use talkdrum_api::money::{Amount, Currency};
use talkdrum_api::user::UserLimits;
use talkdrum_core::campaign::spending_limit::{self, CampaignLimits, LimitsChange, SpendingView};
use talkdrum_core::model::account::id::UserId;
use talkdrum_core::store::{Lane, Tx};
use talkdrum_core::time::Time;
use talkdrum_core::{Error, Result};
use utoipa::ToSchema;

use crate::http::{AdminCaller, Answer, Form, Path};
use crate::state::AppState;

/// What is to change; what is not given stays as it is.
#[derive(Debug, Deserialize, ToSchema)]
pub(super) struct SetLimits {
    /// ESPEES of a day: an amount, `0` for no limit, `default` for the platform's.
    #[schema(example = "100.5")]
    cap_espees: Option<String>,
    /// Naira of a day, likewise.
    #[schema(example = "default")]
    cap_naira: Option<String>,
    /// Whether large sends go out without waiting for an administrator.
    proven: Option<bool>,
}

/// Show what a user may spend in a day, and whether large sends wait for an administrator.
#[utoipa::path(
    get, path = "/admin/users/{id}/limits", tag = "user",
    params(("id" = i64, Path, description = "The user's id")),
    responses((status = 200, body = UserLimits)),
)]
pub(super) async fn show_user_limits(
    State(app): State<AppState>,
    _caller: AdminCaller,
    Path(id): Path<UserId>,
) -> Answer<UserLimits> {
    Ok(Json(shown(&mut app.store.snapshot().await?, &app.campaigns.limits, id, app.clock.now()).await?))
}

/// Set what a user may spend in a day, and whether large sends wait. Repeating the request changes nothing more.
#[utoipa::path(
    put, path = "/admin/users/{id}/limits", tag = "user",
    params(("id" = i64, Path, description = "The user's id")),
    request_body = SetLimits,
    responses((status = 200, body = UserLimits)),
)]
pub(super) async fn set_user_limits(
    State(app): State<AppState>,
    caller: AdminCaller,
    Path(id): Path<UserId>,
    Form { data, .. }: Form<SetLimits>,
) -> Answer<UserLimits> {
    let change = LimitsChange {
        daily_espees: cap("cap_espees", data.cap_espees)?,
        daily_naira: cap("cap_naira", data.cap_naira)?,
        proven: data.proven,
    };
    let input = (id, change, caller.user_id, app.campaigns.limits, app.clock.now());
    let limits = app
        .store
        .write(Lane::Interactive, input, |tx, (id, change, by, limits, now)| {
            Box::pin(async move {
                spending_limit::change(tx, *id, *change, *by, *now).await?;
                shown(tx, limits, *id, *now).await
            })
        })
        .await?;
    tracing::info!(user_id = id.0, admin_id = caller.user_id.0, "user.limits");
    Ok(Json(limits))
}

fn cap(field: &'static str, text: Option<String>) -> Result<Option<Option<Amount>>> {
    let Some(text) = text.filter(|text| !text.trim().is_empty()) else { return Ok(None) };
    if text.trim().eq_ignore_ascii_case("default") {
        return Ok(Some(None));
    }
    let amount = text.parse().map_err(|_| {
        let text = text.trim();
        Error::field(
            field,
            "bad_amount",
            format!(
                "'{text}' is no limit: give an amount with at most six decimals, 0 for none, or 'default'"
            ),
        )
    })?;
    Ok(Some(Some(amount)))
}

async fn shown(tx: &mut Tx, limits: &CampaignLimits, id: UserId, now: Time) -> Result<UserLimits> {
    let SpendingView { decided, limits, spent } = spending_limit::of_user(tx, limits, id, now).await?;
    let cap = |currency| limits.iter().find(|(one, _)| *one == currency).and_then(|(_, cap)| *cap);
    let spent =
        |currency| spent.iter().find(|(one, _)| *one == currency).map_or(Amount::ZERO, |(_, spent)| *spent);
    Ok(UserLimits {
        user_id: id.0,
        cap_espees: cap(Currency::Espees),
        cap_espees_is_default: decided.daily_espees.is_none(),
        cap_naira: cap(Currency::Naira),
        cap_naira_is_default: decided.daily_naira.is_none(),
        spent_espees: spent(Currency::Espees),
        spent_naira: spent(Currency::Naira),
        proven: decided.proven_at.is_some(),
        proven_at: decided.proven_at.map(Time::to_rfc3339),
    })
}

#[cfg(test)]
mod tests {
    use reqwest::Method;
    use serde_json::{Value, json};
    use talkdrum_core::model::account::id::UserId;
    use talkdrum_core::model::account::user::Role;

    use crate::testing::{Reply, TestDaemon};

    async fn put(daemon: &TestDaemon, id: UserId, token: &str, body: Value) -> Reply {
        daemon
            .send(daemon.request(Method::PUT, &format!("/admin/users/{id}/limits"), token).json(&body))
            .await
    }

    async fn customer(daemon: &TestDaemon, admin: &str) -> (UserId, String) {
        daemon.post("/admin/set-sms-unit-price-naira", admin, &[("price", "2.5")]).await;
        let id = daemon.user("ada", Role::User).await;
        let money = [("amount", "100"), ("payment_ref", "p-1")];
        daemon.post(&format!("/admin/assign-naira/{id}"), admin, &money).await;
        (id, daemon.login("ada").await)
    }

    /// Quotes and confirms a message to these numbers.
    async fn send(daemon: &TestDaemon, token: &str, text: &str, contacts: &str) -> Reply {
        let form =
            [("senderid", "WEBSMS"), ("payment_method", "naira"), ("message", text), ("contacts", contacts)];
        let quote = daemon.post("/api/send-text-sms", token, &form).await.json();
        let quote = quote["details"]["quote_id"].to_string();
        daemon.post("/api/confirm-send-text-sms", token, &[("quote_id", &quote)]).await
    }

    #[tokio::test]
    async fn limits_are_set_shown_kept_and_taken_back() {
        let daemon = TestDaemon::start_in_sandbox_with(|settings| {
            settings.limits.daily_spend_naira = "50".into();
        })
        .await;
        let admin = daemon.signed_in("root", Role::Admin).await;
        let (id, ada) = customer(&daemon, &admin).await;
        let shown = daemon.get(&format!("/admin/users/{id}/limits"), &admin).await.json();
        assert_eq!((&shown["cap_naira"], &shown["cap_naira_is_default"]), (&json!(50), &json!(true)));
        assert_eq!((&shown["cap_espees"], &shown["proven"]), (&Value::Null, &json!(false)));
        let set = put(&daemon, id, &admin, json!({"cap_naira": "5", "proven": true})).await.json();
        assert_eq!((&set["cap_naira"], &set["proven"]), (&json!(5), &json!(true)));
        assert_eq!(send(&daemon, &ada, "A", "08031234567").await.status, 200);
        let refused = send(&daemon, &ada, "B", "08031234567, 08031234568").await;
        assert_eq!((refused.status, refused.code().as_str()), (400, "spending_cap"), "{}", refused.text);
        assert!(refused.text.contains("2.5 Naira was confirmed today"), "{}", refused.text);
        let shown = daemon.get(&format!("/admin/users/{id}/limits"), &admin).await.json();
        assert_eq!(shown["spent_naira"], 2.5);
        put(&daemon, id, &admin, json!({"cap_naira": "0"})).await;
        assert_eq!(send(&daemon, &ada, "C", "08031234567, 08031234568").await.status, 200);
        put(&daemon, id, &admin, json!({"cap_naira": "default"})).await;
        let trail = daemon.get("/admin/audit?q=user.limits", &admin).await.text;
        assert!(trail.contains("Naira 5.0") || trail.contains("Naira 5"), "{trail}");
        for (body, field) in
            [(json!({"cap_naira": "-1"}), "cap_naira"), (json!({"cap_espees": "x"}), "cap_espees")]
        {
            let refused = put(&daemon, id, &admin, body).await;
            assert_eq!(refused.status, 400);
            assert!(refused.text.contains(field), "{}", refused.text);
        }
        assert_eq!(put(&daemon, UserId(999), &admin, json!({"proven": true})).await.status, 404);
        assert_eq!(put(&daemon, id, &ada, json!({"proven": true})).await.status, 403);
    }

    #[tokio::test]
    async fn a_first_large_send_waits_for_an_administrator_who_is_told_and_the_next_one_does_not() {
        let daemon = TestDaemon::start_in_sandbox_with(|settings| settings.limits.first_send_hold = 2).await;
        let admin = daemon.signed_in("root", Role::Admin).await;
        let (id, ada) = customer(&daemon, &admin).await;
        let small = send(&daemon, &ada, "A", "08031234567").await.json();
        assert_eq!(small["message"], "SMS Sent");
        let held = send(&daemon, &ada, "B", "08031234567, 08031234568").await.json();
        let campaign = held["details"]["id"].as_i64().unwrap();
        assert_eq!(held["details"]["status"], "paused");
        assert!(held["message"].as_str().unwrap().starts_with("Held:"), "{held}");
        let resume = format!("/api/campaigns/{campaign}/resume");
        let refused = daemon.post(&resume, &ada, &[]).await;
        assert_eq!((refused.status, refused.code().as_str()), (409, "campaign_held"));
        assert!(daemon.outbox_to("root@example.com").await.contains("ada"));
        assert_eq!(daemon.post(&resume, &admin, &[]).await.status, 200);
        let limits = daemon.get(&format!("/admin/users/{id}/limits"), &admin).await.json();
        assert_eq!(limits["proven"], true);
        let next = send(&daemon, &ada, "C", "08031234567, 08031234568").await.json();
        assert_eq!(next["message"], "SMS Sent");
    }

    #[tokio::test]
    async fn what_an_administrator_pauses_its_owner_cannot_resume() {
        let daemon = TestDaemon::start_in_sandbox().await;
        let admin = daemon.signed_in("root", Role::Admin).await;
        let (_, ada) = customer(&daemon, &admin).await;
        // It goes out in days: one that is sent at once may be over before anybody pauses it.
        let form = [
            ("senderid", "WEBSMS"),
            ("payment_method", "naira"),
            ("message", "A"),
            ("contacts", "08031234567"),
            ("time", "2023-11-20 09:00"),
        ];
        let quote = daemon.post("/api/schedule-text-sms", &ada, &form).await.json();
        let quote = quote["details"]["quote_id"].to_string();
        let confirmed =
            daemon.post("/api/confirm-schedule-text-sms", &ada, &[("quote_id", &quote)]).await.json();
        let campaign = confirmed["details"]["id"].to_string();
        let step = |step: &str| format!("/api/campaigns/{campaign}/{step}");
        // The owner's own pause first: the administrator's holds all the same.
        assert_eq!(daemon.post(&step("pause"), &ada, &[]).await.status, 200);
        assert_eq!(daemon.post(&step("pause"), &admin, &[]).await.status, 200);
        assert_eq!(daemon.post(&step("resume"), &ada, &[]).await.code(), "campaign_held");
        assert_eq!(daemon.post(&step("resume"), &admin, &[]).await.status, 200);
        assert_eq!(daemon.post(&step("pause"), &ada, &[]).await.status, 200);
        assert_eq!(daemon.post(&step("resume"), &ada, &[]).await.status, 200);
    }
}
