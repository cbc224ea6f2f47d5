//! Callbacks of one carrier: who may call, and what the call says.
//!
//! Nothing of a body is looked at before the caller has shown the secret or the signature, both compared
//! in constant time.

use std::sync::Arc;

use reqwest::header::HeaderMap;
use subtle::ConstantTimeEq as _;

use super::inbox::Inbox;
use super::link::HttpConfig;
use super::provider::Provider;
pub use super::provider::{Callback, CallbackReport, Report, Said};
use crate::carrier::ConfigSecret;

/// Why a callback is not taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HookError {
    /// Neither the secret nor a signature: the answer tells the caller nothing.
    Unknown,
    /// It is from the provider, and not understood.
    Unreadable,
}

/// What a caller has shown before its body is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HookAdmission {
    /// The secret.
    Shown,
    /// A signature, which the body will prove or not.
    Signed,
    /// Nothing that could make it the provider.
    Refused,
}

/// What a caller has to show: the secret in the address, a signature, or both.
#[derive(Clone, Debug)]
pub(super) struct Door(pub(super) ConfigSecret);

impl Door {
    /// Whether a body is to be read at all; `signs` where the provider signs what it tells.
    pub(super) fn admits(&self, secret: Option<&str>, signs: bool) -> HookAdmission {
        match secret {
            Some(_) if self.shows(secret) => HookAdmission::Shown,
            None if signs => HookAdmission::Signed,
            _ => HookAdmission::Refused,
        }
    }

    /// Whether the body is the provider's; `signed` says whether the signature is right, where the provider signs.
    pub(super) fn opens(&self, secret: Option<&str>, signed: Option<bool>) -> bool {
        let shown = self.shows(secret);
        match signed {
            // A provider that signs must have signed, whatever the address.
            Some(signed) => signed && (shown || secret.is_none()),
            None => shown,
        }
    }

    fn shows(&self, secret: Option<&str>) -> bool {
        let known = self.0.reveal().as_bytes();
        secret.is_some_and(|secret| !known.is_empty() && bool::from(known.ct_eq(secret.as_bytes())))
    }
}

/// The callbacks of a carrier. Every daemon has it, whether it holds the carrier or not.
#[derive(Clone, Debug)]
pub struct Hook {
    name: String,
    door: Door,
    provider: Arc<dyn Provider>,
    inbox: Inbox,
}

impl Hook {
    /// The hook of a carrier whose receipts go to `inbox`.
    pub fn new(config: &HttpConfig, inbox: Inbox) -> Self {
        Self {
            name: config.name.clone(),
            door: Door(config.hook_secret().clone()),
            provider: Arc::clone(&config.provider),
            inbox,
        }
    }

    /// The carrier's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Where its receipts go.
    pub const fn inbox(&self) -> &Inbox {
        &self.inbox
    }

    /// Whether the body of a call is to be read, given the `secret` in its address, if any: [`Hook::read`] decides.
    pub fn admits(&self, secret: Option<&str>, headers: &HeaderMap) -> HookAdmission {
        let is_signed = self.provider.is_signed(&Callback { headers, query: "", body: &[] }).is_some();
        self.door.admits(secret, is_signed)
    }

    /// The receipts and messages of a callback that showed `secret`, or nothing, in its address.
    ///
    /// # Errors
    /// [`HookError`].
    pub fn read(&self, secret: Option<&str>, callback: &Callback<'_>) -> Result<CallbackReport, HookError> {
        if !self.door.opens(secret, self.provider.is_signed(callback)) {
            return Err(HookError::Unknown);
        }
        let messages = self.provider.messages(callback);
        match self.provider.receipts(callback) {
            Some(reports) => Ok(CallbackReport { reports, messages }),
            None if !messages.is_empty() => Ok(CallbackReport { reports: Vec::new(), messages }),
            None => Err(HookError::Unreadable),
        }
    }
}
