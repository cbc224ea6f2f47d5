//! Settings that are secret: the keys by which we are known to carriers and payment providers.
//!
//! A secret that cannot be opened (the vault's key was lost or is another machine's) stops what needs
//! it with a sentence, and nothing else.

use super::vault::{Sealed, Secret, Vault};
use crate::error::{Error, Result};
use crate::model::account::id::UserId;
use crate::store::Tx;
use crate::store::platform::setting;
use crate::time::Time;

/// A secret setting, under the specification's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SecretKey {
    /// The key of SMS carriers that have none of their own in the configuration.
    SmsApiKey,
    /// Our key at ESPEES.
    EspeeApiKey,
    /// Our secret key at Paystack.
    PaystackSecretKey,
    /// Our public key at Paystack: sealed like the rest, though nothing hangs on it.
    PaystackPublicKey,
}

impl SecretKey {
    /// Every secret setting, in the order in which they are shown.
    pub const ALL: [Self; 4] =
        [Self::SmsApiKey, Self::EspeeApiKey, Self::PaystackSecretKey, Self::PaystackPublicKey];

    /// The specification's name, which is also the key in the database.
    pub const fn name(self) -> &'static str {
        match self {
            Self::SmsApiKey => "smsApiKey",
            Self::EspeeApiKey => "espeeApiKey",
            Self::PaystackSecretKey => "paystack_secret_key",
            Self::PaystackPublicKey => "paystack_public_key",
        }
    }
}

/// A secret that was set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SecretSetting {
    /// The secret.
    pub secret: Secret,
    /// When it was set.
    pub updated_at: Time,
    /// Which admin set it.
    pub updated_by: Option<UserId>,
}

/// A secret with its dates; `None` when it was never set.
///
/// # Errors
/// `secret_unreadable`, see [`Vault::open`].
pub async fn secret_setting(tx: &mut Tx, vault: &Vault, key: SecretKey) -> Result<Option<SecretSetting>> {
    let Some(row) = setting::get(tx, key.name()).await? else { return Ok(None) };
    let secret = vault.open(key.name(), &Sealed(row.value))?;
    Ok(Some(SecretSetting { secret, updated_at: row.updated_at, updated_by: row.updated_by }))
}

/// A secret; `None` when it was never set.
///
/// # Errors
/// `secret_unreadable`, see [`Vault::open`].
pub async fn secret(tx: &mut Tx, vault: &Vault, key: SecretKey) -> Result<Option<Secret>> {
    Ok(secret_setting(tx, vault, key).await?.map(|found| found.secret))
}

/// A secret, or the sentence that refuses what needs it.
///
/// # Errors
/// `secret_unset`, `secret_unreadable`.
pub async fn require_secret(tx: &mut Tx, vault: &Vault, key: SecretKey) -> Result<Secret> {
    secret(tx, vault, key).await?.ok_or_else(|| {
        Error::unavailable(
            "secret_unset",
            format!("{} is not set: an administrator must enter it first", key.name()),
        )
    })
}

/// The names of the secret settings that do not open with this vault's key; without a vault, of all that are set.
pub async fn unreadable(tx: &mut Tx, vault: Option<&Vault>) -> Result<Vec<String>> {
    let mut names = Vec::new();
    for key in SecretKey::ALL {
        let Some(row) = setting::get(tx, key.name()).await? else { continue };
        if vault.is_none_or(|vault| vault.open(key.name(), &Sealed(row.value)).is_err()) {
            names.push(key.name().to_owned());
        }
    }
    Ok(names)
}

/// Sets a secret that was sealed under the key's name: `vault.seal(key.name(), &secret)`.
pub async fn set_secret(tx: &mut Tx, key: SecretKey, sealed: &Sealed, by: UserId, now: Time) -> Result<()> {
    setting::put(tx, key.name(), sealed.as_str(), by, now).await
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::both_databases;
    use crate::entropy::SystemEntropy;
    use crate::model::account::user::Role;
    use crate::store::Lane;
    use crate::testing::account::make_user;

    const KEY: SecretKey = SecretKey::PaystackSecretKey;

    both_databases! {
        async fn a_secret_is_kept_sealed_and_a_lost_key_asks_for_it_again(store: Store) {
            let admin = make_user(&store, "root", Role::Admin).await;
            let vault = Vault::new([1; 32], Arc::new(SystemEntropy));
            let unset = require_secret(&mut store.read().await.unwrap(), &vault, KEY).await.unwrap_err();
            assert_eq!(unset.code(), "secret_unset");
            let sealed = vault.seal(KEY.name(), &Secret::new("sk_live_0123456789")).unwrap();
            store
                .write(Lane::Interactive, (sealed, admin), |tx, (sealed, by)| {
                    Box::pin(set_secret(tx, KEY, sealed, *by, Time(5)))
                })
                .await
                .unwrap();
            let mut tx = store.read().await.unwrap();
            let found = secret_setting(&mut tx, &vault, KEY).await.unwrap().unwrap();
            assert_eq!((found.secret.expose(), found.updated_by), ("sk_live_0123456789", Some(admin)));
            let stored = setting::get(&mut tx, KEY.name()).await.unwrap().unwrap().value;
            assert!(!stored.contains("sk_live"));
            let other = Vault::new([2; 32], Arc::new(SystemEntropy));
            let refused = secret(&mut tx, &other, KEY).await.unwrap_err();
            assert_eq!(refused.code(), "secret_unreadable");
            assert!(refused.to_string().contains("enter it again"));
            assert_eq!(unreadable(&mut tx, Some(&vault)).await.unwrap(), [""; 0]);
            assert_eq!(unreadable(&mut tx, Some(&other)).await.unwrap(), [KEY.name()]);
            assert_eq!(unreadable(&mut tx, None).await.unwrap(), [KEY.name()]);
        }
    }
}
