//! Keys pressed on a phone, as named events in RTP (RFC 4733).

/// The payload type offered for telephone events.
pub(crate) const PAYLOAD_TYPE: u8 = 101;

/// A packet of an event: each press comes in several, all with the timestamp of its beginning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Event {
    /// The key: a digit, `*`, `#` or `A` to `D`.
    pub(crate) key: char,
    /// Whether the key is up again.
    pub(crate) end: bool,
    /// How long it has been down, in samples.
    pub(crate) duration: u16,
}

const KEYS: &[u8; 16] = b"0123456789*#ABCD";

impl Event {
    /// Reads the payload of a packet; `None` for what is no key (a flash, a modem's tones) or no event at all.
    pub(crate) fn parse(payload: &[u8]) -> Option<Self> {
        let &[code, flags, high, low] = payload.first_chunk::<4>()?;
        let &key = KEYS.get(usize::from(code))?;
        Some(Self { key: key.into(), end: flags & 0x80 != 0, duration: u16::from_be_bytes([high, low]) })
    }

    /// The payload, at -10 dBm0; `None` when the key is none of a phone.
    pub(crate) fn payload(self) -> Option<[u8; 4]> {
        let code = KEYS.iter().position(|&key| char::from(key) == self.key)?;
        let [high, low] = self.duration.to_be_bytes();
        Some([u8::try_from(code).ok()?, u8::from(self.end) << 7 | 10, high, low])
    }
}

/// Tells presses from packets: each press once, at its first packet that arrives.
#[derive(Debug, Default)]
pub(crate) struct Presses {
    last: Option<(char, u32)>,
}

impl Presses {
    /// The key of a packet with this timestamp, when it is a press not reported yet.
    pub(crate) fn press(&mut self, event: Event, timestamp: u32) -> Option<char> {
        if let Some((key, began)) = self.last {
            let after = timestamp.wrapping_sub(began);
            // What is a repetition, or late: timestamps only grow, and wrap.
            if after == 0 || after > u32::MAX / 2 {
                return None;
            }
            // A press longer than the field of its duration goes on in a new segment (section 2.5.1.3).
            if key == event.key && after == u32::from(u16::MAX) {
                self.last = Some((key, timestamp));
                return None;
            }
        }
        self.last = Some((event.key, timestamp));
        Some(event.key)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{any, prop, proptest};

    use super::*;

    fn press(key: char) -> Event {
        Event { key, end: false, duration: 160 }
    }

    #[test]
    fn each_key_is_read_as_it_was_written() {
        for &key in KEYS {
            for end in [false, true] {
                let event = Event { key: key.into(), end, duration: 0x0320 };
                assert_eq!(Event::parse(&event.payload().unwrap()), Some(event));
            }
        }
        assert_eq!(Event::parse(&[1, 0x8A, 3, 0x20]), Some(Event { key: '1', end: true, duration: 800 }));
        assert_eq!(Event::parse(&[16, 0, 0, 0]), None, "a flash is no key");
        assert_eq!(Event::parse(&[1, 0, 0]), None);
        assert_eq!(press('x').payload(), None);
    }

    #[test]
    fn a_press_is_reported_once_whatever_packets_of_it_arrive() {
        let mut presses = Presses::default();
        assert_eq!(presses.press(press('1'), 1_000), Some('1'));
        assert_eq!(presses.press(press('1'), 1_000), None);
        assert_eq!(presses.press(Event { end: true, ..press('1') }, 1_000), None);
        assert_eq!(presses.press(press('1'), 3_000), Some('1'), "the same key again");
        assert_eq!(
            presses.press(Event { end: true, ..press('2') }, 5_000),
            Some('2'),
            "only its end arrived"
        );
        assert_eq!(presses.press(press('1'), 3_000), None, "late");
    }

    #[test]
    fn a_press_of_ten_seconds_is_one_and_timestamps_wrap() {
        let mut presses = Presses::default();
        let began = u32::MAX - 100;
        assert_eq!(presses.press(press('#'), began), Some('#'));
        assert_eq!(presses.press(press('#'), began.wrapping_add(65_535)), None);
        assert_eq!(presses.press(press('#'), began.wrapping_add(80_000)), Some('#'));
    }

    proptest! {
        #[test]
        fn no_payload_makes_it_panic(payload in prop::collection::vec(any::<u8>(), 0..8), timestamp: u32) {
            if let Some(event) = Event::parse(&payload) {
                let mut presses = Presses::default();
                assert_eq!(presses.press(event, timestamp), Some(event.key));
                assert_eq!(presses.press(event, timestamp), None);
            }
        }
    }
}
