//! When the runs of a campaign start.
//!
//! Start times are in order, each once, none of them gone by, none over a year ahead.

use std::time::Duration;

use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use talkdrum_api::code;

use crate::error::{Error, Result};
use crate::time::Time;

/// Runs of one quote.
pub const RUNS_MAX: usize = 50;
/// How far behind a start time may lie and still count as now: forms take a while to fill in and post.
const GRACE: Duration = Duration::from_secs(60);
/// How far ahead a start time may lie.
const HORIZON: Duration = Duration::from_secs(366 * 24 * 3600);

/// Reads a start time: RFC 3339, or `YYYY-MM-DD HH:MM` (with `T` or seconds too) in the time zone `zone`.
///
/// # Errors
/// `bad_time`, on the field `time`.
pub fn parse(text: &str, zone: &str) -> Result<Time> {
    let text = text.trim();
    if let Ok(stamp) = text.parse::<jiff::Timestamp>() {
        return Ok(Time(stamp.as_millisecond()));
    }
    let local: DateTime = text.parse().map_err(|_| bad(text))?;
    let zone = TimeZone::get(zone).map_err(|_| {
        Error::field(
            "time",
            "bad_zone",
            format!("The time zone '{zone}' is not known: write times in RFC 3339"),
        )
    })?;
    let stamp = zone.to_ambiguous_timestamp(local).compatible().map_err(|_| bad(text))?;
    Ok(Time(stamp.as_millisecond()))
}

fn bad(text: &str) -> Error {
    Error::field(
        "time",
        "bad_time",
        format!("'{text}' is not a time: write it as in 2030-01-31 09:30 or 2030-01-31T09:30:00+01:00"),
    )
}

/// Puts start times in order, each once, and refuses those that cannot be kept. None means at once.
///
/// # Errors
/// `time_past`, `time_too_far`, `too_many_times`, on the field `time`.
pub fn check(mut times: Vec<Time>, now: Time) -> Result<Vec<Time>> {
    times.sort_unstable();
    times.dedup();
    if let Some(past) = times.first().filter(|time| **time < now - GRACE) {
        return Err(Error::field(
            "time",
            "time_past",
            format!("The send time {past} is in the past: choose one ahead, or leave it out to send now"),
        ));
    }
    if let Some(far) = times.last().filter(|time| **time > now + HORIZON) {
        return Err(Error::field(
            "time",
            code::TIME_TOO_FAR,
            format!("The send time {far} is over a year ahead"),
        ));
    }
    if times.len() > RUNS_MAX {
        return Err(Error::field(
            "time",
            "too_many_times",
            format!(
                "{} send times were given and at most {RUNS_MAX} can be: make several campaigns",
                times.len()
            ),
        ));
    }
    Ok(times)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_read_with_its_offset_or_in_the_users_zone() {
        for text in
            ["2030-01-31T09:30:00+01:00", "2030-01-31T08:30:00Z", "2030-01-31 09:30", " 2030-01-31T09:30 "]
        {
            assert_eq!(
                parse(text, "Africa/Lagos").unwrap().to_rfc3339(),
                "2030-01-31T08:30:00.000Z",
                "{text}"
            );
        }
        for text in ["", "soon", "2030-13-01 10:00", "31/01/2030 10:00"] {
            assert_eq!(parse(text, "Africa/Lagos").unwrap_err().code(), "bad_time", "{text}");
        }
    }

    #[test]
    fn times_come_in_order_and_once() {
        let now = Time(1_000_000_000);
        let (a, b) = (now + Duration::from_secs(60), now + Duration::from_secs(120));
        assert_eq!(check(vec![b, a, b], now).unwrap(), [a, b]);
        assert_eq!(check(vec![], now).unwrap(), []);
    }

    #[test]
    fn a_minute_of_lateness_is_forgiven_and_no_more() {
        let now = Time(1_000_000_000);
        assert!(check(vec![now - GRACE], now).is_ok());
        assert_eq!(check(vec![Time(now.0 - 60_001)], now).unwrap_err().code(), "time_past");
        assert!(check(vec![now + HORIZON], now).is_ok());
        assert_eq!(
            check(vec![now + HORIZON + Duration::from_millis(1)], now).unwrap_err().code(),
            "time_too_far"
        );
        let many = (0..51).map(|n| now + Duration::from_secs(n)).collect();
        assert_eq!(check(many, now).unwrap_err().code(), "too_many_times");
    }
}
