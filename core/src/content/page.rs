//! Pages: what is billed (product.md, decision 7; specification, section 5).
//!
//! Text and flash: the length in septets divided by 156, rounded up; characters of the extension table count two.
//! Unicode: up to 70 UTF-16 units are one page, a longer text is cut by 67. WAP push and vCard: up to 140 octets are
//! one page, a longer body is cut by 128. The octets counted are those of the body alone, from the WSP header of a
//! WAP push or the `BEGIN` of a card to its end: user data headers, ports and concatenation, are ours to pay.
//!
//! Invariant: one to six pages, never more, and no knowledge of segments (see `segment`): 157 characters are two pages
//! in one segment, 936 are six pages in seven.

use super::body::Encoding;
use super::error::ContentError;

/// The most pages a message may have.
pub const PAGES_MAX: u32 = 6;

/// The units of a message of a single page.
pub const fn single(encoding: Encoding) -> u32 {
    match encoding {
        Encoding::Gsm7 => 156,
        Encoding::Ucs2 => 70,
        Encoding::Binary => 140,
    }
}

/// The units of each page of several.
pub const fn each(encoding: Encoding) -> u32 {
    match encoding {
        Encoding::Gsm7 => 156,
        Encoding::Ucs2 => 67,
        Encoding::Binary => 128,
    }
}

/// The units of the longest message: 936 septets, 402 UTF-16 units, 768 octets.
pub const fn longest(encoding: Encoding) -> u32 {
    each(encoding) * PAGES_MAX
}

/// The pages of a message.
///
/// # Errors
/// [`ContentError::Empty`] for nothing, [`ContentError::TooLong`] above six pages.
pub fn pages(encoding: Encoding, units: u32) -> Result<u8, ContentError> {
    if units == 0 {
        return Err(ContentError::Empty);
    }
    if units > longest(encoding) {
        return Err(ContentError::TooLong { encoding, units });
    }
    Ok(if units <= single(encoding) { 1 } else { units.div_ceil(each(encoding)) as u8 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_billed_by_156() {
        for (units, billed) in [(1, 1), (156, 1), (157, 2), (160, 2), (161, 2), (312, 2), (313, 3), (936, 6)]
        {
            assert_eq!(pages(Encoding::Gsm7, units), Ok(billed), "{units}");
        }
    }

    #[test]
    fn unicode_is_billed_by_70_then_67() {
        for (units, billed) in [(1, 1), (70, 1), (71, 2), (134, 2), (135, 3), (402, 6)] {
            assert_eq!(pages(Encoding::Ucs2, units), Ok(billed), "{units}");
        }
    }

    #[test]
    fn octets_are_billed_by_140_then_128() {
        for (units, billed) in [(1, 1), (140, 1), (141, 2), (256, 2), (257, 3), (768, 6)] {
            assert_eq!(pages(Encoding::Binary, units), Ok(billed), "{units}");
        }
    }

    #[test]
    fn nothing_and_too_much_are_refused_with_a_way_out() {
        assert_eq!(pages(Encoding::Gsm7, 0).unwrap_err().to_string(), "Message is required");
        assert_eq!(
            pages(Encoding::Gsm7, 937).unwrap_err().to_string(),
            "The message is 937 characters long (such as € and [ count two) and the limit is 936: 6 pages of 156. \
             Shorten it by 1, or send it as several messages"
        );
        let unicode = pages(Encoding::Ucs2, 410).unwrap_err().to_string();
        assert!(unicode.contains("limit of unicode is 402") && unicode.contains("by 8"), "{unicode}");
        assert!(pages(Encoding::Binary, 769).unwrap_err().to_string().contains("limit is 768"));
    }
}
