//! The sandbox's stand-ins that speak HTTP, a module each with its `router()`: real protocols, under `/sandbox` of the
//! daemon's own listener. What they remember is in [`crate::sandbox`].

mod calls;
mod espees;
mod kingschat;
mod outbox;
mod page;
mod paystack;

use axum::Router;

use crate::state::AppState;

/// Everything under `/sandbox`.
pub(crate) fn router() -> Router<AppState> {
    Router::new()
        .merge(kingschat::router())
        .merge(outbox::router())
        .merge(calls::router())
        .nest("/espees", espees::router())
        .nest("/paystack", paystack::router())
}
