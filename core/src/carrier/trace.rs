//! What goes over a carrier's wire, for the eyes of an operator: masked, bounded, and off unless an operator watches.
//!
//! A line holds no text, no password and no whole number. Of a text there are its length and encoding, of
//! a number its country and last two digits.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::time::{Clock, Time};

/// Lines that wait to be looked at. What comes while it is full is counted, not formatted: a trace never slows a
/// carrier down by more than so many lines a look.
pub const LINES_MAX: usize = 500;

/// The longest line, in characters.
const LINE_MAX: usize = 500;

/// A line of a trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceLine {
    /// When.
    pub at: Time,
    /// What went over the wire.
    pub text: String,
}

/// The trace of one carrier. While it is off it costs one relaxed load a batch.
#[derive(Debug)]
pub struct Trace {
    clock: Arc<dyn Clock>,
    is_on: AtomicBool,
    ring: Mutex<Ring>,
}

#[derive(Debug, Default)]
struct Ring {
    lines: VecDeque<TraceLine>,
    left_out: u64,
}

impl Trace {
    /// A trace that is off.
    pub fn new(clock: Arc<dyn Clock>) -> Self {
        Self { clock, is_on: AtomicBool::new(false), ring: Mutex::default() }
    }

    /// Whether anything is to be noted.
    pub fn is_on(&self) -> bool {
        self.is_on.load(Ordering::Relaxed)
    }

    /// Begins or ends it.
    pub fn switch(&self, on: bool) {
        if self.is_on.swap(on, Ordering::Relaxed) && !on {
            *self.ring() = Ring::default();
        }
    }

    fn ring(&self) -> MutexGuard<'_, Ring> {
        self.ring.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes a line, if there is room for it; only then it is formatted.
    pub(crate) fn note(&self, line: impl FnOnce() -> String) {
        if !self.is_on() {
            return;
        }
        let mut ring = self.ring();
        if ring.lines.len() >= LINES_MAX {
            ring.left_out += 1;
            return;
        }
        let text = line().chars().take(LINE_MAX).collect();
        ring.lines.push_back(TraceLine { at: self.clock.now(), text });
    }

    /// Takes what was noted since it was last taken, oldest first.
    pub fn take(&self) -> Vec<TraceLine> {
        let Ring { lines, left_out } = std::mem::take(&mut *self.ring());
        let mut lines = Vec::from(lines);
        if left_out > 0 {
            lines.push(TraceLine {
                at: self.clock.now(),
                text: format!("... {left_out} more, too many to be shown"),
            });
        }
        lines
    }
}

/// A number with only its first three and last two digits, whatever else stands in it: `234********67`.
pub fn masked_number(number: &str) -> String {
    let digits = number.bytes().filter(u8::is_ascii_digit).count();
    if digits < 7 {
        // A short code, or no number at all.
        return number.to_owned();
    }
    let mut seen = 0;
    let mask = |sign: char| {
        if !sign.is_ascii_digit() {
            return sign;
        }
        seen += 1;
        if seen <= 3 || seen > digits - 2 { sign } else { '*' }
    };
    number.chars().map(mask).collect()
}

/// Words in which every run of seven digits or more is masked as a number.
pub(crate) fn masked_words(words: &str) -> String {
    let mut shown = String::with_capacity(words.len());
    for run in words.split_inclusive(|sign: char| !sign.is_ascii_digit()) {
        shown.push_str(&masked_number(run));
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::ManualClock;

    #[test]
    fn a_number_keeps_its_country_and_last_two_digits() {
        assert_eq!(masked_number("2348031234567"), "234********67");
        assert_eq!(masked_number("+2348031234567"), "+234********67");
        assert_eq!(masked_number("WEBSMS"), "WEBSMS");
        assert_eq!(masked_number("33811"), "33811");
        assert_eq!(
            masked_words("to 2348031234567, 12 and 08031234567"),
            "to 234********67, 12 and 080******67"
        );
    }

    #[test]
    fn what_is_off_notes_nothing_and_what_is_full_formats_nothing() {
        let trace = Trace::new(Arc::new(ManualClock::new(Time(1))));
        trace.note(|| panic!("it is off"));
        trace.switch(true);
        for _ in 0..LINES_MAX {
            trace.note(|| "x".to_owned());
        }
        trace.note(|| panic!("it is full"));
        let lines = trace.take();
        assert_eq!(
            (lines.len(), lines[LINES_MAX].text.as_str()),
            (LINES_MAX + 1, "... 1 more, too many to be shown")
        );
        trace.note(|| "y".to_owned());
        trace.switch(false);
        assert_eq!(trace.take(), []);
    }
}
