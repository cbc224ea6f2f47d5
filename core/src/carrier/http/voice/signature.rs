//! How webhooks are signed.

use std::fmt;

use hmac::{Hmac, KeyInit as _, Mac as _};
use reqwest::header::HeaderName;
use serde::Deserialize;
use sha2::{Sha256, Sha512};

use crate::carrier::ConfigSecret;
use crate::carrier::http::hook::Callback;

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
    pub(super) secret: ConfigSecret,
}

impl fmt::Debug for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Signature").field("header", &self.header).finish_non_exhaustive()
    }
}

impl Signature {
    pub(super) fn is_right(&self, callback: &Callback<'_>) -> bool {
        let given = callback.headers.get(&self.header).and_then(|value| value.to_str().ok());
        let given = given.unwrap_or_default().trim();
        // `sha256=...`, as some write it.
        let given = given.split_once('=').map_or(given, |(_, hex)| hex);
        let Ok(given) = hex::decode(given) else { return false };
        let secret = self.secret.reveal().as_bytes();
        if secret.is_empty() {
            return false;
        }
        // `verify_slice` compares in constant time.
        match self.algorithm {
            Algorithm::Sha256 => Hmac::<Sha256>::new_from_slice(secret)
                .is_ok_and(|mac| mac.chain_update(callback.body).verify_slice(&given).is_ok()),
            Algorithm::Sha512 => Hmac::<Sha512>::new_from_slice(secret)
                .is_ok_and(|mac| mac.chain_update(callback.body).verify_slice(&given).is_ok()),
        }
    }
}
