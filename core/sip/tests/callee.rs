//! The trunk and the callee of the sandbox, one against the other.

#![expect(clippy::unwrap_used, clippy::expect_used, reason = "what fails in a test's rig fails the test")]

mod testing;

use std::time::Duration;

use talkdrum_sip::callee::{Callee, CalleeCall, CalleeStatus};
use talkdrum_sip::{CallError, CallEvent, CallRequest, EndedBy, Outcome};
use testing::{clip, config, correlation, dial, eventually, sweep, to_its_end, trunk, until};

async fn callee() -> Callee {
    Callee::start(([127, 0, 0, 1], 0).into(), Duration::ZERO).await.unwrap()
}

/// The callee's view of its only call, once that is over.
async fn only(callee: &Callee) -> CalleeCall {
    eventually("the callee's end of the call", || {
        let calls = callee.calls();
        assert!(calls.len() <= 1, "{calls:?}");
        calls.into_iter().find(|call| call.ended_at.is_some())
    })
    .await
}

#[tokio::test]
async fn a_call_is_answered_and_heard_to_its_end() {
    let callee = callee().await;
    let trunk = trunk(callee.address()).await;
    let (events, result) = to_its_end(dial(&trunk, "2348031234567", 12_000).await).await;
    assert_eq!(events, [CallEvent::Trying, CallEvent::Ringing, CallEvent::Answered]);
    assert_eq!(
        (result.outcome, result.sip_code, result.ended_by),
        (Outcome::Answered, Some(200), EndedBy::Caller)
    );
    assert_eq!(result.heard, Duration::from_millis(1_500));
    assert_eq!(result.media.sent, 75);
    assert!(result.answered_for() >= Duration::from_millis(1_480), "{:?}", result.answered_for());
    assert!(result.ringing_at <= result.answered_at);

    let heard = only(&callee).await;
    assert_eq!((heard.to.as_str(), heard.from.as_str()), ("2348031234567", testing::CALLER));
    assert_eq!((heard.status, heard.ended_by), (CalleeStatus::Answered, Some(EndedBy::Caller)));
    assert_eq!(heard.rtp_packets, 75);
    assert!(heard.rms > 5_000, "{}", heard.rms);
    let alike = correlation(&sweep(12_000), &callee.audio(heard.id).unwrap());
    assert!(alike > 950, "{alike}");
    trunk.shutdown(Duration::ZERO).await;
}

#[tokio::test]
async fn a_number_that_refuses_says_how() {
    let callee = callee().await;
    let trunk = trunk(callee.address()).await;
    for (digits, outcome, code, status) in [
        ("9101", Outcome::Busy, 486, CalleeStatus::Busy),
        ("9104", Outcome::InvalidNumber, 404, CalleeStatus::InvalidNumber),
        ("9107", Outcome::Rejected, 603, CalleeStatus::Declined),
        ("9105", Outcome::TrunkError, 503, CalleeStatus::Unavailable),
    ] {
        let (_, result) = to_its_end(dial(&trunk, &format!("234803000{digits}"), 800).await).await;
        assert_eq!((result.outcome, result.sip_code), (outcome, Some(code)), "{digits}");
        assert_eq!((result.answered_at, result.heard), (None, Duration::ZERO));
        assert_eq!(callee.calls().last().unwrap().status, status, "{digits}");
    }
    let (_, result) = to_its_end(dial(&trunk, "2348030009105", 800).await).await;
    assert_eq!(result.outcome, Outcome::Answered, "the second time it is there");
}

#[tokio::test]
async fn ringing_ends_with_cancel() {
    let callee = callee().await;
    let mut config = config(callee.address());
    config.ring = Duration::from_millis(300);
    let trunk = talkdrum_sip::Trunk::start(config).await.unwrap();
    let (events, result) = to_its_end(dial(&trunk, "2348030009102", 800).await).await;
    assert_eq!(events, [CallEvent::Trying, CallEvent::Ringing]);
    assert_eq!(
        (result.outcome, result.sip_code, result.ended_by),
        (Outcome::NoAnswer, Some(487), EndedBy::Caller)
    );
    assert_eq!(only(&callee).await.status, CalleeStatus::Cancelled);
}

#[tokio::test]
async fn a_phone_that_hangs_up_ends_the_call() {
    let callee = callee().await;
    let trunk = trunk(callee.address()).await;
    let (_, result) = to_its_end(dial(&trunk, "2348030009103", 80_000).await).await;
    assert_eq!((result.outcome, result.ended_by), (Outcome::Answered, EndedBy::Callee));
    assert!(
        result.heard > Duration::from_secs(1) && result.heard < Duration::from_secs(10),
        "{:?}",
        result.heard
    );
    assert_eq!(only(&callee).await.ended_by, Some(EndedBy::Callee));
}

#[tokio::test]
async fn a_key_that_is_pressed_is_told_once() {
    let callee = callee().await;
    let trunk = trunk(callee.address()).await;
    let request =
        CallRequest { tail: Duration::from_secs(1), ..CallRequest::new("2348030009106", clip(800)) };
    let (events, result) = to_its_end(trunk.call(request).await.unwrap()).await;
    assert_eq!(events.last(), Some(&CallEvent::Key('1')));
    assert_eq!((result.digits.as_str(), result.heard), ("1", Duration::from_millis(100)));
    assert_eq!(only(&callee).await.digits, "1");
}

#[tokio::test]
async fn a_key_of_the_poll_ends_a_call_and_others_do_not() {
    let callee = callee().await;
    let trunk = trunk(callee.address()).await;
    let ask = |to: &str, samples| CallRequest {
        tail: Duration::from_millis(200),
        plays: 3,
        ends_on: "12".into(),
        ..CallRequest::new(to, clip(samples))
    };
    // It presses after half a second, and hears nothing more of it.
    let (_, result) = to_its_end(trunk.call(ask("2348030009106", 40_000)).await.unwrap()).await;
    assert_eq!((result.digits.as_str(), result.reason), ("1", "a key ended it"));
    assert_eq!((result.outcome, result.ended_by), (Outcome::Answered, EndedBy::Caller));
    assert!(result.heard < Duration::from_secs(3), "{:?}", result.heard);
    assert!(result.answered_for() < Duration::from_secs(5), "{:?}", result.answered_for());
    // Nine is told, and means nothing here.
    let (_, result) = to_its_end(trunk.call(ask("2348030009108", 4_000)).await.unwrap()).await;
    assert_eq!((result.digits.as_str(), result.reason), ("9", "heard to the end"));
    assert!(result.answered_for() > Duration::from_secs(2), "three times 0.7 s");
}

#[tokio::test]
async fn a_question_is_played_so_often_and_heard_once() {
    let callee = callee().await;
    let trunk = trunk(callee.address()).await;
    let request = CallRequest {
        tail: Duration::from_millis(100),
        plays: 3,
        ends_on: "1".into(),
        ..CallRequest::new("2348031234567", clip(1_600))
    };
    let (_, result) = to_its_end(trunk.call(request).await.unwrap()).await;
    assert_eq!((result.heard, result.media.sent), (Duration::from_millis(200), 45));
    assert_eq!((result.digits.as_str(), result.reason), ("", "heard to the end"));
    for plays in [0, 4] {
        let request = CallRequest { plays, ..CallRequest::new("2348031234567", clip(800)) };
        assert!(matches!(trunk.call(request).await, Err(CallError::Plays)));
    }
}

#[tokio::test]
async fn a_call_that_is_hung_up_or_dropped_ends() {
    let callee = callee().await;
    let trunk = trunk(callee.address()).await;
    let mut call = dial(&trunk, "2348031234567", 80_000).await;
    until(&mut call, &CallEvent::Answered).await;
    call.hang_up();
    let (_, result) = to_its_end(call).await;
    assert_eq!((result.outcome, result.ended_by), (Outcome::Answered, EndedBy::Caller));
    assert!(result.heard < Duration::from_secs(10));

    let mut call = dial(&trunk, "2348030009102", 800).await;
    until(&mut call, &CallEvent::Ringing).await;
    drop(call);
    eventually("the dropped call was cancelled", || {
        callee.calls().pop().filter(|call| call.status == CalleeStatus::Cancelled)
    })
    .await;
}
