//! From when to when: the bounds of a list's dates.
//!
//! A day without a time counts whole, in the time zone of the user who asks.

use jiff::ToSpan as _;
use jiff::civil::Date;
use jiff::tz::TimeZone;

use super::start;
use crate::error::{Error, Result};
use crate::time::Time;

/// The beginning of a period: a day (`2030-01-31`), or a time as [`start::parse`] reads it.
///
/// # Errors
/// `bad_time`, on the field `from`.
pub fn from(text: &str, zone: &str) -> Result<Time> {
    bound("from", text, zone, 0)
}

/// The end of a period, beyond it: the end of a day, or a time.
///
/// # Errors
/// `bad_time`, on the field `to`.
pub fn to(text: &str, zone: &str) -> Result<Time> {
    bound("to", text, zone, 1)
}

fn bound(field: &'static str, text: &str, zone: &str, days: i64) -> Result<Time> {
    let bad = || {
        Error::field(
            field,
            "bad_time",
            format!(
                "'{text}' is no time: write it as in 2030-01-31, 2030-01-31 09:30 or 2030-01-31T09:30:00Z"
            ),
        )
    };
    let day = text.trim();
    if day.len() != "2030-01-31".len() {
        return start::parse(text, zone).map_err(|_| bad());
    }
    let day: Date = day.parse().map_err(|_| bad())?;
    let day = day.checked_add(days.days()).map_err(|_| bad())?;
    let start = TimeZone::get(zone).and_then(|zone| day.to_zoned(zone)).map_err(|_| bad())?;
    Ok(Time(start.timestamp().as_millisecond()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_counts_whole_in_the_users_zone() {
        assert_eq!(from("2030-01-31", "Africa/Lagos").unwrap().to_rfc3339(), "2030-01-30T23:00:00.000Z");
        assert_eq!(to(" 2030-01-31 ", "Africa/Lagos").unwrap().to_rfc3339(), "2030-01-31T23:00:00.000Z");
    }

    #[test]
    fn a_time_is_taken_as_it_is() {
        assert_eq!(to("2030-01-31 09:30", "Africa/Lagos").unwrap().to_rfc3339(), "2030-01-31T08:30:00.000Z");
        for text in ["yesterday", "2030-13-01", "31/01/2030"] {
            assert_eq!(from(text, "Africa/Lagos").unwrap_err().code(), "bad_time", "{text}");
        }
    }
}
