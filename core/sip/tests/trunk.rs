//! A trunk's bounds, its health and its end.

#![expect(clippy::unwrap_used, clippy::expect_used, reason = "what fails in a test's rig fails the test")]

mod testing;

use std::num::NonZeroU32;
use std::time::Duration;

use talkdrum_sip::callee::{Callee, CalleeStatus};
use talkdrum_sip::{
    CallError, CallEvent, CallRequest, EndedBy, Outcome, Reach, StartError, Trunk, TrunkConfig,
};
use testing::peer::Peer;
use testing::{clip, config, dial, eventually, to_its_end, trunk, until};

async fn callee() -> Callee {
    Callee::start(([127, 0, 0, 1], 0).into(), Duration::ZERO).await.unwrap()
}

#[tokio::test]
async fn a_call_waits_for_a_channel() {
    let callee = callee().await;
    let mut config = config(callee.address());
    config.channels = NonZeroU32::new(2).unwrap();
    let trunk = Trunk::start(config).await.unwrap();
    let first = dial(&trunk, "2348031234561", 80_000).await;
    let _second = dial(&trunk, "2348031234562", 80_000).await;
    assert_eq!(trunk.free_channels(), 0);
    {
        let mut third = std::pin::pin!(dial(&trunk, "2348031234563", 800));
        assert!(tokio::time::timeout(Duration::from_millis(300), &mut third).await.is_err());
        assert!(callee.calls().iter().all(|call| call.to != "2348031234563"));
        first.hang_up();
        assert_eq!(to_its_end(third.await).await.1.outcome, Outcome::Answered);
    }
    let (_, result) = to_its_end(first).await;
    assert_eq!(result.ended_by, EndedBy::Caller);
    assert_eq!(trunk.free_channels(), 1);
}

#[tokio::test]
async fn fifty_calls_at_a_time_all_are_heard() {
    let callee = callee().await;
    let trunk = trunk(callee.address()).await;
    let mut calls = Vec::new();
    for nth in 0..50 {
        calls.push(dial(&trunk, &format!("234803123{nth:04}"), 8_000).await);
    }
    for call in calls {
        let (_, result) = to_its_end(call).await;
        assert_eq!((result.outcome, result.media.sent), (Outcome::Answered, 50), "{result:?}");
    }
    eventually("the callee's end of all calls", || {
        let calls = callee.calls();
        calls.iter().all(|call| call.ended_at.is_some()).then_some(())
    })
    .await;
    assert_eq!(callee.calls().iter().map(|call| call.rtp_packets).sum::<u64>(), 2_500);
}

#[tokio::test]
async fn health_is_what_the_last_ping_was_answered_with() {
    let mut peer = Peer::start().await;
    let trunk = Trunk::start(TrunkConfig {
        options: Some(Duration::from_millis(50)),
        first_answer: Duration::from_millis(700),
        ..config(peer.address())
    })
    .await
    .unwrap();
    assert_eq!((trunk.health().reach, trunk.health().code), (Reach::Unknown, None));
    for (status, reach) in [
        ("200 OK", Reach::Up),
        ("404 Not Found", Reach::Up),
        ("503 Service Unavailable", Reach::Down),
        ("405 Method Not Allowed", Reach::Up),
    ] {
        let ping = peer.next("OPTIONS").await;
        let told = trunk.next_health();
        let (_, health) = tokio::join!(peer.reply(&ping, status, "", ""), told);
        let health = health.unwrap();
        assert_eq!((health.reach, health.code), (reach, status[..3].parse().ok()));
        assert!(health.round_trip.is_some());
    }
    let silent = trunk.next_health().await.unwrap();
    assert_eq!((silent.reach, silent.code, silent.round_trip), (Reach::Down, None, None));
    trunk.shutdown(Duration::ZERO).await;
    assert_eq!(trunk.next_health().await, Err(CallError::ShutDown));
}

#[tokio::test]
async fn a_trunk_that_is_not_pinged_is_up_from_its_start_on() {
    let mut peer = Peer::start().await;
    let trunk = trunk(peer.address()).await;
    assert_eq!((trunk.health().reach, trunk.health().code), (Reach::Up, None));
    assert!(peer.is_left_alone(Duration::from_millis(200)).await);
    assert_eq!(trunk.next_health().await, Err(CallError::ShutDown), "there is no next one");
}

#[tokio::test]
async fn a_silent_trunk_is_shut_down_in_seconds() {
    let mut peer = Peer::start().await;
    let config = TrunkConfig { first_answer: Duration::from_secs(30), ..config(peer.address()) };
    let trunk = Trunk::start(config).await.unwrap();
    let _call = dial(&trunk, "2348031234567", 800).await;
    peer.next("INVITE").await;
    let began = std::time::Instant::now();
    trunk.shutdown(Duration::ZERO).await;
    assert!(began.elapsed() < Duration::from_secs(8), "{:?}", began.elapsed());
}

#[tokio::test]
async fn a_shutdown_waits_for_its_calls_then_hangs_them_up() {
    let callee = callee().await;
    let trunk = trunk(callee.address()).await;
    let short = dial(&trunk, "2348031234561", 4_000).await;
    let mut long = dial(&trunk, "2348031234562", 800_000).await;
    let mut rings = dial(&trunk, "2348030009102", 800).await;
    until(&mut long, &CallEvent::Answered).await;
    until(&mut rings, &CallEvent::Ringing).await;
    trunk.shutdown(Duration::from_millis(1_500)).await;
    let short = to_its_end(short).await.1;
    assert_eq!((short.outcome, short.heard), (Outcome::Answered, Duration::from_millis(500)));
    let long = to_its_end(long).await.1;
    assert_eq!((long.outcome, long.ended_by), (Outcome::Answered, EndedBy::Caller));
    assert!(long.heard >= Duration::from_secs(1) && long.heard < Duration::from_secs(50), "{:?}", long.heard);
    assert_eq!(to_its_end(rings).await.1.outcome, Outcome::Failed);
    assert!(callee.calls().iter().all(|call| call.ended_by == Some(EndedBy::Caller)), "{:?}", callee.calls());
    assert_eq!(callee.calls().last().unwrap().status, CalleeStatus::Cancelled);
    let late = trunk.call(CallRequest::new("2348031234567", clip(800))).await;
    assert_eq!(late.unwrap_err(), CallError::ShutDown);
}

#[tokio::test]
async fn what_cannot_be_dialled_is_refused_in_words() {
    let callee = callee().await;
    let trunk = trunk(callee.address()).await;
    for number in ["", "12 34", "2348031234567;x=y", "123456789012345678901", "+", "sip:a@b"] {
        let refused = trunk.call(CallRequest::new(number, clip(800))).await.unwrap_err();
        assert_eq!(refused, CallError::NotANumber, "{number}");
        let from = CallRequest { from: Some(number.into()), ..CallRequest::new("1", clip(800)) };
        assert_eq!(trunk.call(from).await.unwrap_err(), CallError::NotANumber);
    }
    let request = CallRequest { tail: Duration::from_secs(61), ..CallRequest::new("1", clip(800)) };
    assert_eq!(trunk.call(request).await.unwrap_err(), CallError::TailTooLong);
    assert!(callee.calls().is_empty());

    let nowhere = TrunkConfig { host: "no.such.name.invalid".into(), ..config(callee.address()) };
    let refused = Trunk::start(nowhere).await.unwrap_err();
    assert!(matches!(refused, StartError::Network { .. }), "{refused}");
    let public = Callee::start(([0, 0, 0, 0], 0).into(), Duration::ZERO).await;
    assert_eq!(public.unwrap_err().kind(), std::io::ErrorKind::InvalidInput);
}
