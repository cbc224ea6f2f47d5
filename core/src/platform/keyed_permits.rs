//! Work that goes on when its client goes away, at most so much at once for each key and for all: lists that are read and
//! imported for a user, resends of a quote that are confirmed. The requests that are answered do not bound it.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// The keys for which something is done: at most `EACH` at once for each and `IN_ALL` for all; the next one waits.
#[derive(Debug)]
pub struct KeyedPermits<K, const EACH: usize, const IN_ALL: usize = { Semaphore::MAX_PERMITS }> {
    keys: Mutex<HashMap<K, Arc<Semaphore>>>,
    in_all: Arc<Semaphore>,
}

impl<K, const EACH: usize, const IN_ALL: usize> Default for KeyedPermits<K, EACH, IN_ALL> {
    fn default() -> Self {
        Self { keys: Mutex::default(), in_all: Arc::new(Semaphore::new(IN_ALL)) }
    }
}

/// Something that is being done, until this is dropped.
#[derive(Debug)]
pub(crate) struct KeyedPermit {
    _permits: [Option<OwnedSemaphorePermit>; 2],
}

impl<K: Eq + Hash, const EACH: usize, const IN_ALL: usize> KeyedPermits<K, EACH, IN_ALL> {
    /// Waits for a permit of this key, then for one of all. A request that ends while it waits gives its place up. Work that
    /// has a permit asks for no second one.
    pub(crate) async fn begin(&self, key: K) -> KeyedPermit {
        let of_key = {
            let mut keys = self.keys.lock().unwrap_or_else(PoisonError::into_inner);
            keys.retain(|_, permits| Arc::strong_count(permits) > 1);
            Arc::clone(keys.entry(key).or_insert_with(|| Arc::new(Semaphore::new(EACH))))
        };
        // Neither is ever closed. The key's own comes first: those who wait for it hold none of all.
        let own = of_key.acquire_owned().await.ok();
        let of_all = Arc::clone(&self.in_all).acquire_owned().await.ok();
        KeyedPermit { _permits: [own, of_all] }
    }
}

#[cfg(test)]
mod tests {
    use futures::FutureExt as _;

    use super::*;

    #[tokio::test]
    async fn a_third_of_a_key_waits_and_another_key_does_not() {
        let permits = KeyedPermits::<i64, 2>::default();
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
    async fn one_key_never_holds_what_there_is_for_all() {
        let permits = KeyedPermits::<i64, 1, 2>::default();
        let first = permits.begin(1).await;
        let mut waiting = [Box::pin(permits.begin(1)), Box::pin(permits.begin(1))];
        assert!(waiting.iter_mut().all(|it| it.as_mut().now_or_never().is_none()));
        let _second = permits.begin(2).now_or_never().unwrap();
        let mut third = Box::pin(permits.begin(3));
        assert!(third.as_mut().now_or_never().is_none(), "two in all");
        drop(first);
        assert!(third.now_or_never().is_some());
    }

    #[tokio::test]
    async fn keys_without_work_are_forgotten() {
        let permits = KeyedPermits::<i64, 2>::default();
        for user in 0..10 {
            drop(permits.begin(user).await);
        }
        assert_eq!(permits.keys.lock().unwrap().len(), 1);
    }
}
