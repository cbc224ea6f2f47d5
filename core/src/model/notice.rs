//! Where the platform's own messages stand.

words! {
    /// Where a notice stands.
    Status {
        /// Waits to be handed over.
        Queued = "queued",
        /// In hand.
        Submitting = "submitting",
        /// Handed over.
        Sent = "sent",
        /// Arrived.
        Delivered = "delivered",
        /// Accepted, and it did not arrive.
        Undelivered = "undelivered",
        /// Refused, or given up.
        Failed = "failed",
        /// Of no use any more before it was handed over.
        Expired = "expired",
        /// It may have gone out.
        Unknown = "unknown",
    }
}

words! {
    /// Where a message at KingsChat stands.
    ChatStatus {
        /// Waits to be sent.
        Queued = "queued",
        /// In hand.
        Sending = "sending",
        /// Sent.
        Sent = "sent",
        /// KingsChat does not take it, or the account was unlinked.
        Refused = "refused",
        /// It may have been sent.
        Unknown = "unknown",
        /// Tried often enough.
        Failed = "failed",
    }
}
