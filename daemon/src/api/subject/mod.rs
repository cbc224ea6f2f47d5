//! What is held about a number, for administrators.

mod erase;
mod export;

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use talkdrum_api::subject::Subject;
use talkdrum_core::model::platform::audit::AuditAction;
use talkdrum_core::operate::subject;
use talkdrum_core::phone::{self, Msisdn};

use crate::http::routes::{Operations, routes};
use crate::http::{AdminCaller, Answer, ApiError, Path};
use crate::state::AppState;

pub(super) fn brief() -> Operations {
    Operations::new().routes(routes!(show_subject))
}

pub(super) fn lengthy() -> Operations {
    Operations::new().routes(routes!(export::export_subject)).routes(routes!(erase::erase_subject))
}

/// The number of a path; what is none is at no address.
fn number_of(text: &str) -> Result<Msisdn, ApiError> {
    phone::parse(text).map_err(|reason| ApiError::not_found(format!("'{text}' is no number: {reason}")))
}

/// What is held about a number over all users: how many rows of each table, and the first of them. It is in the audit trail,
/// which names the last digits alone.
#[utoipa::path(
    get, path = "/admin/subjects/{number}", tag = "subject",
    params(("number" = String, Path, description = "The number, in any usual form")),
    responses((status = 200, body = Subject)),
)]
async fn show_subject(
    State(app): State<AppState>,
    caller: AdminCaller,
    Path(number): Path<String>,
) -> Answer<Subject> {
    let number = number_of(&number)?;
    let (store, user, now) = (app.store.clone(), caller.user_id, app.clock.now());
    let (dnd, networks) = (app.campaigns.dnd.clone(), Arc::clone(&app.campaigns.networks));
    let read = async move {
        subject::note(&store, user, AuditAction::SubjectShow, number, now).await?;
        subject::show(&store, &dnd, number, &networks).await
    };
    Ok(Json(app.scans.read(true, caller.user_id, read).await?))
}

#[cfg(test)]
mod tests {
    use talkdrum_core::model::account::user::Role;
    use talkdrum_core::model::message::status::MessageStatus as S;
    use talkdrum_core::testing::builder::{Spot, build};

    use crate::testing::TestDaemon;

    #[tokio::test]
    async fn administrators_see_and_export_what_is_held_and_the_trail_says_so() {
        let daemon = TestDaemon::start().await;
        let root = daemon.signed_in("root", Role::Admin).await;
        let number = talkdrum_core::phone::parse("08031234567").unwrap();
        let built = build(daemon.store(), "ada").text("Dear customer").chunk(&[Spot::Answered(S::Delivered)]);
        built.number(0, 0, number).store().await;
        let shown = daemon.get("/admin/subjects/08031234567", &root).await;
        assert_eq!(shown.status, 200, "{}", shown.text);
        let shown = shown.json();
        assert_eq!((&shown["number"], &shown["on_dnd_list"]), (&"2348031234567".into(), &false.into()));
        assert_eq!(
            (&shown["tables"][0]["table"], &shown["tables"][0]["count"]),
            (&"messages".into(), &1.into())
        );
        let exported = daemon.get("/admin/subjects/%2B2348031234567/export", &root).await;
        assert_eq!(exported.status, 200, "{}", exported.text);
        assert_eq!(exported.headers["content-type"], "application/jsonl; charset=utf-8");
        assert_eq!(exported.headers["content-disposition"], "attachment; filename=\"subject.jsonl\"");
        assert_eq!(exported.text.lines().count(), 3, "{}", exported.text);
        assert!(exported.text.contains("Dear customer"), "{}", exported.text);
        let trail = daemon.get("/admin/audit", &root).await.json();
        let entries = [&trail["audit"][0], &trail["audit"][1]].map(|it| (&it["action"], &it["subject"]));
        let name = "a number that ends in 4567".into();
        assert_eq!(entries, [(&"subject.export".into(), &name), (&"subject.show".into(), &name)]);
        let erase =
            async |body: &[(&str, &str)]| daemon.post("/admin/subjects/08031234567/erase", &root, body).await;
        let refused = erase(&[]).await;
        assert_eq!((refused.status, refused.code().as_str()), (409, "messages_open"), "{}", refused.text);
        let refused = erase(&[("from", "nowhere")]).await;
        assert_eq!((refused.status, refused.code().as_str()), (400, "bad_table"), "{}", refused.text);
        for path in ["/admin/subjects/12", "/admin/subjects/12/export"] {
            let refused = daemon.get(path, &root).await;
            assert_eq!((refused.status, refused.code().as_str()), (404, "not_found"), "{path}");
        }
    }
}
