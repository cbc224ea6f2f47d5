//! `PUT /admin/sender-ids/{id}/purpose`: the default purpose of messages from a sender id.

use axum::Json;
use axum::extract::State;
use talkdrum_api::sender::SenderPurpose;
use talkdrum_core::campaign::quote::read_purpose;
use talkdrum_core::model::sender::id::SenderRecordId;
use talkdrum_core::sender;
use talkdrum_core::store::Lane;

use crate::api::user::purpose::SetPurpose;
use crate::http::{AdminCaller, Answer, Form, Path};
use crate::state::AppState;

/// Set or remove the default purpose of messages from a sender id: it holds where neither the request nor its API key says one.
/// What was quoted stays as it is; other daemons may use the old default for five seconds. Repeating the request changes
/// nothing more.
#[utoipa::path(
    put, path = "/admin/sender-ids/{id}/purpose", tag = "sender",
    params(("id" = i64, Path, description = "The sender id's record")),
    request_body = SetPurpose,
    responses((status = 200, body = SenderPurpose)),
)]
pub(super) async fn set_sender_purpose(
    State(app): State<AppState>,
    caller: AdminCaller,
    Path(id): Path<SenderRecordId>,
    Form { data, .. }: Form<SetPurpose>,
) -> Answer<SenderPurpose> {
    let purpose = read_purpose(data.purpose.as_deref())?;
    let input = (id, purpose, caller.user_id, app.clock.now());
    app.store
        .write(Lane::Interactive, input, |tx, (id, purpose, by, now)| {
            Box::pin(sender::set_default_of_sender(tx, *id, *purpose, *by, *now))
        })
        .await?;
    app.campaigns.purposes.forget();
    tracing::info!(sender_id = id.0, admin_id = caller.user_id.0, ?purpose, "sender.purpose");
    Ok(Json(SenderPurpose { id: id.0, purpose }))
}
