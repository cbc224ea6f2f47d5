//! What administrators do to settings: they set texts and secrets, and each change is in the audit trail.
//!
//! Where money goes and by which keys we are known is told to all administrators.

use crate::account::Identity;
use crate::error::{Error, Result};
use crate::model::account::id::UserId;
use crate::model::platform::audit::AuditAction;
use crate::platform::audit::{self, Entry};
use crate::settings::{self, Sealed, Secret, SecretKey, TextKey, Vault};
use crate::store::Tx;
use crate::time::Time;

/// The longest secret, in characters.
const SECRET_MAX: usize = 4_096;

/// Sets a text that was checked, with an audit entry.
///
/// # Errors
/// Those of [`settings::set_text`].
pub async fn change_text(
    tx: &mut Tx,
    identity: &Identity,
    (key, value): (TextKey, &str),
    by: UserId,
    now: Time,
) -> Result<()> {
    let before = settings::set_text(tx, key, value, by, now).await?;
    if key == TextKey::WalletAddress {
        let before = before.as_deref().unwrap_or("none");
        let what = format!(
            "{{}} changed the wallet that ESPEES payments of Talkdrum's customers go to, from {before} to {value}."
        );
        identity.tell_administrators(tx, by, ("Another wallet address", &what), now).await?;
    }
    let entry = Entry::new(by, AuditAction::SettingSet, key.name());
    audit::record(tx, &entry.before(before).after(Some(value)), now).await
}

/// A secret that was checked and sealed, with what of it may be told.
#[derive(Debug)]
pub struct SealedSecret {
    key: SecretKey,
    sealed: Sealed,
    hint: String,
}

impl SealedSecret {
    /// Seals a secret; it may have no blanks inside, and not be longer than any key is. `field` holds it in the request.
    ///
    /// # Errors
    /// `api_key_invalid`; those of [`Vault::seal`].
    pub fn seal(vault: &Vault, key: SecretKey, field: &'static str, text: &str) -> Result<Self> {
        let secret = Secret::new(text);
        let plain = secret.expose().chars().all(|sign| !sign.is_whitespace() && !sign.is_control());
        if !plain || secret.expose().chars().count() > SECRET_MAX {
            return Err(Error::field(
                field,
                "api_key_invalid",
                "A key is one word of at most 4096 characters",
            ));
        }
        Ok(Self { key, sealed: vault.seal(key.name(), &secret)?, hint: secret.hint() })
    }
}

/// Sets secrets together, each with an audit entry.
///
/// # Errors
/// When the database fails.
pub async fn change_secrets(
    tx: &mut Tx,
    (vault, identity): (&Vault, &Identity),
    secrets: &[SealedSecret],
    by: UserId,
    now: Time,
) -> Result<()> {
    for secret in secrets {
        // A secret that cannot be decrypted any more is recorded as one that was set.
        let before = match settings::secret(tx, vault, secret.key).await {
            Ok(before) => before.map(|before| before.hint()),
            Err(Error::Unreadable(_)) => Some("(not readable)".to_owned()),
            Err(error) => return Err(error),
        };
        settings::set_secret(tx, secret.key, &secret.sealed, by, now).await?;
        let entry = Entry::new(by, AuditAction::SettingSet, secret.key.name());
        audit::record(tx, &entry.before(before).after(Some(secret.hint.as_str())), now).await?;
    }
    let named: Vec<_> = secrets.iter().map(|it| format!("{} ({})", it.key.name(), it.hint)).collect();
    let what = format!("{{}} set keys of payment providers or carriers of Talkdrum: {}.", named.join(", "));
    identity.tell_administrators(tx, by, ("Keys of providers were changed", &what), now).await
}
