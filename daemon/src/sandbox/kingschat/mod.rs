//! The stand-in for KingsChat: both generations of its interface, a page to click, and people to be.
//!
//! It is as strict as the real one is documented to be: tokens expire and belong to an application, codes and refresh
//! tokens are used once. What it remembers is bounded, and gone when the daemon ends.

mod api;
mod pages;
mod people;
mod token;

use std::sync::{Mutex, MutexGuard, PoisonError};

use axum::Router;
use axum::routing::{get, post};
use talkdrum_core::time::Time;

use people::People;
pub(crate) use people::Person;

use crate::state::{App, AppState};

/// What the stand-in remembers.
#[derive(Debug, Default)]
pub struct StandIn(Mutex<People>);

impl StandIn {
    fn people(&self) -> MutexGuard<'_, People> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// `/sandbox/kingschat` and what is under it.
pub(crate) fn router() -> Router<AppState> {
    // A nested `/` is the address without a slash at its end; the popup is asked for in both ways.
    Router::new().nest("/kingschat", nested()).route("/kingschat/", get(pages::popup))
}

fn nested() -> Router<AppState> {
    Router::new()
        // The sandbox's own.
        .route("/token", get(token::give))
        .route("/messages", get(api::messages))
        // Pages: the first generation's popup, the second's sign-in, and the click on either.
        .route("/", get(pages::popup))
        .route("/log-in", get(pages::log_in))
        .route("/choose", post(pages::choose))
        // The first generation's API.
        .route("/oauth2/token", post(api::sdk_token))
        .route("/api/profile", get(api::sdk_profile))
        .route("/developer/api/profile", get(api::flat_profile))
        .route("/api/users/{id}/new_message", post(api::sdk_message))
        // The second's.
        .route("/developer/api/oauth2/token", post(api::platform_token))
        .route("/developer/api/user/profile", get(api::platform_profile))
        .route("/developer/api/messages", post(api::platform_message))
}

/// The stand-in of a daemon that has one: this router is only there when it does.
fn people(app: &App) -> Option<MutexGuard<'_, People>> {
    app.sandbox.as_ref().map(|sandbox| sandbox.kingschat.people())
}

/// When something given now ends.
fn ends(now: Time, after_ms: i64) -> Time {
    Time(now.millis().saturating_add(after_ms))
}

#[cfg(test)]
mod tests;
