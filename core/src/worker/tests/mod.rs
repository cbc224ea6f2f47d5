//! The workers by hand, a step at a time, on both databases.

mod breaker;
mod breaker_and_spares;
mod calls;
mod canary;
mod deferred_receipts;
mod dispatch;
mod doubt;
mod expiry;
mod failover;
mod failover_of_texts;
mod hold;
mod kept_back;
mod late_call;
mod leases;
mod lock_order;
mod opt_outs;
mod refuses_all;
mod resolve;
mod reused;
mod settle;
mod small_chunks;
mod waiting;
mod went_back;
