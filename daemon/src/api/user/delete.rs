//! `DELETE /admin/delete-user/{id}`.

use axum::Json;
use axum::extract::State;
use talkdrum_api::user::UserDeleted;
use talkdrum_core::Result;
use talkdrum_core::model::account::id::UserId;
use talkdrum_core::operate::user::deletion::{DeletionStep, delete_user as delete, go_on};
use talkdrum_core::store::operations::idempotency::{Claim, once};
use talkdrum_core::store::{Lane, Tx};
use talkdrum_core::time::Time;

use crate::api::user::response;
use crate::http::{AdminCaller, Answer, IdempotencyKey, Path};
use crate::state::AppState;

/// Campaigns that are cancelled before the answer; what is left is cancelled in the background.
const CANCELLED_AT_ONCE: i64 = 200;
/// Pieces of the data that the request removes itself; the rest goes in the background.
const REMOVED_AT_ONCE: i64 = 100;

/// Delete a user: signed out at once, keys revoked, campaigns cancelled and refunded. The ledger stays; the person's
/// data goes as soon as nothing of theirs is in flight, and then name and address are free again.
#[utoipa::path(
    delete, path = "/admin/delete-user/{id}", tag = "user",
    params(("id" = i64, Path, description = "The user's id")),
    responses((status = 200, body = UserDeleted)),
)]
pub(super) async fn delete_user(
    State(app): State<AppState>,
    caller: AdminCaller,
    key: IdempotencyKey,
    Path(id): Path<UserId>,
) -> Answer<UserDeleted> {
    let deleting = Deleting {
        claim: key.claim_on(&caller, "user.delete", id.0),
        id,
        by: caller.user_id,
        now: app.clock.now(),
    };
    let username = app.store.write(Lane::Interactive, deleting, |tx, it| Box::pin(apply(tx, it))).await?;
    app.callers.forget_user(id);
    tracing::info!(user_id = id.0, admin_id = caller.user_id.0, "user.delete");
    let (campaigns_cancelled, anonymised) = settle(&app, id).await?;
    let message = match (campaigns_cancelled, anonymised) {
        (0, true) => format!("{username} is deleted"),
        (count, true) => format!("{username} is deleted; campaigns cancelled: {count}"),
        (count, false) => format!(
            "{username} is deleted and signed out; campaigns cancelled: {count}. The personal data goes when what is \
             in flight has settled"
        ),
    };
    Ok(Json(UserDeleted { message, campaigns_cancelled, anonymised }))
}

struct Deleting {
    claim: Option<Claim>,
    id: UserId,
    by: UserId,
    now: Time,
}

/// Returns the user's name.
async fn apply(tx: &mut Tx, it: &Deleting) -> Result<String> {
    let mut deleted = None;
    once(tx, it.claim.as_ref(), it.now, async |tx| {
        deleted = Some(delete(tx, it.id, it.by, it.now).await?.username);
        Ok(it.id)
    })
    .await?;
    match deleted {
        Some(username) => Ok(username),
        None => Ok(response::by_id(tx, it.id).await?.username),
    }
}

/// Goes on as far as it can: how many campaigns were cancelled, and whether the person's data is gone.
async fn settle(app: &AppState, id: UserId) -> Result<(i64, bool)> {
    let mut cancelled = 0;
    let mut removed = 0;
    while cancelled < CANCELLED_AT_ONCE && removed < REMOVED_AT_ONCE {
        let input = (id, app.clock.now());
        let step =
            app.store.write(Lane::Interactive, input, |tx, (id, now)| Box::pin(go_on(tx, *id, *now))).await?;
        match step {
            DeletionStep::Cancelled(_) => cancelled += 1,
            DeletionStep::Removed => removed += 1,
            DeletionStep::Waits => return Ok((cancelled, false)),
            DeletionStep::Anonymised => return Ok((cancelled, true)),
        }
    }
    Ok((cancelled, false))
}

#[cfg(test)]
mod tests {
    use reqwest::Method;
    use talkdrum_core::model::account::id::UserId;
    use talkdrum_core::model::account::user::Role;

    use crate::testing::{Reply, TestDaemon};

    async fn delete(daemon: &TestDaemon, admin: &str, id: UserId) -> Reply {
        daemon.send(daemon.request(Method::DELETE, &format!("/admin/delete-user/{id}"), admin)).await
    }

    #[tokio::test]
    async fn a_deleted_user_is_signed_out_leaves_the_lists_and_frees_the_name() {
        let daemon = TestDaemon::start().await;
        let admin = daemon.signed_in("root", Role::Admin).await;
        let id = daemon.user("ada", Role::User).await;
        let ada = daemon.login("ada").await;
        let key = daemon.post("/api/api-keys", &ada, &[("name", "k"), ("scopes", "read")]).await.json();
        let key = key["key"].as_str().unwrap().to_owned();
        assert_eq!(daemon.get("/api/user-profile", &key).await.status, 200);
        let reply = delete(&daemon, &admin, id).await;
        assert_eq!((reply.status, &reply.json()["anonymised"]), (200, &true.into()), "{}", reply.text);
        assert_eq!(reply.json()["message"], "ada is deleted");
        for token in [&ada, &key] {
            assert_eq!(daemon.get("/api/user-profile", token).await.status, 401);
        }
        for list in ["active", "inactive"] {
            let users = daemon.get(&format!("/admin/get-all-{list}-users?q=ada"), &admin).await.json();
            assert_eq!(users["total"], 0, "{list}");
        }
        assert_eq!(delete(&daemon, &admin, id).await.status, 404);
        let path = format!("/admin/activate-user/{id}");
        assert_eq!(daemon.post(&path, &admin, &[]).await.status, 404);
        daemon.user("ada", Role::User).await;
    }

    #[tokio::test]
    async fn nobody_deletes_themselves() {
        let daemon = TestDaemon::start().await;
        let id = daemon.user("root", Role::Admin).await;
        let admin = daemon.login("root").await;
        let reply = delete(&daemon, &admin, id).await;
        assert_eq!((reply.status, reply.code().as_str()), (400, "delete_self"));
    }
}
