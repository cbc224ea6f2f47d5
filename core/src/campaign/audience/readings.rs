//! The lists that are being read for each user.
//!
//! Reading a list goes on when the client goes away, and so it is not bounded by the requests that are answered. The
//! invariant: at most [`AT_ONCE`] lists of a user are read at once, whatever their requests did meanwhile.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Lists of a user that are read at once; the next one waits.
const AT_ONCE: usize = 2;

/// The users whose lists are being read.
#[derive(Debug, Default)]
pub struct Readings(Mutex<HashMap<i64, Arc<Semaphore>>>);

/// A list that is being read, until this is dropped.
#[derive(Debug)]
pub(crate) struct Reading {
    _permit: Option<OwnedSemaphorePermit>,
}

impl Readings {
    /// Waits until another list of this user may be read. A request that ends while it waits gives its place up.
    pub(crate) async fn begin(&self, user: i64) -> Reading {
        let of_user = {
            let mut users = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            users.retain(|_, lists| Arc::strong_count(lists) > 1);
            Arc::clone(users.entry(user).or_insert_with(|| Arc::new(Semaphore::new(AT_ONCE))))
        };
        // It is never closed.
        Reading { _permit: of_user.acquire_owned().await.ok() }
    }
}

#[cfg(test)]
mod tests {
    use futures::FutureExt as _;

    use super::*;

    #[tokio::test]
    async fn a_third_list_of_a_user_waits_and_another_users_does_not() {
        let readings = Readings::default();
        let first = readings.begin(1).await;
        let _second = readings.begin(1).await;
        {
            let mut third = Box::pin(readings.begin(1));
            assert!(third.as_mut().now_or_never().is_none());
            assert!(readings.begin(2).now_or_never().is_some());
            drop(first);
            assert!(third.now_or_never().is_some());
        }
    }

    #[tokio::test]
    async fn users_whose_lists_were_read_are_forgotten() {
        let readings = Readings::default();
        for user in 0..10 {
            drop(readings.begin(user).await);
        }
        assert_eq!(readings.0.lock().unwrap().len(), 1);
    }
}
