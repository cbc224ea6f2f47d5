//! A copy of the opt-outs in memory, for lists of millions: as many bytes as [`SeenNumbers`] takes, and one read of two keys to
//! know that it is whole.
//!
//! A copy with the database's version holds every number that the database holds under that version. One copy of a scope
//! is made at a time, and the others who need it wait: of ten million numbers it takes 22 to 33 MiB where they are
//! Nigeria's, and 128 where they are scattered over the world.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use talkdrum_api::purpose::{OptOutReach, Purpose};
use tokio::sync::Semaphore;

use crate::error::{Error, Result};
use crate::model::account::id::UserId;
use crate::model::contact::id::SuppressionId;
use crate::phone::{DigestKey, Msisdn, SeenNumbers};
use crate::store::Store;
use crate::store::contact::suppression as table;
use crate::store::contact::suppression::{PLATFORM, ScopeRow};

/// Scopes that are kept; a platform's, and those of the users who sent last.
const SCOPES_KEPT: usize = 64;
/// Bytes of the users' copies that are kept.
const BYTES_KEPT: usize = 256 << 20;
/// A copy of more numbers than this is a large one.
const LARGE: i64 = 500_000;
/// Large copies that are made at once.
const LARGE_AT_ONCE: usize = 2;
/// Numbers read at a time.
const SLICE: i64 = 50_000;

/// The copies of this process.
#[derive(Debug)]
pub struct OptOuts {
    scopes: Mutex<HashMap<i64, ScopeCopy>>,
    large: Semaphore,
}

impl Default for OptOuts {
    fn default() -> Self {
        Self { scopes: Mutex::default(), large: Semaphore::new(LARGE_AT_ONCE) }
    }
}

/// The copy of a scope, once there is one, and the turn to make the next.
#[derive(Clone, Debug, Default)]
struct ScopeCopy {
    copy: Option<Arc<Copy>>,
    turn: Arc<tokio::sync::Mutex<()>>,
}

/// The numbers of one scope.
#[derive(Clone, Debug)]
struct Copy {
    figures: ScopeRow,
    /// The greatest id among them, [`SuppressionId::BEFORE_ALL`] while there are none.
    last_id: SuppressionId,
    /// Those that get no promotional messages. A number is in one of the sets.
    promotional: SeenNumbers,
    /// Those that get none but codes.
    all: SeenNumbers,
    /// Those whose number was erased, by its digest.
    erased: HashMap<i64, OptOutReach>,
    /// The key of the digests.
    digest_key: Option<DigestKey>,
}

impl Default for Copy {
    fn default() -> Self {
        Self {
            figures: ScopeRow::default(),
            last_id: SuppressionId::BEFORE_ALL,
            promotional: SeenNumbers::default(),
            all: SeenNumbers::default(),
            erased: HashMap::new(),
            digest_key: None,
        }
    }
}

/// Bytes that an erased number takes, roughly.
const ERASED_BYTES: usize = 32;

impl Copy {
    fn is_empty(&self) -> bool {
        self.promotional.is_empty() && self.all.is_empty() && self.erased.is_empty()
    }

    #[inline]
    fn ends(&self, number: Msisdn, purpose: Purpose) -> bool {
        let has = |numbers: &SeenNumbers| !numbers.is_empty() && numbers.contains(number);
        let is_ended = match purpose {
            Purpose::Promotional => has(&self.promotional) || has(&self.all),
            Purpose::Transactional => has(&self.all),
            Purpose::Otp => false,
        };
        is_ended || !self.erased.is_empty() && self.ends_erased(number, purpose)
    }

    fn ends_erased(&self, number: Msisdn, purpose: Purpose) -> bool {
        let found = self.digest_key.and_then(|key| self.erased.get(&key.digest(number)));
        found.is_some_and(|reach| reach.ends(purpose))
    }

    fn bytes(&self) -> usize {
        self.promotional.bytes() + self.all.bytes() + self.erased.len() * ERASED_BYTES
    }
}

/// Whom a user may not write to, as of a version of the lists.
#[derive(Clone, Debug, Default)]
pub struct OptOutSnapshot {
    version: i64,
    platform: Arc<Copy>,
    own: Arc<Copy>,
}

impl OptOutSnapshot {
    /// Moves with every change of either list.
    pub const fn version(&self) -> i64 {
        self.version
    }

    /// Whether it is empty.
    pub fn is_empty(&self) -> bool {
        self.platform.is_empty() && self.own.is_empty()
    }

    /// Whether a number opted out of messages of this purpose.
    #[inline]
    pub fn contains(&self, number: Msisdn, purpose: Purpose) -> bool {
        self.own.ends(number, purpose) || self.platform.ends(number, purpose)
    }
}

impl OptOuts {
    /// Whom a user may not write to now.
    pub async fn of(&self, store: &Store, user: UserId) -> Result<OptOutSnapshot> {
        let figures = table::scopes(&mut store.read().await?, user.0).await?;
        self.at(store, [PLATFORM, user.0].map(|scope| of_scope(&figures, scope))).await
    }

    /// The same for who has read the figures of both scopes, the platform's and the user's.
    pub async fn at(&self, store: &Store, [platform, own]: [ScopeRow; 2]) -> Result<OptOutSnapshot> {
        let (platform, own) = (self.copy(store, platform).await?, self.copy(store, own).await?);
        Ok(OptOutSnapshot { version: platform.figures.version + own.figures.version, platform, own })
    }

    /// The copy of a scope with these figures, or newer ones.
    async fn copy(&self, store: &Store, wanted: ScopeRow) -> Result<Arc<Copy>> {
        if wanted.version == 0 {
            return Ok(Arc::default());
        }
        let ScopeCopy { copy, turn } = self.held().entry(wanted.scope).or_default().clone();
        if let Some(copy) = copy.filter(|copy| copy.figures == wanted) {
            return Ok(copy);
        }
        let _turn = turn.lock().await;
        // What was made meanwhile serves, if it is what the database says now.
        let figures = table::scopes(&mut store.read().await?, wanted.scope).await?;
        let now = of_scope(&figures, wanted.scope);
        let held = self.held().get(&now.scope).and_then(|scope| scope.copy.clone());
        if let Some(copy) = held.as_ref().filter(|copy| copy.figures == now) {
            return Ok(Arc::clone(copy));
        }
        // It is never closed.
        let _large = if now.numbers > LARGE { self.large.acquire().await.ok() } else { None };
        let copy = Arc::new(bring_up_to_date(store, held, now).await?);
        self.keep(Arc::clone(&copy));
        Ok(copy)
    }

    /// Keeps a copy. When there are too many, or they are too large, those of all other users are dropped.
    fn keep(&self, copy: Arc<Copy>) {
        let mut scopes = self.held();
        let scope = copy.figures.scope;
        scopes.entry(scope).or_default().copy = Some(copy);
        let bytes = |(scope, it): (&i64, &ScopeCopy)| match &it.copy {
            Some(copy) if *scope != PLATFORM => copy.bytes(),
            _ => 0,
        };
        if scopes.len() > SCOPES_KEPT || scopes.iter().map(bytes).sum::<usize>() > BYTES_KEPT {
            let others = scopes.iter_mut().filter(|(other, _)| **other != PLATFORM && **other != scope);
            others.for_each(|(_, it)| it.copy = None);
            // A turn that is waited for stays.
            scopes.retain(|_, it| it.copy.is_some() || Arc::strong_count(&it.turn) > 1);
        }
    }

    fn held(&self) -> std::sync::MutexGuard<'_, HashMap<i64, ScopeCopy>> {
        self.scopes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn of_scope(figures: &[ScopeRow], scope: i64) -> ScopeRow {
    let none = ScopeRow { scope, ..ScopeRow::default() };
    figures.iter().copied().find(|row| row.scope == scope).unwrap_or(none)
}

/// The copy of a scope with its figures of now: what is held with what was added, unless something was removed.
async fn bring_up_to_date(store: &Store, held: Option<Arc<Copy>>, now: ScopeRow) -> Result<Copy> {
    let held =
        held.filter(|held| held.figures.removals == now.removals && held.figures.version < now.version);
    let begin = move || held.map(|held| Copy::clone(&held)).unwrap_or_default();
    let begun = tokio::task::spawn_blocking(begin).await;
    let mut copy = begun.map_err(|panic| Error::Corrupt(format!("copying the opt-outs failed: {panic}")))?;
    copy.figures = now;
    copy.digest_key = store.digest_key();
    loop {
        let added = table::added_after(&mut store.read().await?, now.scope, copy.last_id, SLICE).await?;
        let Some((last, ..)) = added.last() else { return Ok(copy) };
        copy.last_id = *last;
        for (_, number, reach) in &added {
            let Some(number) = Msisdn::from_digits(number.cast_unsigned()) else {
                copy.erased.insert(*number, *reach);
                continue;
            };
            match reach {
                OptOutReach::Promotional => copy.promotional.insert(number),
                OptOutReach::All => copy.all.insert(number),
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::both_databases;
    use crate::contact::suppression::{OptOutSource, SuppressionScope, add, is_suppressed_many, remove};
    use crate::store::Lane;
    use crate::time::Time;

    const NOW: Time = Time(1_700_000_000_000);

    fn number(last: u64) -> Msisdn {
        Msisdn::from_digits(2_348_030_000_000 + last).unwrap()
    }

    async fn put(store: &Store, scope: SuppressionScope, last: u64) -> bool {
        let input = (scope, number(last));
        let job = store.write(Lane::Interactive, input, |tx, (scope, number)| {
            Box::pin(add(tx, *scope, *number, (OptOutSource::Manual, OptOutReach::All), NOW))
        });
        job.await.unwrap()
    }

    async fn take(store: &Store, scope: SuppressionScope, last: u64) -> bool {
        let input = (scope, number(last));
        let job = store
            .write(Lane::Interactive, input, |tx, (scope, number)| Box::pin(remove(tx, *scope, *number)));
        job.await.unwrap()
    }

    both_databases! {
        async fn many_who_need_a_newer_copy_wait_for_one(store: Store) {
            let copies = OptOuts::default();
            assert!(put(&store, SuppressionScope::Platform, 1).await);
            assert!(put(&store, SuppressionScope::User(UserId(7)), 2).await);
            let all = futures::future::join_all((0..20).map(|_| copies.of(&store, UserId(7)))).await;
            let all: Vec<OptOutSnapshot> = all.into_iter().map(Result::unwrap).collect();
            assert!(all.iter().all(|one| Arc::ptr_eq(&one.platform, &all[0].platform)));
            assert!(all.iter().all(|one| Arc::ptr_eq(&one.own, &all[0].own)));
            assert!(take(&store, SuppressionScope::Platform, 1).await);
            let fresh = futures::future::join_all((0..20).map(|_| copies.of(&store, UserId(7)))).await;
            let fresh: Vec<OptOutSnapshot> = fresh.into_iter().map(Result::unwrap).collect();
            assert!(fresh.iter().all(|one| Arc::ptr_eq(&one.platform, &fresh[0].platform)));
            assert!(!fresh[0].contains(number(1), Purpose::Transactional) && fresh[0].contains(number(2), Purpose::Transactional));
        }

        async fn copies_of_more_users_than_are_kept_are_dropped(store: Store) {
            let copies = OptOuts::default();
            assert!(put(&store, SuppressionScope::Platform, 1).await);
            for user in 1..=70 {
                assert!(put(&store, SuppressionScope::User(UserId(user)), 2).await);
                assert!(copies.of(&store, UserId(user)).await.unwrap().contains(number(2), Purpose::Transactional));
                assert!(copies.held().len() <= SCOPES_KEPT);
            }
            assert!(copies.held()[&PLATFORM].copy.is_some(), "the platform's stays");
        }

        async fn what_came_to_reach_further_is_seen_in_a_copy_that_was_read_before(store: Store) {
            let copies = OptOuts::default();
            let put = async |source: OptOutSource, reach: OptOutReach| {
                let job = store.write(Lane::Interactive, (source, reach), |tx, how| {
                    Box::pin(add(tx, SuppressionScope::User(UserId(7)), number(1), *how, NOW))
                });
                job.await.unwrap()
            };
            let ended = async || {
                let snapshot = copies.of(&store, UserId(7)).await.unwrap();
                Purpose::ALL.map(|purpose| snapshot.contains(number(1), purpose))
            };
            assert!(put(OptOutSource::Stop, OptOutReach::Promotional).await);
            assert_eq!(ended().await, [true, false, false]);
            assert!(!put(OptOutSource::Stop, OptOutReach::All).await, "one opt-out, that reaches further");
            assert_eq!(ended().await, [true, true, false]);
            assert!(!put(OptOutSource::Stop, OptOutReach::Promotional).await);
            assert_eq!(ended().await, [true, true, false], "STOP narrows nothing");
            assert!(take(&store, SuppressionScope::User(UserId(7)), 1).await);
            assert_eq!(ended().await, [false; 3]);
        }

        async fn the_copy_follows_what_is_added_and_removed_in_either_list(store: Store) {
            let copies = OptOuts::default();
            assert!(copies.of(&store, UserId(7)).await.unwrap().is_empty());
            assert!(put(&store, SuppressionScope::Platform, 1).await);
            assert!(!put(&store, SuppressionScope::Platform, 1).await, "once");
            assert!(put(&store, SuppressionScope::User(UserId(7)), 2).await);
            assert!(put(&store, SuppressionScope::User(UserId(8)), 3).await);
            let first = copies.of(&store, UserId(7)).await.unwrap();
            let held = |snapshot: &OptOutSnapshot| [1, 2, 3].map(|last| snapshot.contains(number(last), Purpose::Transactional));
            assert_eq!(held(&first), [true, true, false]);
            assert!(put(&store, SuppressionScope::User(UserId(7)), 3).await);
            assert!(take(&store, SuppressionScope::Platform, 1).await);
            assert!(!take(&store, SuppressionScope::Platform, 1).await);
            let second = copies.of(&store, UserId(7)).await.unwrap();
            assert_eq!(held(&second), [false, true, true]);
            assert!(second.version() > first.version());
            assert_eq!(copies.of(&store, UserId(7)).await.unwrap().version(), second.version());
            let mut tx = store.read().await.unwrap();
            let asked = [number(1), number(2), number(3), number(2)];
            assert_eq!(is_suppressed_many(&mut tx, UserId(7), &asked, Purpose::Transactional).await.unwrap(), [number(2), number(3)]);
        }
    }
}
