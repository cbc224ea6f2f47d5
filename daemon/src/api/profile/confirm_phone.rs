//! `POST /api/confirm-phone`.

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use talkdrum_api::account::EditedProfile;
use utoipa::ToSchema;

use crate::api::user::response;
use crate::http::{Answer, Form, SessionCaller};
use crate::state::AppState;

/// The code that came to the new number.
#[derive(Deserialize, ToSchema)]
pub(super) struct ConfirmPhone {
    /// Six digits.
    #[serde(default)]
    code: String,
}

/// Confirm a new phone number by the code that was sent to it.
#[utoipa::path(
    post, path = "/api/confirm-phone", tag = "profile",
    request_body = ConfirmPhone,
    responses((status = 200, body = EditedProfile)),
)]
pub(super) async fn confirm_phone(
    State(app): State<AppState>,
    caller: SessionCaller,
    Form { data, .. }: Form<ConfirmPhone>,
) -> Answer<EditedProfile> {
    app.proof_rate.check(caller.user_id)?;
    app.identity.confirm_phone(caller.user_id, &data.code).await?;
    let user = response::by_id(&mut app.store.read().await?, caller.user_id).await?;
    let message = "Your phone number is changed".to_owned();
    let (requires_email_verification, requires_phone_verification) = (false, false);
    Ok(Json(EditedProfile { user, requires_email_verification, requires_phone_verification, message }))
}
