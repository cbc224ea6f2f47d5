//! Stand-ins for the outside world that speak its real protocols on loopback.
//!
//! Those that speak HTTP live under `/sandbox` of the daemon's own listener, a module each with its `router()` and
//! its part of [`Sandbox`]. Production connectors talk to them by no other code path than to the real
//! thing, and nothing of them exists without `--sandbox`.

mod espees;
mod kept;
pub mod kingschat;
pub mod outbox;
mod page;
mod paystack;
pub mod smsc;

use std::sync::Arc;

use axum::Router;

use crate::state::AppState;

/// What the stand-ins remember, in memory only.
#[derive(Debug, Default)]
pub struct Sandbox {
    espees: espees::Espees,
    paystack: paystack::Paystack,
    /// All users' phone and mailbox.
    pub outbox: Arc<outbox::Outbox>,
    /// KingsChat.
    pub kingschat: kingschat::StandIn,
}

/// Everything under `/sandbox`.
pub(crate) fn router() -> Router<AppState> {
    Router::new()
        .merge(kingschat::router())
        .merge(outbox::router())
        .nest("/espees", espees::router())
        .nest("/paystack", paystack::router())
}
