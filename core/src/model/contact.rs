//! How opt-outs came about, and where imports of contacts stand.

/// What is noted with an opt-out by key.
pub const OPT_OUT_KEY_NOTE: &str = "Pressed 9 in a call";

words! {
    /// How a number was added to a list of opt-outs.
    Source {
        /// Typed.
        Manual = "manual",
        /// It answered STOP, or pressed 9 in a call.
        Stop = "stop",
        /// From a file.
        Import = "import",
        /// The carrier reported it.
        Carrier = "carrier",
    }
}

words! {
    /// What an import fills.
    ImportTarget {
        /// A group of contacts.
        Group = "group",
        /// A list of opt-outs.
        OptOuts = "optouts",
    }
}

words! {
    /// Where an import stands.
    ImportStatus {
        /// Its file is read.
        Running = "running",
        /// All of its file was taken.
        Completed = "completed",
        /// It ended before that.
        Failed = "failed",
        /// It was cut off, and may go on.
        Interrupted = "interrupted",
    }
}

impl ImportStatus {
    /// Whether it never changes again.
    pub const fn is_over(self) -> bool {
        matches!(self, Self::Completed | Self::Failed)
    }
}
