//! What tests of this crate and of the daemon share: fresh databases and people to fill them with.
//!
//! Every test has a database of its own, so tests run side by side.

#![allow(clippy::expect_used, reason = "what fails here fails the test that asked for it")]

pub mod account;
pub mod builder;
pub mod carrier;
pub mod database;
pub mod doubt;
pub mod mp3;
pub mod notice;
pub mod odds;
pub mod past;
pub mod tally;
pub mod template;

#[cfg(test)]
pub(crate) mod campaign;

#[cfg(test)]
pub(crate) mod identity;

#[cfg(test)]
pub(crate) mod trunk;

#[cfg(test)]
pub(crate) mod worker;
