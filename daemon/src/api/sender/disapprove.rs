//! `POST /admin/disapprove-senderid/{id}`.

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use talkdrum_api::sender::SenderIdDecided;
use talkdrum_core::Result;
use talkdrum_core::notice::Notices;
use talkdrum_core::sender::{one_sender_id, reject, tell_owner};
use talkdrum_core::store::operations::idempotency::{Claim, once};
use talkdrum_core::store::{Lane, Tx};
use talkdrum_core::time::Time;
use utoipa::ToSchema;

use crate::http::{AdminCaller, Answer, Form, IdempotencyKey, Path};
use crate::state::AppState;

/// Why it is refused.
#[derive(Deserialize, ToSchema)]
pub(super) struct DisapproveSenderId {
    /// For the owner; at most 500 characters.
    #[serde(default)]
    reason: String,
}

/// Refuse a sender id, or take it back: campaigns that are being sent from it pause.
#[utoipa::path(
    post, path = "/admin/disapprove-senderid/{id}", tag = "sender",
    params(("id" = i64, Path, description = "The sender id's record")),
    request_body = DisapproveSenderId,
    responses((status = 200, body = SenderIdDecided)),
)]
pub(super) async fn disapprove_sender_id(
    State(app): State<AppState>,
    caller: AdminCaller,
    key: IdempotencyKey,
    Path(id): Path<i64>,
    Form { data, digest }: Form<DisapproveSenderId>,
) -> Answer<SenderIdDecided> {
    let refusal = Refusal {
        claim: key.claim_with(&caller, "sender.disapprove", id, digest),
        id,
        reason: data.reason,
        by: caller.user_id,
        now: app.clock.now(),
        notices: app.notices.clone(),
    };
    let decided = app.store.write(Lane::Interactive, refusal, |tx, it| Box::pin(refuse(tx, it))).await?;
    let paused = decided.campaigns_paused;
    tracing::info!(sender_id = id, admin_id = caller.user_id, paused, "sender.disapprove");
    Ok(Json(decided))
}

struct Refusal {
    claim: Option<Claim>,
    id: i64,
    reason: String,
    by: i64,
    now: Time,
    notices: Notices,
}

async fn refuse(tx: &mut Tx, refusal: &Refusal) -> Result<SenderIdDecided> {
    let mut campaigns_paused = 0;
    once(tx, refusal.claim.as_ref(), refusal.now, async |tx| {
        let decided = reject(tx, refusal.id, &refusal.reason, refusal.by, refusal.now).await?;
        tell_owner(tx, &refusal.notices, &decided, refusal.now).await?;
        campaigns_paused = decided.paused;
        Ok(refusal.id)
    })
    .await?;
    let sender_id = one_sender_id(tx, refusal.id).await?;
    let message = "Sender ID rejected successfully!".to_owned();
    Ok(SenderIdDecided { message, sender_id, campaigns_paused })
}
