//! Campaigns: an audience is quoted, the quote is confirmed once, its messages go out, and the report says who got
//! them and what each cost.
//!
//! The way of a message, top down: [`audience`] (who), [`quote`] (how much), [`confirm`] (once), then the
//! workers ([`crate::worker`]) claim, submit and settle; [`control`] pauses, resumes, cancels, and resolves unknown
//! messages; [`resend`] quotes again what failed; [`report`] reads it all back, and [`standstill`] says why nothing moves.
//! What is not sent yet is kept by [`draft`], what is written often by [`template`]; [`filled_form`] is a campaign as the
//! form of another.
//!
//! Invariant: money leaves a campaign's reserve in the transaction that records what became of the message.

pub mod audience;
pub mod confirm;
pub mod control;
pub mod dearest;
pub mod draft;
mod erased;
pub mod filled_form;
pub mod quote;
pub mod report;
pub mod resend;
mod service;
pub mod settlement;
pub mod single;
pub mod spending_limit;
pub mod standstill;
pub mod template;

pub use service::CampaignService;
