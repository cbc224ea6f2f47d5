//! Webhooks of one carrier of calls: who may call, and what the call says.
//!
//! As for receipts: nothing of a body is looked at before the caller has shown the secret, or is to prove a signature.

use super::call_inbox::CallInbox;
use super::config::HttpVoiceConfig;
use super::fields::{CallFields, CallReport};
use super::signature::Signature;
use crate::carrier::http::hook::{Callback, Door, HookAdmission, HookError};

/// The webhooks of a carrier of calls. Every daemon has it, whether it holds the carrier or not.
#[derive(Clone, Debug)]
pub struct CallHook {
    name: String,
    door: Door,
    signature: Option<Signature>,
    fields: CallFields,
    inbox: CallInbox,
    ends_calls: bool,
}

impl CallHook {
    /// The hook of a carrier whose webhooks come to `inbox`. Where a file with its secrets cannot be read no signature is right,
    /// and starting the carrier says why.
    pub fn new(config: &HttpVoiceConfig, inbox: CallInbox) -> Self {
        let signature = match config.clone().with_secrets() {
            Ok(config) => config.signature,
            Err(_) => config.signature.clone(),
        };
        Self {
            name: config.name.clone(),
            door: Door(config.link.hook_secret.clone()),
            signature,
            fields: config.call.clone(),
            inbox,
            ends_calls: config.cancel.is_some(),
        }
    }

    /// The carrier's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether the provider can be asked to end a call.
    pub const fn ends_calls(&self) -> bool {
        self.ends_calls
    }

    /// Where reports on its calls come in.
    pub const fn inbox(&self) -> &CallInbox {
        &self.inbox
    }

    /// Whether the body is to be read, given the `secret` in the address, if any: [`CallHook::read`] decides.
    pub fn admits(&self, secret: Option<&str>) -> HookAdmission {
        self.door.admits(secret, self.signature.is_some())
    }

    /// What a webhook tells that showed `secret`, or nothing, in its address.
    ///
    /// # Errors
    /// [`HookError`]. What names no call is not understood.
    pub fn read(&self, secret: Option<&str>, callback: &Callback<'_>) -> Result<CallReport, HookError> {
        let signed = self.signature.as_ref().map(|signature| signature.is_right(callback));
        if !self.door.opens(secret, signed) {
            return Err(HookError::Unknown);
        }
        // A signature is of the body alone: what stands beside it in the address is not the provider's.
        let signed = Callback { query: "", ..*callback };
        let report = self.fields.read(if self.signature.is_some() { &signed } else { callback });
        if report.id.is_none() && report.ours.is_none() {
            return Err(HookError::Unreadable);
        }
        Ok(report)
    }
}
