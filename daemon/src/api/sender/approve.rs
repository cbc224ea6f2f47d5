//! `POST /admin/approve-senderid/{id}`.

use axum::Json;
use axum::extract::State;
use talkdrum_api::sender::SenderIdDecided;
use talkdrum_core::sender::{approve, check_reserved, one_sender_id, tell_owner};
use talkdrum_core::store::Lane;
use talkdrum_core::store::operations::idempotency::once;

use crate::http::{AdminCaller, Answer, IdempotencyKey, Path};
use crate::state::AppState;

/// Let a user send from a sender id. Approving what is approved changes nothing.
#[utoipa::path(
    post, path = "/admin/approve-senderid/{id}", tag = "sender",
    params(("id" = i64, Path, description = "The sender id's record")),
    responses((status = 200, body = SenderIdDecided)),
)]
pub(super) async fn approve_sender_id(
    State(app): State<AppState>,
    caller: AdminCaller,
    key: IdempotencyKey,
    Path(id): Path<i64>,
) -> Answer<SenderIdDecided> {
    let claim = key.claim_on(&caller, "sender.approve", id);
    let input = (claim, id, caller.user_id, app.clock.now(), app.notices.clone());
    let sender_id = app
        .store
        .write(Lane::Interactive, input, |tx, (claim, id, by, now, notices)| {
            Box::pin(async move {
                once(tx, claim.as_ref(), *now, async |tx| {
                    check_reserved(&one_sender_id(tx, *id).await?.sender_id, &notices.sender)?;
                    let decided = approve(tx, *id, *by, *now).await?;
                    tell_owner(tx, notices, &decided, *now).await?;
                    Ok(*id)
                })
                .await?;
                one_sender_id(tx, *id).await
            })
        })
        .await?;
    tracing::info!(sender_id = id, admin_id = caller.user_id, "sender.approve");
    let message = "Sender ID approved successfully!".to_owned();
    Ok(Json(SenderIdDecided { message, sender_id, campaigns_paused: 0 }))
}
