//! What concerns the platform as a whole: announcements, maintenance, figures, the audit trail, quotas, and
//! how much is done at once for one user and for all.

pub mod announcement;
pub mod audit;
pub mod figures;
pub mod keyed_permits;
pub mod maintenance;
pub mod quota;
pub(crate) mod run_to_end;
