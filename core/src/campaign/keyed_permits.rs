//! Work that goes on when its client goes away, at most so much at once for each key: lists that are read for a user,
//! resends of a quote that are confirmed. The requests that are answered do not bound it.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// The keys for which something is done: at most `AT_ONCE` for each at once; the next one waits.
#[derive(Debug, Default)]
pub struct KeyedPermits<const AT_ONCE: usize>(Mutex<HashMap<i64, Arc<Semaphore>>>);

/// Something that is being done, until this is dropped.
#[derive(Debug)]
pub(crate) struct KeyedPermit {
    _permit: Option<OwnedSemaphorePermit>,
}

impl<const AT_ONCE: usize> KeyedPermits<AT_ONCE> {
    /// Waits for a permit of this key. A request that ends while it waits gives its place up.
    pub(crate) async fn begin(&self, key: i64) -> KeyedPermit {
        let of_key = {
            let mut keys = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            keys.retain(|_, permits| Arc::strong_count(permits) > 1);
            Arc::clone(keys.entry(key).or_insert_with(|| Arc::new(Semaphore::new(AT_ONCE))))
        };
        // It is never closed.
        KeyedPermit { _permit: of_key.acquire_owned().await.ok() }
    }
}

#[cfg(test)]
mod tests {
    use futures::FutureExt as _;

    use super::*;

    #[tokio::test]
    async fn a_third_of_a_key_waits_and_another_key_does_not() {
        let permits = KeyedPermits::<2>::default();
        let first = permits.begin(1).await;
        let _second = permits.begin(1).await;
        {
            let mut third = Box::pin(permits.begin(1));
            assert!(third.as_mut().now_or_never().is_none());
            assert!(permits.begin(2).now_or_never().is_some());
            drop(first);
            assert!(third.now_or_never().is_some());
        }
    }

    #[tokio::test]
    async fn keys_without_work_are_forgotten() {
        let permits = KeyedPermits::<2>::default();
        for user in 0..10 {
            drop(permits.begin(user).await);
        }
        assert_eq!(permits.0.lock().unwrap().len(), 1);
    }
}
