//! Whether maintenance is on, as this daemon remembers it.
//!
//! What was read is remembered for two seconds, so that a busy daemon asks the database rarely. A switch on this daemon
//! takes effect on its next request; other daemons follow within two seconds.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use talkdrum_core::Result;
use talkdrum_core::platform::maintenance::{self, Maintenance};
use talkdrum_core::store::Store;
use talkdrum_core::time::Time;

/// How long the state is remembered without asking the database.
const REMEMBERED_FOR: Duration = Duration::from_secs(2);

/// The state as this daemon remembers it.
#[derive(Debug, Default)]
pub struct Gate {
    remembered: RwLock<Remembered>,
    /// Raised by every `forget`: what was read before it is not remembered after it.
    forgotten: AtomicU64,
}

#[derive(Debug, Default)]
struct Remembered {
    /// The message while it is on.
    message: Option<Arc<str>>,
    until: Time,
}

impl Gate {
    /// The message to users and visitors; `None` while there is no maintenance.
    pub(crate) async fn message(&self, store: &Store, now: Time) -> Result<Option<Arc<str>>> {
        {
            let remembered = self.remembered.read().unwrap_or_else(PoisonError::into_inner);
            if now < remembered.until {
                return Ok(remembered.message.clone());
            }
        }
        let epoch = self.forgotten.load(Ordering::SeqCst);
        let Maintenance { is_on, message, .. } = maintenance::status(&mut store.read().await?).await?;
        let message: Option<Arc<str>> = is_on.then(|| message.into());
        let mut remembered = self.remembered.write().unwrap_or_else(PoisonError::into_inner);
        if self.forgotten.load(Ordering::SeqCst) == epoch {
            *remembered = Remembered { message: message.clone(), until: now + REMEMBERED_FOR };
        }
        Ok(message)
    }

    /// It was switched: the next request asks the database.
    pub fn forget(&self) {
        let mut remembered = self.remembered.write().unwrap_or_else(PoisonError::into_inner);
        self.forgotten.fetch_add(1, Ordering::SeqCst);
        *remembered = Remembered::default();
    }
}
