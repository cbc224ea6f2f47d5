//! `GET` and `POST /api/kingschat/callback`: where KingsChat sends the person back to, with a code.

use axum::extract::State;
use axum::http::header::{CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use axum::http::{HeaderMap, HeaderName, StatusCode};
use serde::Deserialize;
use talkdrum_api::problem::Problem;
use talkdrum_core::account::kingschat::flow::{self, Returned};
use talkdrum_core::account::kingschat::login::LoginOutcome;
use utoipa::{IntoParams, ToSchema};

use super::{cookie, require_on};
use crate::http::{ApiError, LooseForm, Query};
use crate::state::AppState;

/// A page, with what it may load: nothing.
type Page = (StatusCode, [(HeaderName, &'static str); 2], &'static str);

/// What comes back from KingsChat.
#[derive(Deserialize, IntoParams, ToSchema)]
#[into_params(parameter_in = Query)]
pub(super) struct Back {
    /// The code.
    #[serde(default)]
    code: String,
    /// The nonce that `POST /api/kingschat/start` sent there.
    #[serde(default)]
    origin: String,
}

/// Take a code that KingsChat brings in the query.
#[utoipa::path(
    get, path = "/api/kingschat/callback", tag = "kingschat", security(()),
    params(Back),
    responses((status = 200, body = String, content_type = "text/html"),
              (status = 400, description = "A page that says so, or a problem",
               content((String = "text/html"), (Problem = "application/problem+json")))),
)]
pub(super) async fn take_kingschat_code(
    State(app): State<AppState>,
    headers: HeaderMap,
    Query(back): Query<Back>,
) -> Result<Page, ApiError> {
    take(&app, &headers, &back).await
}

/// Take a code that KingsChat brings as a form or JSON.
#[utoipa::path(
    post, path = "/api/kingschat/callback", tag = "kingschat", security(()),
    request_body = Back,
    responses((status = 200, body = String, content_type = "text/html"),
              (status = 400, description = "A page that says so, or a problem",
               content((String = "text/html"), (Problem = "application/problem+json")))),
)]
pub(super) async fn take_kingschat_form(
    State(app): State<AppState>,
    headers: HeaderMap,
    LooseForm(back): LooseForm<Back>,
) -> Result<Page, ApiError> {
    take(&app, &headers, &back).await
}

async fn take(app: &AppState, headers: &HeaderMap, back: &Back) -> Result<Page, ApiError> {
    require_on(app)?;
    let back = Returned {
        origin: &back.origin,
        code: &back.code,
        browser: cookie(headers),
        without_browser: app.kingschat_section.callback_without_browser,
    };
    let now = app.clock.now();
    let outcome = flow::returned(&app.identity, &app.kingschat, back, now).await?;
    Ok(match outcome {
        LoginOutcome::Done => page(StatusCode::OK, include_str!("done.html")),
        LoginOutcome::Refused(why) => {
            tracing::info!(code = why.code(), "a sign-in by KingsChat came to nothing");
            page(StatusCode::BAD_REQUEST, include_str!("failed.html"))
        }
    })
}

fn page(status: StatusCode, text: &'static str) -> Page {
    let headers = [
        (CONTENT_TYPE, "text/html; charset=utf-8"),
        (CONTENT_SECURITY_POLICY, "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"),
    ];
    (status, headers, text)
}
