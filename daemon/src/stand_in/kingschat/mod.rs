//! KingsChat's stand-in over HTTP: both generations of its interface, and a page to click.

mod api;
mod pages;
mod token;

use std::sync::MutexGuard;

use axum::Router;
use axum::routing::{get, post};

use crate::sandbox::kingschat::People;
use crate::state::{App, AppState};

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

#[cfg(test)]
mod tests;
