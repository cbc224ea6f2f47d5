//! Rows of the platform: announcements, the audit trail, notices, settings.

pub mod announcement;
pub mod audit;
pub mod notice;
pub mod setting;
