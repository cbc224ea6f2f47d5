//! Proving that a phone number or an e-mail address is its user's: codes, where they go, and how many.

pub mod code;
pub mod email;
pub mod phone;
