//! What operators say of carriers, and what the daemons that hold them see.

pub mod breaker;
pub mod order;

use std::fmt;

words! {
    /// Whether new messages go out by a carrier.
    Hold {
        /// They do.
        Open = "open",
        /// They wait.
        Paused = "paused",
        /// They wait, and what was claimed goes out.
        Draining = "draining",
    }
}

impl fmt::Display for Hold {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

words! {
    /// What became of an operator's word.
    CarrierState {
        /// New messages go out.
        Open = "open",
        /// They wait.
        Paused = "paused",
        /// They wait, and what was claimed goes out.
        Draining = "draining",
        /// They wait, and nothing is in flight any more.
        Drained = "drained",
    }
}

impl From<Hold> for CarrierState {
    fn from(hold: Hold) -> Self {
        match hold {
            Hold::Open => Self::Open,
            Hold::Paused => Self::Paused,
            Hold::Draining => Self::Draining,
        }
    }
}

words! {
    /// What was ordered of the carriers of all daemons.
    OrderKind {
        /// A reload of the configuration.
        Reload = "reload",
        /// Leading waiting messages elsewhere.
        Reroute = "reroute",
    }
}

words! {
    /// What a connection to a carrier is for.
    BindRole {
        /// Messages and receipts.
        Transceiver = "transceiver",
        /// Messages.
        Transmitter = "transmitter",
        /// Receipts.
        Receiver = "receiver",
        /// The one way to a provider over HTTP.
        Http = "http",
        /// The one way to a carrier of calls.
        Trunk = "trunk",
        /// The one way to a carrier that tells no more of itself.
        Carrier = "carrier",
    }
}

words! {
    /// How a connection to a carrier is.
    BindState {
        /// It is up.
        Bound = "bound",
        /// It is tried.
        Connecting = "connecting",
        /// It is not tried until the configuration is corrected.
        Refused = "refused",
    }
}

words! {
    /// How a carrier is.
    #[derive(Default)]
    CarrierHealth {
        /// It takes messages or calls.
        Up = "up",
        /// It does not, and that may pass.
        #[default]
        Connecting = "connecting",
        /// It is connected and refuses all that it is given, for a reason of its own: others take over, where there are some.
        Refusing = "refusing",
        /// It does not until the configuration is corrected.
        Stopped = "stopped",
    }
}

as_words! { BindRole BindState CarrierHealth }
