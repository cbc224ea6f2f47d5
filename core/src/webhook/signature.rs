//! Signatures as Standard Webhooks defines them: `webhook-id`, `webhook-timestamp` and `webhook-signature`, the last
//! an HMAC-SHA256 over `id.timestamp.body` under a secret written as `whsec_` and Base64.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;

use crate::entropy::Entropy;
use crate::error::{Error, Result};
use crate::settings::Secret;

/// What a secret begins with.
const PREFIX: &str = "whsec_";
/// Random bytes in a secret: Standard Webhooks asks for 24 to 64.
const RANDOM_BYTES: usize = 32;

/// The secret under which requests to one address are signed. `Debug` does not show it.
#[derive(Clone, PartialEq, Eq)]
pub struct SigningSecret(Vec<u8>);

impl fmt::Debug for SigningSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SigningSecret(...)")
    }
}

impl SigningSecret {
    /// A new one.
    pub fn new(entropy: &dyn Entropy) -> Self {
        let mut bytes = vec![0; RANDOM_BYTES];
        entropy.fill(&mut bytes);
        Self(bytes)
    }

    /// As its owner gets it, and as the vault keeps it.
    pub fn to_secret(&self) -> Secret {
        Secret::new(&format!("{PREFIX}{}", STANDARD.encode(&self.0)))
    }

    /// The secret that the vault kept.
    ///
    /// # Errors
    /// When it is none.
    pub fn from_secret(secret: &Secret) -> Result<Self> {
        secret
            .expose()
            .strip_prefix(PREFIX)
            .and_then(|text| STANDARD.decode(text).ok())
            .map(Self)
            .ok_or_else(|| Error::Corrupt("a webhook's secret cannot be read".into()))
    }

    /// The signature of a request, with its version.
    ///
    /// # Errors
    /// Never: HMAC takes keys of any length.
    pub fn sign(&self, id: &str, timestamp_s: i64, body: &str) -> Result<String> {
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.0)
            .map_err(|_| Error::Corrupt("a webhook's secret cannot sign".into()))?;
        mac.update(format!("{id}.{timestamp_s}.").as_bytes());
        mac.update(body.as_bytes());
        Ok(format!("v1,{}", STANDARD.encode(mac.finalize().into_bytes())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entropy::SystemEntropy;

    #[test]
    fn the_signature_is_what_another_implementation_computes() {
        // Computed with Python's hmac and base64 modules.
        let secret = Secret::new("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");
        let secret = SigningSecret::from_secret(&secret).unwrap();
        let signed = secret.sign("msg_p5jXN8AQM9LWM0D4loKWxJek", 1_614_265_330, r#"{"test": 2432232314}"#);
        assert_eq!(signed.unwrap(), "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
    }

    #[test]
    fn a_secret_survives_the_vault_and_does_not_show_itself() {
        let made = SigningSecret::new(&SystemEntropy);
        assert_eq!(SigningSecret::from_secret(&made.to_secret()).unwrap(), made);
        assert_eq!(format!("{made:?}"), "SigningSecret(...)");
        assert!(SigningSecret::from_secret(&Secret::new("whsec_???")).is_err());
    }
}
