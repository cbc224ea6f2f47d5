//! `POST /admin/enable-maintenance-mode` and `POST /admin/disable-maintenance-mode`.

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use talkdrum_api::setting::MaintenanceStatus;
use talkdrum_core::model::account::id::UserId;
use talkdrum_core::platform::maintenance::{self, Maintenance};
use talkdrum_core::store::operations::idempotency::{Claim, once};
use talkdrum_core::store::{Lane, Tx};
use talkdrum_core::time::Time;
use talkdrum_core::{Error, Result};
use utoipa::ToSchema;

use super::shown;
use crate::http::{AdminCaller, Answer, Form, IdempotencyKey};
use crate::state::AppState;

/// The switch.
#[derive(Debug, Deserialize, ToSchema)]
pub(super) struct SwitchMaintenance {
    /// What users and visitors are told: required to enable.
    #[serde(default)]
    message: String,
    /// `1` to enable, `0` to disable: what the path says already, and may not contradict.
    maintenance_mode: Option<u8>,
}

/// The state after it.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct MaintenanceSwitched {
    /// For people.
    message: String,
    /// The state now.
    maintenance: MaintenanceStatus,
}

/// Keep users and visitors out. Running campaigns go on.
#[utoipa::path(
    post, path = "/admin/enable-maintenance-mode", tag = "maintenance",
    request_body = SwitchMaintenance,
    responses((status = 200, body = MaintenanceSwitched)),
)]
pub(super) async fn enable_maintenance(
    State(app): State<AppState>,
    caller: AdminCaller,
    key: IdempotencyKey,
    form: Form<SwitchMaintenance>,
) -> Answer<MaintenanceSwitched> {
    switch(&app, &caller, key, form, true).await
}

/// Let users and visitors in again.
#[utoipa::path(
    post, path = "/admin/disable-maintenance-mode", tag = "maintenance",
    request_body = SwitchMaintenance,
    responses((status = 200, body = MaintenanceSwitched)),
)]
pub(super) async fn disable_maintenance(
    State(app): State<AppState>,
    caller: AdminCaller,
    key: IdempotencyKey,
    form: Form<SwitchMaintenance>,
) -> Answer<MaintenanceSwitched> {
    switch(&app, &caller, key, form, false).await
}

struct Switching {
    claim: Option<Claim>,
    on: bool,
    message: String,
    by: UserId,
    now: Time,
}

async fn switch(
    app: &AppState,
    caller: &AdminCaller,
    key: IdempotencyKey,
    Form { data, digest }: Form<SwitchMaintenance>,
    on: bool,
) -> Answer<MaintenanceSwitched> {
    if data.maintenance_mode.is_some_and(|mode| mode != u8::from(on)) {
        return Err(Error::field(
            "maintenance_mode",
            "bad_mode",
            "maintenance_mode must be 1 to enable and 0 to disable",
        )
        .into());
    }
    let operation = if on { "maintenance.enable" } else { "maintenance.disable" };
    let switching = Switching {
        claim: key.claim(caller, operation, digest),
        on,
        message: data.message,
        by: caller.user_id,
        now: app.clock.now(),
    };
    let state = app.store.write(Lane::Interactive, switching, |tx, it| Box::pin(apply(tx, it))).await?;
    app.maintenance.forget();
    tracing::info!(on, admin_id = caller.user_id.0, "maintenance.switch");
    let message = if state.is_on {
        "The website is currently in maintenance mode."
    } else {
        "The website is live for all users."
    };
    Ok(Json(MaintenanceSwitched { message: message.to_owned(), maintenance: shown(&state) }))
}

async fn apply(tx: &mut Tx, it: &Switching) -> Result<Maintenance> {
    once(tx, it.claim.as_ref(), it.now, async |tx| {
        if it.on {
            maintenance::enable(tx, &it.message, it.by, it.now).await?;
        } else {
            maintenance::disable(tx, &it.message, it.by, it.now).await?;
        }
        Ok("switched".to_owned())
    })
    .await?;
    maintenance::status(tx).await
}

#[cfg(test)]
mod tests {
    use talkdrum_core::model::account::user::Role;

    use crate::testing::{PASSWORD, TestDaemon};

    #[tokio::test]
    async fn maintenance_keeps_users_and_visitors_out_and_lets_administrators_work() {
        let daemon = TestDaemon::start().await;
        let admin = daemon.signed_in("root", Role::Admin).await;
        let ada = daemon.signed_in("ada", Role::User).await;
        let refused =
            daemon.post("/admin/enable-maintenance-mode", &admin, &[("maintenance_mode", "1")]).await;
        assert_eq!((refused.status, &refused.json()["errors"][0]["field"]), (400, &"message".into()));
        assert_eq!(daemon.get("/api/user-profile", &ada).await.status, 200);
        let form = [("message", "Back at noon"), ("maintenance_mode", "1")];
        let reply = daemon.post("/admin/enable-maintenance-mode", &admin, &form).await;
        assert_eq!(
            reply.json()["message"],
            "The website is currently in maintenance mode.",
            "{}",
            reply.text
        );
        for token in [ada.as_str(), "", "tds_x"] {
            let reply = daemon.get("/api/user-profile", token).await;
            assert_eq!((reply.status, reply.code().as_str()), (503, "maintenance"));
            assert_eq!(reply.json()["message"], "Back at noon");
            assert_eq!(reply.headers["content-type"], "application/problem+json");
        }
        assert_eq!(daemon.get("/api/user-profile", &admin).await.status, 200);
        assert_eq!(daemon.get("/admin/get-all-active-users", &ada).await.status, 403);
        let signed_in = daemon.post("/api/login", "", &[("username", "ada"), ("password", PASSWORD)]).await;
        assert_eq!(signed_in.status, 200);
        for path in ["/api/get-maintenance-status", "/admin/get-maintenance-status"] {
            let state = daemon.get(path, "").await.json();
            assert_eq!(
                (&state["maintenance_mode"], &state["message"]),
                (&"1".into(), &"Back at noon".into())
            );
        }
        for path in ["/healthz", "/readyz", "/metrics", "/api/openapi.json", "/api/get-contact-email"] {
            assert_eq!(daemon.get(path, "").await.status, 200, "{path}");
        }
        let form = [("message", ""), ("maintenance_mode", "0")];
        let reply = daemon.post("/admin/disable-maintenance-mode", &admin, &form).await;
        assert_eq!(reply.json()["message"], "The website is live for all users.");
        assert_eq!(daemon.get("/api/user-profile", &ada).await.status, 200);
        let trail = daemon.get("/admin/audit?action=maintenance.enable", &admin).await.json();
        assert_eq!((&trail["total"], &trail["audit"][0]["after"]), (&1.into(), &"on: Back at noon".into()));
    }

    #[tokio::test]
    async fn what_another_daemon_switches_is_seen_within_seconds() {
        let daemon = TestDaemon::start().await;
        let id = daemon.user("root", Role::Admin).await;
        let ada = daemon.signed_in("ada", Role::User).await;
        assert_eq!(daemon.get("/api/user-profile", &ada).await.status, 200);
        daemon
            .store()
            .write(talkdrum_core::store::Lane::Interactive, id, |tx, id| {
                Box::pin(talkdrum_core::platform::maintenance::enable(
                    tx,
                    "Later",
                    *id,
                    crate::testing::START,
                ))
            })
            .await
            .unwrap();
        daemon.pass(std::time::Duration::from_secs(3));
        assert_eq!(daemon.get("/api/user-profile", &ada).await.status, 503);
    }

    #[tokio::test]
    async fn path_and_field_may_not_contradict_each_other() {
        let daemon = TestDaemon::start().await;
        let admin = daemon.signed_in("root", Role::Admin).await;
        let form = [("message", "x"), ("maintenance_mode", "0")];
        let reply = daemon.post("/admin/enable-maintenance-mode", &admin, &form).await;
        assert_eq!((reply.status, reply.code().as_str()), (400, "bad_mode"));
    }
}
