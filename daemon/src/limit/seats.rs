//! How many answers that come in pieces a user has open on this daemon: event streams, exports, and recordings that are
//! played; and how many clips providers of calls fetch.
//!
//! A seat is free again when its stream is dropped, however it ended.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use axum::http::StatusCode;
use futures::stream::BoxStream;
use futures::{Stream, StreamExt as _};
use talkdrum_core::model::account::id::UserId;

use super::quota::Quota;
use super::{
    CLIPS_IN_ALL, EXPORTS_IN_ALL, EXPORTS_PER_USER, PLAYERS_IN_ALL, PLAYERS_PER_USER, STREAMS_IN_ALL,
    STREAMS_PER_USER,
};
use crate::problem::ApiError;

/// Campaigns and imports that are watched.
pub const STREAMS: Quota = Quota {
    per_user: STREAMS_PER_USER,
    in_all: STREAMS_IN_ALL,
    code: "too_many_streams",
    user_detail: "You watch as many campaigns and imports as you may: stop watching one of them",
    detail: "Too many campaigns and imports are being watched at the moment: try again in a few seconds",
};

/// Exports.
pub const EXPORTS: Quota = Quota {
    per_user: EXPORTS_PER_USER,
    in_all: EXPORTS_IN_ALL,
    code: "too_many_exports",
    user_detail: "You have as many exports under way as you may: wait for one of them",
    detail: "Too many exports are under way at the moment: try again in a few seconds",
};

/// Recordings that are played; each holds a piece of it in memory. They are counted by the recording's owner.
pub const PLAYERS: Quota = Quota {
    per_user: PLAYERS_PER_USER,
    in_all: PLAYERS_IN_ALL,
    code: "too_many_players",
    user_detail: "Recordings of this account are being played already: stop one of them",
    detail: "Too many recordings are being played at the moment: try again in a few seconds",
};

/// Clips that providers of calls fetch. They are no user's, and all counted together.
pub const CLIPS: Quota = Quota {
    per_user: CLIPS_IN_ALL,
    in_all: CLIPS_IN_ALL,
    code: "too_many_clips",
    user_detail: "Too many clips are being fetched at the moment: try again in a few seconds",
    detail: "Too many clips are being fetched at the moment: try again in a few seconds",
};

/// The seats of one kind, and who has them.
#[derive(Clone, Debug)]
pub struct Seats {
    quota: &'static Quota,
    taken: Arc<Mutex<Taken>>,
}

#[derive(Debug, Default)]
struct Taken {
    by_user: HashMap<UserId, usize>,
    in_all: usize,
}

/// One stream's seat.
#[derive(Debug)]
pub(crate) struct Seat {
    seats: Seats,
    user: UserId,
}

impl Seats {
    /// All of them free.
    pub fn new(quota: &'static Quota) -> Self {
        Self { quota, taken: Arc::default() }
    }

    /// A seat for a user.
    ///
    /// # Errors
    /// 429 when the user has as many as one may have, or all are taken.
    pub(crate) fn take(&self, user: UserId) -> Result<Seat, ApiError> {
        let quota = self.quota;
        let refused = |detail| Err(ApiError::new(StatusCode::TOO_MANY_REQUESTS, quota.code, detail));
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        if taken.by_user.get(&user).is_some_and(|count| *count >= quota.per_user) {
            return refused(quota.user_detail);
        }
        if taken.in_all >= quota.in_all {
            return refused(quota.detail);
        }
        taken.in_all += 1;
        *taken.by_user.entry(user).or_default() += 1;
        Ok(Seat { seats: self.clone(), user })
    }
}

impl Seat {
    /// Holds the seat until a stream is dropped.
    pub(crate) fn hold<T>(self, stream: impl Stream<Item = T> + Send + 'static) -> BoxStream<'static, T> {
        stream
            .inspect(move |_| {
                let _ = &self;
            })
            .boxed()
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        let mut taken = self.seats.taken.lock().unwrap_or_else(PoisonError::into_inner);
        taken.in_all -= 1;
        if let Some(count) = taken.by_user.get_mut(&self.user) {
            *count -= 1;
            if *count == 0 {
                taken.by_user.remove(&self.user);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KIND: Quota = Quota { per_user: 2, in_all: 3, code: "x", user_detail: "yours", detail: "all" };

    #[test]
    fn a_user_has_so_many_seats_and_gets_them_back() {
        let seats = Seats::new(&KIND);
        let mut taken: Vec<Seat> = (0..2).map(|_| seats.take(UserId(1)).unwrap()).collect();
        assert_eq!(
            seats.take(UserId(1)).unwrap_err().status(),
            StatusCode::TOO_MANY_REQUESTS,
            "two of a user's"
        );
        let others = seats.take(UserId(2)).unwrap();
        assert_eq!(
            seats.take(UserId(3)).unwrap_err().status(),
            StatusCode::TOO_MANY_REQUESTS,
            "three of all"
        );
        taken.pop();
        let stream = seats.take(UserId(1)).unwrap().hold(futures::stream::iter([1, 2]));
        assert!(seats.take(UserId(1)).is_err(), "held by the stream");
        drop(stream);
        taken.push(seats.take(UserId(1)).unwrap());
        drop((taken, others));
        let now = seats.taken.lock().unwrap();
        assert!(now.by_user.is_empty() && now.in_all == 0);
    }
}
