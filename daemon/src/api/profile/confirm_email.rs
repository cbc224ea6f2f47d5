//! `POST /api/confirm-email`.

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use talkdrum_api::account::EditedProfile;
use utoipa::ToSchema;

use crate::api::user::response;
use crate::http::{Answer, Form, SessionCaller};
use crate::state::AppState;

/// The code that came to the new address.
#[derive(Deserialize, ToSchema)]
pub(super) struct ConfirmEmail {
    /// Six digits.
    #[serde(default)]
    code: String,
}

/// Confirm a new e-mail address by the code that was sent to it.
#[utoipa::path(
    post, path = "/api/confirm-email", tag = "profile",
    request_body = ConfirmEmail,
    responses((status = 200, body = EditedProfile)),
)]
pub(super) async fn confirm_email(
    State(app): State<AppState>,
    caller: SessionCaller,
    Form { data, .. }: Form<ConfirmEmail>,
) -> Answer<EditedProfile> {
    app.proof_rate.check(caller.user_id)?;
    app.identity.confirm_email(caller.user_id, &data.code).await?;
    let user = response::by_id(&mut app.store.read().await?, caller.user_id).await?;
    let message = "Your e-mail address is changed".to_owned();
    let (requires_email_verification, requires_phone_verification) = (false, false);
    Ok(Json(EditedProfile { user, requires_email_verification, requires_phone_verification, message }))
}
