//! What messages are for that do not say it: an administrator's default of a sender ID, else of the account.
//!
//! What was quoted keeps the purpose that it was quoted with.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use talkdrum_api::purpose::Purpose;
use tokio::sync::OnceCell;

use super::sender_id::{locked, subject};
use crate::account::user::right_to_codes;
use crate::error::{Error, Result};
use crate::model::account::id::UserId;
use crate::model::platform::audit::AuditAction;
use crate::model::sender::id::SenderRecordId;
use crate::platform::audit::{self, Entry};
use crate::store::account::user;
use crate::store::{Store, Tx, sender as table};
use crate::time::Time;

/// How long a default is remembered without asking the database.
const REMEMBERED_FOR: Duration = Duration::from_secs(5);
/// Defaults that are remembered at most.
const REMEMBERED: usize = 10_000;
/// The longest sender there is, in bytes: a number in E.164. A longer one has no default of its own.
const SENDER_BYTES_MAX: usize = 15;

/// Defaults, each remembered for five seconds: single messages need no read of their own for it.
#[derive(Debug, Default)]
pub struct DefaultPurposes(Mutex<HashMap<(UserId, String), Arc<Remembered>>>);

#[derive(Debug)]
struct Remembered {
    until: Time,
    /// Those who ask at once wait for one read.
    purpose: OnceCell<Option<Purpose>>,
}

impl DefaultPurposes {
    /// [`default_purpose`] as it is, or was five seconds ago at most.
    ///
    /// # Errors
    /// Of the database alone.
    pub async fn of(&self, store: &Store, user: UserId, sender: &str, now: Time) -> Result<Option<Purpose>> {
        let sender = if sender.len() > SENDER_BYTES_MAX { "" } else { sender };
        let remembered = self.remembered((user, sender.to_owned()), now);
        let read = async || default_purpose(&mut store.read().await?, user, sender).await;
        remembered.purpose.get_or_try_init(read).await.copied()
    }

    fn remembered(&self, key: (UserId, String), now: Time) -> Arc<Remembered> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = all.get(&key).filter(|known| now < known.until) {
            return Arc::clone(known);
        }
        if all.len() >= REMEMBERED {
            all.retain(|_, known| now < known.until);
        }
        if all.len() >= REMEMBERED {
            all.clear();
        }
        let fresh = Arc::new(Remembered { until: now + REMEMBERED_FOR, purpose: OnceCell::new() });
        all.insert(key, Arc::clone(&fresh));
        fresh
    }

    /// Forgets them all, as one was set.
    pub fn forget(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }
}

/// What a user's messages from a sender are for where neither they nor the API key say it: the sender ID's default, else
/// the account's.
///
/// # Errors
/// Of the database alone.
pub async fn default_purpose(tx: &mut Tx, user: UserId, text: &str) -> Result<Option<Purpose>> {
    table::default_purpose(tx, user, text).await
}

/// Sets an account's default, or takes it (`None`). Nothing is done where it is so already.
///
/// # Errors
/// 404 when there is no such user, or it was deleted; `codes_not_allowed`.
pub async fn set_default_of_user(
    tx: &mut Tx,
    id: UserId,
    purpose: Option<Purpose>,
    by: UserId,
    now: Time,
) -> Result<()> {
    let before = user::lock_purpose(tx, id).await?.ok_or(Error::NotFound("user"))?;
    if before == purpose {
        return Ok(());
    }
    require_right_to(tx, id, purpose).await?;
    user::set_purpose(tx, id, purpose, now).await?;
    let entry = Entry::new(by, AuditAction::UserPurpose, format!("user {id}"));
    record(tx, entry, (before, purpose), now).await
}

/// Sets a sender ID's default, whatever its status, or takes it (`None`). Nothing is done where it is so already.
///
/// # Errors
/// 404 when there is none; `codes_not_allowed`.
pub async fn set_default_of_sender(
    tx: &mut Tx,
    id: SenderRecordId,
    purpose: Option<Purpose>,
    by: UserId,
    now: Time,
) -> Result<()> {
    let before = locked(tx, id).await?;
    if before.purpose == purpose {
        return Ok(());
    }
    require_right_to(tx, before.user_id, purpose).await?;
    table::set_purpose(tx, id, purpose).await?;
    let entry = Entry::new(by, AuditAction::SenderPurpose, subject(&before));
    record(tx, entry, (before.purpose, purpose), now).await
}

/// Codes are no default where they may not be sent.
async fn require_right_to(tx: &mut Tx, user: UserId, purpose: Option<Purpose>) -> Result<()> {
    if purpose == Some(Purpose::Otp) { right_to_codes::require(tx, user).await } else { Ok(()) }
}

async fn record(
    tx: &mut Tx,
    entry: Entry,
    (before, after): (Option<Purpose>, Option<Purpose>),
    now: Time,
) -> Result<()> {
    let entry = entry.before(before.map(Purpose::code)).after(after.map(Purpose::code));
    audit::record(tx, &entry, now).await
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::both_databases;
    use crate::model::account::user::Role;
    use crate::store::Lane;
    use crate::testing::account::make_user;

    const NOW: Time = Time(1_700_000_000_000);

    both_databases! {
        async fn a_default_is_remembered_for_five_seconds_and_what_is_forgotten_is_read_anew(store: Store) {
            let (user, known) = (make_user(&store, "ada", Role::User).await, DefaultPurposes::default());
            let set = async |purpose: Option<Purpose>| {
                let job = store.write(Lane::Interactive, (user, purpose), |tx, (user, purpose)| {
                    Box::pin(set_default_of_user(tx, *user, *purpose, *user, NOW))
                });
                job.await.unwrap();
            };
            let of = async |sender: &str, now: Time| known.of(&store, user, sender, now).await.unwrap();
            assert_eq!(of("WEBSMS", NOW).await, None);
            set(Some(Purpose::Otp)).await;
            let almost = NOW + REMEMBERED_FOR - Duration::from_millis(1);
            assert_eq!((of("WEBSMS", almost).await, of("SHOP", almost).await), (None, Some(Purpose::Otp)));
            assert_eq!(of("WEBSMS", NOW + REMEMBERED_FOR).await, Some(Purpose::Otp));
            set(None).await;
            known.forget();
            assert_eq!(of("WEBSMS", NOW).await, None);
            // However long the senders are that a client names, and however many, what is remembered has a bound.
            for it in 0..REMEMBERED as i64 + 5 {
                known.remembered((UserId(it), String::new()), NOW);
            }
            assert_eq!(of(&"x".repeat(100_000), NOW).await, None);
            let all = known.0.lock().unwrap();
            assert!(all.len() <= REMEMBERED && all.keys().all(|(_, sender)| sender.len() <= SENDER_BYTES_MAX));
        }
    }
}
