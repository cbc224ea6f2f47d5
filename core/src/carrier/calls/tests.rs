use super::*;
use crate::carrier::voice::{CallOutcome, CallResult, EndedBy};
use crate::content::{Body, ClipSource, Encoding, Pulse};
use crate::error::Error;
use crate::model::message_id::MessageId;
use crate::testing::trunk::ScriptedTrunk;
use crate::time::Time;

const POLICY: CallPolicy = CallPolicy { attempts: 2, retry_after: Duration::from_mins(5) };

#[derive(Debug)]
struct Silence;

impl Clips for Silence {
    fn clip<'a>(&'a self, script: &'a CallScript) -> BoxFuture<'a, Result<CallClip>> {
        Box::pin(std::future::ready(match &script.clip {
            ClipSource::Speech { .. } => Ok(CallClip::new(vec![0; 800])),
            ClipSource::Recording { .. } => Err(Error::NotFound("recording")),
        }))
    }
}

fn script(clip: ClipSource) -> CallScript {
    CallScript { clip, caller: None, length_ms: 100, tail_ms: 0, pulse: Pulse::MINUTES }
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
        expires_at: None,
    }
}

fn answered() -> CallResult {
    CallResult {
        outcome: CallOutcome::Answered,
        reason: "the clip was over",
        code: Some(200),
        ringing_at: None,
        answered_at: Some(Time(1)),
        ended_at: Time(101),
        up: Duration::from_millis(100),
        heard: Duration::from_millis(100),
        digits: String::new(),
        ended_by: EndedBy::Caller,
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
    teller.tell(CallEvent::Ended(answered()));
    assert_eq!(next(&mut events).await, (1, Verdict::Called(Box::new(answered()))));
    // One whose end was not told may have been answered.
    carrier.submit(vec![call(2, Some(spoken()))]);
    drop(told.recv().await.unwrap());
    assert_eq!(next(&mut events).await, (2, Verdict::Unanswered));
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
async fn no_more_is_taken_than_there_are_channels() {
    let (trunk, mut told) = ScriptedTrunk::new("2342012345678");
    let channels = trunk.capabilities().channels;
    let (carrier, mut events) = CallCarrier::new(trunk, Arc::new(Silence), POLICY);
    assert_eq!(carrier.ready().await, channels, "as many as a second takes");
    carrier.submit((0..i64::from(channels)).map(|number| call(number, Some(spoken()))).collect());
    let mut up = Vec::new();
    for _ in 0..channels {
        up.push(told.recv().await.unwrap());
    }
    assert!(tokio::time::timeout(Duration::from_millis(50), carrier.ready()).await.is_err());
    up.pop().unwrap().tell(CallEvent::Ended(answered()));
    next(&mut events).await;
    assert_eq!(carrier.ready().await, 1);
}
