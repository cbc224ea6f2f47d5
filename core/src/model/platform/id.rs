//! The ids of what the platform itself keeps.

id! {
    /// The id of an announcement.
    AnnouncementId
}

id! {
    /// The id of a notice: an e-mail or a text message of the platform's own.
    NoticeId
}
