//! JSON bodies (RFC 8259), decoded as they arrive: an object whose values are scalars or lists of scalars; of fields that are
//! maps ([`MAPS`]) also objects of scalars.
//!
//! Each scalar is a field, each of a list a field of the same name, of a map one `name[key]`, `null` none. A text passes through in pieces; what is
//! held is a name, a number or an escape, never the body and never a tree of values.

use super::fields::{MAPS, Pieces, long_name};
use crate::limit::{FIELD_NAME_BYTES, JSON_LEVELS, JSON_NUMBER_BYTES};
use crate::problem::ApiError;

/// What becomes of what is no field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Deeper {
    /// A value that is deeper than a list of scalars is refused.
    Refused,
    /// A value that is a list or an object is left out.
    LeftOut,
}

/// The decoder's state between two pieces of a body.
#[derive(Debug)]
pub(super) struct Decoder {
    deeper: Deeper,
    expected: Expected,
    /// The containers that are open, outermost first.
    open: Vec<Container>,
    /// How many are open that are left out; 0 outside such a value.
    left_out: usize,
    name: Vec<u8>,
    /// The name of the map whose object is open; empty outside one.
    map: Vec<u8>,
    /// A number or a word so far.
    scalar: Vec<u8>,
    escape: Escape,
    /// Bytes before the current piece, for messages.
    before: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Container {
    Object,
    List,
}

/// What may come next, blanks aside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Expected {
    Value,
    /// A value, or the end of a list that is empty so far.
    ValueOrEnd,
    Name,
    /// A name, or the end of an object that is empty so far.
    NameOrEnd,
    Colon,
    CommaOrEnd,
    /// More of a text; `true` when it is a name.
    Text(bool),
    Scalar,
    Nothing,
}

/// An escape within a text, as far as it came.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Escape {
    /// What came of it: 0 for none, 1 for the backslash, then the digits of `\u`.
    length: u8,
    unit: u16,
    /// The first half of a surrogate pair.
    high: Option<u16>,
}

impl Decoder {
    pub(super) fn new(deeper: Deeper) -> Self {
        Self {
            deeper,
            expected: Expected::Value,
            open: Vec::new(),
            left_out: 0,
            name: Vec::new(),
            map: Vec::new(),
            scalar: Vec::new(),
            escape: Escape::default(),
            before: 0,
        }
    }

    /// Decodes the next piece of the body.
    pub(super) fn push(&mut self, bytes: &[u8], pieces: &mut impl Pieces) -> Result<(), ApiError> {
        let mut at = 0;
        while let Some(byte) = bytes.get(at) {
            if let Expected::Text(is_name) = self.expected {
                let run = if self.escape == Escape::default() { plain(&bytes[at..]) } else { 0 };
                if run > 0 {
                    self.text(&bytes[at..at + run], is_name, pieces)?;
                    at += run;
                    continue;
                }
                self.in_text(*byte, is_name, pieces).map_err(|wrong| self.unreadable(at, wrong))?;
            } else if self.expected == Expected::Scalar && is_scalar(*byte) {
                if self.scalar.len() == JSON_NUMBER_BYTES {
                    return Err(self.unreadable(at, Wrong::Json("a number is too long")));
                }
                self.scalar.push(*byte);
            } else if self.expected == Expected::Scalar {
                // The byte after it belongs to what comes next.
                self.end_scalar(pieces).map_err(|wrong| self.unreadable(at, wrong))?;
                continue;
            } else if !byte.is_ascii_whitespace() || *byte == b'\x0c' {
                self.between(*byte, pieces).map_err(|wrong| self.unreadable(at, wrong))?;
            }
            at += 1;
        }
        self.before += bytes.len();
        Ok(())
    }

    /// The body is complete. One without anything in it is an empty object.
    pub(super) fn finish(self) -> Result<(), ApiError> {
        let is_empty = self.expected == Expected::Value && self.open.is_empty();
        if self.expected == Expected::Nothing || is_empty {
            return Ok(());
        }
        // A scalar that was not ended stands outside any object.
        Err(self.unreadable(0, Wrong::Json("it ends too early")))
    }

    /// A byte that belongs to no scalar.
    fn between(&mut self, byte: u8, pieces: &mut impl Pieces) -> Result<(), Wrong> {
        match (self.expected, byte) {
            (Expected::Name | Expected::NameOrEnd, b'"') => {
                if self.left_out == 0 {
                    self.name.clear();
                }
                self.expected = Expected::Text(true);
                Ok(())
            }
            (Expected::Colon, b':') => {
                self.expected = Expected::Value;
                Ok(())
            }
            (Expected::CommaOrEnd, b',') => {
                let in_object = self.open.last() == Some(&Container::Object);
                self.expected = if in_object { Expected::Name } else { Expected::Value };
                Ok(())
            }
            (Expected::CommaOrEnd | Expected::NameOrEnd, b'}') => self.close(Container::Object),
            (Expected::CommaOrEnd | Expected::ValueOrEnd, b']') => self.close(Container::List),
            (Expected::Value | Expected::ValueOrEnd, byte) => self.begin_value(byte, pieces),
            _ => Err(Wrong::Json("a sign is not expected there")),
        }
    }

    fn begin_value(&mut self, byte: u8, pieces: &mut impl Pieces) -> Result<(), Wrong> {
        if self.open.is_empty() && byte != b'{' {
            return Err(Wrong::NoObject);
        }
        match byte {
            b'{' => self.open(Container::Object),
            b'[' => self.open(Container::List),
            b'"' => {
                self.expected = Expected::Text(false);
                if self.left_out == 0 { self.begin(pieces) } else { Ok(()) }
            }
            byte if is_scalar(byte) => {
                self.scalar.clear();
                self.scalar.push(byte);
                self.expected = Expected::Scalar;
                Ok(())
            }
            _ => Err(Wrong::Json("a value is not expected to begin so")),
        }
    }

    fn open(&mut self, container: Container) -> Result<(), Wrong> {
        let is_field = match (self.open.len(), container) {
            (0, Container::Object) => true,
            (1, Container::List) => self.deeper == Deeper::Refused,
            (1, Container::Object) if self.is_map() => {
                self.map.clone_from(&self.name);
                true
            }
            _ => false,
        };
        if self.left_out > 0 || !is_field {
            if self.deeper == Deeper::Refused {
                return Err(Wrong::Deeper);
            }
            if self.open.len() == JSON_LEVELS {
                return Err(Wrong::Json("it is nested too deeply"));
            }
            self.left_out += 1;
        }
        self.open.push(container);
        self.expected = match container {
            Container::Object => Expected::NameOrEnd,
            Container::List => Expected::ValueOrEnd,
        };
        Ok(())
    }

    fn close(&mut self, container: Container) -> Result<(), Wrong> {
        if self.open.pop() != Some(container) {
            return Err(Wrong::Json("a bracket closes what it did not open"));
        }
        self.left_out = self.left_out.saturating_sub(1);
        if self.open.len() == 1 {
            self.map.clear();
        }
        self.after_value();
        Ok(())
    }

    fn after_value(&mut self) {
        self.expected = if self.open.is_empty() { Expected::Nothing } else { Expected::CommaOrEnd };
    }

    /// Whether the value that begins is that of a map.
    fn is_map(&self) -> bool {
        self.deeper == Deeper::Refused && MAPS.iter().any(|map| map.as_bytes() == self.name)
    }

    fn begin(&self, pieces: &mut impl Pieces) -> Result<(), Wrong> {
        let name = String::from_utf8_lossy(&self.name);
        if self.map.is_empty() {
            return Ok(pieces.begin(&name, None)?);
        }
        let map = String::from_utf8_lossy(&self.map);
        Ok(pieces.begin(&format!("{map}[{name}]"), None)?)
    }

    fn end_scalar(&mut self, pieces: &mut impl Pieces) -> Result<(), Wrong> {
        let text = match self.scalar.as_slice() {
            b"null" => None,
            word @ (b"true" | b"false") => Some(word.to_vec()),
            // What most lists are made of stands as it is.
            digits if is_short_integer(digits) => Some(digits.to_vec()),
            other => {
                let number: serde_json::Number =
                    serde_json::from_slice(other).map_err(|_| Wrong::Json("a value is no JSON"))?;
                Some(number.to_string().into_bytes())
            }
        };
        if let Some(text) = text.filter(|_| self.left_out == 0) {
            self.begin(pieces)?;
            pieces.piece(&text)?;
            pieces.end()?;
        }
        self.after_value();
        Ok(())
    }

    /// Bytes of a text that stand for themselves.
    fn text(&mut self, bytes: &[u8], is_name: bool, pieces: &mut impl Pieces) -> Result<(), ApiError> {
        if self.left_out > 0 {
            return Ok(());
        }
        if !is_name {
            return pieces.piece(bytes);
        }
        if self.name.len() + bytes.len() > FIELD_NAME_BYTES {
            return Err(long_name());
        }
        self.name.extend_from_slice(bytes);
        Ok(())
    }

    /// A byte of a text that ends it or is part of an escape.
    fn in_text(&mut self, byte: u8, is_name: bool, pieces: &mut impl Pieces) -> Result<(), Wrong> {
        match (self.escape.length, byte) {
            (0, b'\\') => self.escape.length = 1,
            (0, _) if self.escape.high.is_some() => {
                return Err(Wrong::Json("half a surrogate pair stands alone"));
            }
            (0, b'"') => {
                if is_name {
                    self.expected = Expected::Colon;
                } else {
                    self.after_value();
                    if self.left_out == 0 {
                        pieces.end()?;
                    }
                }
            }
            (0, _) => return Err(Wrong::Json("a control character stands in a text")),
            (1, b'u') => self.escape = Escape { length: 2, unit: 0, high: self.escape.high },
            (1, _) if self.escape.high.is_some() => {
                return Err(Wrong::Json("half a surrogate pair stands alone"));
            }
            (1, byte) => {
                let sign = match byte {
                    b'"' | b'\\' | b'/' => byte,
                    b'b' => 0x08,
                    b'f' => 0x0c,
                    b'n' => b'\n',
                    b'r' => b'\r',
                    b't' => b'\t',
                    _ => return Err(Wrong::Json("there is no such escape")),
                };
                self.escape = Escape::default();
                self.text(&[sign], is_name, pieces)?;
            }
            (length, byte) => {
                let digit =
                    char::from(byte).to_digit(16).ok_or(Wrong::Json("an escape has no such digit"))?;
                self.escape.unit = self.escape.unit << 4 | u16::try_from(digit).unwrap_or_default();
                self.escape.length = length + 1;
                if self.escape.length == 6 {
                    self.end_unit(is_name, pieces)?;
                }
            }
        }
        Ok(())
    }

    /// The four digits of `\u` are complete.
    fn end_unit(&mut self, is_name: bool, pieces: &mut impl Pieces) -> Result<(), Wrong> {
        let Escape { unit, high, .. } = std::mem::take(&mut self.escape);
        if high.is_none() && (0xd800..0xdc00).contains(&unit) {
            self.escape.high = Some(unit);
            return Ok(());
        }
        let units = high.into_iter().chain([unit]);
        for sign in char::decode_utf16(units) {
            let sign = sign.map_err(|_| Wrong::Json("half a surrogate pair stands alone"))?;
            self.text(sign.encode_utf8(&mut [0; 4]).as_bytes(), is_name, pieces)?;
        }
        Ok(())
    }

    fn unreadable(&self, at: usize, wrong: Wrong) -> ApiError {
        let name = String::from_utf8_lossy(&self.name);
        match wrong {
            Wrong::Refused(error) => error,
            Wrong::NoObject => ApiError::bad_request(None, "bad_json", "The JSON body must be an object"),
            Wrong::Deeper => ApiError::bad_request(
                Some(&name),
                "bad_json",
                format!("{name} must be a text, a number or a list of them"),
            ),
            Wrong::Json(what) => ApiError::bad_request(
                None,
                "bad_json",
                format!("The JSON body cannot be read: {what}, at byte {}", self.before + at),
            ),
        }
    }
}

/// Why a body is refused.
enum Wrong {
    Json(&'static str),
    NoObject,
    Deeper,
    Refused(ApiError),
}

impl From<ApiError> for Wrong {
    fn from(error: ApiError) -> Self {
        Self::Refused(error)
    }
}

/// How many bytes of a text stand for themselves.
fn plain(bytes: &[u8]) -> usize {
    bytes.iter().position(|byte| matches!(byte, b'"' | b'\\' | 0..=0x1f)).unwrap_or(bytes.len())
}

fn is_scalar(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.')
}

/// Whether a number is written as Rust would write it.
fn is_short_integer(text: &[u8]) -> bool {
    text.len() <= 18
        && text.iter().all(u8::is_ascii_digit)
        && (text.len() == 1 || text.first() != Some(&b'0'))
}

#[cfg(test)]
mod tests;
