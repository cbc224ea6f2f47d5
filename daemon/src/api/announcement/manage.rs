//! `POST /admin/manage-annoucement`.

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use talkdrum_api::setting::AnnouncementManaged;
use talkdrum_core::model::account::id::UserId;
use talkdrum_core::model::platform::id::AnnouncementId;
use talkdrum_core::platform::announcement::{self, AnnouncementAction, check_text};
use talkdrum_core::store::operations::idempotency::{Claim, once};
use talkdrum_core::store::platform::announcement as rows;
use talkdrum_core::store::{Lane, Tx};
use talkdrum_core::time::Time;
use talkdrum_core::{Error, Result};
use utoipa::ToSchema;

use super::shown;
use crate::http::{AdminCaller, Answer, Form, IdempotencyKey};
use crate::state::AppState;

/// What is to be done with an announcement.
#[derive(Debug, Deserialize, ToSchema)]
pub(super) struct ManageAnnouncement {
    /// The text, plain, at most 1,000 characters: to create and to edit.
    #[serde(default)]
    announcement: String,
    /// `create`, `edit`, `activate`, `deactivate` or `delete`.
    #[serde(default)]
    action: String,
    /// Which one: for everything but `create`.
    id: Option<i64>,
}

impl ManageAnnouncement {
    fn action(&self) -> Result<AnnouncementAction> {
        let id = || {
            self.id
                .map(AnnouncementId)
                .ok_or_else(|| Error::field("id", "id_required", "The announcement's id is required"))
        };
        match self.action.trim() {
            "create" => Ok(AnnouncementAction::Create(check_text(&self.announcement)?)),
            "edit" => Ok(AnnouncementAction::Edit(id()?, check_text(&self.announcement)?)),
            "activate" => Ok(AnnouncementAction::Activate(id()?)),
            "deactivate" => Ok(AnnouncementAction::Deactivate(id()?)),
            "delete" => Ok(AnnouncementAction::Delete(id()?)),
            _ => Err(Error::field(
                "action",
                "bad_action",
                "action must be create, edit, activate, deactivate or delete",
            )),
        }
    }
}

/// Create, edit, activate, deactivate or delete an announcement. A new one is active.
#[utoipa::path(
    post, path = "/admin/manage-annoucement", tag = "announcement",
    request_body = ManageAnnouncement,
    responses((status = 200, body = AnnouncementManaged)),
)]
pub(super) async fn manage_announcement(
    State(app): State<AppState>,
    caller: AdminCaller,
    key: IdempotencyKey,
    Form { data, digest }: Form<ManageAnnouncement>,
) -> Answer<AnnouncementManaged> {
    let action = data.action()?;
    let message = match action {
        AnnouncementAction::Create(_) => "Announcement created successfully",
        AnnouncementAction::Edit(..) => "Announcement updated successfully",
        AnnouncementAction::Activate(_) => "Announcement activated successfully",
        AnnouncementAction::Deactivate(_) => "Announcement deactivated successfully",
        AnnouncementAction::Delete(_) => "Announcement deleted successfully",
    };
    let claim = key.claim(&caller, "announcement.manage", digest);
    let managing = Managing { claim, action, by: caller.user_id, now: app.clock.now() };
    let row = app.store.write(Lane::Interactive, managing, |tx, it| Box::pin(apply(tx, it))).await?;
    tracing::info!(action = data.action, admin_id = caller.user_id.0, "announcement.manage");
    let announcement = row.map(shown).into_iter().collect();
    Ok(Json(AnnouncementManaged { message: message.to_owned(), announcement }))
}

struct Managing {
    claim: Option<Claim>,
    action: AnnouncementAction,
    by: UserId,
    now: Time,
}

async fn apply(tx: &mut Tx, it: &Managing) -> Result<Option<rows::AnnouncementRow>> {
    let id = once(tx, it.claim.as_ref(), it.now, async |tx| {
        let row = announcement::manage(tx, &it.action, it.by, it.now).await?;
        Ok(match (&row, &it.action) {
            (Some(row), _) => row.id,
            (None, AnnouncementAction::Delete(id)) => *id,
            (None, _) => AnnouncementId::NONE,
        })
    })
    .await?;
    rows::find(tx, id).await
}

#[cfg(test)]
mod tests {
    use reqwest::Method;
    use talkdrum_core::model::account::user::Role;

    use crate::testing::TestDaemon;

    #[tokio::test]
    async fn users_see_what_is_active_and_administrators_see_all() {
        let daemon = TestDaemon::start().await;
        let admin = daemon.signed_in("root", Role::Admin).await;
        let ada = daemon.signed_in("ada", Role::User).await;
        let manage = |form: Vec<(&'static str, String)>| {
            daemon.send(daemon.request(Method::POST, "/admin/manage-annoucement", &admin).form(&form))
        };
        let create = |text: &str| vec![("action", "create".to_owned()), ("announcement", text.to_owned())];
        let first = manage(create("<b>Closed</b> on Friday")).await;
        assert_eq!(first.status, 200, "{}", first.text);
        let id = first.json()["Announcement"][0]["id"].to_string();
        manage(create("Second")).await;
        let one = daemon.get(&format!("/admin/announcements/{id}"), &admin).await;
        assert_eq!(one.json()["announcement"]["announcement"], "<b>Closed</b> on Friday", "{}", one.text);
        assert_eq!(daemon.get("/admin/announcements/999", &admin).await.status, 404);
        let with = |action: &str| vec![("action", action.to_owned()), ("id", id.clone())];
        let users = daemon.get("/api/get/announcement", &ada).await.json();
        assert_eq!(users["data"]["Announcement"], users["Announcement"]);
        assert_eq!(users["Announcement"][0]["announcement"], "<b>Closed</b> on Friday", "text, not HTML");
        assert_eq!((&users["total"], &users["Announcement"][1]["is_active"]), (&2.into(), &1.into()));
        assert_eq!(manage(with("deactivate")).await.json()["Announcement"][0]["is_active"], 0);
        assert_eq!(daemon.get("/api/get/announcement", &ada).await.json()["total"], 1);
        let all = daemon.get("/admin/get-annoucement?q=CLOSED", &admin).await.json();
        assert_eq!((&all["total"], &all["Announcement"][0]["is_active"]), (&1.into(), &0.into()));
        assert_eq!(manage(with("delete")).await.json()["Announcement"], serde_json::json!([]));
        assert_eq!(manage(with("activate")).await.status, 404);
    }

    #[tokio::test]
    async fn what_is_missing_is_asked_for() {
        let daemon = TestDaemon::start().await;
        let admin = daemon.signed_in("root", Role::Admin).await;
        for (form, field, message) in [
            (vec![("action", "create")], "announcement", "Please enter a message"),
            (vec![("action", "edit"), ("announcement", "x")], "id", "The announcement's id is required"),
            (
                vec![("announcement", "x")],
                "action",
                "action must be create, edit, activate, deactivate or delete",
            ),
        ] {
            let reply = daemon.post("/admin/manage-annoucement", &admin, &form).await;
            assert_eq!((reply.status, &reply.json()["message"]), (400, &message.into()));
            assert_eq!(reply.json()["errors"][0]["field"], field);
        }
    }

    #[tokio::test]
    async fn one_key_makes_one_announcement() {
        let daemon = TestDaemon::start().await;
        let admin = daemon.signed_in("root", Role::Admin).await;
        let form = [("action", "create"), ("announcement", "x")];
        let request = || {
            daemon
                .request(Method::POST, "/admin/manage-annoucement", &admin)
                .header("Idempotency-Key", "k")
                .form(&form)
        };
        let (first, second) = (daemon.send(request()).await, daemon.send(request()).await);
        assert_eq!(first.json(), second.json());
        assert_eq!(daemon.get("/admin/get-annoucement", &admin).await.json()["total"], 1);
    }
}
