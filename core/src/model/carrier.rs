//! What operators say of carriers.

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
    /// What was ordered of the carriers of all daemons.
    OrderKind {
        /// A reload of the configuration.
        Reload = "reload",
        /// Leading waiting messages elsewhere.
        Reroute = "reroute",
    }
}
