//! Proving who calls: passwords, sessions, tokens, API keys, and what a fresh proof is needed for.

pub mod api_key;
pub mod caller;
pub mod password;
pub mod password_reset;
pub mod reauthentication;
pub mod session;
pub mod token;
