//! talkdrumd: the REST API, the life cycle, the sandbox. A library, so that tests start a daemon in their process.
//!
//! Everything the platform decides is in `talkdrum-core`; this crate turns HTTP into its operations and its errors
//! into problem documents. No handler holds SQL, money arithmetic or a clock of its own.

pub mod api;
pub mod args;
mod carriers;
pub mod command;
pub mod config;
mod console;
mod hook;
pub mod http;
pub mod lifecycle;
pub mod limit;
pub mod maintenance;
mod metric_table;
pub mod peer;
pub mod problem;
pub mod request_metrics;
pub mod sandbox;
pub mod stand_in;
pub mod state;
pub mod telemetry;
#[cfg(test)]
mod testing;

pub use state::{App, AppState};
