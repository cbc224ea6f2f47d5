//! How many event streams a user has open on this daemon.
//!
//! A seat is free again when its stream is dropped, however it ended.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use axum::http::StatusCode;

use crate::http::ApiError;
use crate::http::limits::STREAMS_PER_USER;

/// Who watches campaigns.
#[derive(Clone, Debug, Default)]
pub struct Seats(Arc<Mutex<HashMap<i64, usize>>>);

/// One stream's seat.
#[derive(Debug)]
pub(crate) struct Seat {
    seats: Seats,
    user: i64,
}

impl Seats {
    /// A seat for a user.
    ///
    /// # Errors
    /// 429 when the user has [`STREAMS_PER_USER`] of them.
    pub(crate) fn take(&self, user: i64) -> Result<Seat, ApiError> {
        let mut taken = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let count = taken.entry(user).or_default();
        if *count >= STREAMS_PER_USER {
            return Err(ApiError::new(
                StatusCode::TOO_MANY_REQUESTS,
                "too_many_streams",
                format!(
                    "You watch {STREAMS_PER_USER} campaigns or imports already: stop watching one of them"
                ),
            ));
        }
        *count += 1;
        Ok(Seat { seats: self.clone(), user })
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        let mut taken = self.seats.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = taken.get_mut(&self.user) {
            *count -= 1;
            if *count == 0 {
                taken.remove(&self.user);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_user_has_so_many_seats_and_gets_them_back() {
        let seats = Seats::default();
        let mut taken: Vec<Seat> = (0..STREAMS_PER_USER).map(|_| seats.take(1).unwrap()).collect();
        assert_eq!(seats.take(1).unwrap_err().status(), 429);
        let others = seats.take(2).unwrap();
        taken.pop();
        taken.push(seats.take(1).unwrap());
        drop((taken, others));
        assert!(seats.0.lock().unwrap().is_empty());
    }
}
