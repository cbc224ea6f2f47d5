//! Campaigns: an audience is quoted, the quote is confirmed once, its messages go out, and the report says who got
//! them and what each cost.
//!
//! The way of a message, top down: [`audience`] (who), [`quote`] (how much), [`confirm`] (once), then the workers
//! ([`crate::worker`]) claim, submit and settle; [`control`] pauses, resumes, cancels; [`resolve`] is for what nobody
//! knows; [`report`] reads it all back.
//!
//! The invariant: money leaves a campaign's reserve in the same transaction in which a message's fate is recorded.

pub mod audience;
pub mod breakdown;
pub mod confirm;
pub mod control;
mod desk;
pub mod detour;
pub mod dnd;
pub mod export;
pub mod fact;
#[cfg(test)]
mod fixture;
pub mod guard;
pub mod history;
pub mod hours;
mod launch;
pub mod period;
pub mod progress;
pub mod quote;
mod reason;
pub mod report;
pub mod resend;
pub mod resolve;
pub mod routing;
pub mod search;
pub mod settlement;
pub mod single;
pub mod start;
pub mod status;
pub mod switchboard;
pub mod tally;
pub mod why;

pub use desk::Desk;
