//! What concerns the platform as a whole: announcements, maintenance, figures, the audit trail, quotas.

pub mod announcement;
pub mod audit;
pub mod figures;
pub mod maintenance;
pub mod quota;
