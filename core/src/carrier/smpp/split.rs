//! A body's parts as one carrier sends them: recut where its header is longer, joined where it takes all at once.
//!
//! The octets of the parts, joined, are the octets of the body, joined; and no escape pair and no
//! surrogate pair is ever divided between two parts.

use std::borrow::Cow;

use super::alphabet::ESCAPE;
use super::config::Concatenation;
use crate::content::{Body, Encoding};

/// User data beyond one short message's headers, in octets of the air interface.
const USER_DATA_OCTETS: usize = 140;

/// How this body's parts are tied together on this carrier.
pub(super) fn method(body: &Body, configured: Concatenation) -> Concatenation {
    match configured {
        Concatenation::Sar | Concatenation::Payload if body.ports.is_some() => Concatenation::Udh8,
        other => other,
    }
}

/// The parts' octets, in order; never empty.
pub(super) fn parts(body: &Body, method: Concatenation) -> Vec<Cow<'_, [u8]>> {
    let as_cut = || body.parts.iter().map(|part| Cow::Borrowed(&*part.data)).collect::<Vec<_>>();
    match method {
        _ if body.parts.len() < 2 => as_cut(),
        Concatenation::Udh8 | Concatenation::Sar => as_cut(),
        Concatenation::Payload => vec![Cow::Owned(joined(body))],
        Concatenation::Udh16 => {
            let limit = limit_with_header(body, 7);
            if body.parts.iter().all(|part| part.data.len() <= limit) { as_cut() } else { recut(body, limit) }
        }
    }
}

fn joined(body: &Body) -> Vec<u8> {
    body.parts.iter().flat_map(|part| part.data.iter().copied()).collect()
}

/// How many octets of data fit beside a concatenation header of `header` octets (its length octet counted).
fn limit_with_header(body: &Body, header: usize) -> usize {
    let ports = if body.ports.is_some() { 6 } else { 0 };
    let octets = USER_DATA_OCTETS - header - ports;
    match body.encoding {
        Encoding::Gsm7 => octets * 8 / 7,
        Encoding::Ucs2 => octets & !1,
        Encoding::Binary => octets,
    }
}

fn recut<'a>(body: &Body, limit: usize) -> Vec<Cow<'a, [u8]>> {
    let data = joined(body);
    let mut rest = data.as_slice();
    let mut parts = Vec::new();
    while !rest.is_empty() {
        let (part, left) = rest.split_at(cut(rest, limit, body.encoding));
        parts.push(Cow::Owned(part.to_vec()));
        rest = left;
    }
    parts
}

/// Where to cut so that nothing that belongs together is divided.
fn cut(data: &[u8], limit: usize, encoding: Encoding) -> usize {
    if data.len() <= limit {
        return data.len();
    }
    match encoding {
        Encoding::Gsm7 => {
            let escapes = data[..limit].iter().rev().take_while(|septet| **septet == ESCAPE).count();
            limit - escapes % 2
        }
        Encoding::Ucs2 if (0xD8..=0xDB).contains(&data[limit - 2]) => limit - 2,
        Encoding::Ucs2 | Encoding::Binary => limit,
    }
}

#[cfg(test)]
mod tests {
    use talkdrum_api::kind::Kind;

    use super::*;
    use crate::content::Part;

    fn body(encoding: Encoding, parts: &[&[u8]]) -> Body {
        let parts = parts.iter().map(|data| Part { data: (*data).into() }).collect();
        Body { kind: Kind::Text, encoding, flash: false, ports: None, parts, call: None }
    }

    fn lengths(body: &Body, method: Concatenation) -> Vec<usize> {
        parts(body, method).iter().map(|part| part.len()).collect()
    }

    #[test]
    fn full_septet_parts_are_cut_to_152_for_a_16_bit_reference() {
        let body = body(Encoding::Gsm7, &[&[0x41; 153], &[0x42; 153], &[0x43; 10]]);
        assert_eq!(lengths(&body, Concatenation::Udh16), [152, 152, 12]);
        assert_eq!(parts(&body, Concatenation::Udh16).concat(), joined(&body));
        assert_eq!(lengths(&body, Concatenation::Udh8), [153, 153, 10]);
    }

    #[test]
    fn parts_that_leave_room_are_not_recut() {
        let body = body(Encoding::Gsm7, &[&[0x41; 152], &[0x42; 20]]);
        assert_eq!(lengths(&body, Concatenation::Udh16), [152, 20]);
    }

    #[test]
    fn an_escape_pair_is_never_divided() {
        let mut first = [0x41; 153];
        first[151] = ESCAPE;
        let body = body(Encoding::Gsm7, &[&first, &[0x42; 9]]);
        let parts = parts(&body, Concatenation::Udh16);
        assert_eq!(parts[0].len(), 151);
        assert_eq!(parts[1][0], ESCAPE);
    }

    #[test]
    fn a_surrogate_pair_is_never_divided() {
        let first: Vec<u8> =
            std::iter::repeat_n([0x00, 0x41], 65).flatten().chain([0xD8, 0x3D, 0xDE, 0x00]).collect();
        let body = body(Encoding::Ucs2, &[&first, &[0x00, 0x42]]);
        let parts = parts(&body, Concatenation::Udh16);
        assert_eq!(parts[0].len(), 130);
        assert_eq!(&parts[1][..2], [0xD8, 0x3D]);
    }

    #[test]
    fn octets_with_ports_are_cut_to_127() {
        let parts_of = [[7; 128].as_slice(), &[7; 5]];
        let body = Body { ports: Some((2948, 9200)), ..body(Encoding::Binary, &parts_of) };
        assert_eq!(lengths(&body, Concatenation::Udh16), [127, 6]);
        assert_eq!(method(&body, Concatenation::Payload), Concatenation::Udh8);
    }

    #[test]
    fn a_payload_is_all_parts_at_once() {
        let body = body(Encoding::Gsm7, &[&[0x41; 153], &[0x42; 3]]);
        assert_eq!(lengths(&body, Concatenation::Payload), [156]);
    }
}
