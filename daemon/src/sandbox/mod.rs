//! Stand-ins for the outside world: the SMSC, and what the others remember.
//!
//! Those that speak HTTP do so in [`crate::stand_in`]. Production connectors talk to all of them by no other code path
//! than to the real thing, and nothing of them exists without `--sandbox`.

pub(crate) mod espees;
pub mod kingschat;
pub(crate) mod newest;
pub mod outbox;
pub(crate) mod paystack;
pub mod smsc;

use std::sync::Arc;

use talkdrum_sip::callee::Callee;

/// What the stand-ins remember, in memory only.
#[derive(Debug)]
pub struct Sandbox {
    /// All users' phone for calls.
    pub(crate) callee: Callee,
    /// ESPEES.
    pub(crate) espees: espees::Espees,
    /// Paystack.
    pub(crate) paystack: paystack::Paystack,
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
