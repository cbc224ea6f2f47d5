//! The ids of what messages and calls are sent from, and of the calls that verify numbers.

id! {
    /// The id of the row of a sender id, the text that messages show.
    SenderRecordId
}

id! {
    /// The id of a virtual number, or of a request for one.
    VirtualNumberId
}

id! {
    /// The id of the row of a number of the user's own, which calls and messages may show.
    OwnNumberId
}

id! {
    /// The id of a call that verifies an own number.
    OwnCallId
}
