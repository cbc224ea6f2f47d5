//! A copy of the opt-outs in memory, for lists of millions: as many bytes as [`Seen`] takes, and one read of two keys to
//! know that it is whole.
//!
//! A copy with the database's version holds every number that the database holds under that version.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use crate::error::Result;
use crate::phone::{Msisdn, Seen};
use crate::store::Store;
use crate::store::contact::suppression as table;
use crate::store::contact::suppression::{PLATFORM, ScopeRow};

/// Scopes that are kept; a platform's, and those of the users who sent last.
const SCOPES_KEPT: usize = 64;
/// Numbers read at a time.
const SLICE: i64 = 50_000;

/// The copies of this process.
#[derive(Debug, Default)]
pub struct OptOuts {
    scopes: Mutex<HashMap<i64, Arc<Copy>>>,
}

/// The numbers of one scope.
#[derive(Clone, Debug, Default)]
struct Copy {
    figures: ScopeRow,
    /// The greatest id among them.
    last_id: i64,
    numbers: Seen,
}

/// Whom a user may not write to, as of a version of the lists.
#[derive(Clone, Debug, Default)]
pub struct Snapshot {
    version: i64,
    platform: Arc<Copy>,
    own: Arc<Copy>,
}

impl Snapshot {
    /// Moves with every change of either list.
    pub const fn version(&self) -> i64 {
        self.version
    }

    /// Whether it is empty.
    pub fn is_empty(&self) -> bool {
        self.platform.numbers.is_empty() && self.own.numbers.is_empty()
    }

    /// Whether a number opted out.
    #[inline]
    pub fn contains(&self, number: Msisdn) -> bool {
        let has = |copy: &Copy| !copy.numbers.is_empty() && copy.numbers.contains(number);
        has(&self.own) || has(&self.platform)
    }
}

impl OptOuts {
    /// Whom a user may not write to now.
    pub async fn of(&self, store: &Store, user: i64) -> Result<Snapshot> {
        let figures = table::scopes(&mut store.read().await?, user).await?;
        let of = |scope: i64| {
            let none = ScopeRow { scope, ..ScopeRow::default() };
            figures.iter().copied().find(|row| row.scope == scope).unwrap_or(none)
        };
        self.at(store, [of(PLATFORM), of(user)]).await
    }

    /// The same for who has read the figures of both scopes, the platform's and the user's.
    pub async fn at(&self, store: &Store, [platform, own]: [ScopeRow; 2]) -> Result<Snapshot> {
        Ok(Snapshot {
            version: platform.version + own.version,
            platform: self.copy(store, platform).await?,
            own: self.copy(store, own).await?,
        })
    }

    /// The copy of a scope, brought up to date: by what was added, unless something was removed.
    async fn copy(&self, store: &Store, now: ScopeRow) -> Result<Arc<Copy>> {
        let held = self.held().get(&now.scope).cloned();
        if let Some(held) = &held
            && held.figures == now
        {
            return Ok(Arc::clone(held));
        }
        if now.version == 0 {
            return Ok(Arc::default());
        }
        let mut copy = match held {
            Some(held) if held.figures.removals == now.removals && held.figures.version < now.version => {
                Copy::clone(&held)
            }
            _ => Copy {
                numbers: Seen::with_capacity(usize::try_from(now.numbers).unwrap_or(0)),
                ..Copy::default()
            },
        };
        copy.figures = now;
        loop {
            let added = table::added_after(&mut store.read().await?, now.scope, copy.last_id, SLICE).await?;
            let Some((last, _)) = added.last() else { break };
            copy.last_id = *last;
            for number in added.iter().filter_map(|(_, number)| Msisdn::from_digits(number.cast_unsigned())) {
                copy.numbers.insert(number);
            }
        }
        let copy = Arc::new(copy);
        let mut held = self.held();
        if held.len() >= SCOPES_KEPT && !held.contains_key(&now.scope) {
            held.retain(|scope, _| *scope == PLATFORM);
        }
        held.insert(now.scope, Arc::clone(&copy));
        Ok(copy)
    }

    fn held(&self) -> std::sync::MutexGuard<'_, HashMap<i64, Arc<Copy>>> {
        self.scopes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::both_databases;
    use crate::contact::suppression::{Scope, Source, add, is_suppressed_many, remove};
    use crate::store::Lane;
    use crate::time::Time;

    const NOW: Time = Time(1_700_000_000_000);

    fn number(last: u64) -> Msisdn {
        Msisdn::from_digits(2_348_030_000_000 + last).unwrap()
    }

    async fn put(store: &Store, scope: Scope, last: u64) -> bool {
        let input = (scope, number(last));
        let job = store.write(Lane::Interactive, input, |tx, (scope, number)| {
            Box::pin(add(tx, *scope, *number, Source::Manual, NOW))
        });
        job.await.unwrap()
    }

    async fn take(store: &Store, scope: Scope, last: u64) -> bool {
        let input = (scope, number(last));
        let job = store
            .write(Lane::Interactive, input, |tx, (scope, number)| Box::pin(remove(tx, *scope, *number)));
        job.await.unwrap()
    }

    both_databases! {
        async fn the_copy_follows_what_is_added_and_removed_in_either_list(store: Store) {
            let copies = OptOuts::default();
            assert!(copies.of(&store, 7).await.unwrap().is_empty());
            assert!(put(&store, Scope::Platform, 1).await);
            assert!(!put(&store, Scope::Platform, 1).await, "once");
            assert!(put(&store, Scope::User(7), 2).await);
            assert!(put(&store, Scope::User(8), 3).await);
            let first = copies.of(&store, 7).await.unwrap();
            let held = |snapshot: &Snapshot| [1, 2, 3].map(|last| snapshot.contains(number(last)));
            assert_eq!(held(&first), [true, true, false]);
            assert!(put(&store, Scope::User(7), 3).await);
            assert!(take(&store, Scope::Platform, 1).await);
            assert!(!take(&store, Scope::Platform, 1).await);
            let second = copies.of(&store, 7).await.unwrap();
            assert_eq!(held(&second), [false, true, true]);
            assert!(second.version() > first.version());
            assert_eq!(copies.of(&store, 7).await.unwrap().version(), second.version());
            let mut tx = store.read().await.unwrap();
            let asked = [number(1), number(2), number(3), number(2)];
            assert_eq!(is_suppressed_many(&mut tx, 7, &asked).await.unwrap(), [number(2), number(3)]);
        }
    }
}
