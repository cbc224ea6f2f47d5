//! Kinds of personal data, by what they are kept for.

words! {
    /// What is held about people, for a time of its own each. Exports and logs are in no table.
    DataClass {
        /// What was written or said to people.
        Texts = "texts",
        /// Whom it was sent to, and who is not to be sent to.
        Numbers = "numbers",
        /// What became of messages, and who was told.
        Receipts = "receipts",
        /// What handsets sent.
        Inbound = "inbound",
        /// What went over a carrier's wire.
        Traces = "traces",
        /// Of people who sign in, of their money, and of what they were told.
        Account = "account",
    }
}

words! {
    /// What becomes of the rows of a table when the number in them is erased.
    OnErase {
        /// They go.
        Removed = "removed",
        /// They stay with `erased` in the number's place.
        Masked = "masked",
        /// They stay under a keyed digest.
        Digest = "digest",
        /// They stay: they go with an account, or are the books of one.
        Kept = "kept",
    }
}
