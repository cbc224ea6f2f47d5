//! What a sender, and all senders together, may hold in memory.

use super::*;
use crate::limit::{ANONYMOUS_BYTES, CALLBACK_BYTES};

const ADA: Sender = Sender::User(UserId(1));
const EVE: Sender = Sender::User(UserId(2));

fn bodies() -> Bodies {
    Bodies::with_wait(Duration::from_millis(1))
}

#[tokio::test]
async fn a_user_has_two_large_bodies_at_once_and_any_number_one_after_the_other() {
    let bodies = bodies();
    let first = bodies.admit(ADA, 1, true).await.unwrap();
    let mut grown = bodies.admit(ADA, 1, false).await.unwrap();
    grown.becomes_large().await.unwrap();
    grown.becomes_large().await.unwrap();
    let refused = bodies.admit(ADA, 1, true).await.unwrap_err();
    assert_eq!((refused.status().as_u16(), refused.code()), (429, "too_many_bodies"));
    let mut small = bodies.admit(ADA, 1, false).await.unwrap();
    assert_eq!(small.becomes_large().await.unwrap_err().status(), 429);
    bodies.admit(EVE, 1, true).await.unwrap();
    drop(first);
    small.becomes_large().await.unwrap();
}

#[tokio::test]
async fn a_sender_has_so_many_bytes_at_once() {
    let address = "203.0.113.7".parse().unwrap();
    let callbacks = [Sender::Carrier(address), Sender::SignedCarrier(address), Sender::Paystack(address)];
    for sender in [ADA, Sender::Address(address)].into_iter().chain(callbacks) {
        let bodies = bodies();
        let all = bodies.admit(sender, sender.bytes_at_once(), false).await.unwrap();
        let refused = bodies.admit(sender, 1, false).await.unwrap_err();
        assert_eq!(refused.status(), 429, "{sender:?}");
        bodies.admit(EVE, 1, false).await.unwrap();
        drop(all);
        bodies.admit(sender, 1, false).await.unwrap();
        assert!(bodies.lock().by_sender.is_empty(), "nothing is kept of who sends nothing");
    }
}

#[tokio::test]
async fn all_senders_together_have_so_many_bytes_at_once_and_strangers_take_nothing_from_users() {
    let bodies = bodies();
    let address = |last| Sender::Address(IpAddr::from([203, 0, 113, last]));
    let mut all = Vec::new();
    for last in 0..40 {
        all.extend(bodies.admit(address(last), ADDRESS_BYTES_AT_ONCE, false).await.ok());
    }
    assert!(all.len() < 40 && bodies.bytes_at_once() < ADDRESSES_IN_ALL, "{}", all.len());
    let refused = bodies.admit(address(250), ADDRESS_BYTES_AT_ONCE, false).await.unwrap_err();
    assert_eq!((refused.status().as_u16(), refused.code()), (503, "busy"));
    // However many take as much as they may, a small body finds room.
    bodies.admit(address(251), ANONYMOUS_BYTES, false).await.unwrap();
    bodies.admit(ADA, 1, false).await.unwrap();
    all.truncate(1);
    bodies.admit(address(250), ADDRESS_BYTES_AT_ONCE, false).await.unwrap();
}

#[tokio::test]
async fn an_answer_takes_what_it_turns_out_to_need_and_waits_for_none_of_it() {
    let bodies = bodies();
    let held = HeldRoom::default();
    assert!(held.room_for_answer(&bodies, 1 << 20).unwrap().is_none(), "of no one");
    held.is_for(UserId(1));
    held.keep_for_answer(bodies.admit(Sender::Answer(UserId(1)), ANSWERS_AT_ONCE, false).await.unwrap());
    let shrunk = held.room_for_answer(&bodies, 1 << 20).unwrap();
    assert_eq!(bodies.bytes_at_once(), 1 << 20);
    let refused = held.room_for_answer(&bodies, ANSWERS_AT_ONCE).unwrap_err();
    assert_eq!((refused.status().as_u16(), refused.code()), (429, "too_many_answers"));
    drop(shrunk);
    let unforeseen = held.room_for_answer(&bodies, ANSWERS_AT_ONCE).unwrap();
    assert_eq!(bodies.bytes_at_once(), ANSWERS_AT_ONCE);
    drop(unforeseen);
    assert_eq!(bodies.bytes_at_once(), 0);
}

#[tokio::test]
async fn answers_to_strangers_are_counted_by_their_address() {
    let bodies = bodies();
    let address = |last| IpAddr::from([203, 0, 113, last]);
    let first = HeldRoom::from(address(1)).room_for_answer(&bodies, ANSWERS_AT_ONCE).unwrap();
    let refused = HeldRoom::from(address(1)).room_for_answer(&bodies, 1).unwrap_err();
    assert_eq!((refused.status().as_u16(), refused.code()), (429, "too_many_answers"));
    let others: Vec<_> = (2..40)
        .filter_map(|last| HeldRoom::from(address(last)).room_for_answer(&bodies, ANSWERS_AT_ONCE).ok())
        .collect();
    assert!(!others.is_empty() && bodies.bytes_at_once() <= STRANGERS_ANSWERS_IN_ALL);
    let held = HeldRoom::from(address(1));
    held.is_for(UserId(1));
    drop(held.room_for_answer(&bodies, ANSWERS_AT_ONCE).unwrap());
    drop((first, others));
    assert_eq!(bodies.bytes_at_once(), 0);
}

#[tokio::test]
async fn a_body_waits_for_room_and_takes_what_is_freed() {
    let bodies = Bodies::with_wait(Duration::from_secs(3_600));
    let all = bodies.admit(ADA, USER_BYTES_AT_ONCE, false).await.unwrap();
    let waiting = tokio::spawn({
        let bodies = bodies.clone();
        async move { bodies.admit(ADA, 1, false).await.map(|it| it.bytes) }
    });
    tokio::task::yield_now().await;
    drop(all);
    assert_eq!(waiting.await.unwrap().unwrap(), 1);
}

#[tokio::test]
async fn whoever_fills_the_room_of_paystack_or_of_signed_callbacks_takes_nothing_from_carriers() {
    let bodies = bodies();
    let mut all = Vec::new();
    for last in 0..=255 {
        let address = IpAddr::from([203, 0, 113, last]);
        for sender in [Sender::SignedCarrier(address), Sender::Paystack(address)] {
            all.extend(bodies.admit(sender, sender.bytes_at_once(), false).await.ok());
        }
        if last > 40 {
            break;
        }
    }
    let address = IpAddr::from([198, 51, 100, 7]);
    for sender in [Sender::SignedCarrier(address), Sender::Paystack(address)] {
        let refused = bodies.admit(sender, sender.bytes_at_once(), false).await.unwrap_err();
        assert_eq!(refused.status(), 503, "{sender:?}");
    }
    bodies.admit(Sender::Carrier(address), CALLBACK_BYTES, false).await.unwrap();
}

#[test]
fn a_stranger_s_body_has_one_deadline_and_a_user_s_lasts_as_long_as_it_comes() {
    let second = Duration::from_secs(1);
    let mut stranger = BodyTime::of(Sender::Paystack("203.0.113.7".parse().unwrap()));
    let (mut steady, mut trickling) = (BodyTime::of(ADA), BodyTime::of(ADA));
    for _ in 0..60 {
        stranger.note(8 << 10, second);
        steady.note(4 << 10, second);
        trickling.note(1, second);
    }
    assert!(stranger.left.is_zero() && trickling.left < second, "{stranger:?} {trickling:?}");
    assert!(steady.left >= IDLE - second, "{steady:?}");
}

#[test]
fn a_short_body_is_not_charged_like_a_long_one() {
    assert_eq!(memory_of(10, 1 << 20), 160);
    assert_eq!(memory_of(900 << 10, 1 << 20), 1 << 20);
}
