//! Money: ledger terms, payments, what a page costs.

pub mod ledger;
pub mod payment;
pub mod rate;
