//! Cutting the octets of a connection into PDUs, by command_length alone.
//!
//! A PDU is handed out whole and once, and what it says inside can never put the cutting out of step.

use super::command::{HEADER, Header};

/// The longest PDU taken: a message_payload of 64 KiB and everything around it. Anything longer is noise.
pub(super) const PDU_LEN_MAX: usize = 128 * 1024;

/// How much is read at once.
const READ_LEN: usize = 64 * 1024;

/// The octets received and not handed out yet.
#[derive(Debug, Default)]
pub(super) struct Frames {
    octets: Vec<u8>,
    start: usize,
    end: usize,
}

/// An impossible PDU length: the stream is lost, as the beginning of the next PDU is not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BadLength(pub(super) u32);

impl Frames {
    /// Where the next octets are to be read into; never empty.
    pub(super) fn space(&mut self) -> &mut [u8] {
        if self.start == self.end {
            (self.start, self.end) = (0, 0);
        }
        if self.octets.len() - self.end < READ_LEN / 2 {
            self.octets.copy_within(self.start..self.end, 0);
            (self.start, self.end) = (0, self.end - self.start);
            let wanted = (self.end + READ_LEN).next_multiple_of(READ_LEN);
            if self.octets.len() < wanted {
                self.octets.resize(wanted, 0);
            }
        }
        &mut self.octets[self.end..]
    }

    /// Notes that `count` octets were read into [`Frames::space`].
    pub(super) fn filled(&mut self, count: usize) {
        self.end += count;
    }

    /// The next whole PDU: its header and its body.
    ///
    /// # Errors
    /// [`BadLength`] when the stream cannot be followed any more.
    pub(super) fn next(&mut self) -> Result<Option<(Header, &[u8])>, BadLength> {
        let waiting = &self.octets[self.start..self.end];
        let Some(length) = word(waiting, 0) else { return Ok(None) };
        let Some(whole) = usize::try_from(length).ok().filter(|whole| (HEADER..=PDU_LEN_MAX).contains(whole))
        else {
            return Err(BadLength(length));
        };
        if waiting.len() < whole {
            return Ok(None);
        }
        let from = self.start;
        self.start += whole;
        let pdu = &self.octets[from..from + whole];
        let field = |at| word(pdu, at).unwrap_or_default();
        Ok(Some((Header { id: field(4), status: field(8), sequence: field(12) }, &pdu[HEADER..])))
    }
}

pub(super) fn word(octets: &[u8], at: usize) -> Option<u32> {
    octets.get(at..at + 4).and_then(|word| word.try_into().ok()).map(u32::from_be_bytes)
}

#[cfg(test)]
mod tests {
    use super::super::command::{ENQUIRE_LINK, UNBIND, put_delivery_resp, put_header};
    use super::*;

    fn feed(frames: &mut Frames, octets: &[u8]) {
        frames.space()[..octets.len()].copy_from_slice(octets);
        frames.filled(octets.len());
    }

    #[test]
    fn pdus_come_out_whole_however_they_arrive() {
        let mut stream = Vec::new();
        put_header(&mut stream, ENQUIRE_LINK, 0, 1);
        put_delivery_resp(&mut stream, 0x8000_0005, 8, 2);
        put_header(&mut stream, UNBIND, 0, 3);
        for step in 1..=stream.len() {
            let mut frames = Frames::default();
            let mut seen = Vec::new();
            for piece in stream.chunks(step) {
                feed(&mut frames, piece);
                while let Some((header, body)) = frames.next().unwrap() {
                    seen.push((header.id, header.status, header.sequence, body.len()));
                }
            }
            assert_eq!(
                seen,
                [(ENQUIRE_LINK, 0, 1, 0), (0x8000_0005, 8, 2, 1), (UNBIND, 0, 3, 0)],
                "by {step}"
            );
        }
    }

    #[test]
    fn a_length_below_a_header_or_beyond_reason_ends_the_stream() {
        for length in [0, 15, 200_000, u32::MAX] {
            let mut frames = Frames::default();
            feed(&mut frames, &[&length.to_be_bytes()[..], &[0; 12]].concat());
            assert_eq!(frames.next(), Err(BadLength(length)));
        }
    }

    #[test]
    fn a_pdu_longer_than_one_read_is_gathered() {
        let mut frames = Frames::default();
        let mut pdu = vec![0xAB; PDU_LEN_MAX];
        pdu[..4].copy_from_slice(&u32::try_from(PDU_LEN_MAX).unwrap().to_be_bytes());
        for piece in pdu.chunks(10_000) {
            assert_eq!(frames.next(), Ok(None));
            feed(&mut frames, piece);
        }
        let (_, body) = frames.next().unwrap().unwrap();
        assert_eq!(body.len(), PDU_LEN_MAX - HEADER);
    }
}
