//! Stand-ins for the outside world that speak its real protocols on loopback.
//!
//! Those that speak HTTP live under `/sandbox` of the daemon's own listener, a module each with its `router()` and
//! its part of [`Sandbox`]. Production connectors talk to them by no other code path than to the real
//! thing, and nothing of them exists without `--sandbox`.

mod calls;
mod espees;
mod kept;
pub mod kingschat;
pub mod outbox;
mod page;
mod paystack;
pub mod smsc;

use std::sync::Arc;

use axum::Router;
use talkdrum_sip::callee::Callee;

use crate::state::AppState;

/// What the stand-ins remember, in memory only.
#[derive(Debug)]
pub struct Sandbox {
    /// Everybody's phone for calls.
    callee: Callee,
    espees: espees::Espees,
    paystack: paystack::Paystack,
    /// All users' phone and mailbox.
    pub outbox: Arc<outbox::Outbox>,
    /// KingsChat.
    pub kingschat: kingschat::StandIn,
}

impl Sandbox {
    /// Stand-ins that remember nothing yet, around the phones that answer calls.
    pub fn new(callee: Callee) -> Self {
        Self {
            callee,
            espees: espees::Espees::default(),
            paystack: paystack::Paystack::default(),
            outbox: Arc::default(),
            kingschat: kingschat::StandIn::default(),
        }
    }
}

impl Sandbox {
    /// The newest calls that the phones know, newest last.
    #[cfg(test)]
    pub(crate) fn calls(&self) -> Vec<talkdrum_sip::callee::CalleeCall> {
        self.callee.calls()
    }
}

/// Everything under `/sandbox`.
pub(crate) fn router() -> Router<AppState> {
    Router::new()
        .merge(kingschat::router())
        .merge(outbox::router())
        .merge(calls::router())
        .nest("/espees", espees::router())
        .nest("/paystack", paystack::router())
}
