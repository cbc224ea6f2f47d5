//! Rows of statistics: traffic by carrier and hour.

pub mod figures;
pub mod hourly;
pub mod traffic;
