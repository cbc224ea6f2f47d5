//! The ids of what the platform itself keeps.

id! {
    /// The id of an announcement.
    AnnouncementId
}

id! {
    /// The id of a notice: an e-mail or a text message of the platform's own.
    NoticeId
}

id! {
    /// The id of a run, one start of the daemon: the moment of the start, in milliseconds, or more. It only grows.
    RunId
}

id! {
    /// The id of an entry of the audit trail.
    AuditEntryId
}
