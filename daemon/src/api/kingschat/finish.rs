//! `POST /api/kingschat/finish`.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use serde::{Deserialize, Serialize};
use talkdrum_core::Error;
use talkdrum_core::account::kingschat::flow::{self, Finished};
use utoipa::ToSchema;

use super::{ChatSignedIn, entered};
use crate::http::{ApiError, Form, Origin};
use crate::state::AppState;

/// The browser that asks.
#[derive(Deserialize, ToSchema)]
pub(super) struct Finish {
    /// What `POST /api/kingschat/start` gave it.
    #[serde(default)]
    state: String,
}

/// Where a sign-in stands that began no session (yet).
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct ChatProgress {
    /// `waiting` or `linked`.
    status: String,
    /// For people.
    message: String,
}

/// Get the session once the person signed in at KingsChat. Ask every two seconds; 202 means not yet.
#[utoipa::path(
    post, path = "/api/kingschat/finish", tag = "kingschat", security(()),
    request_body = Finish,
    responses((status = 200, body = ChatSignedIn), (status = 202, body = ChatProgress)),
)]
pub(super) async fn finish_kingschat(
    State(app): State<AppState>,
    Origin(origin): Origin,
    Form { data, .. }: Form<Finish>,
) -> Result<Response, ApiError> {
    if data.state.is_empty() {
        return Err(Error::field("state", "state_required", "State is required").into());
    }
    let now = app.clock.now();
    let finished =
        flow::finish(&app.store, app.entropy.as_ref(), &app.sessions, &data.state, (&origin, now)).await?;
    let progress =
        |status: &str, message: &str| Json(ChatProgress { status: status.into(), message: message.into() });
    Ok(match finished {
        Finished::SignedIn(token, user) => {
            Json(entered(&app, token.reveal().to_owned(), &user).await?).into_response()
        }
        Finished::Linked => progress("linked", "Your KingsChat account is linked").into_response(),
        Finished::Waiting => {
            (StatusCode::ACCEPTED, progress("waiting", "KingsChat has not answered yet")).into_response()
        }
    })
}
