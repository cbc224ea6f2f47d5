//! The ids of what calls play, and of calls that try it.

id! {
    /// The id of a recording.
    RecordingId
}

id! {
    /// The id of a test call.
    TestCallId
}
