//! The workers: what moves messages from the database to the wire and back.
//!
//! A carrier has one [`dispatch::Dispatcher`] (claim, intent, submit) and one [`settle::Settler`] (answers and receipts
//! into rows and money); [`rescue`] settles what a dead run left in flight, [`schedule`] starts what is due. Each does a
//! bounded piece of work a call and takes the time as an argument; [`runtime`] is the thin loop that drives them, and
//! the simulation drives the same calls by hand.
//!
//! The invariant: intent is stored before the side effect, and the effect's outcome before anyone is told.

pub mod dispatch;
pub mod jobs;
pub mod runtime;
pub mod settle;
mod went_back;

#[cfg(test)]
mod dispatch_tests;
#[cfg(test)]
mod doubt_tests;
#[cfg(test)]
mod hold_tests;
#[cfg(test)]
mod lock_order_tests;
#[cfg(test)]
mod resolve_tests;
#[cfg(test)]
mod reused_tests;
#[cfg(test)]
mod scattered_tests;
#[cfg(test)]
mod settle_tests;
#[cfg(test)]
mod simulation;
#[cfg(test)]
mod test_run;
#[cfg(test)]
mod waiting_tests;
#[cfg(test)]
mod went_back_tests;
#[cfg(test)]
mod whole_tests;
