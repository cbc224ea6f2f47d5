//! How much a dispatcher claims.

use crate::carrier::Capabilities;

/// The limits of a dispatcher, in messages.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Messages that may be claimed and not yet on the wire.
    pub run_ahead: i64,
    /// Messages that may be claimed and not settled, and so the most that a crash leaves unknown: the window plus the
    /// run-ahead, which is three quarters of the window or 100 if that is more. The handbook and the example configuration
    /// give the same figures.
    pub unsettled: i64,
    /// The most messages in a turn.
    pub turn: i64,
    /// The fewest that are claimed at a time where more are wanted: each claim costs a commit.
    pub fewest: i64,
    /// Whether small chunks are claimed whole, and others ahead of the carrier's room.
    pub whole: bool,
}

impl Limits {
    /// The bounds that follow from a carrier's window and rate (architecture: Intent, Claim).
    pub fn of(capabilities: &Capabilities) -> Self {
        let turn = if capabilities.rate == 0 { 4_096 } else { i64::from(capabilities.rate) };
        let window = i64::from(capabilities.window);
        if capabilities.calls.is_some() {
            // A call is claimed when it can be placed: a crash leaves those unknown that are up, and hardly another. So
            // each is claimed as a channel gets free, however few that are.
            let turn = turn.min(window).max(1);
            return Self { run_ahead: turn, unsettled: window, turn, fewest: 1, whole: false };
        }
        // While a quick carrier answers one window, the answers before it and the next intent are committed; with half
        // a window of run-ahead the carrier waited for these commits.
        let run_ahead = (window * 3 / 4).max(100);
        let fewest = (run_ahead + 2) / 3;
        Self { run_ahead, unsettled: window + run_ahead, turn, fewest, whole: true }
    }
}
