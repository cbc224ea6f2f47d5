//! validity_period of SMPP 3.4 (7.1.1): `YYMMDDhhmmsstnnp`.
//!
//! 16 octets, or none where a message has no expiry or the carrier is to use its own default.

use super::config::Validity;
use crate::time::Time;

/// The validity_period written last: messages of a campaign share their expiry.
#[derive(Debug, Default)]
pub(super) struct ValidityPeriod {
    of: Option<i64>,
    octets: Vec<u8>,
}

impl ValidityPeriod {
    /// The octets without their NUL for a message that expires at `expires_at`.
    pub(super) fn octets(
        &mut self,
        expires_at: Option<Time>,
        format: Validity,
        now: impl Fn() -> Time,
    ) -> &[u8] {
        let key = match (format, expires_at) {
            (Validity::None, _) | (_, None) => None,
            (Validity::Absolute, Some(at)) => Some(at.0),
            (Validity::Relative, Some(at)) => Some((at.0 - now().0) / 1000),
        };
        if self.of != key {
            self.of = key;
            let text = match (key, format) {
                (None, _) => String::new(),
                (Some(seconds), Validity::Relative) => relative(seconds),
                (Some(millis), _) => absolute(millis),
            };
            self.octets = text.into_bytes();
        }
        &self.octets
    }
}

fn absolute(millis: i64) -> String {
    jiff::Timestamp::from_millisecond(millis)
        .map_or_else(|_| String::new(), |time| time.strftime("%y%m%d%H%M%S000+").to_string())
}

/// At least a second, at most 63 weeks (3GPP TS 23.040 knows no longer validity).
fn relative(seconds: i64) -> String {
    let seconds = seconds.clamp(1, 63 * 7 * 86_400);
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    let (years, days) = (days / 365, days % 365);
    let (months, days) = (days / 30, days % 30);
    let (months, years) = if months == 12 { (0, years + 1) } else { (months, years) };
    format!("{years:02}{months:02}{days:02}{:02}{:02}{:02}000R", rest / 3600, rest / 60 % 60, rest % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Time = Time(1_795_253_400_000); // 2026-11-21T09:30:00Z

    fn written(expires_at: Option<Time>, format: Validity) -> String {
        let mut period = ValidityPeriod::default();
        String::from_utf8(period.octets(expires_at, format, || NOW).to_vec()).unwrap()
    }

    #[test]
    fn an_expiry_is_written_absolute_in_utc() {
        assert_eq!(NOW.to_rfc3339(), "2026-11-21T09:30:00.000Z");
        assert_eq!(written(Some(Time(NOW.0 + 3_661_000)), Validity::Absolute), "261121103101000+");
    }

    #[test]
    fn an_expiry_is_written_relative_where_the_carrier_wants_it() {
        assert_eq!(written(Some(Time(NOW.0 + 3_661_000)), Validity::Relative), "000000010101000R");
        assert_eq!(written(Some(Time(NOW.0 + 40 * 86_400_000)), Validity::Relative), "000110000000000R");
        assert_eq!(written(Some(Time(NOW.0 - 5_000)), Validity::Relative), "000000000001000R");
    }

    #[test]
    fn no_expiry_is_no_validity_and_neither_is_the_carriers_default() {
        assert_eq!(written(None, Validity::Absolute), "");
        assert_eq!(written(Some(NOW), Validity::None), "");
    }
}
