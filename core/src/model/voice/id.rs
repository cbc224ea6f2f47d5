//! The ids of what calls play.

id! {
    /// The id of a recording.
    RecordingId
}
