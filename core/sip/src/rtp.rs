//! RTP packets, and whose packets are heard (RFC 3550, section 5.1).

use std::net::{IpAddr, SocketAddr};
use std::time::{Duration, Instant};

/// The time between two packets, and what each holds: 20 ms, 160 samples of 8 kHz (RFC 3551, section 4.2).
pub(crate) const FRAME: Duration = Duration::from_millis(20);
/// Samples in a packet, and what the RTP clock grows by.
pub(crate) const FRAME_SAMPLES: usize = 160;
/// The largest datagram that is looked at; a packet of 20 ms of G.711 has 172 bytes.
pub(crate) const MAX_DATAGRAM: usize = 1_500;

const HEADER: usize = 12;

/// A packet, borrowed from its datagram.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Packet<'a> {
    pub(crate) payload_type: u8,
    pub(crate) marker: bool,
    pub(crate) sequence: u16,
    pub(crate) timestamp: u32,
    pub(crate) ssrc: u32,
    pub(crate) payload: &'a [u8],
}

impl<'a> Packet<'a> {
    /// Reads a datagram; `None` when it is not RTP version 2, or shorter than it says. Contributing sources, a header
    /// extension and padding are skipped.
    pub(crate) fn parse(datagram: &'a [u8]) -> Option<Self> {
        let (header, rest) = datagram.split_first_chunk::<HEADER>()?;
        let [first, second, s0, s1, t0, t1, t2, t3, i0, i1, i2, i3] = *header;
        if first >> 6 != 2 {
            return None;
        }
        let mut payload = rest.get(usize::from(first & 0x0F) * 4..)?;
        if first & 0x10 != 0 {
            let (&[_, _, high, low], after) = payload.split_first_chunk::<4>()?;
            payload = after.get(usize::from(u16::from_be_bytes([high, low])) * 4..)?;
        }
        if first & 0x20 != 0 {
            let padding = usize::from(*payload.last()?);
            if padding == 0 {
                return None;
            }
            payload = payload.get(..payload.len().checked_sub(padding)?)?;
        }
        Some(Self {
            payload_type: second & 0x7F,
            marker: second & 0x80 != 0,
            sequence: u16::from_be_bytes([s0, s1]),
            timestamp: u32::from_be_bytes([t0, t1, t2, t3]),
            ssrc: u32::from_be_bytes([i0, i1, i2, i3]),
            payload,
        })
    }

    /// Writes the packet over what `datagram` held.
    pub(crate) fn write(&self, datagram: &mut Vec<u8>) {
        datagram.clear();
        datagram.push(0x80);
        datagram.push(self.payload_type & 0x7F | u8::from(self.marker) << 7);
        datagram.extend_from_slice(&self.sequence.to_be_bytes());
        datagram.extend_from_slice(&self.timestamp.to_be_bytes());
        datagram.extend_from_slice(&self.ssrc.to_be_bytes());
        datagram.extend_from_slice(self.payload);
    }
}

/// Whose packets are heard: one source's, known by its address, port and SSRC. An open port is found by strangers, and
/// their packets would be keys that were never pressed.
///
/// A source at the address that SDP names is taken at its first packet. One elsewhere, as a party of several addresses or
/// behind NAT has it, is taken at its second in a row (RFC 3550, appendix A.1), and only while none at that address is.
#[derive(Debug)]
pub(crate) struct Latch {
    named: IpAddr,
    latched: Option<Latched>,
    /// A source elsewhere, and the number that its next packet would have.
    tried: Option<(SocketAddr, u32, u16)>,
}

#[derive(Debug)]
struct Latched {
    source: SocketAddr,
    ssrc: u32,
    heard_at: Instant,
}

/// How long the latched source is silent before another one may take its place: a media server that answers a call which
/// another one let ring.
const SILENT: Duration = Duration::from_secs(1);

impl Latch {
    pub(crate) fn new(named: IpAddr) -> Self {
        Self { named, latched: None, tried: None }
    }

    /// Another address is named, as a new SDP says.
    pub(crate) fn name(&mut self, address: IpAddr) {
        if address != self.named {
            *self = Self::new(address);
        }
    }

    /// Whether a packet that came at `now` is the other party's.
    pub(crate) fn accepts(&mut self, source: SocketAddr, packet: &Packet<'_>, now: Instant) -> bool {
        let is_named = source.ip() == self.named;
        if let Some(latched) = &mut self.latched {
            if (latched.source, latched.ssrc) == (source, packet.ssrc) {
                latched.heard_at = now;
                return true;
            }
            let was_named = latched.source.ip() == self.named;
            let silent = now.saturating_duration_since(latched.heard_at) >= SILENT;
            if was_named && !is_named || was_named == is_named && !silent {
                return false;
            }
        }
        if !is_named {
            let in_a_row = self.tried == Some((source, packet.ssrc, packet.sequence));
            self.tried = Some((source, packet.ssrc, packet.sequence.wrapping_add(1)));
            if !in_a_row {
                return false;
            }
        }
        self.latched = Some(Latched { source, ssrc: packet.ssrc, heard_at: now });
        true
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{any, prop, proptest};

    use super::*;

    fn packet(payload: &[u8]) -> Packet<'_> {
        Packet { payload_type: 8, marker: true, sequence: 65_535, timestamp: 7, ssrc: 0xDEAD_BEEF, payload }
    }

    #[test]
    fn a_packet_is_read_as_it_was_written() {
        let mut datagram = Vec::new();
        packet(&[1, 2, 3]).write(&mut datagram);
        assert_eq!(datagram[..4], [0x80, 0x88, 0xFF, 0xFF]);
        assert_eq!(Packet::parse(&datagram), Some(packet(&[1, 2, 3])));
    }

    #[test]
    fn sources_extension_and_padding_are_skipped() {
        let mut datagram = Vec::new();
        packet(&[]).write(&mut datagram);
        datagram[0] |= 0x31;
        datagram.extend([9; 4]);
        datagram.extend([0xBE, 0xDE, 0, 1, 7, 7, 7, 7]);
        datagram.extend([1, 2, 3, 0, 0, 3]);
        assert_eq!(Packet::parse(&datagram), Some(packet(&[1, 2, 3])));
    }

    #[test]
    fn what_is_shorter_than_it_says_is_no_packet() {
        let mut whole = Vec::new();
        packet(&[]).write(&mut whole);
        for length in 0..whole.len() {
            assert_eq!(Packet::parse(&whole[..length]), None);
        }
        for flags in [0x8F, 0x90, 0xA0, 0x40, 0x00] {
            whole[0] = flags;
            assert_eq!(Packet::parse(&whole), None, "{flags:#x}");
        }
        whole[0] = 0xA0;
        whole.push(0);
        assert_eq!(Packet::parse(&whole), None, "padding of no bytes");
        whole.push(3);
        assert_eq!(Packet::parse(&whole), None, "padding of more than there is");
    }

    fn numbered(sequence: u16, ssrc: u32) -> Packet<'static> {
        Packet { sequence, ssrc, ..packet(&[]) }
    }

    #[test]
    fn only_the_first_source_of_the_named_address_is_heard() {
        let now = Instant::now();
        let mut latch = Latch::new([127, 0, 0, 1].into());
        let source = SocketAddr::from(([127, 0, 0, 1], 4_000));
        let stranger = SocketAddr::from(([127, 0, 0, 2], 4_000));
        let neighbour = SocketAddr::from(([127, 0, 0, 1], 4_002));
        assert!(latch.accepts(source, &numbered(9, 1), now));
        for sequence in 1..5 {
            assert!(!latch.accepts(stranger, &numbered(sequence, 1), now));
            assert!(!latch.accepts(neighbour, &numbered(sequence, 1), now));
            assert!(!latch.accepts(source, &numbered(sequence, 2), now));
        }
        assert!(latch.accepts(source, &numbered(3, 1), now + SILENT / 2), "in any order");
        assert!(!latch.accepts(source, &numbered(1, 2), now + SILENT));
        assert!(latch.accepts(source, &numbered(1, 2), now + SILENT * 2), "after a second of silence");
        for sequence in 5..9 {
            assert!(
                !latch.accepts(stranger, &numbered(sequence, 1), now + SILENT * 4),
                "from elsewhere never"
            );
        }
        latch.name(stranger.ip());
        assert!(latch.accepts(stranger, &numbered(1, 1), now + SILENT * 4), "as another SDP says");
    }

    #[test]
    fn a_source_elsewhere_is_heard_from_its_second_packet_until_the_named_one_sends() {
        let now = Instant::now();
        let mut latch = Latch::new([127, 0, 0, 1].into());
        let (inside, outside) = (SocketAddr::from(([10, 0, 0, 1], 7)), SocketAddr::from(([10, 0, 0, 2], 7)));
        assert!(!latch.accepts(inside, &numbered(65_535, 1), now));
        assert!(!latch.accepts(outside, &numbered(5, 2), now));
        assert!(!latch.accepts(outside, &numbered(7, 2), now), "not in a row");
        assert!(latch.accepts(outside, &numbered(8, 2), now));
        for sequence in 0..3 {
            assert!(!latch.accepts(inside, &numbered(sequence, 1), now));
        }
        assert!(latch.accepts(outside, &numbered(40, 2), now));
        let named = SocketAddr::from(([127, 0, 0, 1], 7));
        assert!(latch.accepts(named, &numbered(1, 3), now));
        assert!(!latch.accepts(outside, &numbered(41, 2), now));
    }

    proptest! {
        #[test]
        fn no_datagram_makes_it_panic(datagram in prop::collection::vec(any::<u8>(), 0..64)) {
            if let Some(packet) = Packet::parse(&datagram) {
                assert!(packet.payload.len() + HEADER <= datagram.len());
            }
        }

        #[test]
        fn no_flags_make_it_panic(first in 0x80_u8..=0xBF, rest in prop::collection::vec(any::<u8>(), 0..90)) {
            let datagram = [&[first], rest.as_slice()].concat();
            let _ = Packet::parse(&datagram);
        }
    }
}
