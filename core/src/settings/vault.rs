//! The vault: secrets sealed at rest under a key that lives outside the database.
//!
//! XChaCha20-Poly1305 (draft-irtf-cfrg-xchacha) with a random nonce of 192 bits; the name of what is sealed is bound
//! to it, so that a sealed text moved to another row does not open. Keys for other purposes are derived from the same
//! key with HMAC-SHA256. Neither the key nor a secret appears in logs, errors or debug output.

use std::fmt;
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use chacha20poly1305::aead::{Aead as _, KeyInit as _, Payload};
use chacha20poly1305::{Key, XChaCha20Poly1305, XNonce};
use hmac::{Hmac, Mac as _};
use sha2::Sha256;

use crate::entropy::Entropy;
use crate::error::{Error, Result};
use crate::phone::DigestKey;

/// Bytes of the key.
pub const KEY_BYTES: usize = 32;
/// Bytes of a block of SHA-256.
const BLOCK_BYTES: usize = 64;
/// Bytes of a nonce.
const NONCE_BYTES: usize = 24;
/// What a sealed text begins with: the format.
const FORMAT: &str = "v1:";
/// A secret this short shows nothing of itself.
const SHOWN_FROM: usize = 12;

/// A secret in the clear. `Debug` does not show it.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// A secret, without the blanks that pasting brings along.
    pub fn new(text: &str) -> Self {
        Self(text.trim().to_owned())
    }

    /// The secret itself, for code that must present it.
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// Whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// What people may see of it: `****` and its last four characters, none where it is short.
    pub fn hint(&self) -> String {
        let count = self.0.chars().count();
        let shown: String =
            if count < SHOWN_FROM { String::new() } else { self.0.chars().skip(count - 4).collect() };
        format!("****{shown}")
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(...)")
    }
}

/// A secret as it is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sealed(pub(super) String);

impl Sealed {
    /// As stored in a column of text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<String> for Sealed {
    fn from(stored: String) -> Self {
        Self(stored)
    }
}

/// Seals and opens secrets, and derives keys. Cheap to clone.
#[derive(Clone)]
pub struct Vault {
    key: Arc<[u8; KEY_BYTES]>,
    entropy: Arc<dyn Entropy>,
}

impl fmt::Debug for Vault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Vault(...)")
    }
}

impl Vault {
    /// The vault under a key.
    pub fn new(key: [u8; KEY_BYTES], entropy: Arc<dyn Entropy>) -> Self {
        Self { key: Arc::new(key), entropy }
    }

    /// Seals a secret under the name of what it is, which opening must give again.
    ///
    /// # Errors
    /// Only when it is longer than the cipher can take, which no caller's bound allows.
    pub fn seal(&self, name: &str, secret: &Secret) -> Result<Sealed> {
        let mut nonce = [0; NONCE_BYTES];
        self.entropy.fill(&mut nonce);
        let payload = Payload { msg: secret.0.as_bytes(), aad: name.as_bytes() };
        let sealed = self
            .cipher()
            .encrypt(&XNonce::from(nonce), payload)
            .map_err(|_| Error::rule("secret_long", "This secret is too long to be kept"))?;
        Ok(Sealed(format!("{FORMAT}{}", STANDARD_NO_PAD.encode([&nonce[..], &sealed].concat()))))
    }

    /// Opens what was sealed under this name.
    ///
    /// # Errors
    /// `secret_unreadable` when the key is another one or the text was changed: the secret has to be entered again.
    pub fn open(&self, name: &str, sealed: &Sealed) -> Result<Secret> {
        let unreadable = || Error::Unreadable(name.to_owned());
        let text = sealed.0.strip_prefix(FORMAT).ok_or_else(unreadable)?;
        let bytes = STANDARD_NO_PAD.decode(text).map_err(|_| unreadable())?;
        let (nonce, body) = bytes.split_first_chunk::<NONCE_BYTES>().ok_or_else(unreadable)?;
        let payload = Payload { msg: body, aad: name.as_bytes() };
        let plain = self.cipher().decrypt(&XNonce::from(*nonce), payload).map_err(|_| unreadable())?;
        String::from_utf8(plain).map(Secret).map_err(|_| unreadable())
    }

    /// HMAC-SHA256 of `data` under a key of this purpose's own: for codes and addresses that must not be guessable
    /// from the database alone.
    pub fn hmac(&self, purpose: &str, data: &[u8]) -> [u8; 32] {
        let key = mac(&self.key, &[b"talkdrum ", purpose.as_bytes()]);
        mac(&key, &[data])
    }

    /// The key under which erased numbers are digested.
    pub fn digest_key(&self) -> DigestKey {
        let derived = self.hmac("erased numbers", b"");
        DigestKey::new(std::array::from_fn(|byte| derived[byte]))
    }

    fn cipher(&self) -> XChaCha20Poly1305 {
        XChaCha20Poly1305::new(&Key::from(self.hmac("seal", b"")))
    }
}

fn mac(key: &[u8; KEY_BYTES], parts: &[&[u8]]) -> [u8; 32] {
    // HMAC fills a key shorter than a block of the hash with zeros; giving it filled cannot fail.
    let mut block = [0; BLOCK_BYTES];
    block[..KEY_BYTES].copy_from_slice(key);
    let mut mac = Hmac::<Sha256>::new(&block.into());
    for part in parts {
        mac.update(part);
    }
    mac.finalize().into_bytes().into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entropy::SystemEntropy;

    fn vault(byte: u8) -> Vault {
        Vault::new([byte; KEY_BYTES], Arc::new(SystemEntropy))
    }

    #[test]
    fn what_is_sealed_opens_under_its_own_name_and_key_only() {
        let secret = Secret::new(" sk_live_0123456789 ");
        let sealed = vault(1).seal("paystack", &secret).unwrap();
        assert!(!sealed.as_str().contains("sk_live"));
        assert_eq!(vault(1).open("paystack", &sealed).unwrap().expose(), "sk_live_0123456789");
        assert_eq!(vault(1).open("espees", &sealed).unwrap_err().code(), "secret_unreadable");
        assert_eq!(vault(2).open("paystack", &sealed).unwrap_err().code(), "secret_unreadable");
        assert_ne!(vault(1).seal("paystack", &secret).unwrap(), sealed, "the nonce is new each time");
    }

    #[test]
    fn a_changed_or_damaged_text_does_not_open() {
        let sealed = vault(1).seal("paystack", &Secret::new("sk_live_0123456789")).unwrap();
        let mut changed = sealed.0.into_bytes();
        let last = changed.len() - 3;
        changed[last] = if changed[last] == b'A' { b'B' } else { b'A' };
        for damaged in [String::from_utf8(changed).unwrap(), "v1:".into(), "v1:??".into(), "plain".into()] {
            assert_eq!(vault(1).open("paystack", &Sealed(damaged)).unwrap_err().code(), "secret_unreadable");
        }
    }

    #[test]
    fn people_see_four_characters_of_a_long_secret_and_none_of_a_short_one() {
        assert_eq!(Secret::new("sk_live_0123456789").hint(), "****6789");
        assert_eq!(Secret::new("12345678").hint(), "****");
        assert_eq!(format!("{:?} {:?}", Secret::new("hunter2"), vault(1)), "Secret(...) Vault(...)");
    }

    #[test]
    fn each_purpose_has_a_key_of_its_own() {
        assert_eq!(vault(1).hmac("code", b"123456"), vault(1).hmac("code", b"123456"));
        assert_ne!(vault(1).hmac("code", b"123456"), vault(1).hmac("hook", b"123456"));
        assert_ne!(vault(1).hmac("code", b"123456"), vault(2).hmac("code", b"123456"));
    }
}
