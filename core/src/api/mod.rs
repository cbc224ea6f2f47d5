//! Wire types that the daemon and the CLI share.
