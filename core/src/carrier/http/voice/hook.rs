//! Webhooks of one carrier of calls: who may call, and what the call says.
//!
//! As for receipts: nothing of a body is looked at before the caller has shown the secret, or is to prove a signature.

use std::fmt;

use hmac::{Hmac, KeyInit as _, Mac as _};
use reqwest::header::HeaderName;
use serde::Deserialize;
use sha2::{Sha256, Sha512};

use super::config::HttpVoiceConfig;
use super::desk::CallDesk;
use super::fields::{CallFields, CallReport};
use crate::carrier::http::hook::{Admission, Callback, Door, HookError};
use crate::carrier::smpp::Secret;

/// How the provider signs the raw body.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
pub(super) enum Algorithm {
    /// HMAC with SHA-256 (RFC 2104).
    #[default]
    #[serde(rename = "hmac-sha256")]
    Sha256,
    /// HMAC with SHA-512.
    #[serde(rename = "hmac-sha512")]
    Sha512,
}

/// The signature that webhooks bear, in hexadecimal.
#[derive(Clone)]
pub(super) struct Signature {
    pub(super) header: HeaderName,
    pub(super) algorithm: Algorithm,
    pub(super) secret: Secret,
}

impl fmt::Debug for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Signature").field("header", &self.header).finish_non_exhaustive()
    }
}

impl Signature {
    fn is_right(&self, callback: &Callback<'_>) -> bool {
        let given = callback.headers.get(&self.header).and_then(|value| value.to_str().ok());
        let given = given.unwrap_or_default().trim();
        // `sha256=...`, as some write it.
        let given = given.split_once('=').map_or(given, |(_, hex)| hex);
        let Ok(given) = hex::decode(given) else { return false };
        let secret = self.secret.reveal().as_bytes();
        // `verify_slice` compares in constant time.
        match self.algorithm {
            Algorithm::Sha256 => Hmac::<Sha256>::new_from_slice(secret)
                .is_ok_and(|mac| mac.chain_update(callback.body).verify_slice(&given).is_ok()),
            Algorithm::Sha512 => Hmac::<Sha512>::new_from_slice(secret)
                .is_ok_and(|mac| mac.chain_update(callback.body).verify_slice(&given).is_ok()),
        }
    }
}

/// The webhooks of a carrier of calls. Every daemon has it, whether it holds the carrier or not.
#[derive(Clone, Debug)]
pub struct CallHook {
    name: String,
    door: Door,
    signature: Option<Signature>,
    fields: CallFields,
    desk: CallDesk,
}

impl CallHook {
    /// The hook of a carrier whose calls are at `desk`.
    pub fn new(config: &HttpVoiceConfig, desk: CallDesk) -> Self {
        Self {
            name: config.name.clone(),
            door: Door(config.link.hook_secret.clone()),
            signature: config.signature.clone(),
            fields: config.call.clone(),
            desk,
        }
    }

    /// The carrier's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Where its calls are.
    pub const fn desk(&self) -> &CallDesk {
        &self.desk
    }

    /// Whether the body is to be read, given the `secret` in the address, if any: [`CallHook::read`] decides.
    pub fn admits(&self, secret: Option<&str>) -> Admission {
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
        let report = self.fields.read(callback);
        if report.id.is_none() && report.ours.is_none() {
            return Err(HookError::Unreadable);
        }
        Ok(report)
    }
}
