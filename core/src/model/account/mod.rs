//! Users, and how they prove who they are.

pub mod api_key;
pub mod chat_refusal;
pub mod code_purpose;
pub mod id;
pub mod user;
