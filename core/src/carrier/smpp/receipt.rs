//! Reads the text of a delivery receipt (SMPP 3.4, appendix B), in the many ways in which carriers write it.
//!
//! Parsing never fails; a field that cannot be read is a field that is not there.

use crate::model::message::receipt_state::ReceiptState;
use crate::time::Time;

/// The fields of a receipt's text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct ReceiptText<'a> {
    pub(super) id: Option<&'a [u8]>,
    pub(super) stat: Option<&'a [u8]>,
    pub(super) err: Option<&'a [u8]>,
    pub(super) done_date: Option<&'a [u8]>,
}

impl<'a> ReceiptText<'a> {
    /// Reads `id:… sub:… dlvrd:… submit date:… done date:… stat:… err:… text:…`: the names in any case and order,
    /// the values up to the next blank. What follows `text:` is the message's own and is not read.
    pub(super) fn parse(text: &'a [u8]) -> Self {
        let mut fields = Self::default();
        let mut rest = text;
        while let Some(colon) = rest.iter().position(|octet| *octet == b':') {
            let name = last_word(&rest[..colon]);
            let after = &rest[colon + 1..];
            if name.eq_ignore_ascii_case(b"text") {
                break;
            }
            let (value, left) = value(after);
            match name.len() {
                2 if name.eq_ignore_ascii_case(b"id") => fields.id = fields.id.or(value),
                3 if name.eq_ignore_ascii_case(b"err") => fields.err = fields.err.or(value),
                4 if name.eq_ignore_ascii_case(b"stat") => fields.stat = fields.stat.or(value),
                4 if name.eq_ignore_ascii_case(b"date") && is_done(&rest[..colon]) => {
                    fields.done_date = fields.done_date.or(value);
                }
                _ => {}
            }
            rest = left;
        }
        fields
    }

    /// Whether the text can be taken for a receipt where nothing else says that it is one.
    pub(super) const fn is_receipt(&self) -> bool {
        self.id.is_some() && self.stat.is_some()
    }
}

fn last_word(text: &[u8]) -> &[u8] {
    let blank = text.iter().rposition(|octet| octet.is_ascii_whitespace() || *octet == b',');
    &text[blank.map_or(0, |blank| blank + 1)..]
}

/// Whether the words before a colon end in `done date`, the blank being any or missing.
fn is_done(name: &[u8]) -> bool {
    let before = name[..name.len() - 4].trim_ascii_end();
    before.len() >= 4 && before[before.len() - 4..].eq_ignore_ascii_case(b"done")
}

/// The value after a colon, and what follows it. An empty value is none, and leaves the next name in place.
fn value(after: &[u8]) -> (Option<&[u8]>, &[u8]) {
    let start = after.iter().position(|octet| !octet.is_ascii_whitespace()).unwrap_or(after.len());
    let trimmed = &after[start..];
    let end = trimmed.iter().position(|octet| octet.is_ascii_whitespace() || *octet == b',');
    let word = &trimmed[..end.unwrap_or(trimmed.len())];
    if word.is_empty() || word.contains(&b':') || (start > 0 && is_name(trimmed)) {
        return (None, after);
    }
    (Some(word), &trimmed[word.len()..])
}

/// Whether a text goes on with a two-word name, so that what stood before it had no value.
fn is_name(text: &[u8]) -> bool {
    ["submit date:", "done date:"]
        .iter()
        .any(|name| text.len() >= name.len() && text[..name.len()].eq_ignore_ascii_case(name.as_bytes()))
}

/// A `stat` by its first letters: carriers shorten and lengthen them at will.
pub(super) fn state_of_text(stat: &[u8]) -> ReceiptState {
    const STATES: [(&[u8], ReceiptState); 16] = [
        (b"DELIV", ReceiptState::Delivered),
        (b"EXPIR", ReceiptState::Expired),
        (b"UNDEL", ReceiptState::Undelivered),
        (b"DELET", ReceiptState::Undelivered),
        (b"FAIL", ReceiptState::Undelivered),
        (b"SKIP", ReceiptState::Undelivered),
        (b"CANCEL", ReceiptState::Undelivered),
        (b"REJEC", ReceiptState::Rejected),
        (b"ENROU", ReceiptState::Enroute),
        (b"ACCEP", ReceiptState::Enroute),
        (b"ACKED", ReceiptState::Enroute),
        (b"BUFF", ReceiptState::Enroute),
        (b"SCHED", ReceiptState::Enroute),
        (b"QUEUE", ReceiptState::Enroute),
        (b"SENT", ReceiptState::Enroute),
        (b"SUBMI", ReceiptState::Enroute),
    ];
    let begins = |name: &[u8]| stat.len() >= name.len() && stat[..name.len()].eq_ignore_ascii_case(name);
    STATES.into_iter().find(|(name, _)| begins(name)).map_or(ReceiptState::Unknown, |(_, state)| state)
}

/// A message_state (SMPP 3.4, 5.2.28; 0 and 9 are of version 5).
pub(super) const fn state_of_tlv(state: u8) -> ReceiptState {
    match state {
        0 | 1 | 6 => ReceiptState::Enroute,
        2 => ReceiptState::Delivered,
        3 => ReceiptState::Expired,
        4 | 5 | 9 => ReceiptState::Undelivered,
        8 => ReceiptState::Rejected,
        _ => ReceiptState::Unknown,
    }
}

/// A `done date`: YYMMDDhhmm, YYMMDDhhmmss, YYYYMMDDhhmm or YYYYMMDDhhmmss, on a clock `offset_minutes` east of UTC.
pub(super) fn date(text: &[u8], offset_minutes: i16) -> Option<Time> {
    let mut pairs = [0_u8; 7];
    if !text.len().is_multiple_of(2) || text.len() > 14 {
        return None;
    }
    let count = text.len() / 2;
    for (pair, digits) in pairs.iter_mut().zip(text.chunks_exact(2)) {
        if !digits.iter().all(u8::is_ascii_digit) {
            return None;
        }
        *pair = (digits[0] - b'0') * 10 + (digits[1] - b'0');
    }
    // Twelve digits are YYMMDDhhmmss or YYYYMMDDhhmm: a century 19 or 20 as the year 2019 or 2020 is long past.
    let has_century = count == 7 || (count == 6 && matches!(pairs[0], 19 | 20));
    let (year, rest) = if has_century {
        (i16::from(pairs[0]) * 100 + i16::from(pairs[1]), &pairs[2..])
    } else {
        (2000 + i16::from(pairs[0]), &pairs[1..])
    };
    if count < 5 || (has_century && count < 6) {
        return None;
    }
    let second = if count == if has_century { 7 } else { 6 } { rest[4] } else { 0 };
    let field = |at: usize| i8::try_from(rest[at]).ok();
    let civil = jiff::civil::DateTime::new(
        year,
        field(0)?,
        field(1)?,
        field(2)?,
        field(3)?,
        i8::try_from(second).ok()?,
        0,
    );
    let utc = jiff::tz::Offset::UTC.to_timestamp(civil.ok()?).ok()?;
    Some(Time(utc.as_millisecond() - i64::from(offset_minutes) * 60_000))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Option<Time> {
        Some(Time(text.parse::<jiff::Timestamp>().unwrap().as_millisecond()))
    }

    /// id, stat, err, done date.
    type Seen<'a> = [Option<&'a [u8]>; 4];

    #[test]
    fn the_standards_form_is_read() {
        let text = b"id:0123456789 sub:001 dlvrd:001 submit date:2611210930 done date:2611210931 stat:DELIVRD err:000 text:Hello stat:UNDELIV id:9";
        let fields = ReceiptText::parse(text);
        assert_eq!(fields.id, Some(&b"0123456789"[..]));
        assert_eq!(fields.stat, Some(&b"DELIVRD"[..]));
        assert_eq!(fields.err, Some(&b"000"[..]));
        assert_eq!(fields.done_date, Some(&b"2611210931"[..]));
    }

    #[test]
    fn carriers_dialects_are_read() {
        let cases: [(&[u8], Seen<'_>); 7] = [
            (b"ID:AB-1 Stat:expired Err:12", [Some(b"AB-1"), Some(b"expired"), Some(b"12"), None]),
            (
                b"stat:UNDELIV id:7 done date:20261121093100",
                [Some(b"7"), Some(b"UNDELIV"), None, Some(b"20261121093100")],
            ),
            (b"id: 42 stat: REJECTD err: text:", [Some(b"42"), Some(b"REJECTD"), None, None]),
            (b"id:1 submit date:261121 done date: stat:ENROUTE", [Some(b"1"), Some(b"ENROUTE"), None, None]),
            (
                b"id:1 submit date: done date:2611210931 stat:ACCEPTD",
                [Some(b"1"), Some(b"ACCEPTD"), None, Some(b"2611210931")],
            ),
            (b"id:5,stat:DELIVRD,err:0", [Some(b"5"), Some(b"DELIVRD"), Some(b"0"), None]),
            (b"good morning", [None; 4]),
        ];
        for (text, expected) in cases {
            let fields = ReceiptText::parse(text);
            let seen = [fields.id, fields.stat, fields.err, fields.done_date];
            assert_eq!(seen, expected, "{}", String::from_utf8_lossy(text));
        }
    }

    #[test]
    fn any_octets_at_all_are_survived() {
        for text in
            [&b":"[..], b"::::", b"date:", b"id:", b" date:x", b"\xFF:\x00:id:\xFE", b"text:", b"done date:"]
        {
            ReceiptText::parse(text);
        }
    }

    #[test]
    fn states_are_known_in_every_spelling() {
        let cases = [
            ("DELIVRD", ReceiptState::Delivered),
            ("delivered", ReceiptState::Delivered),
            ("EXPIRED", ReceiptState::Expired),
            ("DELETED", ReceiptState::Undelivered),
            ("UNDELIV", ReceiptState::Undelivered),
            ("UNDELIVERABLE", ReceiptState::Undelivered),
            ("REJECTD", ReceiptState::Rejected),
            ("ACCEPTD", ReceiptState::Enroute),
            ("ENROUTE", ReceiptState::Enroute),
            ("ACKED", ReceiptState::Enroute),
            ("BUFFRED", ReceiptState::Enroute),
            ("BUFFERD", ReceiptState::Enroute),
            ("UNKNOWN", ReceiptState::Unknown),
            ("???", ReceiptState::Unknown),
        ];
        for (stat, state) in cases {
            assert_eq!(state_of_text(stat.as_bytes()), state, "{stat}");
        }
        let states = [1, 2, 3, 4, 5, 6, 7, 8].map(state_of_tlv);
        use ReceiptState as S;
        let expected = [
            S::Enroute,
            S::Delivered,
            S::Expired,
            S::Undelivered,
            S::Undelivered,
            S::Enroute,
            S::Unknown,
            S::Rejected,
        ];
        assert_eq!(states, expected);
    }

    #[test]
    fn dates_are_read_in_every_known_form() {
        assert_eq!(date(b"2611210931", 0), at("2026-11-21T09:31:00Z"));
        assert_eq!(date(b"261121093159", 0), at("2026-11-21T09:31:59Z"));
        assert_eq!(date(b"202611210931", 0), at("2026-11-21T09:31:00Z"));
        assert_eq!(date(b"20261121093159", 0), at("2026-11-21T09:31:59Z"));
        assert_eq!(date(b"2611210931", 60), at("2026-11-21T08:31:00Z"), "Lagos");
    }

    #[test]
    fn what_is_no_date_is_none() {
        for text in [
            &b""[..],
            b"26112109",
            b"2613210931",
            b"261121093",
            b"26112109xx",
            b"0000000000",
            b"2026112109315900",
        ] {
            assert_eq!(date(text, 0), None, "{}", String::from_utf8_lossy(text));
        }
    }
}
