//! What a database is served for, and by which daemons.

words! {
    /// What a database was served for.
    ServedFor {
        /// Real carriers and money.
        Live = "live",
        /// A sandbox.
        Sandbox = "sandbox",
        /// Both, one after the other.
        Mixed = "mixed",
    }
}

words! {
    /// What a daemon does of the work on its database.
    DaemonRole {
        /// The API, and nothing else.
        Api = "api",
        /// Sending, and nothing else.
        Worker = "worker",
        /// Everything.
        All = "all",
    }
}

words! {
    /// What became of the last reload at a daemon.
    ReloadOutcome {
        /// It read its configuration when it started.
        Started = "started",
        /// It took the new one.
        Reloaded = "reloaded",
        /// It kept the old one.
        Refused = "refused",
    }
}
