//! Bytes into text: UTF-8 with and without BOM, UTF-16 of both orders with and without BOM, Windows-1252.
//!
//! The one invariant: no byte is lost and none stops the reading. In text of one-byte units whatever is valid UTF-8 is
//! that, and any other byte is Windows-1252, wherever it stands: files are glued together from both.

use encoding_rs::{CoderResult, UTF_16BE, UTF_16LE, WINDOWS_1252};

use crate::error::{Error, Result};

/// How the bytes of an input were understood.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum InputEncoding {
    /// UTF-8, or ASCII, which is part of it.
    #[default]
    Utf8,
    /// UTF-8 with a byte order mark, as Excel writes it.
    Utf8Bom,
    /// UTF-16, low byte first: Excel's "Unicode text".
    Utf16Le,
    /// UTF-16, high byte first.
    Utf16Be,
    /// Windows-1252: some byte was no UTF-8.
    Windows1252,
}

impl InputEncoding {
    /// The name for people and the API.
    pub const fn label(self) -> &'static str {
        match self {
            Self::Utf8 => "utf-8",
            Self::Utf8Bom => "utf-8-bom",
            Self::Utf16Le => "utf-16le",
            Self::Utf16Be => "utf-16be",
            Self::Windows1252 => "windows-1252",
        }
    }
}

/// The beginnings of files that are uploaded by mistake.
const BINARIES: [(&[u8], &str); 6] = [
    (b"PK\x03\x04", "a workbook or a zip archive"),
    (b"\xd0\xcf\x11\xe0", "an old Excel or Word file"),
    (b"%PDF", "a PDF"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"\x89PNG", "a picture"),
    (b"\xff\xd8\xff", "a picture"),
];

/// Refuses what is no text at all, with what to do instead.
pub(super) fn refuse_binary(head: &[u8]) -> Result<()> {
    match BINARIES.iter().find(|(begin, _)| head.starts_with(begin)) {
        Some((_, what)) => Err(Error::rule(
            "not_text",
            format!("The file is {what}, not text: save the list as CSV (comma separated) and send that"),
        )),
        None => Ok(()),
    }
}

/// A decoder that takes its input in pieces.
pub(super) struct Decoder {
    encoding: InputEncoding,
    /// For UTF-16.
    wide: Option<encoding_rs::Decoder>,
    /// The beginning of a UTF-8 sequence cut in two.
    partial: Vec<u8>,
    /// Bytes of the byte order mark still to be skipped.
    mark: usize,
}

impl std::fmt::Debug for Decoder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Decoder").field("encoding", &self.encoding).finish_non_exhaustive()
    }
}

impl Decoder {
    /// The decoder for an input that begins like this, by its byte order mark or by where zero bytes stand.
    pub(super) fn detect(head: &[u8]) -> Self {
        let (encoding, mark) = match head {
            [0xef, 0xbb, 0xbf, ..] => (InputEncoding::Utf8Bom, 3),
            [0xff, 0xfe, ..] => (InputEncoding::Utf16Le, 2),
            [0xfe, 0xff, ..] => (InputEncoding::Utf16Be, 2),
            _ => (by_zero_bytes(head), 0),
        };
        let wide = match encoding {
            InputEncoding::Utf16Le => Some(UTF_16LE.new_decoder_without_bom_handling()),
            InputEncoding::Utf16Be => Some(UTF_16BE.new_decoder_without_bom_handling()),
            InputEncoding::Utf8 | InputEncoding::Utf8Bom | InputEncoding::Windows1252 => None,
        };
        Self { encoding, wide, partial: Vec::with_capacity(4), mark }
    }

    /// The decoder for text that is known to be UTF-8.
    pub(super) fn utf8() -> Self {
        Self { encoding: InputEncoding::Utf8, wide: None, partial: Vec::new(), mark: 0 }
    }

    pub(super) const fn encoding(&self) -> InputEncoding {
        self.encoding
    }

    /// Appends the text of the next bytes.
    pub(super) fn decode(&mut self, bytes: &[u8], last: bool, text: &mut String) {
        let skipped = self.mark.min(bytes.len());
        self.mark -= skipped;
        let bytes = &bytes[skipped..];
        match &mut self.wide {
            Some(wide) => decode_wide(wide, bytes, last, text),
            None => self.decode_narrow(bytes, last, text),
        }
    }

    fn decode_narrow(&mut self, bytes: &[u8], last: bool, text: &mut String) {
        let mut bytes = bytes;
        while !self.partial.is_empty() && !bytes.is_empty() {
            self.partial.push(bytes[0]);
            bytes = &bytes[1..];
            let joined = std::mem::take(&mut self.partial);
            self.append(&joined, text);
        }
        self.append(bytes, text);
        if last && !self.partial.is_empty() {
            let cut = std::mem::take(&mut self.partial);
            self.append_windows(&cut, text);
        }
    }

    /// Valid UTF-8 as it is, bytes that cannot be UTF-8 as Windows-1252, a cut sequence kept for the next piece.
    fn append(&mut self, bytes: &[u8], text: &mut String) {
        let mut bytes = bytes;
        loop {
            let error = match std::str::from_utf8(bytes) {
                Ok(valid) => return text.push_str(valid),
                Err(error) => error,
            };
            let (valid, rest) = bytes.split_at(error.valid_up_to());
            text.push_str(std::str::from_utf8(valid).unwrap_or_default());
            match error.error_len() {
                // One byte at a time: a second look at the rest may find a valid sequence in it.
                Some(_) => {
                    self.append_windows(&rest[..1], text);
                    bytes = &rest[1..];
                }
                None => return self.partial.extend_from_slice(rest),
            }
        }
    }

    fn append_windows(&mut self, bytes: &[u8], text: &mut String) {
        self.encoding = InputEncoding::Windows1252;
        for byte in bytes {
            if byte.is_ascii() {
                text.push(char::from(*byte));
            } else {
                text.push_str(&WINDOWS_1252.decode_without_bom_handling(&[*byte]).0);
            }
        }
    }
}

fn decode_wide(decoder: &mut encoding_rs::Decoder, bytes: &[u8], last: bool, text: &mut String) {
    let mut bytes = bytes;
    loop {
        text.reserve(decoder.max_utf8_buffer_length(bytes.len()).unwrap_or(bytes.len() * 3).max(16));
        let (result, read, _) = decoder.decode_to_string(bytes, text, last);
        bytes = &bytes[read..];
        if result == CoderResult::InputEmpty {
            return;
        }
    }
}

/// UTF-16 without a mark: in a list of numbers nearly every other byte is zero, in one-byte text none is.
fn by_zero_bytes(head: &[u8]) -> InputEncoding {
    let pairs = head.len() / 2;
    let zeros = |offset: usize| head.iter().skip(offset).step_by(2).filter(|byte| **byte == 0).count();
    let (high_first, low_first) = (zeros(0), zeros(1));
    let many = |count: usize| pairs >= 2 && count * 10 >= pairs * 6;
    let few = |count: usize| count * 10 <= pairs;
    match (many(high_first), many(low_first)) {
        (true, false) if few(low_first) => InputEncoding::Utf16Be,
        (false, true) if few(high_first) => InputEncoding::Utf16Le,
        _ => InputEncoding::Utf8,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decode(pieces: &[&[u8]]) -> (String, InputEncoding) {
        let mut decoder = Decoder::detect(&pieces.concat());
        let mut text = String::new();
        for piece in pieces {
            decoder.decode(piece, false, &mut text);
        }
        decoder.decode(&[], true, &mut text);
        (text, decoder.encoding())
    }

    #[test]
    fn a_sequence_cut_in_two_is_put_together() {
        assert_eq!(decode(&[b"\xe2", b"\x82", b"\xa6 \xc3", b"\xa9"]), ("₦ é".into(), InputEncoding::Utf8));
        assert_eq!(decode(&[b"\xff", b"\xfe0", b"\x00\xac", b"\x20"]), ("0€".into(), InputEncoding::Utf16Le));
        assert_eq!(decode(&[b"\xef\xbb", b"\xbf0"]), ("0".into(), InputEncoding::Utf8Bom));
    }

    #[test]
    fn a_byte_that_is_no_utf8_is_windows_1252() {
        assert_eq!(decode(&[b"Jos\xe9,\x930803\x94"]), ("José,“0803”".into(), InputEncoding::Windows1252));
        assert_eq!(decode(&[b"Jos\xe9, Ren\xc3\xa9"]), ("José, René".into(), InputEncoding::Windows1252));
        assert_eq!(decode(&[b"Jos\xe9"]), ("José".into(), InputEncoding::Windows1252));
        assert_eq!(decode(&[b"\xe2\x82", b"x"]), ("â‚x".into(), InputEncoding::Windows1252));
    }

    #[test]
    fn utf16_is_known_by_its_zero_bytes() {
        assert_eq!(decode(&[b"0\x008\x000\x003\x00"]), ("0803".into(), InputEncoding::Utf16Le));
        assert_eq!(decode(&[b"\x000\x008\x000\x003"]), ("0803".into(), InputEncoding::Utf16Be));
        assert_eq!(decode(&[b"0803\x00"]).1, InputEncoding::Utf8);
    }

    #[test]
    fn a_workbook_is_refused_with_what_to_do() {
        let error = refuse_binary(b"PK\x03\x04rest").unwrap_err();
        assert!(error.to_string().contains("save the list as CSV"));
        assert!(refuse_binary(b"0803").is_ok());
    }
}
