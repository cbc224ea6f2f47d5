//! The carrier against the phone of the sandbox, over loopback.

use std::sync::Arc;
use std::time::Duration;

use talkdrum_sip::callee::{Callee, CalleeStatus};

use super::{SipCarrier, SipConfig};
use crate::carrier::Health;
use crate::carrier::voice::{
    Call, CallClip, CallEvent, CallOutcome, CallRequest, CallResult, EndedBy, PlaceError, VoiceCarrier as _,
};
use crate::phone;
use crate::time::{Clock, SystemClock};

async fn callee() -> Callee {
    Callee::start(([127, 0, 0, 1], 0).into(), Duration::ZERO).await.unwrap()
}

fn carrier(host: &str, port: u16) -> Arc<SipCarrier> {
    let config = SipConfig {
        name: "trunk".into(),
        host: host.into(),
        port,
        caller_id: "2342012345678".into(),
        channels: 2.try_into().unwrap(),
        rate: 100.try_into().unwrap(),
        listen: [127, 0, 0, 1].into(),
        options_s: 1,
        first_answer_s: 1,
        ..SipConfig::default()
    };
    let clock: Arc<dyn Clock> = Arc::new(SystemClock);
    SipCarrier::start(&config, &clock).unwrap()
}

async fn until(carrier: &SipCarrier, wanted: impl Fn(&Health) -> bool) {
    for _ in 0..600 {
        if wanted(&carrier.health().0) {
            return;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("{:?}", carrier.health());
}

fn request(to: &str, samples: usize) -> CallRequest {
    let clip = (0..samples).map(|n| if n / 8 % 2 == 0 { 8_000 } else { -8_000 }).collect::<Vec<i16>>();
    CallRequest {
        to: phone::parse(to).unwrap(),
        from: None,
        clip: CallClip::new(clip),
        tail: Duration::from_secs(1),
        plays: 1,
        ends_on: String::new(),
        of: None,
    }
}

async fn to_its_end(call: &mut Call) -> (Vec<CallEvent>, CallResult) {
    let mut events = Vec::new();
    loop {
        match call.next_event().await.unwrap() {
            CallEvent::Ended(result) => return (events, result),
            event => events.push(event),
        }
    }
}

#[tokio::test]
async fn a_call_is_placed_heard_and_told_to_its_end() {
    let callee = callee().await;
    let carrier = carrier("127.0.0.1", callee.address().port());
    until(&carrier, |health| *health == Health::Up).await;
    assert_eq!(carrier.calls_up(), 0);
    let mut call = carrier.place(request("2348030009106", 4_000)).await.unwrap();
    assert_eq!(carrier.calls_up(), 1);
    let (events, result) = to_its_end(&mut call).await;
    assert_eq!(events, [CallEvent::Ringing, CallEvent::Answered, CallEvent::Key('1')]);
    assert_eq!((result.outcome, result.code), (CallOutcome::Answered, Some(200)));
    assert_eq!((result.digits.as_str(), result.ended_by), ("1", EndedBy::Caller));
    assert_eq!(result.heard, Duration::from_millis(500));
    assert!(result.up >= result.heard && result.answered_at <= Some(result.ended_at));
    let heard = callee.calls().pop().unwrap();
    assert_eq!((heard.to.as_str(), heard.from.as_str()), ("2348030009106", "2342012345678"));

    let own = CallRequest { from: phone::parse("2348099990000").ok(), ..request("2348030009104", 800) };
    let (_, result) = to_its_end(&mut carrier.place(own).await.unwrap()).await;
    assert_eq!((result.outcome, result.code), (CallOutcome::InvalidNumber, Some(404)));
    assert_eq!(callee.calls().pop().unwrap().from, "2348099990000");
    carrier.shutdown(Duration::ZERO).await;
}

#[tokio::test]
async fn a_shut_down_trunk_hangs_up_what_is_left_after_its_grace_and_takes_no_more() {
    let callee = callee().await;
    let carrier = carrier("127.0.0.1", callee.address().port());
    until(&carrier, |health| *health == Health::Up).await;
    let mut long = carrier.place(request("2348031234567", 800_000)).await.unwrap();
    while long.next_event().await.unwrap() != CallEvent::Answered {}
    let began = std::time::Instant::now();
    carrier.shutdown(Duration::from_millis(100)).await;
    assert!(began.elapsed() < Duration::from_secs(5), "{:?}", began.elapsed());
    let (_, result) = to_its_end(&mut long).await;
    assert_eq!((result.outcome, result.ended_by), (CallOutcome::Answered, EndedBy::Caller));
    for _ in 0..200 {
        if callee.calls()[0].ended_by.is_some() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert_eq!(callee.calls()[0].ended_by, Some(talkdrum_sip::EndedBy::Caller), "it got a BYE");
    assert_eq!(carrier.place(request("2348031234567", 800)).await.unwrap_err(), PlaceError::ShutDown);
}

#[tokio::test]
async fn a_call_that_is_hung_up_while_it_rings_is_cancelled() {
    let callee = callee().await;
    let carrier = carrier("127.0.0.1", callee.address().port());
    until(&carrier, |health| *health == Health::Up).await;
    let mut call = carrier.place(request("2348030009102", 800)).await.unwrap();
    assert_eq!(call.next_event().await, Some(CallEvent::Ringing));
    call.hang_up();
    let (_, result) = to_its_end(&mut call).await;
    assert_eq!((result.outcome, result.answered_at), (CallOutcome::Failed, None));
    assert_eq!(callee.calls()[0].status, CalleeStatus::Cancelled);
    carrier.shutdown(Duration::ZERO).await;
}

#[tokio::test]
async fn a_trunk_that_is_not_there_is_down_with_its_reason_and_found_once_it_is() {
    let carrier = carrier("trunk.invalid", 5060);
    until(
        &carrier,
        |health| matches!(health, Health::Connecting { reason } if reason.contains("trunk.invalid")),
    )
    .await;
    let refused = carrier.place(request("2348031234567", 800)).await.unwrap_err();
    assert!(matches!(refused, PlaceError::Down(reason) if reason.contains("trunk.invalid")));
    carrier.shutdown(Duration::ZERO).await;

    let gone = callee().await;
    let address = gone.address();
    drop(gone);
    let silent = self::carrier("127.0.0.1", address.port());
    until(
        &silent,
        |health| matches!(health, Health::Connecting { reason } if reason.contains("does not answer")),
    )
    .await;
    let _back = Callee::start(address, Duration::ZERO).await.unwrap();
    until(&silent, |health| *health == Health::Up).await;
    silent.shutdown(Duration::ZERO).await;
}

#[tokio::test]
async fn the_calls_of_one_clip_prepare_it_once() {
    let callee = callee().await;
    let carrier = carrier("127.0.0.1", callee.address().port());
    let clip = request("2348031234567", 800).clip;
    let first = carrier.prepare(&clip).await.unwrap();
    assert!(carrier.prepare(&clip).await.unwrap().is_same(&first));
    assert!(!carrier.prepare(&request("2348031234567", 800).clip).await.unwrap().is_same(&first));
    let empty = carrier.place(CallRequest { clip: CallClip::new(Vec::new()), ..request("2348031234567", 8) });
    until(&carrier, |health| *health == Health::Up).await;
    assert!(matches!(empty.await.unwrap_err(), PlaceError::Refused(_)));
    carrier.shutdown(Duration::ZERO).await;
}
