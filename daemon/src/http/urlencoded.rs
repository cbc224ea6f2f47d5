//! Urlencoded forms (WHATWG URL, section 5), decoded as they arrive.
//!
//! A value of any length passes through in pieces; only names are held.

use super::fields::{Pieces, long_name};
use crate::limit::FIELD_NAME_BYTES;
use crate::problem::ApiError;

/// The decoder's state between two pieces of a body.
#[derive(Debug, Default)]
pub(super) struct Decoder {
    in_value: bool,
    name: Vec<u8>,
    /// `%`, or `%` and its first digit, cut off at the end of the last piece.
    escape: Vec<u8>,
    value: Vec<u8>,
}

impl Decoder {
    /// Decodes the next piece of the body.
    pub(super) fn push(&mut self, bytes: &[u8], pieces: &mut impl Pieces) -> Result<(), ApiError> {
        for byte in bytes {
            match byte {
                b'&' => self.end_field(pieces)?,
                b'=' if !self.in_value => self.begin_value(pieces)?,
                byte => self.sign(*byte)?,
            }
        }
        self.flush(pieces)
    }

    /// The body is complete.
    pub(super) fn finish(mut self, pieces: &mut impl Pieces) -> Result<(), ApiError> {
        self.end_field(pieces)
    }

    fn sign(&mut self, byte: u8) -> Result<(), ApiError> {
        if self.escape.is_empty() {
            return match byte {
                b'%' => {
                    self.escape.push(byte);
                    Ok(())
                }
                b'+' => self.decoded(b' '),
                other => self.decoded(other),
            };
        }
        self.escape.push(byte);
        if self.escape.len() < 3 {
            return Ok(());
        }
        let escape = std::mem::take(&mut self.escape);
        let digit = |byte: u8| char::from(byte).to_digit(16);
        match (digit(escape[1]), digit(escape[2])) {
            (Some(high), Some(low)) => self.decoded(u8::try_from(high * 16 + low).unwrap_or_default()),
            // No escape after all: the signs stand for themselves.
            _ => escape.into_iter().try_for_each(|byte| self.decoded(byte)),
        }
    }

    fn decoded(&mut self, byte: u8) -> Result<(), ApiError> {
        if self.in_value {
            self.value.push(byte);
        } else if self.name.len() < FIELD_NAME_BYTES {
            self.name.push(byte);
        } else {
            return Err(long_name());
        }
        Ok(())
    }

    fn unfinished_escape(&mut self) -> Result<(), ApiError> {
        std::mem::take(&mut self.escape).into_iter().try_for_each(|byte| self.decoded(byte))
    }

    fn begin_value(&mut self, pieces: &mut impl Pieces) -> Result<(), ApiError> {
        self.unfinished_escape()?;
        self.in_value = true;
        let name = String::from_utf8_lossy(&self.name);
        pieces.begin(&name, None)
    }

    fn flush(&mut self, pieces: &mut impl Pieces) -> Result<(), ApiError> {
        if !self.value.is_empty() {
            pieces.piece(&self.value)?;
            self.value.clear();
        }
        Ok(())
    }

    fn end_field(&mut self, pieces: &mut impl Pieces) -> Result<(), ApiError> {
        if !self.in_value {
            self.unfinished_escape()?;
            if self.name.is_empty() {
                return Ok(());
            }
            self.begin_value(pieces)?;
        }
        self.unfinished_escape()?;
        self.flush(pieces)?;
        self.in_value = false;
        self.name.clear();
        pieces.end()
    }
}

/// Decodes a whole text and hands over each field; bytes that are no UTF-8 are replaced.
pub(super) fn decode_all(
    bytes: &[u8],
    mut field: impl FnMut(&str, String) -> Result<(), ApiError>,
) -> Result<(), ApiError> {
    each_field(bytes, |name, value| field(name, String::from_utf8_lossy(&value).into_owned()))
}

/// Decodes a whole text and hands over each field with its bytes as they are.
pub(crate) fn each_field(
    bytes: &[u8],
    field: impl FnMut(&str, Vec<u8>) -> Result<(), ApiError>,
) -> Result<(), ApiError> {
    struct Whole<F> {
        name: String,
        value: Vec<u8>,
        field: F,
    }
    impl<F: FnMut(&str, Vec<u8>) -> Result<(), ApiError>> Pieces for Whole<F> {
        fn begin(&mut self, name: &str, _: Option<&str>) -> Result<(), ApiError> {
            name.clone_into(&mut self.name);
            Ok(())
        }
        fn piece(&mut self, bytes: &[u8]) -> Result<(), ApiError> {
            self.value.extend_from_slice(bytes);
            Ok(())
        }
        fn end(&mut self) -> Result<(), ApiError> {
            (self.field)(&self.name, std::mem::take(&mut self.value))
        }
    }
    let mut whole = Whole { name: String::new(), value: Vec::new(), field };
    let mut decoder = Decoder::default();
    decoder.push(bytes, &mut whole)?;
    decoder.finish(&mut whole)
}

#[cfg(test)]
mod tests {
    use super::super::fields::Log;
    use super::*;

    fn decode_in(pieces_of: usize, body: &str) -> Vec<(String, String)> {
        let mut log = Log::default();
        let mut decoder = Decoder::default();
        for piece in body.as_bytes().chunks(pieces_of) {
            decoder.push(piece, &mut log).unwrap();
        }
        decoder.finish(&mut log).unwrap();
        log.fields()
    }

    #[test]
    fn a_body_reads_the_same_however_it_is_cut() {
        let body = "a=1%2B1+%3D+2&b=%C3%A9&&c&d=&time%5B%5D=x%2&e==%zz";
        let expected = [("a", "1+1 = 2"), ("b", "é"), ("c", ""), ("d", ""), ("time[]", "x%2"), ("e", "=%zz")]
            .map(|(name, value)| (name.to_owned(), value.to_owned()));
        for size in 1..=body.len() {
            assert_eq!(decode_in(size, body), expected, "pieces of {size}");
        }
    }

    #[test]
    fn a_name_has_so_many_bytes() {
        let read = |length: usize| decode_all("n".repeat(length).as_bytes(), |_, _| Ok(()));
        assert!(read(FIELD_NAME_BYTES).is_ok());
        assert_eq!(read(FIELD_NAME_BYTES + 1).unwrap_err().code(), "bad_form");
    }
}
