//! Settings that are plain text: addresses, numbers, the pricing write-up.
//!
//! The caller that sets a text has checked it; nothing here knows what a good one is but its length.

use crate::error::{Error, Result};
use crate::model::account::id::UserId;
use crate::store::Tx;
use crate::store::platform::setting::{self, SettingRow};
use crate::time::Time;

/// The longest text of a setting, in bytes.
const LONGEST_BYTES: usize = 256 * 1024;

/// A text setting, under the specification's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextKey {
    /// Where ESPEES payments go: `0x...`.
    WalletAddress,
    /// The business's postal address.
    ContactAddress,
    /// The address that visitors write to.
    ContactEmail,
    /// The number that visitors call.
    ContactPhone,
    /// The administrator's own number, the second of the contact numbers.
    AdminNumber,
    /// The pricing write-up, sanitised HTML.
    AboutUs,
}

impl TextKey {
    /// The specification's name, which is also the key in the database.
    pub const fn name(self) -> &'static str {
        match self {
            Self::WalletAddress => "wallet-Address",
            Self::ContactAddress => "Contact-address",
            Self::ContactEmail => "Contact-email",
            Self::ContactPhone => "Contact-phone",
            Self::AdminNumber => "Admin-Number",
            Self::AboutUs => "About-Us",
        }
    }
}

/// A text; `None` when it was never set, or cleared.
pub async fn text(tx: &mut Tx, key: TextKey) -> Result<Option<SettingRow>> {
    setting::get(tx, key.name()).await
}

/// Sets a text and returns what was there before.
///
/// # Errors
/// A rule when it is longer than 256 KiB.
pub async fn set_text(
    tx: &mut Tx,
    key: TextKey,
    value: &str,
    by: UserId,
    now: Time,
) -> Result<Option<String>> {
    if value.len() > LONGEST_BYTES {
        return Err(Error::rule("setting_long", "The text is longer than 256 KiB: shorten it"));
    }
    let before = setting::get(tx, key.name()).await?.map(|row| row.value);
    setting::put(tx, key.name(), value, by, now).await?;
    Ok(before)
}

/// Makes a text unset and returns what was there before.
pub async fn clear_text(tx: &mut Tx, key: TextKey) -> Result<Option<String>> {
    let before = setting::get(tx, key.name()).await?.map(|row| row.value);
    setting::remove(tx, key.name()).await?;
    Ok(before)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::both_databases;
    use crate::model::account::user::Role;
    use crate::store::Lane;
    use crate::testing::account::make_user;

    both_databases! {
        async fn a_text_is_set_overwritten_and_cleared(store: Store) {
            let admin = make_user(&store, "root", Role::Admin).await;
            let set = async |value: &'static str| {
                store
                    .write(Lane::Interactive, (value, admin), |tx, (value, by)| {
                        Box::pin(set_text(tx, TextKey::ContactEmail, value, *by, Time(7)))
                    })
                    .await
                    .unwrap()
            };
            assert_eq!(set("a@example.com").await, None);
            assert_eq!(set("b@example.com").await.as_deref(), Some("a@example.com"));
            let found = text(&mut store.read().await.unwrap(), TextKey::ContactEmail).await.unwrap().unwrap();
            assert_eq!((found.value.as_str(), found.updated_by), ("b@example.com", Some(admin)));
            let before = store
                .write(Lane::Interactive, (), |tx, ()| Box::pin(clear_text(tx, TextKey::ContactEmail)))
                .await
                .unwrap();
            assert_eq!(before.as_deref(), Some("b@example.com"));
            assert_eq!(text(&mut store.read().await.unwrap(), TextKey::ContactEmail).await.unwrap(), None);
        }
    }
}
