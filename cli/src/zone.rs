//! Times as people write and read them: `YYYY-MM-DD HH:MM` in Africa/Lagos, or in the zone of `TALKDRUM_ZONE`.
//! On the wire they are RFC 3339, always.

use jiff::civil::DateTime;
use jiff::tz::{Offset, TimeZone};
use jiff::{Timestamp, Zoned};

use crate::exit::{Failure, Result};

/// The time zone of a run.
#[derive(Clone, Debug)]
pub(crate) struct Zone(TimeZone);

impl Zone {
    /// The zone named by the environment, else Nigeria's.
    pub(crate) fn from_environment() -> Result<Self> {
        match std::env::var("TALKDRUM_ZONE") {
            Ok(name) if !name.is_empty() => Self::named(&name),
            _ => Ok(Self::lagos()),
        }
    }

    fn named(name: &str) -> Result<Self> {
        TimeZone::get(name).map(Self).map_err(|_| {
            Failure::usage(format!("'{name}' is not a time zone"))
                .hint("set TALKDRUM_ZONE to a name such as Africa/Lagos or Europe/London")
        })
    }

    /// Nigeria keeps one offset all year, so a machine without a time zone database knows it too.
    fn lagos() -> Self {
        Self(TimeZone::get("Africa/Lagos").unwrap_or_else(|_| TimeZone::fixed(Offset::constant(1))))
    }

    /// An RFC 3339 time for people; what is no time is shown as it came.
    pub(crate) fn show(&self, rfc3339: &str) -> String {
        self.format(rfc3339, "%Y-%m-%d %H:%M")
    }

    /// As [`Self::show`], with seconds.
    pub(crate) fn show_seconds(&self, rfc3339: &str) -> String {
        self.format(rfc3339, "%Y-%m-%d %H:%M:%S")
    }

    fn format(&self, rfc3339: &str, form: &str) -> String {
        match rfc3339.parse::<Timestamp>() {
            Ok(stamp) => stamp.to_zoned(self.0.clone()).strftime(form).to_string(),
            Err(_) => rfc3339.to_owned(),
        }
    }

    /// Reads a time as a person writes it, RFC 3339 or local, into RFC 3339.
    pub(crate) fn read(&self, text: &str) -> Result<String> {
        let text = text.trim();
        if let Ok(stamp) = text.parse::<Timestamp>() {
            return Ok(stamp.to_string());
        }
        let local = DateTime::strptime("%Y-%m-%d %H:%M", text)
            .or_else(|_| DateTime::strptime("%Y-%m-%dT%H:%M", text))
            .or_else(|_| DateTime::strptime("%Y-%m-%d %H:%M:%S", text));
        let zoned: Option<Zoned> = local.ok().and_then(|local| local.to_zoned(self.0.clone()).ok());
        zoned.map(|zoned| zoned.timestamp().to_string()).ok_or_else(|| {
            Failure::usage(format!("'{text}' is not a time"))
                .hint("write it as '2027-01-04 09:00' or as RFC 3339, '2027-01-04T09:00:00+01:00'")
        })
    }
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
        assert_eq!(london.show("2027-07-01T08:00:00.123Z"), "2027-07-01 09:00");
    }

    #[test]
    fn what_is_no_time_is_refused_and_what_is_no_zone_too() {
        assert!(Zone::lagos().read("tomorrow").is_err());
        assert!(Zone::lagos().read("2027-02-30 09:00").is_err());
        assert!(Zone::named("Africa/Atlantis").is_err());
    }
}
