//! Rows of the platform: announcements, the audit trail, notices, rates, settings.

pub mod announcement;
pub mod audit;
pub mod notice;
pub mod rate;
pub mod setting;
