//! The workers: what moves messages from the database to the wire and back.
//!
//! A carrier has one [`dispatch::Dispatcher`] (claim, intent, submit) and one [`settle::Settler`] (answers and receipts
//! into rows and money); [`jobs::recovery`] settles what a dead run left in flight, [`jobs::scheduler`] starts
//! campaigns that are due. Each does a bounded piece of work per call and takes the time as an argument; [`runtime`] is
//! the thin loop that drives them, and the simulation makes the same calls itself.
//!
//! Invariant: an intent is stored before its side effect, and the outcome before a receipt is acknowledged or a
//! customer is told.
//!
#![doc = include_str!("../../docs/life-of-a-message.md")]

pub mod breakers;
pub mod dispatch;
mod failover;
mod history;
pub mod jobs;
pub mod runtime;
pub mod settle;
mod went_back;

#[cfg(test)]
mod simulation;
#[cfg(test)]
mod tests;
