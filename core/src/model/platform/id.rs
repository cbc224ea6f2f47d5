//! The ids of what the platform itself keeps.

id! {
    /// The id of an announcement.
    AnnouncementId
}
