//! Things that are due at some millisecond.
//!
//! What is due earlier comes out earlier; what is due at one millisecond comes out in the order it went
//! in.

use std::collections::BTreeMap;

/// Things by the millisecond at which they are due.
#[derive(Debug)]
pub(super) struct Schedule<T> {
    due: BTreeMap<u64, Vec<T>>,
    count: usize,
}

impl<T> Default for Schedule<T> {
    fn default() -> Self {
        Self { due: BTreeMap::new(), count: 0 }
    }
}

impl<T> Schedule<T> {
    pub(super) fn push(&mut self, at: u64, thing: T) {
        self.due.entry(at).or_default().push(thing);
        self.count += 1;
    }

    /// Takes out what is due at `now`, all of one millisecond at a time.
    pub(super) fn pop(&mut self, now: u64) -> Option<Vec<T>> {
        let first = self.due.first_entry().filter(|first| *first.key() <= now)?;
        let things = first.remove();
        self.count -= things.len();
        Some(things)
    }

    /// When the next thing is due.
    pub(super) fn next(&self) -> Option<u64> {
        self.due.keys().next().copied()
    }

    pub(super) const fn len(&self) -> usize {
        self.count
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn things_come_out_when_they_are_due_and_in_order() {
        let mut schedule = Schedule::default();
        for (at, thing) in [(5, 'c'), (3, 'a'), (5, 'd'), (3, 'b')] {
            schedule.push(at, thing);
        }
        assert_eq!((schedule.len(), schedule.next(), schedule.pop(2)), (4, Some(3), None));
        assert_eq!(schedule.pop(9), Some(vec!['a', 'b']));
        assert_eq!(schedule.pop(4), None);
        assert_eq!(schedule.pop(5), Some(vec!['c', 'd']));
        assert_eq!((schedule.len(), schedule.next()), (0, None));
    }
}
