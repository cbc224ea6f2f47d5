//! Stand-ins for the outside world that speak its real protocols on loopback.
//!
//! The invariant: production connectors talk to them by no other code path than to the real thing.

pub mod smsc;
