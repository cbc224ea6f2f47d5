//! The submit_sm outstanding on one connection, and what is known of their messages.
//!
//! Every message begun here leaves exactly once, as an [`Answer`], and the answer says `Unanswered`
//! only if octets of one of its parts were taken by the socket and not answered.

use std::time::Duration;

use tokio::time::Instant;

use crate::carrier::{Accepted, Answer, Reference, Verdict};
use crate::model::message::id::MessageId;

/// The highest sequence_number (SMPP 3.4, 3.2: 0x00000001 to 0x7FFFFFFF).
const SEQUENCE_MAX: u32 = 0x7FFF_FFFF;

/// A message that was begun: its place in the window's table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FlightId(u32);

/// A part on the wire.
#[derive(Clone, Copy, Debug)]
struct Slot {
    /// 0 is a free slot.
    sequence: u32,
    flight: FlightId,
    part: u8,
    /// Where in the connection's stream its first octet stands.
    start: u64,
    written_at: Instant,
}

#[derive(Debug)]
struct Flight {
    message: MessageId,
    /// What it was counted as when it was handed over.
    weight: u32,
    outstanding: u16,
    /// Parts are still to be written.
    is_open: bool,
    accepted: Accepted,
    trouble: Option<Verdict>,
    /// A part of it may have been sent.
    is_in_doubt: bool,
}

/// A message that is done with, and what it was counted as.
#[derive(Debug)]
pub(super) struct Settled {
    pub(super) answer: Answer,
    pub(super) weight: u32,
}

/// The window of one connection.
#[derive(Debug)]
pub(super) struct Window {
    slots: Box<[Slot]>,
    limit: usize,
    held: usize,
    sequence: u32,
    flights: Vec<Flight>,
    free: Vec<u32>,
}

impl Window {
    /// A window of `limit` parts.
    pub(super) fn new(limit: u32) -> Self {
        let limit = limit.max(1) as usize;
        let empty = Slot { sequence: 0, flight: FlightId(0), part: 0, start: 0, written_at: Instant::now() };
        let slots = vec![empty; (limit * 2).next_power_of_two()].into_boxed_slice();
        Self { slots, limit, held: 0, sequence: 0, flights: Vec::new(), free: Vec::new() }
    }

    /// How many parts may be written now.
    pub(super) const fn room(&self) -> usize {
        self.limit - self.held
    }

    /// Whether nothing is outstanding.
    pub(super) const fn is_empty(&self) -> bool {
        self.held == 0
    }

    /// The next sequence_number that no outstanding part has.
    pub(super) fn next_sequence(&mut self) -> u32 {
        loop {
            self.sequence = if self.sequence >= SEQUENCE_MAX { 1 } else { self.sequence + 1 };
            if self.slots[self.place(self.sequence)].sequence == 0 {
                return self.sequence;
            }
        }
    }

    /// Begins a message. It stays open for parts until [`Window::close`].
    pub(super) fn begin(&mut self, message: MessageId, weight: u32) -> FlightId {
        let flight = Flight {
            message,
            weight,
            outstanding: 0,
            is_open: true,
            accepted: Accepted::None,
            trouble: None,
            is_in_doubt: false,
        };
        if let Some(place) = self.free.pop() {
            self.flights[place as usize] = flight;
            return FlightId(place);
        }
        self.flights.push(flight);
        FlightId((self.flights.len() - 1) as u32)
    }

    /// Notes a part that begins at `start` of the stream and returns its sequence_number. There must be room.
    pub(super) fn put(&mut self, flight: FlightId, part: u8, start: u64, now: Instant) -> u32 {
        let sequence = self.next_sequence();
        let place = self.place(sequence);
        self.slots[place] = Slot { sequence, flight, part, start, written_at: now };
        self.held += 1;
        self.flight(flight).outstanding += 1;
        sequence
    }

    /// Whether something happened to the message after which no further part is to be written.
    pub(super) fn is_troubled(&self, flight: FlightId) -> bool {
        self.flights[flight.0 as usize].trouble.is_some()
    }

    /// No further part of the message will be written.
    pub(super) fn close(&mut self, flight: FlightId) -> Option<Settled> {
        self.flight(flight).is_open = false;
        self.settle(flight)
    }

    /// A part was accepted. `None` if nothing is known of it, or its message has more to wait for.
    pub(super) fn accept(&mut self, sequence: u32, reference: impl FnOnce() -> Reference) -> Option<Settled> {
        let slot = self.take(sequence)?;
        self.flight(slot.flight).accepted.push(slot.part, reference());
        self.settle(slot.flight)
    }

    /// A part was refused.
    pub(super) fn refuse(&mut self, sequence: u32, verdict: impl FnOnce() -> Verdict) -> Option<Settled> {
        let slot = self.take(sequence)?;
        self.flight(slot.flight).add_trouble(verdict());
        self.settle(slot.flight)
    }

    /// Whether a part with this number is outstanding.
    pub(super) fn holds(&self, sequence: u32) -> bool {
        sequence != 0 && self.slots[self.place(sequence)].sequence == sequence
    }

    /// Gives up on the parts that were not answered in time.
    pub(super) fn expire(
        &mut self,
        now: Instant,
        timeout: Duration,
        mut settled: impl FnMut(Settled),
    ) -> usize {
        let mut expired = 0;
        for place in 0..self.slots.len() {
            let slot = self.slots[place];
            if slot.sequence == 0 || now.duration_since(slot.written_at) < timeout {
                continue;
            }
            expired += 1;
            if let Some(done) = self.refuse(slot.sequence, || Verdict::Unanswered) {
                settled(done);
            }
        }
        expired
    }

    /// The connection is gone after the socket took `taken` octets of its stream: settles everything.
    pub(super) fn lose(&mut self, taken: u64, mut settled: impl FnMut(Settled)) {
        for place in 0..self.slots.len() {
            let slot = self.slots[place];
            if slot.sequence == 0 {
                continue;
            }
            let verdict = if slot.start < taken { Verdict::Unanswered } else { Verdict::Unsent };
            self.flight(slot.flight).is_open = false;
            if let Some(done) = self.refuse(slot.sequence, || verdict) {
                settled(done);
            }
        }
    }

    /// The parts of an open message that were not written will not be: nothing of them is in doubt.
    pub(super) fn abandon(&mut self, flight: FlightId) -> Option<Settled> {
        self.flight(flight).add_trouble(Verdict::Unsent);
        self.close(flight)
    }

    fn take(&mut self, sequence: u32) -> Option<Slot> {
        let place = self.place(sequence);
        let slot = self.slots[place];
        if sequence == 0 || slot.sequence != sequence {
            return None;
        }
        self.slots[place].sequence = 0;
        self.held -= 1;
        self.flight(slot.flight).outstanding -= 1;
        Some(slot)
    }

    fn settle(&mut self, id: FlightId) -> Option<Settled> {
        let flight = self.flight(id);
        if flight.is_open || flight.outstanding > 0 {
            return None;
        }
        let mut verdict = flight.trouble.take().unwrap_or(Verdict::Accepted);
        if let Verdict::Refused(refusal) = &mut verdict {
            // A part that may have been sent keeps the message from other carriers.
            refusal.is_carriers &= !flight.is_in_doubt;
        }
        let answer =
            Answer { message: flight.message, verdict, accepted: std::mem::take(&mut flight.accepted) };
        let weight = flight.weight;
        self.free.push(id.0);
        Some(Settled { answer, weight })
    }

    const fn place(&self, sequence: u32) -> usize {
        sequence as usize & (self.slots.len() - 1)
    }

    fn flight(&mut self, id: FlightId) -> &mut Flight {
        &mut self.flights[id.0 as usize]
    }
}

impl Flight {
    /// Keeps the gravest result of the parts: a refusal ends the message whatever the other results; an unanswered part
    /// forbids another try; otherwise it may be tried again.
    fn add_trouble(&mut self, verdict: Verdict) {
        self.is_in_doubt |= verdict == Verdict::Unanswered;
        let rank = |verdict: &Verdict| match verdict {
            Verdict::Accepted => 0,
            Verdict::Unsent => 1,
            Verdict::Throttled(_) => 2,
            Verdict::Unanswered => 3,
            Verdict::Refused(refusal) if refusal.is_carriers => 4,
            Verdict::Refused(_) | Verdict::Called(_) => 5,
        };
        if self.trouble.as_ref().is_none_or(|held| rank(held) < rank(&verdict)) {
            self.trouble = Some(verdict);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::carrier::Refusal;
    use crate::carrier::smpp::command::Refused;

    fn reference(id: &str) -> Reference {
        Reference(id.into())
    }

    fn refusal(code: u32) -> Refusal {
        Refusal { code, reason: "".into(), is_carriers: Refused::by(code).is_carriers() }
    }

    /// A message of `parts` parts at 100 octets each, from `start` on; its sequence numbers.
    fn write(window: &mut Window, message: i64, parts: u8, start: u64) -> (FlightId, Vec<u32>) {
        let flight = window.begin(MessageId(message), parts.into());
        let put = |part: u8| window.put(flight, part, start + u64::from(part) * 100, Instant::now());
        let sequences = (0..parts).map(put).collect();
        (flight, sequences)
    }

    fn lost(window: &mut Window, taken: u64) -> Vec<(i64, Verdict)> {
        let mut seen = Vec::new();
        window.lose(taken, |settled| seen.push((settled.answer.message.0, settled.answer.verdict)));
        seen.sort_by_key(|(message, _)| *message);
        seen
    }

    #[test]
    fn a_message_settles_when_its_last_part_is_answered() {
        let mut window = Window::new(10);
        let (flight, sequences) = write(&mut window, 1, 2, 0);
        assert!(window.close(flight).is_none());
        assert!(window.accept(sequences[1], || reference("b")).is_none());
        let settled = window.accept(sequences[0], || reference("a")).unwrap();
        assert_eq!(settled.answer.verdict, Verdict::Accepted);
        let parts: Vec<_> =
            settled.answer.accepted.iter().map(|(part, id)| (part, id.0.to_string())).collect();
        assert_eq!(parts, [(1, "b".to_owned()), (0, "a".to_owned())]);
        assert!(window.is_empty());
    }

    #[test]
    fn an_answer_counts_once() {
        let mut window = Window::new(10);
        let (flight, sequences) = write(&mut window, 1, 1, 0);
        window.close(flight);
        assert!(window.accept(sequences[0], || reference("a")).is_some());
        assert!(window.accept(sequences[0], || reference("a")).is_none());
        assert!(window.refuse(0, || Verdict::Unanswered).is_none());
        assert_eq!(window.room(), 10);
    }

    #[test]
    fn a_refused_part_outweighs_doubt_and_doubt_outweighs_throttling() {
        let verdict_of = |first: Verdict, second: Verdict| {
            let mut window = Window::new(10);
            let (flight, sequences) = write(&mut window, 1, 2, 0);
            window.refuse(sequences[0], || first);
            assert!(window.is_troubled(flight));
            window.refuse(sequences[1], || second);
            window.close(flight).unwrap().answer.verdict
        };
        let refused = Verdict::Refused(refusal(1));
        let of_account = |is_carriers| Verdict::Refused(Refusal { is_carriers, ..refusal(4) });
        let throttled = Verdict::Throttled(refusal(0x58));
        assert_eq!(verdict_of(refused.clone(), Verdict::Unanswered), refused);
        assert_eq!(verdict_of(of_account(true), Verdict::Unsent), of_account(true));
        assert_eq!(
            verdict_of(of_account(true), Verdict::Unanswered),
            of_account(false),
            "half of it is in doubt"
        );
        assert_eq!(verdict_of(Verdict::Unanswered, of_account(true)), of_account(false));
        assert_eq!(verdict_of(of_account(true), refused.clone()), refused, "one part is the message's fault");
        assert_eq!(verdict_of(refused.clone(), of_account(true)), refused);
        assert_eq!(verdict_of(throttled.clone(), Verdict::Unanswered), Verdict::Unanswered);
        assert_eq!(verdict_of(Verdict::Unsent, throttled.clone()), throttled);
    }

    #[test]
    fn a_lost_connection_leaves_doubt_only_about_what_the_socket_took() {
        let mut window = Window::new(10);
        for message in 0..4 {
            let (flight, _) = write(&mut window, message, 1, message.cast_unsigned() * 100);
            window.close(flight);
        }
        // The socket took the first PDU, and one octet of the second.
        let expected =
            [(0, Verdict::Unanswered), (1, Verdict::Unanswered), (2, Verdict::Unsent), (3, Verdict::Unsent)];
        assert_eq!(lost(&mut window, 101), expected);
        assert!(window.is_empty());
    }

    #[test]
    fn a_message_cut_off_between_its_parts_is_in_doubt_only_if_a_part_is() {
        let mut window = Window::new(10);
        let (flight, sequences) = write(&mut window, 1, 1, 0);
        window.accept(sequences[0], || reference("a"));
        let settled = window.abandon(flight).unwrap();
        assert_eq!(settled.answer.verdict, Verdict::Unsent);
        assert_eq!(settled.answer.accepted.iter().count(), 1);

        let (flight, _) = write(&mut window, 2, 1, 100);
        assert!(window.abandon(flight).is_none());
        assert_eq!(lost(&mut window, 150), [(2, Verdict::Unanswered)]);
    }

    #[test]
    fn what_is_not_answered_in_time_is_unanswered_and_its_late_answer_is_nobodys() {
        let mut window = Window::new(2);
        let (flight, sequences) = write(&mut window, 1, 1, 0);
        window.close(flight);
        let mut seen = Vec::new();
        let timeout = Duration::from_secs(60);
        assert_eq!(window.expire(Instant::now(), timeout, |settled| seen.push(settled)), 0);
        assert_eq!(window.expire(Instant::now() + timeout, timeout, |settled| seen.push(settled)), 1);
        assert_eq!(seen[0].answer.verdict, Verdict::Unanswered);
        assert!(window.accept(sequences[0], || reference("late")).is_none());
        assert_eq!(window.room(), 2);
    }

    #[test]
    fn sequence_numbers_wrap_past_the_standards_limit_and_skip_what_is_outstanding() {
        let mut window = Window::new(4);
        let (_, held) = write(&mut window, 1, 1, 0);
        assert_eq!(held, [1]);
        window.sequence = SEQUENCE_MAX - 1;
        assert_eq!(window.next_sequence(), SEQUENCE_MAX);
        assert_eq!(window.next_sequence(), 2, "1 is still outstanding");
    }
}
