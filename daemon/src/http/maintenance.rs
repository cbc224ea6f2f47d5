//! Maintenance keeps users and visitors out: 503 with its message.
//!
//! Let through: administrators, signing in and out, the requests of the maintenance page itself, health, the
//! documentation, webhooks and receipts, and everything outside `/api`. Campaigns that run go on.

use axum::extract::{Request, State};
use axum::http::header::AUTHORIZATION;
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use talkdrum_core::account::Authentication;

use crate::problem::ApiError;
use crate::state::AppState;

/// Calls of `/api` that stay open. Those that end in `/` open everything below them.
const STAY_OPEN: [&str; 10] = [
    "/api/login",
    "/api/verify/email",
    "/api/logout",
    "/api/get-maintenance-status",
    "/api/get-contact-address",
    "/api/get-contact-email",
    "/api/get-contact-phone",
    "/api/get-about-us",
    "/api/openapi.json",
    "/api/docs/",
];

/// Turns users and visitors away while maintenance is on.
pub(crate) async fn keep_out(State(app): State<AppState>, request: Request, next: Next) -> Response {
    if stays_open(request.uri().path()) {
        return next.run(request).await;
    }
    match app.maintenance.message(&app.store, app.clock.now()).await {
        Ok(None) => next.run(request).await,
        Ok(Some(message)) => {
            let token = bearer(&request);
            if is_administrator(&app, token).await {
                return next.run(request).await;
            }
            ApiError::unavailable("maintenance", message.to_string()).into_response()
        }
        Err(error) => ApiError::from(error).into_response(),
    }
}

fn stays_open(path: &str) -> bool {
    // `/admin` asks for an administrator anyway; hooks, health, metrics, the sandbox and the pages are elsewhere too.
    !path.starts_with("/api/")
        || STAY_OPEN.iter().any(|open| path == *open || (open.ends_with('/') && path.starts_with(open)))
}

fn bearer(request: &Request) -> Option<String> {
    let (scheme, token) = request.headers().get(AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim().to_owned())
}

async fn is_administrator(app: &AppState, token: Option<String>) -> bool {
    let Some(token) = token else { return false };
    let found = app.callers.authenticate(&token, app.clock.now()).await;
    matches!(found, Ok(Authentication::Caller(caller)) if caller.sees_all())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hooks_health_pages_and_the_way_in_stay_open() {
        for open in [
            "/",
            "/dashboard",
            "/assets/a.js",
            "/healthz",
            "/metrics",
            "/hooks/paystack",
            "/sandbox/outbox",
            "/admin/get-prices",
            "/api/login",
            "/api/docs/",
            "/api/docs/swagger.css",
            "/api/get-maintenance-status",
        ] {
            assert!(stays_open(open), "{open}");
        }
        for closed in ["/api/send-text-sms", "/api/user-profile", "/api/login/x", "/api/register/start"] {
            assert!(!stays_open(closed), "{closed}");
        }
    }
}
