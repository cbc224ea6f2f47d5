use super::*;

const TERMS: BreakerTerms =
    BreakerTerms { floor: 60, sample: 200, window_s: 600, probe: 20, probe_every_s: 300 };
const MINUTE: i64 = 60_000;

/// Counts so many receipts, the delivered ones first; how often the state changed.
fn count(breaker: &mut NetworkBreaker, delivered: i64, failed: i64, now: i64) -> usize {
    let all = (0..delivered + failed).map(|n| n < delivered);
    all.filter(|is_delivered| breaker.count(&TERMS, *is_delivered, Time(now))).count()
}

/// How many of so many messages go out.
fn let_through(breaker: &mut NetworkBreaker, messages: i64) -> usize {
    (0..messages).filter(|message| breaker.let_through(MessageId(*message))).count()
}

fn state(breaker: &NetworkBreaker) -> BreakerState {
    breaker.stored().state
}

#[test]
fn it_opens_below_the_floor_and_not_before_the_sample_is_full() {
    let mut breaker = NetworkBreaker::default();
    assert_eq!(count(&mut breaker, 100, 99, 0), 0, "199 receipts are too few");
    assert_eq!(count(&mut breaker, 0, 1, 1), 1);
    let stored = breaker.stored();
    assert_eq!((stored.state, stored.delivered, stored.failed), (BreakerState::Open, 100, 100));
    assert_eq!((stored.opened_at, stored.probe_at), (Some(Time(1)), Some(Time(1 + 5 * MINUTE))));
    let mut breaker = NetworkBreaker::default();
    assert_eq!(count(&mut breaker, 120, 80, 0), 0, "60 of a hundred are the floor");
    assert_eq!(count(&mut breaker, 0, 1, 0), 1, "120 of 201 are fewer");
}

#[test]
fn receipts_of_longer_ago_than_the_window_do_not_count() {
    let mut breaker = NetworkBreaker::default();
    count(&mut breaker, 0, 150, 0);
    assert_eq!(count(&mut breaker, 0, 49, 9 * MINUTE), 0);
    // The first 150 are ten minutes old.
    assert_eq!(count(&mut breaker, 0, 150, 10 * MINUTE), 0);
    assert_eq!(count(&mut breaker, 0, 1, 10 * MINUTE), 1, "the 200th of ten minutes");
    // A failure an hour for a year opens nothing, and takes no memory.
    let mut breaker = NetworkBreaker::default();
    let opened = (0..8_760).map(|hour| count(&mut breaker, 0, 1, hour * 60 * MINUTE)).sum::<usize>();
    assert_eq!((opened, breaker.window.buckets.len()), (0, 1));
}

#[test]
fn a_clock_that_was_set_back_neither_loses_nor_keeps_receipts_for_ever() {
    let mut breaker = NetworkBreaker::default();
    count(&mut breaker, 0, 100, 60 * MINUTE);
    assert_eq!(count(&mut breaker, 0, 99, 0), 0);
    assert_eq!(breaker.window.sum.failed, 199);
    assert_eq!(count(&mut breaker, 0, 1, 80 * MINUTE), 0, "those are gone");
    assert_eq!(breaker.window.sum.failed, 1);
}

#[test]
fn it_waits_then_lets_some_through_and_their_receipts_close_it() {
    let mut breaker = NetworkBreaker::default();
    count(&mut breaker, 0, 200, 0);
    assert!(let_through(&mut breaker, 1) == 0 && breaker.holds());
    count(&mut breaker, 20, 0, MINUTE);
    assert_eq!(state(&breaker), BreakerState::Open, "these were sent before");
    assert!(!breaker.advance(&TERMS, Time(5 * MINUTE - 1)));
    assert!(breaker.advance(&TERMS, Time(5 * MINUTE)));
    assert_eq!(state(&breaker), BreakerState::HalfOpen);
    assert_eq!(let_through(&mut breaker, 30), 20);
    assert_eq!(count(&mut breaker, 12, 7, 6 * MINUTE), 0, "one is missing");
    assert_eq!(count(&mut breaker, 0, 1, 6 * MINUTE), 1);
    assert_eq!(state(&breaker), BreakerState::Closed, "12 of 20 are the floor");
    assert!(let_through(&mut breaker, 1) == 1 && !breaker.holds());
    assert_eq!((breaker.stored().probe_at, breaker.stored().failed), (None, 200));
    assert_eq!(count(&mut breaker, 0, 199, 7 * MINUTE), 0, "what opened it is forgotten");
}

#[test]
fn one_that_does_not_deliver_yet_waits_again() {
    let mut breaker = NetworkBreaker::default();
    count(&mut breaker, 0, 200, 0);
    breaker.advance(&TERMS, Time(5 * MINUTE));
    assert_eq!(count(&mut breaker, 11, 9, 6 * MINUTE), 1);
    let stored = breaker.stored();
    assert_eq!((stored.state, stored.opened_at), (BreakerState::Open, Some(Time(0))), "since the beginning");
    assert_eq!(stored.probe_at, Some(Time(11 * MINUTE)));
    assert!(let_through(&mut breaker, 1) == 0);
}

#[test]
fn without_receipts_as_many_are_let_through_once_more() {
    let mut breaker = NetworkBreaker::default();
    count(&mut breaker, 0, 200, 0);
    breaker.advance(&TERMS, Time(5 * MINUTE));
    let_through(&mut breaker, 30);
    count(&mut breaker, 10, 0, 6 * MINUTE);
    assert!(!breaker.advance(&TERMS, Time(10 * MINUTE - 1)));
    assert!(breaker.advance(&TERMS, Time(10 * MINUTE)));
    assert_eq!(let_through(&mut breaker, 30), 20);
    assert_eq!(count(&mut breaker, 10, 0, 11 * MINUTE), 1, "the first ten count, too");
    assert_eq!(state(&breaker), BreakerState::Closed);
}

#[test]
fn one_that_was_not_taken_leaves_its_place_to_another_once() {
    let mut breaker = NetworkBreaker::default();
    count(&mut breaker, 0, 200, 0);
    breaker.advance(&TERMS, Time(5 * MINUTE));
    assert_eq!(let_through(&mut breaker, 30), 20);
    assert!(!breaker.give_back(MessageId(25)), "it never went out");
    assert!(breaker.give_back(MessageId(3)) && !breaker.give_back(MessageId(3)));
    assert_eq!(let_through(&mut breaker, 30), 1);
    breaker.advance(&TERMS, Time(10 * MINUTE));
    assert!(!breaker.give_back(MessageId(4)), "there is credit for it again");
    assert_eq!(let_through(&mut breaker, 30), 20);
}

#[test]
fn one_that_was_stored_lets_nothing_through_before_its_time() {
    let stored = StoredBreaker {
        state: BreakerState::HalfOpen,
        delivered: 1,
        failed: 199,
        opened_at: Some(Time(0)),
        probe_at: Some(Time(9)),
        changed_at: Time(5),
    };
    let mut breaker = NetworkBreaker::from(stored);
    assert!(let_through(&mut breaker, 1) == 0);
    assert!(breaker.advance(&TERMS, Time(9)) && let_through(&mut breaker, 1) == 1);
    let mut forced =
        NetworkBreaker::from(StoredBreaker { state: BreakerState::Open, probe_at: None, ..stored });
    assert!(!forced.advance(&TERMS, Time(10)));
    assert_eq!(forced.stored().probe_at, Some(Time(10 + 5 * MINUTE)));
}

#[test]
fn terms_outside_their_bounds_are_refused_by_name() {
    assert_eq!(TERMS.fault(), None);
    for (terms, name) in [
        (BreakerTerms { floor: 0, ..TERMS }, "breaker.floor"),
        (BreakerTerms { floor: 100, ..TERMS }, "breaker.floor"),
        (BreakerTerms { sample: 9, ..TERMS }, "breaker.sample"),
        (BreakerTerms { window_s: 59, ..TERMS }, "breaker.window_s"),
        (BreakerTerms { probe: 0, ..TERMS }, "breaker.probe"),
        (BreakerTerms { probe_every_s: 9, ..TERMS }, "breaker.probe_every_s"),
    ] {
        let fault = terms.fault().unwrap_or_default();
        assert!(fault.contains(name), "{fault}");
    }
    let read: BreakerTerms = serde_json::from_value(serde_json::json!({ "floor": 60 })).unwrap();
    assert_eq!(read, TERMS, "the others have defaults");
}
