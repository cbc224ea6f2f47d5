//! `PUT` and `DELETE /admin/users/{id}/legal-hold`: a customer's data that must be kept.

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use talkdrum_api::user::{LegalHold, UserLegalHold};
use talkdrum_core::Result;
use talkdrum_core::model::account::id::UserId;
use talkdrum_core::operate::user::legal_hold;
use talkdrum_core::store::{Lane, Tx};
use utoipa::ToSchema;

use crate::http::{AdminCaller, Answer, Form, Path};
use crate::state::AppState;

/// Why a user's data must be kept.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct PutLegalHold {
    /// The reason, up to 500 characters.
    #[schema(example = "Court order 17/2026")]
    reason: String,
}

/// Put a user's data under a legal hold: retention erases nothing of it, a number that it names is not erased, and the account
/// cannot be deleted (`legal_hold`). Of one that is under a hold the reason changes. Repeating the request changes nothing more.
#[utoipa::path(
    put, path = "/admin/users/{id}/legal-hold", tag = "user",
    params(("id" = i64, Path, description = "The user's id")),
    request_body = PutLegalHold,
    responses((status = 200, body = UserLegalHold)),
)]
pub(super) async fn put_legal_hold(
    State(app): State<AppState>,
    caller: AdminCaller,
    Path(id): Path<UserId>,
    Form { data, .. }: Form<PutLegalHold>,
) -> Answer<UserLegalHold> {
    let input = (id, data.reason, caller.user_id, app.clock.now());
    let held = app
        .store
        .write(Lane::Interactive, input, |tx, (id, reason, by, now)| {
            Box::pin(async move {
                legal_hold::put(tx, *id, reason, *by, *now).await?;
                shown(tx, *id).await
            })
        })
        .await?;
    tracing::info!(user_id = id.0, admin_id = caller.user_id.0, "user.hold");
    Ok(Json(UserLegalHold { user_id: id.0, legal_hold: held }))
}

/// Lift the legal hold on a user's data. What is past its time goes then. Nothing happens where there is none.
#[utoipa::path(
    delete, path = "/admin/users/{id}/legal-hold", tag = "user",
    params(("id" = i64, Path, description = "The user's id")),
    responses((status = 200, body = UserLegalHold)),
)]
pub(super) async fn lift_legal_hold(
    State(app): State<AppState>,
    caller: AdminCaller,
    Path(id): Path<UserId>,
) -> Answer<UserLegalHold> {
    let input = (id, caller.user_id, app.clock.now());
    app.store
        .write(Lane::Interactive, input, |tx, (id, by, now)| Box::pin(legal_hold::lift(tx, *id, *by, *now)))
        .await?;
    tracing::info!(user_id = id.0, admin_id = caller.user_id.0, "user.unhold");
    Ok(Json(UserLegalHold { user_id: id.0, legal_hold: None }))
}

/// The hold on a user's data.
pub(super) async fn shown(tx: &mut Tx, id: UserId) -> Result<Option<LegalHold>> {
    let held = legal_hold::of(tx, id).await?;
    Ok(held.map(|hold| LegalHold {
        reason: hold.reason,
        held_at: hold.held_at.to_rfc3339(),
        held_by: hold.held_by,
    }))
}

#[cfg(test)]
mod tests {
    use reqwest::Method;
    use serde_json::{Value, json};
    use talkdrum_core::model::account::user::Role;

    use crate::testing::TestDaemon;

    #[tokio::test]
    async fn a_hold_is_put_shown_and_lifted_and_keeps_the_account() {
        let daemon = TestDaemon::start().await;
        let admin = daemon.signed_in("root", Role::Admin).await;
        let id = daemon.user("ada", Role::User).await;
        let path = format!("/admin/users/{id}/legal-hold");
        let shown = async || {
            daemon.get(&format!("/admin/get-user-details/{id}"), &admin).await.json()["legal_hold"].clone()
        };
        let put = async |reason: &str| {
            daemon.send(daemon.request(Method::PUT, &path, &admin).json(&json!({"reason": reason}))).await
        };
        assert_eq!(shown().await, Value::Null);
        let refused = put("  ").await;
        assert_eq!((refused.status, &refused.json()["code"]), (400, &"reason_required".into()));
        assert_eq!(put(&"x".repeat(501)).await.json()["code"], "reason_too_long");
        let held = put(" Court order 17 ").await;
        assert_eq!(held.status, 200, "{}", held.text);
        assert_eq!(held.json()["legal_hold"], shown().await);
        assert_eq!(
            (&shown().await["reason"], &shown().await["held_by"]),
            (&"Court order 17".into(), &"root".into())
        );
        let delete = format!("/admin/delete-user/{id}");
        let kept = daemon.send(daemon.request(Method::DELETE, &delete, &admin)).await;
        assert_eq!((kept.status, &kept.json()["code"]), (409, &"legal_hold".into()));
        let lifted = daemon.send(daemon.request(Method::DELETE, &path, &admin)).await;
        assert_eq!((lifted.status, shown().await), (200, Value::Null));
        assert_eq!(daemon.send(daemon.request(Method::DELETE, &path, &admin)).await.status, 200);
        let gone = daemon.send(daemon.request(Method::DELETE, &delete, &admin)).await;
        assert_eq!(gone.status, 200, "{}", gone.text);
        let nobody = daemon.send(daemon.request(Method::DELETE, "/admin/users/999/legal-hold", &admin)).await;
        assert_eq!(nobody.status, 404);
    }
}
