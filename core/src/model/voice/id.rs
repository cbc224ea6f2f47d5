//! The ids of recordings and of test calls.

id! {
    /// The id of a recording.
    RecordingId
}

id! {
    /// The id of a test call, as the daemon that places it counts them: no row has it.
    TestCallId
}
