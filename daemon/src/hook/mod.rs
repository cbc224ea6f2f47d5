//! Callbacks of other services: the raw body and who sent it come first, the answer after the commit.
//!
//! Callers do not sign in here. Invariant: a call that cannot prove its sender changes nothing and learns nothing, and
//! 200 is answered only for what is stored; of a call, for what the call heard.

mod carrier;
mod clip;
mod paystack;

use axum::Router;
use axum::routing::any;

pub(crate) use self::clip::ClipLinks;
use crate::http::routes::{Operations, routes};
use crate::state::AppState;

/// The callbacks that the API documents.
pub(crate) fn router() -> Operations {
    Operations::new().routes(routes!(paystack::hear_paystack))
}

/// What carriers fetch, at the daemon that places the calls.
pub(crate) fn clips() -> Operations {
    Operations::new().routes(routes!(clip::fetch_clip))
}

/// Callbacks of carriers. Each provider has its own form, so they are no part of the API.
pub(crate) fn carriers() -> Router<AppState> {
    Router::new()
        .route("/hooks/carriers/{name}", any(carrier::signed))
        .route("/hooks/carriers/{name}/{secret}", any(carrier::secret))
}

#[cfg(test)]
mod tests;
