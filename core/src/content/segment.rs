//! Segments: the short messages that go on the air (3GPP TS 23.040, section 9.2.3.24).
//!
//! One segment holds 160 septets, 70 UTF-16 units or 133 octets (140 less the 7 of a port header); each of several
//! holds 153, 67 or 128, which leaves room for a concatenation header with an 8-bit reference (6 octets, 12 together
//! with ports).
//!
//! Invariant: no cut falls inside an escape sequence or a surrogate pair, and [`count`] is the length of [`cut`].

use super::body::{Encoding, Part};
use super::gsm7::{ESCAPE, Size};

/// The units of a message of one segment.
pub const fn single(encoding: Encoding) -> u32 {
    match encoding {
        Encoding::Gsm7 => 160,
        Encoding::Ucs2 => 70,
        Encoding::Binary => 133,
    }
}

/// The units of each segment of several, at most.
pub const fn each(encoding: Encoding) -> u32 {
    match encoding {
        Encoding::Gsm7 => 153,
        Encoding::Ucs2 => 67,
        Encoding::Binary => 128,
    }
}

/// The segments of a message whose size tells them; `None` when a character of two units could straddle a cut, so that
/// only [`count`] knows.
pub(super) fn by_size(encoding: Encoding, size: Size) -> Option<u8> {
    if size.units <= single(encoding) {
        return Some(1);
    }
    (!size.wide).then(|| saturated(size.units.div_ceil(each(encoding)) as usize))
}

/// The segments of an encoded message: unpacked septets, UTF-16BE, or octets.
pub fn count(encoding: Encoding, data: &[u8]) -> u8 {
    saturated(Cuts::new(encoding, data).count())
}

/// An encoded message cut into its parts.
pub fn cut(encoding: Encoding, data: &[u8]) -> Vec<Part> {
    Cuts::new(encoding, data).map(|data| Part { data: data.into() }).collect()
}

fn saturated(segments: usize) -> u8 {
    u8::try_from(segments).unwrap_or(u8::MAX)
}

/// The octets of a unit.
const fn unit_len(encoding: Encoding) -> usize {
    if matches!(encoding, Encoding::Ucs2) { 2 } else { 1 }
}

struct Cuts<'a> {
    encoding: Encoding,
    rest: &'a [u8],
    /// Octets, as all in here.
    limit: usize,
}

impl<'a> Cuts<'a> {
    fn new(encoding: Encoding, data: &'a [u8]) -> Self {
        let unit = unit_len(encoding);
        let fits = data.len() <= single(encoding) as usize * unit;
        let units = if fits { single(encoding) } else { each(encoding) };
        Self { encoding, rest: data, limit: units as usize * unit }
    }

    /// Where the next part ends.
    fn end(&self) -> usize {
        if self.rest.len() <= self.limit {
            return self.rest.len();
        }
        match (self.encoding, &self.rest[..self.limit]) {
            (Encoding::Gsm7, [.., ESCAPE]) => self.limit - 1,
            (Encoding::Ucs2, [.., lead, _]) if lead & 0xFC == 0xD8 => self.limit - 2,
            _ => self.limit,
        }
    }
}

impl<'a> Iterator for Cuts<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        if self.rest.is_empty() {
            return None;
        }
        let (part, rest) = self.rest.split_at(self.end());
        self.rest = rest;
        Some(part)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn lens(encoding: Encoding, data: &[u8]) -> Vec<usize> {
        cut(encoding, data).iter().map(|part| part.data.len() / unit_len(encoding)).collect()
    }

    fn utf16(text: &str) -> Vec<u8> {
        text.encode_utf16().flat_map(u16::to_be_bytes).collect()
    }

    #[test]
    fn septets_are_cut_by_160_and_153() {
        assert_eq!(lens(Encoding::Gsm7, &[b'a'; 160]), [160]);
        assert_eq!(lens(Encoding::Gsm7, &[b'a'; 161]), [153, 8]);
        assert_eq!(lens(Encoding::Gsm7, &[b'a'; 936]), [153, 153, 153, 153, 153, 153, 18]);
    }

    #[test]
    fn an_escape_stays_with_its_character() {
        let mut data = vec![b'a'; 152];
        data.extend([ESCAPE, 0x65]);
        data.extend([b'b'; 20]);
        let parts = cut(Encoding::Gsm7, &data);
        assert_eq!(parts[0].data.len(), 152);
        assert_eq!(parts[1].data[..2], [ESCAPE, 0x65]);
    }

    #[test]
    fn units_are_cut_by_70_and_67_and_pairs_stay_together() {
        assert_eq!(lens(Encoding::Ucs2, &utf16(&"ж".repeat(70))), [70]);
        assert_eq!(lens(Encoding::Ucs2, &utf16(&"ж".repeat(71))), [67, 4]);
        assert_eq!(lens(Encoding::Ucs2, &utf16(&"😀".repeat(36))), [66, 6]);
        assert_eq!(lens(Encoding::Ucs2, &utf16(&"😀".repeat(201))), [66, 66, 66, 66, 66, 66, 6]);
    }

    #[test]
    fn octets_leave_room_for_ports() {
        assert_eq!(lens(Encoding::Binary, &[7; 133]), [133]);
        assert_eq!(lens(Encoding::Binary, &[7; 134]), [128, 6]);
        assert_eq!(lens(Encoding::Binary, &[7; 768]), [128; 6]);
    }

    #[test]
    fn the_size_tells_the_segments_when_nothing_can_straddle() {
        let narrow = |units| by_size(Encoding::Gsm7, Size { units, wide: false });
        assert_eq!(
            [narrow(160), narrow(161), narrow(306), narrow(307)],
            [Some(1), Some(2), Some(2), Some(3)]
        );
        assert_eq!(by_size(Encoding::Gsm7, Size { units: 160, wide: true }), Some(1));
        assert_eq!(by_size(Encoding::Gsm7, Size { units: 161, wide: true }), None);
    }

    proptest! {
        #[test]
        fn parts_add_up_and_never_exceed_their_room(text in "[aж😀]{0,300}") {
            let data = utf16(&text);
            let parts = cut(Encoding::Ucs2, &data);
            prop_assert_eq!(parts.len(), usize::from(count(Encoding::Ucs2, &data)));
            let room = if parts.len() == 1 { 140 } else { 134 };
            for part in &parts {
                prop_assert!(part.data.len() <= room);
                let units: Vec<u16> = part.data.chunks(2).map(|unit| u16::from_be_bytes([unit[0], unit[1]])).collect();
                prop_assert!(String::from_utf16(&units).is_ok());
            }
            prop_assert_eq!(parts.iter().flat_map(|part| part.data.to_vec()).collect::<Vec<u8>>(), data);
        }
    }
}
