use super::*;
use crate::carrier::voice::{CallOutcome, CallResult};
use crate::content::{Body, ClipSource, Encoding, Pulse};
use crate::error::Error;
use crate::model::message::id::MessageId;
use crate::testing::trunk::{ScriptedTrunk, ended};

const POLICY: CallPolicy = CallPolicy::new(2, Duration::from_mins(5));

#[derive(Debug)]
struct Silence;

impl Clips for Silence {
    fn check(&self, number: Msisdn) -> Result<()> {
        crate::phone::AllowedPrefixes::new(&["234".to_owned()]).unwrap().check(number)
    }

    fn clip<'a>(&'a self, script: &'a CallScript) -> BoxFuture<'a, Result<CallClip>> {
        Box::pin(std::future::ready(match &script.clip {
            ClipSource::Speech { .. } => Ok(CallClip::new(vec![0; 800])),
            ClipSource::Recording { .. } => Err(Error::NotFound("recording")),
        }))
    }
}

fn script(clip: ClipSource) -> CallScript {
    CallScript { clip, caller: None, length_ms: 100, tail_ms: 0, pulse: Pulse::MINUTES, poll: None }
}

fn spoken() -> CallScript {
    script(ClipSource::Speech { text: "Hello".into(), voice: "uk-female".into() })
}

fn call(number: i64, script: Option<CallScript>) -> Submission {
    let call = script.map(Arc::new);
    let parts = Vec::new();
    let body = Body { kind: Kind::Voice, encoding: Encoding::Binary, flash: false, ports: None, parts, call };
    Submission {
        message: MessageId(number),
        to: phone::parse("2348031234567").unwrap(),
        from: "WEBSMS".into(),
        body: Arc::new(body),
        parts_done: 0,
        tries: 0,
        caller: None,
        expires_at: None,
    }
}

async fn next(events: &mut Events) -> (i64, Verdict) {
    let batch = tokio::time::timeout(Duration::from_secs(10), events.recv()).await.unwrap().unwrap();
    match batch.into_iter().next() {
        Some(Event::Answer(answer)) => (answer.message.0, answer.verdict),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn each_call_is_answered_once_with_how_it_ended() {
    let (trunk, mut told) = ScriptedTrunk::new("2342012345678");
    let (carrier, mut events) = CallCarrier::new(trunk, Arc::new(Silence), POLICY);
    assert_eq!(carrier.capabilities().kinds, [Kind::Voice]);
    carrier.submit(vec![call(1, Some(spoken()))]);
    let teller = told.recv().await.unwrap();
    teller.tell(CallEvent::Answered);
    teller.tell(CallEvent::Ended(ended(CallOutcome::Answered)));
    assert_eq!(next(&mut events).await, (1, Verdict::Called(Box::new(ended(CallOutcome::Answered)))));
    // One whose end was not told may have been answered.
    carrier.submit(vec![call(2, Some(spoken()))]);
    drop(told.recv().await.unwrap());
    assert_eq!(next(&mut events).await, (2, Verdict::Unanswered));
    // A person who opted out is heard at once, whatever becomes of the call.
    carrier.submit(vec![call(3, Some(spoken()))]);
    let teller = told.recv().await.unwrap();
    teller.tell(CallEvent::Answered);
    teller.tell(CallEvent::Key('1'));
    teller.tell(CallEvent::Key('9'));
    let heard = tokio::time::timeout(Duration::from_secs(10), events.recv()).await.unwrap().unwrap();
    assert!(matches!(heard[..], [Event::OptOut(MessageId(3))]), "{heard:?}");
    drop(teller);
    assert_eq!(next(&mut events).await, (3, Verdict::Unanswered));
}

#[tokio::test]
async fn what_was_not_begun_may_be_tried_again_or_is_refused() {
    let (trunk, _told) = ScriptedTrunk::down("2342012345678");
    let (carrier, mut events) = CallCarrier::new(trunk, Arc::new(Silence), POLICY);
    carrier.submit(vec![call(1, Some(spoken()))]);
    assert!(matches!(next(&mut events).await, (1, Verdict::Throttled(_))));
    carrier.submit(vec![call(2, Some(script(ClipSource::Recording { id: 9, name: "Gone".into() })))]);
    assert!(matches!(next(&mut events).await, (2, Verdict::Throttled(_))));
    carrier.submit(vec![call(3, None)]);
    assert!(matches!(next(&mut events).await, (3, Verdict::Refused(_))));
    carrier.close(Duration::ZERO).await;
    carrier.submit(vec![call(4, Some(spoken()))]);
    assert_eq!(next(&mut events).await, (4, Verdict::Unsent));
}

#[tokio::test]
async fn a_call_that_its_carrier_did_not_place_after_all_is_as_if_it_had_not_been_begun() {
    let (trunk, mut told) = ScriptedTrunk::new("2342012345678");
    let (carrier, mut events) = CallCarrier::new(trunk, Arc::new(Silence), POLICY);
    for (number, why) in [
        (1, PlaceError::Down("out of reach".into())),
        (2, PlaceError::Refused("no such route".into())),
        (3, PlaceError::ShutDown),
    ] {
        carrier.submit(vec![call(number, Some(spoken()))]);
        told.recv().await.unwrap().tell(CallEvent::NotPlaced(why));
    }
    let mut verdicts = [next(&mut events).await, next(&mut events).await, next(&mut events).await];
    verdicts.sort_by_key(|(number, _)| *number);
    assert!(matches!(&verdicts[0].1, Verdict::Throttled(refusal) if &*refusal.reason == "out of reach"));
    assert!(matches!(&verdicts[1].1, Verdict::Refused(refusal) if &*refusal.reason == "no such route"));
    assert_eq!(verdicts[2].1, Verdict::Unsent);
}

#[tokio::test]
async fn no_more_is_taken_than_there_are_channels() {
    let (trunk, mut told) = ScriptedTrunk::new("2342012345678");
    let (channels, up_before) = (trunk.capabilities().channels, trunk.calls_up());
    let (carrier, mut events) = CallCarrier::new(trunk, Arc::new(Silence), POLICY);
    assert_eq!(carrier.ready().await, channels - up_before, "test calls have their channels");
    carrier.submit((0..i64::from(channels)).map(|number| call(number, Some(spoken()))).collect());
    let mut up = Vec::new();
    for _ in 0..channels {
        up.push(told.recv().await.unwrap());
    }
    assert!(tokio::time::timeout(Duration::from_millis(50), carrier.ready()).await.is_err());
    up.pop().unwrap().tell(CallEvent::Ended(ended(CallOutcome::Answered)));
    next(&mut events).await;
    assert_eq!(carrier.ready().await, 1);
}

#[tokio::test]
async fn a_number_that_may_not_be_called_any_more_is_refused() {
    let (trunk, _told) = ScriptedTrunk::new("2342012345678");
    let placed = Arc::clone(&trunk);
    let (carrier, mut events) = CallCarrier::new(trunk, Arc::new(Silence), POLICY);
    let to = phone::parse("+447911123456").unwrap();
    carrier.submit(vec![Submission { to, ..call(1, Some(spoken())) }]);
    assert!(matches!(next(&mut events).await, (1, Verdict::Refused(_))));
    assert_eq!(placed.placed(), 0);
}

#[tokio::test]
async fn what_waits_for_its_invite_is_a_second_s_worth_and_a_clip_that_fails_keeps_its_place() {
    let (trunk, _told) = ScriptedTrunk::new("2342012345678");
    let (carrier, mut events) = CallCarrier::new(trunk, Arc::new(Silence), POLICY);
    let gone = || Some(script(ClipSource::Recording { id: 9, name: "Gone".into() }));
    let rate = i64::from(carrier.capabilities().rate);
    carrier.submit((0..rate).map(|number| call(number, gone())).collect());
    let ready = tokio::time::timeout(Duration::from_millis(400), carrier.ready()).await;
    assert!(ready.is_err() && events.try_recv().is_err(), "{ready:?}");
}

#[tokio::test]
async fn a_trunk_that_refuses_call_after_call_is_left_alone_and_then_tried_by_a_few() {
    let (trunk, mut told) = ScriptedTrunk::new("2342012345678");
    let placed = Arc::clone(&trunk);
    let (carrier, mut events) = CallCarrier::new(trunk, Arc::new(Silence), POLICY);
    let refused = CallResult { code: Some(402), ..ended(CallOutcome::TrunkError) };
    let some_time_ago = Instant::now().checked_sub(Duration::from_secs(60)).unwrap();
    for _ in 0..4 {
        carrier.shared.breaker.hear(&refused, some_time_ago);
    }
    assert_eq!(carrier.health(), Health::Up);
    carrier.submit(vec![call(1, Some(spoken()))]);
    told.recv().await.unwrap().tell(CallEvent::Ended(refused.clone()));
    assert_eq!(next(&mut events).await.1, Verdict::Called(Box::new(refused.clone())));
    let Health::Connecting { reason } = carrier.health() else { panic!("{:?}", carrier.health()) };
    assert!(reason.contains("402"), "{reason}");
    assert_eq!(carrier.line().binds[0].reason, Some(reason));
    assert!(tokio::time::timeout(Duration::from_millis(50), carrier.ready()).await.is_err());
    // What was claimed before keeps its attempts.
    carrier.submit(vec![call(6, Some(spoken()))]);
    assert!(matches!(next(&mut events).await, (6, Verdict::Throttled(_))));
    assert_eq!(placed.placed(), 1);

    let (trunk, mut told) = ScriptedTrunk::new("2342012345678");
    let (carrier, mut events) = CallCarrier::new(trunk, Arc::new(Silence), POLICY);
    for ago in [60, 60, 60, 60, 40] {
        let then = Instant::now().checked_sub(Duration::from_secs(ago)).unwrap();
        carrier.shared.breaker.hear(&refused, then);
    }
    assert_eq!((carrier.health(), carrier.ready().await), (Health::Up, 3));
    carrier.submit(vec![call(7, Some(spoken()))]);
    let teller = told.recv().await.unwrap();
    teller.tell(CallEvent::Ringing);
    // That its phone rings is enough.
    for _ in 0..100 {
        if carrier.shared.room() > 2 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    assert_eq!(carrier.ready().await, 6);
    teller.tell(CallEvent::Ended(ended(CallOutcome::Busy)));
    assert_eq!((next(&mut events).await.0, carrier.ready().await), (7, 6));
}
