//! What a dispatcher has told the log of its standstill: the same once a minute, not at each try.

use std::time::Duration;

use crate::time::Time;

/// How often the same standstill is told again.
const AGAIN: Duration = Duration::from_mins(1);

/// The standstill that was told last, while it lasts.
#[derive(Debug, Default)]
pub(crate) struct StandstillLog(Option<(&'static str, Time)>);

impl StandstillLog {
    /// Nothing goes out, for the reason of this code: whether that is to be told.
    pub(crate) fn is_news(&mut self, code: &'static str, now: Time) -> bool {
        let is_news = self.0.is_none_or(|(told, at)| told != code || now.since(at) >= AGAIN);
        if is_news {
            self.0 = Some((code, now));
        }
        is_news
    }

    /// It goes on: whether a standstill was told that is over now.
    pub(crate) fn is_over(&mut self) -> bool {
        self.0.take().is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_is_told_once_a_minute_and_another_reason_at_once() {
        let mut told = StandstillLog::default();
        assert!(!told.is_over());
        let said: Vec<bool> = (0..4).map(|half| told.is_news("low_disk", Time(half * 500))).collect();
        assert_eq!(said, [true, false, false, false]);
        assert!(told.is_news("dispatch_held", Time(2_000)));
        assert!(!told.is_news("dispatch_held", Time(61_999)));
        assert!(told.is_news("dispatch_held", Time(62_000)));
        assert!(told.is_over() && !told.is_over());
        assert!(told.is_news("dispatch_held", Time(62_500)));
    }
}
