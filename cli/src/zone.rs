//! Times as people write and read them: `YYYY-MM-DD HH:MM` in the zone of `TALKDRUM_ZONE`, of the profile, of `TZ`, else in
//! Africa/Lagos. What is shown says its offset, as PostgreSQL shows it. On the wire they are RFC 3339, always.

use jiff::civil::{DateTime, Time};
use jiff::fmt::strtime::BrokenDownTime;
use jiff::tz::{Offset, TimeZone};
use jiff::{Span, Timestamp, Zoned};

use crate::exit::{Failure, Result};

/// The time zone of a run.
#[derive(Clone, Debug)]
pub(crate) struct Zone(TimeZone);

impl Zone {
    /// The zone of `TALKDRUM_ZONE`, else the profile's, else that of `TZ` unless it is UTC, else Nigeria's.
    pub(crate) fn of(profile: Option<&str>) -> Result<Self> {
        let named_by = |variable| std::env::var(variable).ok().filter(|name| !name.is_empty());
        let of = |from: &str, name: &str| {
            Self::named(name).map_err(|it| Failure { message: format!("{from}: {}", it.message), ..it })
        };
        if let Some(name) = named_by("TALKDRUM_ZONE") {
            return of("TALKDRUM_ZONE", &name);
        }
        if let Some(name) = profile {
            return of("the profile's zone", name);
        }
        Ok(named_by("TZ").and_then(|name| Self::of_system(&name)).unwrap_or_else(Self::lagos))
    }

    /// The zone of `TZ`. Machines and containers are set to UTC for their logs, not because a person reads it so; and what
    /// is a file or a rule of its own is for the C library.
    fn of_system(name: &str) -> Option<Self> {
        let name = name.strip_prefix(':').unwrap_or(name);
        let word = name.to_ascii_lowercase();
        let word = word.trim_start_matches("etc/").trim_end_matches(['0', '+', '-']);
        let is_utc = ["utc", "uct", "gmt", "zulu", "universal", "greenwich"].contains(&word);
        TimeZone::get(name).ok().filter(|_| !is_utc).map(Self)
    }

    /// The zone of this name.
    ///
    /// # Errors
    /// Usage when there is none.
    pub(crate) fn named(name: &str) -> Result<Self> {
        TimeZone::get(name).map(Self).map_err(|_| {
            Failure::usage(format!("'{name}' is not a time zone"))
                .hint("name one such as Africa/Lagos or Europe/London")
        })
    }

    /// Nigeria keeps one offset all year, so a machine without a time zone database knows it too.
    fn lagos() -> Self {
        Self(TimeZone::get("Africa/Lagos").unwrap_or_else(|_| TimeZone::fixed(Offset::constant(1))))
    }

    /// An RFC 3339 time for people; what is no time is shown as it came.
    pub(crate) fn show(&self, rfc3339: &str) -> String {
        self.format(rfc3339, "%Y-%m-%d %H:%M%:::z")
    }

    /// The same time in RFC 3339 with the offset of the zone, as options take it.
    pub(crate) fn with_offset(&self, rfc3339: &str) -> String {
        self.format(rfc3339, "%Y-%m-%dT%H:%M:%S%:z")
    }

    /// As [`Self::show`], with seconds.
    pub(crate) fn show_seconds(&self, rfc3339: &str) -> String {
        self.format(rfc3339, "%Y-%m-%d %H:%M:%S%:::z")
    }

    fn format(&self, rfc3339: &str, form: &str) -> String {
        match rfc3339.parse::<Timestamp>() {
            Ok(stamp) => stamp.to_zoned(self.0.clone()).strftime(form).to_string(),
            Err(_) => rfc3339.to_owned(),
        }
    }

    /// Reads a time as a person writes it into RFC 3339: RFC 3339, local, `+2h` from now, or `09:00` of today, tomorrow or
    /// the next weekday of a name.
    pub(crate) fn read(&self, text: &str) -> Result<String> {
        let text = text.trim();
        if let Ok(stamp) = text.parse::<Timestamp>() {
            return Ok(stamp.to_string());
        }
        let local = DateTime::strptime("%Y-%m-%d %H:%M", text)
            .or_else(|_| DateTime::strptime("%Y-%m-%dT%H:%M", text))
            .or_else(|_| DateTime::strptime("%Y-%m-%d %H:%M:%S", text));
        let zoned: Option<Zoned> = match local {
            Ok(local) => local.to_zoned(self.0.clone()).ok(),
            Err(_) => relative(&this_second().to_zoned(self.0.clone()), text),
        };
        zoned.map(|zoned| zoned.timestamp().to_string()).ok_or_else(|| {
            Failure::usage(format!("'{text}' is not a time")).hint(
                "write it as '2027-01-04 09:00', 'tomorrow 09:00', 'monday 09:00', '+2h' or as RFC 3339",
            )
        })
    }
}

/// Now, without the fraction: what is shown of a time to come is all of it.
fn this_second() -> Timestamp {
    let now = Timestamp::now();
    Timestamp::from_second(now.as_second()).unwrap_or(now)
}

/// Whether one of the times is said by the day of the run, as `tomorrow 09:00` and `+2h` are: another run may mean another.
pub(crate) fn is_relative(times: &[String]) -> bool {
    times.iter().any(|time| time.trim().starts_with(|sign: char| sign == '+' || sign.is_alphabetic()))
}

/// Whether one of the times is said from now on, so that another run means another time.
pub(crate) fn is_from_now(times: &[String]) -> bool {
    times.iter().any(|time| time.trim().starts_with('+'))
}

/// A time that is said from `now` on.
fn relative(now: &Zoned, text: &str) -> Option<Zoned> {
    if let Some(span) = text.strip_prefix('+') {
        let span: Span = span.parse().ok()?;
        return now.checked_add(span).ok().filter(|time| time > now);
    }
    let (day, time) = text.split_once(' ')?;
    let time = Time::strptime("%H:%M", time.trim()).ok()?;
    let today = now.date();
    let date = match day.to_lowercase().as_str() {
        "today" => today,
        "tomorrow" => today.tomorrow().ok()?,
        day => {
            // The day's name alone is no date that could be read.
            let weekday = BrokenDownTime::parse("%A", day).ok()?.weekday()?;
            today.nth_weekday(1, weekday).ok()?
        }
    };
    date.to_datetime(time).to_zoned(now.time_zone().clone()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_local_time_is_lagos_time() {
        assert_eq!(Zone::lagos().read("2027-01-04 09:00").unwrap(), "2027-01-04T08:00:00Z");
        assert_eq!(Zone::lagos().read("2027-01-04T09:00:00+03:00").unwrap(), "2027-01-04T06:00:00Z");
    }

    #[test]
    fn another_zone_reads_and_shows_its_own_time() {
        let london = Zone::named("Europe/London").unwrap();
        assert_eq!(london.read("2027-07-01 09:00").unwrap(), "2027-07-01T08:00:00Z");
        assert_eq!(london.show("2027-07-01T08:00:00.123Z"), "2027-07-01 09:00+01");
        assert_eq!(
            Zone::named("Asia/Kolkata").unwrap().show("2027-07-01T08:00:00Z"),
            "2027-07-01 13:30+05:30"
        );
    }

    #[test]
    fn a_system_in_utc_says_nothing_of_its_people() {
        for (name, local) in [
            ("Europe/London", Some("10:00+01")),
            (":Europe/London", Some("10:00+01")),
            ("UTC", None),
            ("etc/gmt+0", None),
        ] {
            let shown = Zone::of_system(name).map(|zone| zone.show("2027-07-01T09:00:00Z"));
            assert_eq!(shown.as_deref().map(|shown| &shown[11..]), local, "{name}");
        }
        assert!(Zone::of_system(":/etc/localtime").is_none() && Zone::of_system("<+01>-1").is_none());
    }

    #[test]
    fn a_time_is_said_from_now_on() {
        // A Thursday, an hour before London's summer time ends in the night from Saturday.
        let now: Zoned = "2027-10-28T17:45:00+01:00[Europe/London]".parse().unwrap();
        let read = |text| relative(&now, text).map(|time| time.timestamp().to_string());
        for (text, time) in [
            ("+2h", "2027-10-28T18:45:00Z"),
            ("+1h30m", "2027-10-28T18:15:00Z"),
            ("+90 minutes", "2027-10-28T18:15:00Z"),
            ("+4d", "2027-11-01T17:45:00Z"),
            ("today 18:00", "2027-10-28T17:00:00Z"),
            ("Tomorrow 09:00", "2027-10-29T08:00:00Z"),
            ("monday 9:00", "2027-11-01T09:00:00Z"),
            ("thursday 09:00", "2027-11-04T09:00:00Z"),
        ] {
            assert_eq!(read(text).as_deref(), Some(time), "{text}");
        }
        for text in ["+", "+0h", "+-2h", "tomorrow", "09:00", "someday 09:00", "today 25:00", "+2 fortnights"]
        {
            assert_eq!(read(text), None, "{text}");
        }
    }

    #[test]
    fn what_is_no_time_is_refused_and_what_is_no_zone_too() {
        assert!(Zone::lagos().read("soon").is_err());
        assert!(Zone::lagos().read("2027-02-30 09:00").is_err());
        assert!(Zone::named("Africa/Atlantis").is_err());
    }
}
