//! The ids of what messages and calls are sent from, and of the calls that verify numbers.

id! {
    /// The id of a sender id's record.
    SenderRecordId
}

id! {
    /// The id of a virtual number, or of a request for one.
    VirtualNumberId
}

id! {
    /// The id of an own number's record.
    OwnNumberId
}

id! {
    /// The id of a call that verifies an own number.
    OwnCallId
}
