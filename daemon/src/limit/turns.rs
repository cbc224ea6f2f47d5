//! Turns of requests that take much of the machine: reads that look at every row of a long list (searches by text, and
//! breakdowns), texts that are spoken, and recordings that are decoded.
//!
//! Few of each run at once, so that most readers of the database, and of the machine, stay free for other work. A
//! request takes its user's turn before the overall one: the requests of one user wait for each other and hold no other
//! user up. A statement and an engine go on after their client has left; they keep their turn until they have ended.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::http::StatusCode;
use talkdrum_core::Result as CoreResult;
use talkdrum_core::model::account::id::UserId;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, timeout_at};
use tracing::Instrument as _;

use super::quota::Quota;
use super::{
    DECODINGS_IN_ALL, DECODINGS_PER_USER, PREVIEWS_IN_ALL, PREVIEWS_PER_USER, SCANS_IN_ALL, SCANS_PER_USER,
    WAIT_FOR_TURN,
};
use crate::problem::ApiError;

/// Searches and breakdowns.
pub const SCANS: Quota = Quota {
    per_user: SCANS_PER_USER,
    in_all: SCANS_IN_ALL,
    code: "too_many_searches",
    user_detail: "You are searching or breaking down something already: wait for the answer",
    detail: "Too much is being searched at the moment: try again in a few seconds",
};

/// Texts that are spoken.
pub const PREVIEWS: Quota = Quota {
    per_user: PREVIEWS_PER_USER,
    in_all: PREVIEWS_IN_ALL,
    code: "too_many_previews",
    user_detail: "A message of yours is being spoken already: wait for it",
    detail: "Too many messages are being spoken at the moment: try again in a few seconds",
};

/// Recordings that are decoded.
pub const DECODINGS: Quota = Quota {
    per_user: DECODINGS_PER_USER,
    in_all: DECODINGS_IN_ALL,
    code: "too_many_recordings",
    user_detail: "A recording of yours is being read already: wait for it",
    detail: "Too many recordings are being read at the moment: try again in a few seconds",
};

/// Who has a turn of some work. A cheap handle.
#[derive(Clone, Debug)]
pub struct Turns(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    quota: &'static Quota,
    /// There are no more entries than requests that have a turn or wait.
    by_user: Mutex<HashMap<UserId, OfUser>>,
    in_all: Arc<Semaphore>,
    wait: Duration,
}

#[derive(Debug)]
struct OfUser {
    turns: Arc<Semaphore>,
    /// Requests that have a turn or wait for one.
    requests: usize,
}

/// A turn; over when this is dropped.
#[derive(Debug)]
pub(crate) struct Turn {
    _in_all: OwnedSemaphorePermit,
    _of_user: OwnedSemaphorePermit,
    _request: Request,
}

/// A request that has a turn or waits for one.
#[derive(Debug)]
struct Request {
    turns: Turns,
    user: UserId,
}

impl Turns {
    /// No user has a turn yet.
    pub fn new(quota: &'static Quota) -> Self {
        Self::with_wait(quota, WAIT_FOR_TURN)
    }

    fn with_wait(quota: &'static Quota, wait: Duration) -> Self {
        let in_all = Arc::new(Semaphore::new(quota.in_all));
        Self(Arc::new(Inner { quota, by_user: Mutex::default(), in_all, wait }))
    }

    /// A turn for a user, waited for up to [`WAIT_FOR_TURN`]. It is taken before a reader is.
    ///
    /// # Errors
    /// 429 with the quota's code, such as `too_many_searches`, when the user, or all users together, have as many as they may.
    pub(crate) async fn take(&self, user: UserId) -> Result<Turn, ApiError> {
        let until = Instant::now() + self.0.wait;
        let (request, of_user) = self.enter(user);
        let Some(of_user) = one_of(of_user, until).await else {
            return Err(self.refusal(user, self.0.quota.user_detail));
        };
        let Some(in_all) = one_of(Arc::clone(&self.0.in_all), until).await else {
            return Err(self.refusal(user, self.0.quota.detail));
        };
        Ok(Turn { _in_all: in_all, _of_user: of_user, _request: request })
    }

    /// Carries out what a request asks for: when it needs one, in a turn of the user's and to its end, whether or not the client waits for it.
    ///
    /// # Errors
    /// Those of the work; those of [`Self::take`].
    pub(crate) async fn read<T: Send + 'static>(
        &self,
        needs_turn: bool,
        user: UserId,
        read: impl Future<Output = CoreResult<T>> + Send + 'static,
    ) -> Result<T, ApiError> {
        if !needs_turn {
            return Ok(read.await?);
        }
        let turn = self.take(user).await?;
        let scan = async move {
            let _turn = turn;
            read.await
        };
        match tokio::spawn(scan.in_current_span()).await {
            Ok(answer) => Ok(answer?),
            Err(error) => match error.try_into_panic() {
                Ok(panic) => std::panic::resume_unwind(panic),
                Err(_) => Err(ApiError::unavailable(
                    "shutting_down",
                    "The daemon is shutting down; try again in a moment",
                )),
            },
        }
    }

    fn enter(&self, user: UserId) -> (Request, Arc<Semaphore>) {
        let mut by_user = self.lock();
        let of_user = by_user.entry(user).or_insert_with(|| OfUser {
            turns: Arc::new(Semaphore::new(self.0.quota.per_user)),
            requests: 0,
        });
        of_user.requests += 1;
        (Request { turns: self.clone(), user }, Arc::clone(&of_user.turns))
    }

    fn refusal(&self, user: UserId, detail: &'static str) -> ApiError {
        let code = self.0.quota.code;
        tracing::info!(user = user.0, code, "a request was refused");
        ApiError::new(StatusCode::TOO_MANY_REQUESTS, code, detail).after(5)
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<UserId, OfUser>> {
        self.0.by_user.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Request {
    fn drop(&mut self) {
        let mut by_user = self.turns.lock();
        if let Some(of_user) = by_user.get_mut(&self.user) {
            of_user.requests -= 1;
            if of_user.requests == 0 {
                by_user.remove(&self.user);
            }
        }
    }
}

/// One of these turns, if one is free in time. They come in the order in which they were asked for.
async fn one_of(turns: Arc<Semaphore>, until: Instant) -> Option<OwnedSemaphorePermit> {
    // It is never closed.
    timeout_at(until, turns.acquire_owned()).await.ok()?.ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const ADA: UserId = UserId(1);
    const EVE: UserId = UserId(2);
    const OBI: UserId = UserId(3);

    fn turns() -> Turns {
        Turns::with_wait(&SCANS, Duration::from_millis(1))
    }

    #[tokio::test]
    async fn a_user_scans_once_at_a_time_and_others_do_not_wait_for_it() {
        let turns = turns();
        let first = turns.take(ADA).await.unwrap();
        let refused = turns.take(ADA).await.unwrap_err();
        assert_eq!((refused.status().as_u16(), refused.code()), (429, "too_many_searches"));
        let looked_up = turns.read(false, ADA, async { Ok(7) }).await;
        assert_eq!(looked_up.unwrap(), 7, "what is no scan needs no turn");
        let others = turns.take(EVE).await.unwrap();
        drop(first);
        assert_eq!(turns.read(true, ADA, async { Ok(7) }).await.unwrap(), 7);
        drop(others);
        assert!(turns.lock().is_empty(), "nothing is kept of who does not scan");
    }

    #[tokio::test]
    async fn all_users_together_scan_twice_at_a_time() {
        let turns = turns();
        let both = [turns.take(ADA).await.unwrap(), turns.take(EVE).await.unwrap()];
        let refused = turns.take(OBI).await.unwrap_err();
        assert_eq!((refused.status().as_u16(), refused.code()), (429, "too_many_searches"));
        drop(both);
        turns.take(OBI).await.unwrap();
    }

    #[tokio::test]
    async fn a_user_s_many_requests_wait_for_each_other_and_not_in_front_of_others() {
        let turns = Turns::with_wait(&SCANS, Duration::from_secs(20));
        let ada = turns.take(ADA).await.unwrap();
        let waiting: Vec<_> = (0..10)
            .map(|_| {
                let turns = turns.clone();
                tokio::spawn(async move { turns.take(ADA).await.map(drop) })
            })
            .collect();
        while turns.lock().get(&ADA).is_some_and(|of_user| of_user.requests < 11) {
            tokio::task::yield_now().await;
        }
        let eve = tokio::time::timeout(Duration::from_secs(10), turns.take(EVE)).await;
        drop(eve.expect("the second turn is free").unwrap());
        drop(ada);
        for waiting in waiting {
            waiting.await.unwrap().unwrap();
        }
        assert!(turns.lock().is_empty());
    }

    #[tokio::test]
    async fn a_search_whose_client_left_keeps_its_turn_until_it_has_ended() {
        let turns = turns();
        let (end, ended) = tokio::sync::oneshot::channel::<()>();
        let search = turns.read(true, ADA, async move { Ok(ended.await.is_ok()) });
        assert!(tokio::time::timeout(Duration::from_millis(50), search).await.is_err());
        assert_eq!(turns.take(ADA).await.unwrap_err().code(), "too_many_searches");
        end.send(()).unwrap();
        while !turns.lock().is_empty() {
            tokio::task::yield_now().await;
        }
    }

    #[tokio::test]
    async fn a_client_that_leaves_gives_up_its_place_in_the_queue() {
        let turns = Turns::with_wait(&SCANS, Duration::from_secs(20));
        let first = turns.take(ADA).await.unwrap();
        let left = tokio::time::timeout(Duration::from_millis(1), turns.take(ADA)).await;
        assert!(left.is_err());
        drop(first);
        assert!(turns.lock().is_empty());
    }
}
