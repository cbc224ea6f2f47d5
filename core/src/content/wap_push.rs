//! WAP push service indication: a title and a link as WBXML (WAP-167 service indication, WAP-192 WBXML) behind a WSP
//! push header, for port 2948.
//!
//! Invariant: the octets hold no user data header; that is the carrier's to add, from [`PORTS`].

use super::link;
use crate::Time;

/// Destination port 2948 (WAP push, connectionless) and source port 9200.
pub const PORTS: (u16, u16) = (2948, 9200);

/// WSP: transaction 1, push, a header of one octet: content type `application/vnd.wap.sic`.
const WSP_ASCII: [u8; 4] = [0x01, 0x06, 0x01, 0xAE];
/// The same, the content type with its character set: UTF-8.
const WSP_UTF8: [u8; 7] = [0x01, 0x06, 0x04, 0x03, 0xAE, 0x81, 0xEA];
/// WBXML 1.2, service indication 1.0, UTF-8, no string table; then `si` and `indication` with attributes.
const HEAD: [u8; 6] = [0x02, 0x05, 0x6A, 0x00, 0x45, 0xC6];
const END: u8 = 0x01;
const STRING: u8 = 0x03;
const OPAQUE: u8 = 0xC3;
const CREATED: u8 = 0x0A;
const SI_EXPIRES: u8 = 0x10;
const SI_ID: u8 = 0x11;
/// `href` with what it begins with, longest first.
const HREF: [(&str, u8); 4] =
    [("https://www.", 0x0F), ("https://", 0x0E), ("http://www.", 0x0D), ("http://", 0x0C)];
/// `href` with nothing.
const HREF_PLAIN: u8 = 0x0B;
/// Tokens that stand for a piece of a link.
const VALUES: [(&str, u8); 4] = [(".com/", 0x85), (".edu/", 0x86), (".net/", 0x87), (".org/", 0x88)];

/// How a telephone is to treat the indication.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Action {
    /// Not shown.
    SignalNone,
    /// Shown when nothing is interrupted by it.
    SignalLow,
    /// Shown as soon as it does not disturb: what the standard assumes.
    #[default]
    SignalMedium,
    /// Shown at once.
    SignalHigh,
    /// Deletes the indication of the same id.
    Delete,
}

impl Action {
    const fn token(self) -> u8 {
        match self {
            Self::SignalNone => 0x05,
            Self::SignalLow => 0x06,
            Self::SignalMedium => 0x07,
            Self::SignalHigh => 0x08,
            Self::Delete => 0x09,
        }
    }
}

/// A service indication.
#[derive(Clone, Copy, Debug, Default)]
pub struct Indication<'a> {
    /// What is shown.
    pub title: &'a str,
    /// Where it leads: a link that passed [`link::check`].
    pub url: &'a str,
    /// What a later indication replaces or deletes it by; the link where there is none.
    pub id: Option<&'a str>,
    /// How it is shown.
    pub action: Action,
    /// When it was made: of two with the same id the newer is kept. To the second.
    pub created: Option<Time>,
    /// When the telephone is to drop it. To the second.
    pub expires: Option<Time>,
}

impl Indication<'_> {
    /// Appends the WSP push header and the WBXML. A NUL, which would end a string early, is left out.
    pub fn encode(&self, out: &mut Vec<u8>) {
        let ascii = self.title.is_ascii() && self.id.unwrap_or_default().is_ascii();
        if ascii {
            out.extend(WSP_ASCII);
        } else {
            out.extend(WSP_UTF8);
        }
        out.extend(HEAD);
        href(self.url, out);
        if let Some(id) = self.id {
            out.push(SI_ID);
            string(id, out);
        }
        for (token, time) in [(CREATED, self.created), (SI_EXPIRES, self.expires)] {
            if let Some(date) = time.and_then(date) {
                out.extend([token, OPAQUE, date.len() as u8]);
                out.extend(date);
            }
        }
        out.extend([self.action.token(), END]);
        string(self.title, out);
        out.extend([END, END]);
    }
}

fn href(url: &str, out: &mut Vec<u8>) {
    let found = HREF.iter().find_map(|(prefix, token)| Some((*token, link::scheme(url, prefix)?)));
    let (token, mut rest) = found.unwrap_or((HREF_PLAIN, url));
    out.push(token);
    while let Some((at, text, token)) = next_value(rest) {
        string(&rest[..at], out);
        out.push(token);
        rest = &rest[at + text.len()..];
    }
    string(rest, out);
}

/// The first piece of a link that a token stands for.
fn next_value(rest: &str) -> Option<(usize, &'static str, u8)> {
    VALUES.iter().filter_map(|(text, token)| Some((rest.find(text)?, *text, *token))).min()
}

/// A time as the standard's `%Datetime`: decimal digits of year to second in UTC, two an octet, zeros at the end left
/// out. `None` outside the years 0 to 9999.
fn date(time: Time) -> Option<Vec<u8>> {
    let utc = jiff::Timestamp::from_millisecond(time.millis()).ok()?.to_zoned(jiff::tz::TimeZone::UTC);
    let year = u8::try_from(utc.year() / 100).ok().zip(u8::try_from(utc.year() % 100).ok())?;
    let clock = [utc.month(), utc.day(), utc.hour(), utc.minute(), utc.second()];
    let numbers =
        [year.0, year.1].into_iter().chain(clock.into_iter().filter_map(|part| u8::try_from(part).ok()));
    let mut octets: Vec<u8> = numbers.map(|number| (number / 10) << 4 | (number % 10)).collect();
    while octets.last() == Some(&0) {
        octets.pop();
    }
    Some(octets)
}

/// An inline string, unless it is empty.
fn string(text: &str, out: &mut Vec<u8>) {
    if text.is_empty() {
        return;
    }
    out.push(STRING);
    out.extend(text.bytes().filter(|byte| *byte != 0));
    out.push(0);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hex(indication: Indication<'_>) -> String {
        let mut out = Vec::new();
        indication.encode(&mut out);
        out.iter().map(|octet| format!("{octet:02X}")).collect()
    }

    fn push<'a>(title: &'a str, url: &'a str) -> Indication<'a> {
        Indication { title, url, ..Indication::default() }
    }

    #[test]
    fn the_known_vector_is_met() {
        let header = "0605040B8423F0";
        let whole = format!("{header}{}", hex(push("Hi", "http://www.example.com/")));
        assert_eq!(whole, "0605040B8423F0010601AE02056A0045C60D036578616D706C6500850701034869000101");
        assert_eq!(whole.len() / 2, 36);
    }

    #[test]
    fn every_beginning_of_a_link_has_its_token() {
        for (url, expected) in [
            ("http://a.ng", "0C03612E6E6700"),
            ("HTTP://WWW.a.ng", "0D03612E6E6700"),
            ("https://a.ng", "0E03612E6E6700"),
            ("https://www.a.ng", "0F03612E6E6700"),
            ("a.ng", "0B03612E6E6700"),
        ] {
            assert!(hex(push("x", url)).contains(&format!("45C6{expected}0701")), "{url}");
        }
    }

    #[test]
    fn endings_in_the_middle_of_a_link_have_their_tokens() {
        assert!(hex(push("x", "http://a.edu/b.net/c.org/.com/")).contains("0C0361008603620087036300888507"));
    }

    #[test]
    fn a_title_beyond_ascii_says_that_it_is_utf8() {
        let octets = hex(push("é", "http://a.ng"));
        assert!(octets.starts_with("01060403AE81EA02056A00"), "{octets}");
        assert!(octets.ends_with("0103C3A9000101"), "{octets}");
    }

    #[test]
    fn times_are_written_as_the_digits_of_their_date() {
        // The example of the standard: 1999-06-25T15:23:15Z and 1999-06-30T00:00:00Z.
        let indication = Indication {
            created: Some(Time(930_324_195_000)),
            expires: Some(Time(930_700_800_000)),
            ..push("x", "http://a.ng")
        };
        assert!(hex(indication).contains("000AC3071999062515231510C304199906300701"), "{}", hex(indication));
    }

    #[test]
    fn id_and_action_are_written_as_attributes() {
        let indication = Indication { id: Some("7"), action: Action::Delete, ..push("x", "http://a.ng") };
        assert!(hex(indication).ends_with("1103370009010378000101"));
        let tokens = [Action::SignalNone, Action::SignalLow, Action::SignalMedium, Action::SignalHigh];
        assert_eq!(tokens.map(Action::token), [5, 6, 7, 8]);
    }
}
