//! Calls over HTTP against a server that answers as a provider does, and as it should not.

mod poll;
mod submit;
mod webhook;

use std::sync::Arc;
use std::time::Duration;

use reqwest::header::HeaderMap;
use serde_json::{Map, Value, json};
use wiremock::matchers::{method, path};
use wiremock::{Mock, MockServer, Request, ResponseTemplate};

use super::*;
use crate::carrier::Health;
use crate::carrier::http::{Callback, HookAdmission, HookError};
use crate::carrier::voice::{
    Call, CallClip, CallEvent, CallOutcome, CallRequest, CallResult, EndedBy, PlaceError, VoiceCarrier as _,
};
use crate::entropy::SeededEntropy;
use crate::phone;
use crate::time::{ManualClock, Time};

const SECRET: &str = "0123456789abcdef";
const START: Time = Time(1_700_000_000_000);

/// The options of a provider at `url`, with more that take their place.
fn options(url: &str, more: Value) -> Map<String, Value> {
    let mut options = json!({
        "url": format!("{url}/calls"),
        "body": r#"{"to":"{to}","from":"{from}","play":"{audio_url}","ref":"{ref}","hook":"{callback_url}","max":{max_seconds}}"#,
        "headers": { "Authorization": "Bearer {key}" },
        "api_key": "s3cret",
        "number_prefix": "+",
        "id_pointer": "/id",
        "caller_id": "2342012345678",
        "channels": 2,
        "rate": 100,
        "public_url": "https://drum.example/",
        "hook_secret": SECRET,
        "pause_ms": 100,
        "pause_max_ms": 400,
        "call": {
            "id": "id", "ref": "ref", "status": "status", "seconds": "/duration", "digits": "keys",
            "statuses": {
                "ringing": "ringing", "in-progress": "in_progress", "completed": "answered", "busy": "busy",
                "no-answer": "no_answer", "canceled": "failed",
            },
        },
    });
    let Value::Object(more) = more else { panic!("options are an object") };
    for (key, value) in more {
        if value.is_null() {
            options.as_object_mut().unwrap().remove(&key);
        } else {
            options[key] = value;
        }
    }
    options.as_object().unwrap().clone()
}

fn config(url: &str, more: Value) -> HttpVoiceConfig {
    HttpVoiceConfig::read("dialler", options(url, more)).unwrap()
}

#[derive(Debug)]
struct Unsigned;

impl ClipAddresses for Unsigned {
    fn file(&self, carrier: &str, clip: u64, until: Time) -> String {
        format!("{clip:x}.wav?for={carrier}&until={until}")
    }
}

struct Rig {
    carrier: Arc<HttpVoiceCarrier>,
    hook: CallHook,
    clock: Arc<ManualClock>,
    server: MockServer,
}

impl Rig {
    async fn start(server: MockServer, more: Value) -> Self {
        Self::with(server, more, |_| {}).await
    }

    async fn with(server: MockServer, more: Value, change: impl FnOnce(&mut HttpVoiceConfig)) -> Self {
        let mut config = config(&server.uri(), more);
        change(&mut config);
        let (inbox, clock) = (CallInbox::default(), Arc::new(ManualClock::new(START)));
        let hook = CallHook::new(&config, inbox.clone());
        let deps = HttpVoiceDeps {
            clock: clock.clone(),
            entropy: Arc::new(SeededEntropy::new(7)),
            addresses: Arc::new(Unsigned),
            inbox,
        };
        Self { carrier: HttpVoiceCarrier::start(config, deps).unwrap(), hook, clock, server }
    }

    async fn call(&self) -> Call {
        self.carrier.place(request()).await.unwrap()
    }

    /// The requests of a method so far, once there are so many.
    async fn requests(&self, method: &str, count: usize) -> Vec<Request> {
        for _ in 0..1_000 {
            let all = self.server.received_requests().await.unwrap();
            let of_it: Vec<Request> =
                all.into_iter().filter(|request| request.method.as_str() == method).collect();
            if of_it.len() >= count {
                return of_it;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        panic!("{count} times {method} were never asked for");
    }

    /// What the newest of so many submits asked for.
    async fn submitted(&self, count: usize) -> Value {
        let requests = self.requests("POST", count).await;
        assert_eq!(requests.len(), count, "a call is submitted once");
        requests[count - 1].body_json().unwrap()
    }

    /// A webhook, as the provider sends it.
    fn tell(&self, body: &Value) -> Result<CallHookOutcome, HookError> {
        let (headers, body) = (HeaderMap::new(), body.to_string());
        let callback = Callback { headers: &headers, query: "", body: body.as_bytes() };
        self.hook.read(Some(SECRET), &callback).map(|report| self.hook.inbox().tell(report))
    }
}

fn request() -> CallRequest {
    CallRequest {
        to: phone::parse("2348031234567").unwrap(),
        from: None,
        clip: CallClip::new(vec![1_000; 8_000]),
        tail: Duration::from_millis(500),
        plays: 1,
        ends_on: "9".into(),
        of: None,
    }
}

/// What is told of a call to its last event; `None` for the end where it has none.
async fn to_its_end(call: &mut Call) -> (Vec<CallEvent>, Option<CallResult>) {
    let mut events = Vec::new();
    loop {
        let event = tokio::time::timeout(Duration::from_secs(20), call.next_event()).await;
        match event.expect("an event in time") {
            Some(CallEvent::Ended(result)) => return (events, Some(result)),
            Some(event) => events.push(event),
            None => return (events, None),
        }
    }
}

async fn not_placed(call: &mut Call) -> PlaceError {
    let (events, end) = to_its_end(call).await;
    match (events.as_slice(), end) {
        ([CallEvent::NotPlaced(error)], None) => error.clone(),
        other => panic!("{other:?}"),
    }
}

/// A provider that takes every call.
async fn provider(answer: ResponseTemplate) -> MockServer {
    let server = MockServer::start().await;
    Mock::given(method("POST")).and(path("/calls")).respond_with(answer).mount(&server).await;
    server
}

fn takes() -> ResponseTemplate {
    ResponseTemplate::new(201).set_body_json(json!({ "id": "CA-17" }))
}

#[tokio::test]
async fn a_call_is_submitted_once_told_of_by_webhooks_and_billed_by_the_provider_s_seconds() {
    let rig = Rig::start(provider(takes()).await, json!({})).await;
    assert_eq!(rig.carrier.health(), (Health::Up, START));
    let mut call = rig.call().await;
    let submitted = rig.submitted(1).await;
    assert_eq!(
        (&submitted["to"], &submitted["from"], &submitted["max"]),
        (&json!("+2348031234567"), &json!("+2342012345678"), &json!(2))
    );
    assert_eq!(submitted["hook"], format!("https://drum.example/hooks/carriers/dialler/{SECRET}"));
    let headers = rig.requests("POST", 1).await[0].headers.clone();
    assert_eq!(headers["authorization"], "Bearer s3cret");
    let address = submitted["play"].as_str().unwrap();
    let file = address.strip_prefix("https://drum.example/hooks/carriers/dialler/clips/").unwrap();
    let (clip, proof) = file.split_once(".wav?").unwrap();
    let until = START + Duration::from_secs(600);
    assert_eq!(proof, format!("for=dialler&until={until}"), "as long as the call may take");
    let clip = u64::from_str_radix(clip, 16).unwrap();
    let shelf = rig.hook.inbox().shelf();
    assert_eq!(shelf.clip(clip).unwrap().samples().len(), 8_000);
    assert_eq!(rig.carrier.calls_up(), 1);

    let ours = &submitted["ref"];
    let tell = |status: &str, more: Value| {
        let mut body = json!({ "ref": ours, "status": status });
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        assert_eq!(rig.tell(&body), Ok(CallHookOutcome::Here), "{body}");
    };
    tell("Ringing", json!({}));
    assert_eq!(call.next_event().await, Some(CallEvent::Ringing));
    rig.clock.advance(Duration::from_secs(4));
    tell("in-progress", json!({ "keys": "1" }));
    assert_eq!(call.next_event().await, Some(CallEvent::Answered));
    tell("ringing", json!({}));
    rig.clock.advance(Duration::from_secs(70));
    tell("completed", json!({ "duration": "61.25", "keys": "1#x" }));
    let (events, result) = to_its_end(&mut call).await;
    assert_eq!(events, [CallEvent::Key('1'), CallEvent::Key('#')]);
    let expected = CallResult {
        outcome: CallOutcome::Answered,
        reason: "heard to the end",
        code: None,
        ringing_at: Some(START),
        answered_at: Some(START + Duration::from_secs(4)),
        ended_at: START + Duration::from_secs(74),
        up: Duration::from_millis(61_250),
        heard: Duration::from_secs(1),
        digits: "1#".into(),
        ended_by: EndedBy::Caller,
    };
    assert_eq!(result, Some(expected));
    // The same again, and something else, change nothing.
    for again in [json!({ "ref": ours, "status": "completed" }), json!({ "ref": ours, "status": "busy" })] {
        assert_eq!(rig.tell(&again), Ok(CallHookOutcome::Over));
    }
    rig.carrier.shutdown(Duration::from_secs(5)).await;
    assert_eq!((rig.carrier.calls_up(), shelf.clip(clip).is_none()), (0, true));
    assert_eq!(rig.requests("POST", 1).await.len(), 1);
    assert_eq!(rig.tell(&json!({ "ref": ours, "status": "busy" })), Ok(CallHookOutcome::Elsewhere));
    assert_eq!(rig.carrier.place(request()).await.unwrap_err(), PlaceError::ShutDown);
}

#[tokio::test]
async fn each_status_is_what_the_table_says_and_one_that_is_not_there_says_nothing() {
    let rig = Rig::start(provider(takes()).await, json!({})).await;
    for (count, status, outcome, ended_by) in [
        (1, "busy", CallOutcome::Busy, EndedBy::Callee),
        (2, "NO-ANSWER", CallOutcome::NoAnswer, EndedBy::Callee),
        (3, "canceled", CallOutcome::Failed, EndedBy::Trunk),
        (4, "completed", CallOutcome::Answered, EndedBy::Caller),
    ] {
        let mut call = rig.call().await;
        let ours = rig.submitted(count).await["ref"].clone();
        for status in ["on-hold", status] {
            rig.tell(&json!({ "ref": ours, "status": status })).unwrap();
        }
        let result = to_its_end(&mut call).await.1.unwrap();
        assert_eq!((result.outcome, result.ended_by), (outcome, ended_by), "{status}");
        let is_answered = outcome == CallOutcome::Answered;
        let up = if is_answered { Duration::from_secs(1) } else { Duration::ZERO };
        assert_eq!((result.up, result.answered_at.is_some()), (up, is_answered), "{status}");
    }
}

#[tokio::test]
async fn a_webhook_may_come_before_the_answer_to_the_submit_and_name_the_provider_s_id_alone() {
    let server = provider(takes().set_delay(Duration::from_millis(300))).await;
    let rig = Rig::start(server, json!({})).await;
    let mut call = rig.call().await;
    rig.submitted(1).await;
    assert_eq!(rig.tell(&json!({ "id": "ca-17", "status": "busy" })), Ok(CallHookOutcome::Here));
    let (events, result) = to_its_end(&mut call).await;
    assert_eq!((events, result.unwrap().outcome), (vec![], CallOutcome::Busy));
}

#[tokio::test]
async fn a_lost_answer_is_no_second_call_and_is_resolved_by_what_names_our_reference() {
    let slow = || takes().set_delay(Duration::from_secs(30));
    let rig = Rig::start(provider(slow()).await, json!({ "timeout_ms": 200 })).await;
    let mut call = rig.call().await;
    let ours = rig.submitted(1).await["ref"].clone();
    while rig.carrier.health().0 == Health::Up {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let Health::Connecting { reason } = rig.carrier.health().0 else { panic!() };
    assert!(reason.starts_with("The answer to a call was lost"), "{reason}");
    assert_eq!(
        rig.tell(&json!({ "ref": ours, "status": "completed", "duration": 12 })),
        Ok(CallHookOutcome::Here)
    );
    let result = to_its_end(&mut call).await.1.unwrap();
    assert_eq!((result.outcome, result.up.as_secs()), (CallOutcome::Answered, 12));
    rig.submitted(1).await;

    // Where nothing will ever name it, it has no end at once.
    let call = json!({ "id": "id", "status": "status", "statuses": { "completed": "answered" } });
    let rig = Rig::start(provider(slow()).await, json!({ "timeout_ms": 200, "call": call })).await;
    assert_eq!(to_its_end(&mut rig.call().await).await, (vec![], None));

    // An answer that says nothing is lost, too; a poll by our reference tells.
    let server = provider(ResponseTemplate::new(502)).await;
    let told = ResponseTemplate::new(200).set_body_json(json!({ "status": "no-answer" }));
    Mock::given(method("GET")).and(path("/find")).respond_with(told).mount(&server).await;
    let poll = json!({ "url": format!("{}/find?ref={{ref}}", server.uri()), "every_s": 1 });
    let rig = Rig::start(server, json!({ "poll": poll, "hook_secret": null, "body": BODY })).await;
    let mut call = rig.call().await;
    assert_eq!(to_its_end(&mut call).await.1.unwrap().outcome, CallOutcome::NoAnswer);
    let ours = rig.submitted(1).await["ref"].as_str().unwrap().to_owned();
    assert_eq!(rig.requests("GET", 1).await[0].url.query(), Some(format!("ref={ours}").as_str()));
}

/// A body that wants no webhook.
const BODY: &str = r#"{"to":"{to}","play":"{audio_url}","ref":"{ref}"}"#;

#[tokio::test]
async fn without_webhooks_a_call_is_asked_about_by_its_id_until_it_is_over() {
    let server = provider(takes()).await;
    let answer = |body: Value| ResponseTemplate::new(200).set_body_json(body);
    let going_on = answer(json!({ "data": { "state": "in-progress" } }));
    Mock::given(method("GET"))
        .and(path("/calls/CA-17"))
        .respond_with(going_on)
        .up_to_n_times(1)
        .mount(&server)
        .await;
    let over = answer(json!({ "data": { "state": "completed", "talked": 7 } }));
    Mock::given(method("GET")).and(path("/calls/CA-17")).respond_with(over).mount(&server).await;
    let poll = json!({
        "url": format!("{}/calls/{{id}}", server.uri()), "every_s": 1, "status": "/data/state",
        "seconds": "/data/talked", "headers": { "X-Key": "{key}" },
    });
    let rig = Rig::start(server, json!({ "poll": poll, "hook_secret": null, "body": BODY })).await;
    assert_eq!(rig.hook.admits(None), HookAdmission::Refused);
    let (events, result) = to_its_end(&mut rig.call().await).await;
    assert_eq!(events, [CallEvent::Answered]);
    assert_eq!(result.unwrap().up, Duration::from_secs(7));
    let asked = rig.requests("GET", 2).await;
    assert_eq!(asked[0].headers["x-key"], "s3cret");
}

#[tokio::test]
async fn a_call_of_which_no_end_is_told_in_time_is_ended_and_given_up() {
    let server = provider(takes()).await;
    Mock::given(method("DELETE")).respond_with(ResponseTemplate::new(204)).mount(&server).await;
    let cancel = json!({ "url": format!("{}/calls/{{id}}", server.uri()), "method": "DELETE" });
    let soon = |config: &mut HttpVoiceConfig| config.call_timeout = Duration::from_millis(400);
    let rig = Rig::with(server, json!({ "cancel": cancel }), soon).await;
    let mut call = rig.call().await;
    let ours = rig.submitted(1).await["ref"].clone();
    rig.tell(&json!({ "ref": ours, "status": "in-progress" })).unwrap();
    assert_eq!(to_its_end(&mut call).await, (vec![CallEvent::Answered], None));
    assert_eq!(rig.requests("DELETE", 1).await[0].url.path(), "/calls/CA-17");
    assert_eq!(rig.carrier.calls_up(), 0, "its channel is free again");
}

#[tokio::test]
async fn a_phone_that_rang_until_the_time_was_up_was_not_picked_up() {
    let server = provider(takes()).await;
    Mock::given(method("DELETE")).respond_with(ResponseTemplate::new(204)).mount(&server).await;
    let told = ResponseTemplate::new(200).set_body_json(json!({ "status": "canceled" }));
    Mock::given(method("GET")).respond_with(told).mount(&server).await;
    let url = format!("{}/calls/{{id}}", server.uri());
    let more =
        json!({ "cancel": { "url": url, "method": "DELETE" }, "poll": { "url": url, "every_s": 300 } });
    let soon = |config: &mut HttpVoiceConfig| config.call_timeout = Duration::from_millis(400);
    let rig = Rig::with(server, more, soon).await;
    let mut call = rig.call().await;
    let ours = rig.submitted(1).await["ref"].clone();
    rig.tell(&json!({ "ref": ours, "status": "ringing" })).unwrap();
    let (events, result) = to_its_end(&mut call).await;
    assert_eq!(events, [CallEvent::Ringing]);
    let result = result.unwrap();
    assert_eq!((result.outcome, result.ended_by), (CallOutcome::NoAnswer, EndedBy::Callee));
}

#[tokio::test]
async fn a_call_is_hung_up_where_the_provider_can_be_asked_to_and_runs_on_where_not() {
    let server = provider(takes()).await;
    Mock::given(method("PUT")).respond_with(ResponseTemplate::new(200)).mount(&server).await;
    let cancel = json!({
        "url": format!("{}/calls/{{id}}", server.uri()), "method": "PUT", "body": r#"{"status":"completed"}"#,
    });
    let rig = Rig::start(server, json!({ "cancel": cancel })).await;
    let mut call = rig.call().await;
    let ours = rig.submitted(1).await["ref"].clone();
    rig.tell(&json!({ "ref": ours, "status": "ringing" })).unwrap();
    assert_eq!(call.next_event().await, Some(CallEvent::Ringing));
    call.hang_up();
    rig.requests("PUT", 1).await;
    rig.tell(&json!({ "ref": ours, "status": "canceled" })).unwrap();
    let result = to_its_end(&mut call).await.1.unwrap();
    assert_eq!((result.outcome, result.ended_by), (CallOutcome::Failed, EndedBy::Caller));

    let rig = Rig::start(provider(takes()).await, json!({})).await;
    let mut call = rig.call().await;
    let ours = rig.submitted(1).await["ref"].clone();
    call.hang_up();
    rig.tell(&json!({ "ref": ours, "status": "completed", "duration": 0.5 })).unwrap();
    let result = to_its_end(&mut call).await.1.unwrap();
    assert_eq!((result.outcome, result.ended_by), (CallOutcome::Answered, EndedBy::Callee));
    assert_eq!((result.up, result.heard), (Duration::from_millis(500), Duration::from_millis(500)));
}

#[tokio::test]
async fn a_carrier_that_is_shut_down_asks_once_more_and_then_leaves_its_calls_without_an_end() {
    let server = provider(takes()).await;
    let over = ResponseTemplate::new(200).set_body_json(json!({ "status": "completed", "duration": 3 }));
    Mock::given(method("GET")).respond_with(over).mount(&server).await;
    let poll = json!({ "url": format!("{}/calls/{{id}}", server.uri()), "every_s": 300 });
    let rig = Rig::start(server, json!({ "poll": poll })).await;
    let mut call = rig.call().await;
    rig.submitted(1).await;
    tokio::time::sleep(Duration::from_millis(100)).await;
    rig.carrier.shutdown(Duration::ZERO).await;
    assert_eq!(to_its_end(&mut call).await.1.unwrap().up, Duration::from_secs(3));

    let rig = Rig::start(provider(takes()).await, json!({})).await;
    let mut call = rig.call().await;
    rig.submitted(1).await;
    let began = std::time::Instant::now();
    rig.carrier.shutdown(Duration::ZERO).await;
    assert!(began.elapsed() < Duration::from_secs(8), "{:?}", began.elapsed());
    assert_eq!(to_its_end(&mut call).await, (vec![], None));
}

#[test]
fn what_cannot_work_is_said_in_a_sentence_that_names_carrier_and_setting() {
    let statuses = json!({ "completed": "answered" });
    for (more, says) in [
        (json!({ "url": "" }), "`url` must be an address"),
        (json!({ "url": "https://x.example/{whom}" }), "{whom} is no placeholder"),
        (json!({ "url": "https://{to}.example/calls" }), "no placeholder may stand before the path"),
        (json!({ "url": "https://{to}@x.example?a=b" }), "no placeholder may stand before the path"),
        (
            json!({ "poll": { "url": "https://{id}.x.example/calls" } }),
            "no placeholder may stand before the path",
        ),
        (json!({ "body": r#"{"to":"{to}"}"# }), "{audio_url} stands nowhere"),
        (json!({ "body": r#"{"play":"{audio_url}"}"# }), "{to} stands nowhere"),
        (json!({ "method": "DELETE" }), "`method` DELETE is none of POST, GET and PUT"),
        (json!({ "caller_id": "TALKDRUM" }), "`caller_id` must be a number"),
        (json!({ "channels": 0 }), "nonzero"),
        (json!({ "channels": 10_001 }), "`channels` must be at most 10000"),
        (json!({ "window": 5 }), "unknown field `window`"),
        (json!({ "attempts": 11 }), "`attempts` must be from 1"),
        (json!({ "retry_after_s": 0 }), "`retry_after_s` must be from 1"),
        (json!({ "call_timeout_s": 5 }), "`call_timeout_s` must be from 30"),
        (json!({ "api_key": null }), "neither `api_key` nor `api_key_file` is set"),
        (json!({ "api_key_file": "/x" }), "both set"),
        (json!({ "hook_secret": "short" }), "`hook_secret` must have 16"),
        (json!({ "hook_secret": null }), "{callback_url} stands in the request and `hook_secret` is not set"),
        (json!({ "hook_secret": null, "body": BODY }), "how calls end would never be heard"),
        (json!({ "call": null }), "`call.status` is missing"),
        (json!({ "call": { "status": "s", "statuses": { "done": "finished" } } }), "'finished' of 'done'"),
        (json!({ "call": { "status": "s", "statuses": { "Done": "answered" } } }), "in small letters"),
        (json!({ "call": { "status": "s" } }), "of no status that it means answered"),
        (json!({ "call": { "status": "s", "statuses": statuses } }), "`call.id` or `call.ref` must name"),
        (json!({ "poll": { "url": "https://x.example/calls" } }), "`poll.url` must hold {id} or {ref}"),
        (json!({ "poll": { "url": "https://x.example/{id}", "every_s": 0 } }), "`poll.every_s` must be"),
        (json!({ "cancel": { "url": "x/{id}" } }), "`cancel.url` must be an address"),
        (json!({ "signature_header": "X-S" }), "needs a `signature_secret`"),
        (json!({ "signature_secret": "s" }), "`signature_header` is missing"),
        (json!({ "success": "(" }), "`success` is no pattern"),
    ] {
        let read = HttpVoiceConfig::read("dialler", options("https://voice.example", more.clone()));
        let refused = read.map(|_| more).unwrap_err().to_string();
        assert!(refused.starts_with("Carrier 'dialler': ") && refused.contains(says), "{refused}");
    }
    let config = config("https://voice.example", json!({ "public_url": null }));
    let refused = config.check_reach(None).unwrap_err().to_string();
    assert!(refused.starts_with("Carrier 'dialler': `server.public_url` is not set"), "{refused}");
    config.check_reach(Some("https://drum.example")).unwrap();
    let reached = config.reached_at("https://other.example/");
    assert_eq!(reached.clip_url("a.wav"), "https://other.example/hooks/carriers/dialler/clips/a.wav");
    let shown = format!("{reached:?}");
    assert!(!shown.contains("s3cret") && !shown.contains(SECRET), "{shown}");
}

#[tokio::test]
async fn a_call_that_failed_after_it_was_answered_is_not_placed_again_and_one_that_was_answered_costs_something()
 {
    let statuses = json!({ "in-progress": "in_progress", "completed": "answered", "failed": "trunk_error" });
    let mut fields = options("http://127.0.0.1:9", json!({}))["call"].clone();
    fields["statuses"] = statuses;
    let rig = Rig::start(provider(takes()).await, json!({ "call": fields })).await;
    let mut call = rig.call().await;
    let ours = rig.submitted(1).await["ref"].clone();
    rig.tell(&json!({ "ref": ours, "status": "in-progress" })).unwrap();
    rig.tell(&json!({ "ref": ours, "status": "failed" })).unwrap();
    assert_eq!(to_its_end(&mut call).await.1.unwrap().outcome, CallOutcome::Failed);
    let mut call = rig.call().await;
    let ours = rig.submitted(2).await["ref"].clone();
    rig.tell(&json!({ "ref": ours, "status": "completed", "duration": 0 })).unwrap();
    let result = to_its_end(&mut call).await.1.unwrap();
    assert_eq!((result.outcome, result.up.is_zero()), (CallOutcome::Answered, false));
}
