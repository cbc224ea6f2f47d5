//! What customers are told by HTTP.

pub mod endpoint;
pub mod event;
pub mod id;
pub mod receipt_callback;
