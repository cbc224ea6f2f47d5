//! KingsChat as we ask it: whose token this is, tokens for a code, fresh tokens, and delivering a message.
//!
//! It has two generations of interface, and integrators meet both. The first ("sdk") is what the public SDK of 2019
//! speaks: a popup hands tokens to the page. The second ("platform") sends the person away and answers with a code, and
//! knows our application by an API key. Hosts are settings: neither is documented well enough to be trusted to stay.
//!
//! Nothing a browser says about a person is believed. A profile comes from KingsChat itself, for a token
//! that was made for our application.

mod claims;
mod client;
pub mod flow;
pub mod login;
mod profile;

use std::fmt;
use std::time::Duration;

pub use client::{ChatDelivery, KingsChat, Tokens};
pub use profile::ChatProfile;

/// KingsChat's address and our credentials.
#[derive(Clone, Default)]
pub struct KingsChatConfig {
    /// The first generation's pages for people, without a slash at the end.
    pub accounts_url: String,
    /// The first generation's API.
    pub api_url: String,
    /// The second generation's pages for people.
    pub login_url: String,
    /// The second generation's API.
    pub platform_url: String,
    /// The id of our application. Without it KingsChat sign-in is off.
    pub client_id: String,
    /// The second generation's key of our application.
    pub api_key: Option<String>,
    /// As whom the second generation sends messages, where that has to be said.
    pub sender_id: Option<String>,
    /// Take tokens that do not say for which application they were made. Any other application's operator can then
    /// sign in as its users: only for a provider that never names the application.
    pub accept_unbound_tokens: bool,
    /// How long one call may take.
    pub timeout: Duration,
}

impl fmt::Debug for KingsChatConfig {
    /// Without the key.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KingsChatConfig")
            .field("api_url", &self.api_url)
            .field("platform_url", &self.platform_url)
            .field("client_id", &self.client_id)
            .finish_non_exhaustive()
    }
}

/// Why KingsChat gave us nothing. The reasons are for our log: the answer to the client only tells that the sign-in
/// failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ChatError {
    /// The token, code or record is no good; the same will never be.
    #[error("refused: {0}")]
    Refused(String),
    /// Nothing reached KingsChat, or it said to come back: the same may succeed later.
    #[error("not reached: {0}")]
    Unreachable(String),
    /// It was asked and what it did is not known.
    #[error("no clear answer: {0}")]
    Unclear(String),
}

/// Which of the two interfaces a token belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Generation {
    /// The SDK's.
    Sdk,
    /// The developer platform's.
    Platform,
}

#[cfg(test)]
mod tests;
