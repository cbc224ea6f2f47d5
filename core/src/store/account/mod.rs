//! Rows of users: profiles, sessions, API keys, codes, registrations, messages to users, quotas.

pub mod api_key;
pub mod code;
pub mod deletion;
pub mod kingschat;
pub mod legal_hold;
pub mod profile;
pub mod quota;
pub mod registration;
pub mod session;
pub mod user;
pub mod user_message;
