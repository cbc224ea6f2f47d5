//! Rows of money: transfers and accounts, payments, statements.

pub mod ledger;
pub mod payment;
pub mod statement;
pub mod transactions;
