//! Multipart forms (RFC 7578), decoded as they arrive.
//!
//! A part passes through in pieces; what is held is the headers of one part, up to [`PART_HEADER_BYTES`]. Each byte is
//! looked at once, however the body is cut.

use super::fields::{Pieces, long_name};
use crate::limit::{BOUNDARY_BYTES, FIELD_NAME_BYTES, PART_HEADER_BYTES};
use crate::problem::ApiError;

/// The decoder's state between two pieces of a body.
#[derive(Debug)]
pub(super) struct Decoder {
    /// What stands before each part: CRLF, two dashes and the boundary.
    delimiter: Vec<u8>,
    /// Bytes of the delimiter that were matched.
    matched: usize,
    place: Place,
    /// The headers of a part so far, from the CRLF that ends the delimiter's line.
    headers: Vec<u8>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// Before the first delimiter: thrown away.
    Preamble,
    /// After a delimiter; one dash was seen, or none.
    Delimiter {
        has_dash: bool,
    },
    /// Blanks after a delimiter, up to its CRLF.
    Padding,
    Headers,
    Data,
    /// After the last delimiter: thrown away.
    End,
}

impl Decoder {
    /// A decoder for the boundary that a `Content-Type` names.
    pub(super) fn new(content_type: &str) -> Result<Self, ApiError> {
        let boundary = parameters(content_type.as_bytes())
            .find(|(name, _)| name.eq_ignore_ascii_case(b"boundary"))
            .map(|(_, value)| value)
            .filter(|value| (1..=BOUNDARY_BYTES).contains(&value.len()) && value.iter().all(is_boundary));
        let Some(boundary) = boundary else { return Err(unreadable("its boundary is missing")) };
        let mut delimiter = b"\r\n--".to_vec();
        delimiter.extend_from_slice(&boundary);
        // The first delimiter may stand at the very beginning, as if a line had ended before it.
        Ok(Self { delimiter, matched: 2, place: Place::Preamble, headers: Vec::new() })
    }

    /// Decodes the next piece of the body.
    pub(super) fn push(&mut self, bytes: &[u8], pieces: &mut impl Pieces) -> Result<(), ApiError> {
        let mut rest = bytes;
        while let Some((byte, after)) = rest.split_first() {
            match self.place {
                Place::Preamble => rest = self.up_to_delimiter(rest, |_| Ok(()))?.0,
                Place::Data => {
                    let is_complete;
                    (rest, is_complete) = self.up_to_delimiter(rest, |data| pieces.piece(data))?;
                    if is_complete {
                        pieces.end()?;
                    }
                }
                Place::End => return Ok(()),
                Place::Headers => {
                    rest = after;
                    self.header_byte(*byte, pieces)?;
                }
                Place::Delimiter { .. } | Place::Padding => {
                    rest = after;
                    self.after_delimiter(*byte)?;
                }
            }
        }
        Ok(())
    }

    /// The body is complete.
    pub(super) fn finish(self) -> Result<(), ApiError> {
        if self.place == Place::End { Ok(()) } else { Err(unreadable("it ends before its last boundary")) }
    }

    /// Hands over what stands before the next delimiter. Returns what comes after it, and whether it was found.
    ///
    /// A carriage return stands at the delimiter's beginning and nowhere else in it: where a match fails, another can
    /// begin at the failing byte only.
    fn up_to_delimiter<'b>(
        &mut self,
        bytes: &'b [u8],
        mut data: impl FnMut(&[u8]) -> Result<(), ApiError>,
    ) -> Result<(&'b [u8], bool), ApiError> {
        // Bytes of the match that came with earlier pieces.
        let mut carried = self.matched;
        let mut at = 0;
        while let Some(byte) = bytes.get(at) {
            if self.delimiter.get(self.matched) == Some(byte) {
                self.matched += 1;
                at += 1;
                if self.matched == self.delimiter.len() {
                    data(&bytes[..at - (self.matched - carried)])?;
                    self.matched = 0;
                    self.place = Place::Delimiter { has_dash: false };
                    return Ok((&bytes[at..], true));
                }
            } else if self.matched > 0 {
                if carried > 0 {
                    data(&self.delimiter[..carried])?;
                    carried = 0;
                }
                self.matched = 0;
            } else {
                let run = bytes[at..].iter().position(|byte| *byte == b'\r').unwrap_or(bytes.len() - at);
                at += run;
            }
        }
        data(&bytes[..at - (self.matched - carried)])?;
        Ok((&[], false))
    }

    fn after_delimiter(&mut self, byte: u8) -> Result<(), ApiError> {
        self.place = match (self.place, byte) {
            (Place::Delimiter { has_dash: false }, b'-') => Place::Delimiter { has_dash: true },
            (Place::Delimiter { has_dash: true }, b'-') => Place::End,
            (Place::Delimiter { has_dash: false } | Place::Padding, b' ' | b'\t') => Place::Padding,
            (Place::Delimiter { has_dash: false } | Place::Padding, b'\r') => {
                self.headers.clear();
                self.headers.push(byte);
                Place::Headers
            }
            _ => return Err(unreadable("a boundary is followed by something else than a line's end")),
        };
        Ok(())
    }

    fn header_byte(&mut self, byte: u8, pieces: &mut impl Pieces) -> Result<(), ApiError> {
        if self.headers.len() == PART_HEADER_BYTES {
            return Err(unreadable("the headers of a part are too long"));
        }
        self.headers.push(byte);
        if !self.headers.ends_with(b"\r\n\r\n") {
            return Ok(());
        }
        let (name, file_name) = disposition(&self.headers);
        let name = name.unwrap_or_default();
        if name.len() > FIELD_NAME_BYTES {
            return Err(long_name());
        }
        pieces.begin(&name, file_name.as_deref())?;
        self.place = Place::Data;
        Ok(())
    }
}

fn unreadable(why: &str) -> ApiError {
    ApiError::bad_request(None, "bad_form", format!("The multipart form cannot be read: {why}"))
}

/// The signs of RFC 2046, and the few more that clients use.
fn is_boundary(byte: &u8) -> bool {
    byte.is_ascii_graphic() || *byte == b' '
}

/// The field's name and the file's, as the `Content-Disposition` of a part has them.
fn disposition(headers: &[u8]) -> (Option<String>, Option<String>) {
    let is_disposition = |line: &&[u8]| {
        let name = line.split(|byte| *byte == b':').next().unwrap_or_default();
        name.trim_ascii().eq_ignore_ascii_case(b"content-disposition")
    };
    let Some(line) = headers.split(|byte| *byte == b'\n').find(is_disposition) else { return (None, None) };
    let (mut field, mut file) = (None, None);
    for (name, value) in parameters(line) {
        let value = || String::from_utf8_lossy(&value).into_owned();
        match name.to_ascii_lowercase().as_slice() {
            b"name" if field.is_none() => field = Some(value()),
            b"filename" | b"filename*" if file.is_none() => file = Some(value()),
            _ => {}
        }
    }
    (field, file)
}

/// The parameters of a header: `; name=value` and `; name="value"`, where a backslash in quotes escapes a quote.
fn parameters(header: &[u8]) -> impl Iterator<Item = (&[u8], Vec<u8>)> {
    let start = header.iter().position(|byte| *byte == b';').unwrap_or(header.len());
    let mut rest = &header[start..];
    std::iter::from_fn(move || {
        rest = rest.split_first()?.1;
        let end = rest.iter().position(|byte| matches!(byte, b'=' | b';')).unwrap_or(rest.len());
        let name = rest[..end].trim_ascii();
        rest = &rest[end..];
        if rest.first() != Some(&b'=') {
            return Some((name, Vec::new()));
        }
        let value = rest[1..].trim_ascii_start();
        let Some(quoted) = value.strip_prefix(b"\"") else {
            let end = value.iter().position(|byte| *byte == b';').unwrap_or(value.len());
            rest = &value[end..];
            return Some((name, value[..end].trim_ascii().to_vec()));
        };
        let mut text = Vec::new();
        let mut bytes = quoted.iter().enumerate().peekable();
        let mut end = quoted.len();
        while let Some((at, byte)) = bytes.next() {
            match byte {
                b'"' => {
                    end = at + 1;
                    break;
                }
                // Browsers of old send the backslashes of a path as they are.
                b'\\' => match bytes.next_if(|(_, next)| matches!(next, b'"' | b'\\')) {
                    Some((_, escaped)) => text.push(*escaped),
                    None => text.push(*byte),
                },
                byte => text.push(*byte),
            }
        }
        rest = &quoted[end..];
        let next = rest.iter().position(|byte| *byte == b';').unwrap_or(rest.len());
        rest = &rest[next..];
        Some((name, text))
    })
}

#[cfg(test)]
mod tests {
    use super::super::fields::Log;
    use super::*;

    type Parts = Vec<(String, Option<String>, Vec<u8>)>;

    fn decode_in(pieces_of: usize, body: &[u8]) -> Result<Parts, ApiError> {
        let mut log = Log::default();
        let mut decoder = Decoder::new("multipart/form-data; boundary=\"x-y\"")?;
        for piece in body.chunks(pieces_of) {
            decoder.push(piece, &mut log)?;
        }
        decoder.finish()?;
        Ok(log.0)
    }

    const BODY: &[u8] = b"preamble\r\n--x-y \t\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n\
        one\r\n--x-z\r\r\n--x-\r\n\r\n--x-y\r\ncontent-type: text/csv\r\n\
        content-disposition: form-data; filename=\"C:\\x; \\\"y\\\".csv\"; name=file\r\n\r\n\xff\r\n--x-y\r\n\
        Content-Disposition: form-data; name=empty\r\n\r\n\r\n--x-y--\r\nepilogue --x-y";

    #[test]
    fn a_form_reads_the_same_however_it_is_cut() {
        let part = |name: &str, file: Option<&str>, value: &[u8]| {
            (name.to_owned(), file.map(str::to_owned), value.to_vec())
        };
        let expected = [
            part("a", None, b"one\r\n--x-z\r\r\n--x-\r\n"),
            part("file", Some("C:\\x; \"y\".csv"), b"\xff"),
            part("empty", None, b""),
        ];
        for size in 1..=BODY.len() {
            assert_eq!(decode_in(size, BODY).unwrap(), expected, "pieces of {size}");
        }
        assert_eq!(decode_in(9, b"--x-y--").unwrap(), []);
    }

    #[test]
    fn a_form_that_is_cut_off_or_is_none_is_refused() {
        let end = BODY.windows(7).position(|window| window == b"--x-y--").unwrap() + 7;
        for length in 0..end {
            assert!(decode_in(50, &BODY[..length]).is_err(), "{length} bytes");
        }
        assert!(decode_in(50, b"--x-yz\r\n\r\n\r\n--x-y--").is_err());
        for content_type in
            ["multipart/form-data", "multipart/form-data; boundary=", "multipart/form-data; boundary=a\rb"]
        {
            assert!(Decoder::new(content_type).is_err(), "{content_type}");
        }
        let boundary =
            |length: usize| format!("multipart/form-data; charset=utf-8; boundary={}", "b".repeat(length));
        assert!(Decoder::new(&boundary(BOUNDARY_BYTES)).is_ok());
        assert!(Decoder::new(&boundary(BOUNDARY_BYTES + 1)).is_err());
    }

    #[test]
    fn the_headers_of_a_part_are_held_up_to_their_bound_and_no_further() {
        let part = |length: usize| {
            let frame = "\r\ncontent-disposition: form-data; name=a\r\nx: \r\n\r\n".len();
            let filler = "x".repeat(length - frame);
            format!("--x-y\r\ncontent-disposition: form-data; name=a\r\nx: {filler}\r\n\r\nv\r\n--x-y--")
        };
        assert_eq!(decode_in(1_000, part(PART_HEADER_BYTES).as_bytes()).unwrap().len(), 1);
        assert_eq!(decode_in(1_000, part(PART_HEADER_BYTES + 1).as_bytes()).unwrap_err().code(), "bad_form");
        let mut decoder = Decoder::new("multipart/form-data; boundary=x").unwrap();
        decoder.push(b"--x\r\n", &mut Log::default()).unwrap();
        let endless = (0..100).map(|_| decoder.push(&[b'x'; 1_000], &mut Log::default()));
        assert_eq!(endless.take_while(Result::is_ok).count(), PART_HEADER_BYTES / 1_000);
        assert!(decoder.headers.len() <= PART_HEADER_BYTES);
    }

    #[test]
    fn a_name_has_so_many_bytes() {
        let part = |length: usize| {
            let name = "n".repeat(length);
            format!("--x-y\r\ncontent-disposition: form-data; name={name}\r\n\r\n\r\n--x-y--")
        };
        assert!(decode_in(1_000, part(FIELD_NAME_BYTES).as_bytes()).is_ok());
        assert!(decode_in(1_000, part(FIELD_NAME_BYTES + 1).as_bytes()).is_err());
    }
}
