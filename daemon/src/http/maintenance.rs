//! Maintenance keeps users and visitors out: 503 with its message.
//!
//! Let through: administrators, signing in and out, the requests of the maintenance page itself, health, the
//! documentation, webhooks and receipts, and everything outside `/api`. Campaigns that run go on. What was read is
//! remembered for a few seconds, so that a busy daemon asks the database rarely. What this daemon
//! switches takes effect on its next request; other daemons follow when their memory ends, two seconds later.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use axum::extract::{Request, State};
use axum::http::header::AUTHORIZATION;
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use talkdrum_core::Result;
use talkdrum_core::account::Authentication;
use talkdrum_core::platform::maintenance::{self, Maintenance};
use talkdrum_core::store::Store;
use talkdrum_core::time::Time;

use super::problem::ApiError;
use crate::state::AppState;

/// How long the state is remembered without asking the database.
const REMEMBERED_FOR: Duration = Duration::from_secs(2);

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

/// The state as this daemon remembers it.
#[derive(Debug, Default)]
pub struct Gate {
    remembered: RwLock<Remembered>,
    /// Raised by every `forget`: what was read before it is not remembered after it.
    forgotten: AtomicU64,
}

#[derive(Debug, Default)]
struct Remembered {
    /// The message while it is on.
    message: Option<Arc<str>>,
    until: Time,
}

impl Gate {
    /// The message to users and visitors; `None` while there is no maintenance.
    async fn message(&self, store: &Store, now: Time) -> Result<Option<Arc<str>>> {
        {
            let remembered = self.remembered.read().unwrap_or_else(PoisonError::into_inner);
            if now < remembered.until {
                return Ok(remembered.message.clone());
            }
        }
        let epoch = self.forgotten.load(Ordering::SeqCst);
        let Maintenance { is_on, message, .. } = maintenance::status(&mut store.read().await?).await?;
        let message: Option<Arc<str>> = is_on.then(|| message.into());
        let mut remembered = self.remembered.write().unwrap_or_else(PoisonError::into_inner);
        if self.forgotten.load(Ordering::SeqCst) == epoch {
            *remembered = Remembered { message: message.clone(), until: now + REMEMBERED_FOR };
        }
        Ok(message)
    }

    /// It was switched: the next request asks the database.
    pub fn forget(&self) {
        let mut remembered = self.remembered.write().unwrap_or_else(PoisonError::into_inner);
        self.forgotten.fetch_add(1, Ordering::SeqCst);
        *remembered = Remembered::default();
    }
}

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
