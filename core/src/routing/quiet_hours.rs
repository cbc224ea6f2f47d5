//! The quiet hours: when promotional messages wait, and no phone is called to verify it (Nigeria: 20:00 to 08:00,
//! Africa/Lagos).
//!
//! Time in which a message may not go out never counts against its validity.

use std::time::Duration;

use jiff::Timestamp;
use jiff::civil::Time as CivilTime;
use jiff::tz::TimeZone;

use crate::error::{Error, Result};
use crate::time::Time;

/// Days looked ahead when a validity is laid out over open hours.
const DAYS_MAX: usize = 400;

/// A daily window in a time zone; it may span midnight.
#[derive(Clone, Debug)]
pub struct QuietHours {
    from: CivilTime,
    until: CivilTime,
    zone: TimeZone,
}

impl QuietHours {
    /// The window from `from` until `until` (`HH:MM`) in `zone`; `None` when both are the same, so that none is quiet.
    ///
    /// # Errors
    /// `bad_quiet_hours`, with what is wrong.
    pub fn new(from: &str, until: &str, zone: &str) -> Result<Option<Self>> {
        let bad = |what: String| Error::rule("bad_quiet_hours", what);
        let read = |text: &str| {
            CivilTime::strptime("%H:%M", text)
                .map_err(|_| bad(format!("[quiet_hours]: '{text}' is no time of day: write it as in 20:00")))
        };
        let (from, until) = (read(from)?, read(until)?);
        let zone = TimeZone::get(zone).map_err(|_| {
            bad(format!("[quiet_hours]: '{zone}' is no time zone: write it as in Africa/Lagos"))
        })?;
        Ok((from != until).then_some(Self { from, until, zone }))
    }

    /// Whether promotional messages wait now.
    pub fn is_quiet(&self, now: Time) -> bool {
        let Some(time) = self.local(now).map(|local| local.time()) else { return false };
        if self.from < self.until {
            self.from <= time && time < self.until
        } else {
            time >= self.from || time < self.until
        }
    }

    /// When promotional messages may go out: now, or when the window ends.
    pub fn opens_at(&self, now: Time) -> Time {
        if self.is_quiet(now) { self.next(self.until, now) } else { now }
    }

    /// The end of the window as people read it: `08:00 (Africa/Lagos)`.
    pub fn end_in_words(&self) -> String {
        format!("{} ({})", self.until.strftime("%H:%M"), self.zone.iana_name().unwrap_or("UTC"))
    }

    /// How long promotional messages may go out from `now` on, when they may.
    pub fn open_left(&self, now: Time) -> Duration {
        self.next(self.from, now).since(now)
    }

    /// When so much of open hours has passed since `start`.
    pub fn ends_after(&self, start: Time, open: Duration) -> Time {
        let (mut at, mut left) = (self.opens_at(start), open);
        for _ in 0..DAYS_MAX {
            let closes = self.next(self.from, at);
            let open = closes.since(at);
            if open >= left {
                return at + left;
            }
            left -= open;
            at = self.next(self.until, closes);
        }
        at
    }

    /// The first start for which so much of open hours has not passed by `end`: for all earlier ones it has.
    pub fn starts_over(&self, end: Time, open: Duration) -> Time {
        // The later the start, the later `ends_after`, so that it is found by halves.
        let longest = Duration::from_hours(24 * (DAYS_MAX as u64 + 2));
        let (mut over, mut not_over) = (end - longest, end + Duration::from_millis(1));
        while over.0 + 1 < not_over.0 {
            let middle = Time(over.0 + (not_over.0 - over.0) / 2);
            if self.ends_after(middle, open) <= end {
                over = middle;
            } else {
                not_over = middle;
            }
        }
        not_over
    }

    /// The next time after `now` at which the clocks show `time`.
    fn next(&self, time: CivilTime, now: Time) -> Time {
        let Some(local) = self.local(now) else { return now };
        let days = [Some(local.date()), local.date().tomorrow().ok()];
        days.into_iter()
            .flatten()
            .filter_map(|day| self.zone.to_ambiguous_timestamp(day.to_datetime(time)).compatible().ok())
            .map(|stamp| Time(stamp.as_millisecond()))
            .find(|stamp| *stamp > now)
            .unwrap_or(now)
    }

    fn local(&self, now: Time) -> Option<jiff::civil::DateTime> {
        Timestamp::from_millisecond(now.0).ok().map(|stamp| self.zone.to_datetime(stamp))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOUR: Duration = Duration::from_hours(1);

    fn night() -> QuietHours {
        QuietHours::new("20:00", "08:00", "Africa/Lagos").unwrap().unwrap()
    }

    /// Lagos is an hour ahead of UTC.
    fn at(text: &str) -> Time {
        Time(text.parse::<Timestamp>().unwrap().as_millisecond())
    }

    #[test]
    fn the_night_is_quiet_and_opens_in_the_morning() {
        let cases = [
            ("2026-11-21T18:59:59Z", false, "2026-11-21T18:59:59Z"),
            ("2026-11-21T19:00:00Z", true, "2026-11-22T07:00:00Z"),
            ("2026-11-21T23:30:00Z", true, "2026-11-22T07:00:00Z"),
            ("2026-11-22T06:59:59Z", true, "2026-11-22T07:00:00Z"),
            ("2026-11-22T07:00:00Z", false, "2026-11-22T07:00:00Z"),
        ];
        for (now, quiet, opens) in cases {
            assert_eq!((night().is_quiet(at(now)), night().opens_at(at(now))), (quiet, at(opens)), "{now}");
        }
        assert_eq!(night().end_in_words(), "08:00 (Africa/Lagos)");
        let noon = QuietHours::new("12:00", "13:00", "UTC").unwrap().unwrap();
        assert!(noon.is_quiet(at("2026-11-21T12:30:00Z")) && !noon.is_quiet(at("2026-11-21T13:00:00Z")));
    }

    #[test]
    fn validity_stands_still_while_it_is_quiet() {
        let evening = at("2026-11-21T18:00:00Z");
        assert_eq!(night().ends_after(evening, HOUR / 2), evening + HOUR / 2);
        assert_eq!(night().ends_after(evening, HOUR * 2), at("2026-11-22T08:00:00Z"));
        assert_eq!(night().ends_after(at("2026-11-21T22:00:00Z"), HOUR), at("2026-11-22T08:00:00Z"));
        assert_eq!(night().ends_after(evening, HOUR * 24), at("2026-11-23T18:00:00Z"), "12 open hours a day");
    }

    #[test]
    fn what_has_expired_is_told_by_when_it_began() {
        let noon = at("2026-11-21T11:00:00Z");
        let night_hours = Duration::from_hours(12);
        for (end, open) in [
            (noon, HOUR),
            (noon, HOUR * 72),
            (noon + night_hours, HOUR * 5),
            (at("2026-11-21T07:00:00Z"), HOUR),
            (at("2026-11-21T19:00:00Z"), Duration::ZERO),
            (at("1970-01-02T00:00:00Z"), HOUR),
        ] {
            let first = night().starts_over(end, open);
            assert!(night().ends_after(first, open) > end, "{end} {open:?}");
            assert!(night().ends_after(first - Duration::from_millis(1), open) <= end, "{end} {open:?}");
        }
    }

    #[test]
    fn a_window_that_is_none_and_one_that_cannot_be() {
        assert!(QuietHours::new("00:00", "00:00", "UTC").unwrap().is_none());
        for (from, until, zone) in
            [("8pm", "08:00", "UTC"), ("20:00", "25:00", "UTC"), ("20:00", "08:00", "Mars/X")]
        {
            assert_eq!(QuietHours::new(from, until, zone).unwrap_err().code(), "bad_quiet_hours");
        }
    }
}
