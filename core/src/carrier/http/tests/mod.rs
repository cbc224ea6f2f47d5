//! Carriers over HTTP against a server that answers as the providers do, and as they should not.

mod hooks;
mod polls;

use std::sync::Arc;
use std::time::Duration;

use proptest::prelude::{any, proptest};
use reqwest::header::{HeaderMap, HeaderValue};
use serde_json::{Map, Value, json};
use wiremock::matchers::{body_string_contains, header, method, path, query_param};
use wiremock::{Mock, MockServer, Request, ResponseTemplate};

use super::provider::{Callback, Reading};
use super::{CallbackReport, Hook, HookDelivery, HookError, HttpCarrier, HttpConfig, HttpDeps, Inbox, KINDS};
use crate::carrier::{Accepted, Answer, Event, Events, Health, Reference, SmsCarrier, Submission, Verdict};
use crate::content::{Content, Scratch, no_values};
use crate::entropy::SeededEntropy;
use crate::model::campaign::id::ChunkId;
use crate::model::message::id::{MessageId, WHOLE};
use crate::model::message::receipt_state::ReceiptState;
use crate::phone::Msisdn;

const SECRET: &str = "0123456789abcdef";

fn config(kind: &str, url: &str, more: Value) -> HttpConfig {
    let mut options = json!({ "url": url, "api_key": "s3cret", "pause_ms": 50, "pause_max_ms": 400 });
    match kind {
        "kannel" => options["username"] = json!("tester"),
        "africastalking" => options["username"] = json!("talkdrum"),
        "template" => {
            options["url"] = json!(format!("{url}/send?key={{key}}&to={{to}}"));
            options["body"] = json!(r#"{"text":"{text}","from":"{sender}","id":"{ref}"}"#);
        }
        _ => {}
    }
    let mut options: Map<String, Value> = options.as_object().unwrap().clone();
    options.extend(members(more));
    HttpConfig::read("main", kind, options).unwrap()
}

fn members(value: Value) -> Map<String, Value> {
    let Value::Object(members) = value else { panic!("options are an object") };
    members
}

fn content(text: &str) -> Content {
    Content::Text { text: text.into() }
}

fn submissions(content: &Content, count: u64) -> Vec<Submission> {
    let body = Arc::new(content.prepare().unwrap().encode(no_values, &mut Scratch::default()).unwrap());
    (0..count)
        .map(|place| Submission {
            message: MessageId::new(ChunkId(3), u16::try_from(place).unwrap()),
            to: Msisdn::from_digits(2_348_031_000_000 + place).unwrap(),
            from: "Talkdrum".into(),
            body: Arc::clone(&body),
            parts_done: 0,
            tries: 0,
            caller: None,
            expires_at: None,
        })
        .collect()
}

struct Rig {
    carrier: Arc<HttpCarrier>,
    events: Events,
    inbox: Inbox,
}

impl Rig {
    fn start(config: HttpConfig) -> Self {
        let inbox = Inbox::default();
        let deps = HttpDeps { entropy: Arc::new(SeededEntropy::new(7)), ..HttpDeps::default() };
        let (carrier, events) = HttpCarrier::start(config, deps, inbox.clone()).unwrap();
        Self { carrier, events, inbox }
    }

    async fn answers(&mut self, count: usize) -> Vec<Answer> {
        let mut answers = Vec::new();
        while answers.len() < count {
            let batch = tokio::time::timeout(Duration::from_secs(10), self.events.recv()).await;
            for event in batch.expect("an answer in time").unwrap() {
                match event {
                    Event::Answer(answer) => answers.push(answer),
                    other => panic!("no answer: {other:?}"),
                }
            }
        }
        answers.sort_by_key(|answer| answer.message);
        answers
    }

    async fn send(&mut self, batch: Vec<Submission>) -> Vec<Answer> {
        let count = batch.len();
        self.carrier.submit(batch);
        self.answers(count).await
    }
}

fn accepted(reference: &str) -> Accepted {
    Accepted::One(WHOLE, Reference(reference.into()))
}

async fn answering(status: u16, body: Value) -> MockServer {
    let server = MockServer::start().await;
    Mock::given(wiremock::matchers::any())
        .respond_with(ResponseTemplate::new(status).set_body_json(body))
        .mount(&server)
        .await;
    server
}

fn words(verdict: &Verdict) -> &str {
    match verdict {
        Verdict::Refused(refusal) | Verdict::Throttled(refusal) => &refusal.reason,
        _ => "",
    }
}

#[tokio::test]
async fn termii_takes_a_batch_under_one_id_and_the_number_tells_its_messages_apart() {
    let server = MockServer::start().await;
    Mock::given(method("POST"))
        .and(path("/api/sms/send/bulk"))
        .and(body_string_contains(r#""api_key":"s3cret""#))
        .and(body_string_contains(r#""to":["2348031000000","2348031000001"]"#))
        .respond_with(ResponseTemplate::new(200).set_body_json(json!({
            "code": "ok", "balance": 1047.57, "message_id": 3_017_544_054_459_083_819_856_413_u128.to_string(),
            "message": "Successfully Sent", "user": "Talkdrum"
        })))
        .expect(1)
        .mount(&server)
        .await;
    let mut rig = Rig::start(config("termii", &server.uri(), json!({})));
    let answers = rig.send(submissions(&content("Hello"), 2)).await;
    assert_eq!(answers[1].verdict, Verdict::Accepted);
    let Accepted::One(WHOLE, reference) = &answers[1].accepted else { panic!("{answers:?}") };
    assert_eq!(&*reference.0, "3017544054459083819856413:2348031000001");
    assert_eq!(rig.carrier.health(), Health::Up);
}

#[tokio::test]
async fn one_bad_number_of_a_batch_is_found_by_halves_and_the_others_go_out() {
    let server = MockServer::start().await;
    Mock::given(body_string_contains("2348031000002"))
        .respond_with(ResponseTemplate::new(400).set_body_json(json!({ "message": "Invalid phone number" })))
        .mount(&server)
        .await;
    Mock::given(wiremock::matchers::any())
        .respond_with(ResponseTemplate::new(200).set_body_json(json!({ "code": "ok", "message_id": "a1" })))
        .mount(&server)
        .await;
    let mut rig = Rig::start(config("termii", &server.uri(), json!({})));
    let answers = rig.send(submissions(&content("Hello"), 5)).await;
    for (place, answer) in answers.iter().enumerate() {
        match place {
            2 => assert_eq!(words(&answer.verdict), "Invalid phone number"),
            _ => assert_eq!(answer.verdict, Verdict::Accepted, "{place}"),
        }
    }
}

#[tokio::test]
async fn a_success_that_is_not_understood_is_unknown_and_never_sent_again_by_halves() {
    let server =
        answering(200, json!({ "status": "queued", "message": "Message accepted for processing" })).await;
    let mut rig = Rig::start(config("termii", &server.uri(), json!({})));
    let answers = rig.send(submissions(&content("Hello"), 3)).await;
    assert!(answers.iter().all(|answer| answer.verdict == Verdict::Unanswered), "{answers:?}");
    assert_eq!(server.received_requests().await.unwrap().len(), 1);
}

#[tokio::test]
async fn without_credit_nothing_is_refused_but_everything_waits() {
    let server = answering(400, json!({ "message": "Insufficient balance" })).await;
    let mut rig = Rig::start(config("termii", &server.uri(), json!({})));
    let answers = rig.send(submissions(&content("Hello"), 3)).await;
    assert!(answers.iter().all(|answer| matches!(answer.verdict, Verdict::Throttled(_))), "{answers:?}");
    assert!(matches!(rig.carrier.health(), Health::Connecting { reason } if reason.contains("Insufficient")));
    let waited = tokio::time::timeout(Duration::from_millis(200), rig.carrier.ready()).await;
    assert!(waited.is_err(), "the carrier takes nothing for now");
}

#[tokio::test]
async fn africas_talking_answers_for_each_number() {
    let recipient = |place: u64, code: u16, status: &str, id: &str| {
        json!({ "statusCode": code, "number": format!("+{}", 2_348_031_000_000 + place), "status": status,
                "cost": "NGN 2.2000", "messageId": id })
    };
    let server = MockServer::start().await;
    Mock::given(method("POST"))
        .and(path("/version1/messaging"))
        .and(header("apikey", "s3cret"))
        .and(body_string_contains("to=%2B2348031000000%2C%2B2348031000001"))
        .respond_with(ResponseTemplate::new(201).set_body_json(json!({ "SMSMessageData": {
            "Message": "Sent to 1/4 Total Cost: NGN 2.2000",
            "Recipients": [
                recipient(2, 409, "DoNotDisturbRejection", "None"),
                recipient(0, 101, "Success", "ATXid_ABC"),
                recipient(1, 500, "InternalServerError", "None"),
            ],
        }})))
        .mount(&server)
        .await;
    let mut rig = Rig::start(config("africastalking", &server.uri(), json!({})));
    let answers = rig.send(submissions(&content("Hello"), 4)).await;
    assert_eq!(
        answers[0].accepted.iter().collect::<Vec<_>>(),
        accepted("atxid_abc").iter().collect::<Vec<_>>()
    );
    assert_eq!(answers[1].verdict, Verdict::Unanswered, "an error of the provider's own proves nothing");
    assert_eq!(words(&answers[2].verdict), "DoNotDisturbRejection");
    assert_eq!(answers[3].verdict, Verdict::Unanswered, "a number it does not speak of");
}

#[tokio::test]
async fn infobip_knows_messages_by_our_ids_and_carries_flash_and_binary() {
    let server = MockServer::start().await;
    Mock::given(method("POST"))
        .and(path("/sms/3/messages"))
        .and(header("authorization", "App s3cret"))
        .respond_with(|request: &Request| {
            let body: Value = serde_json::from_slice(&request.body).unwrap();
            let messages: Vec<Value> = body["messages"]
                .as_array()
                .unwrap()
                .iter()
                .map(|message| {
                    let to = &message["destinations"][0];
                    let refused = to["to"] == "2348031000001";
                    let status = if refused {
                        json!({ "groupId": 5, "id": 51, "name": "REJECTED_X", "description": "Missing sender" })
                    } else {
                        json!({ "groupId": 1, "id": 26, "name": "PENDING_ACCEPTED" })
                    };
                    json!({ "messageId": to["messageId"], "destination": to["to"], "status": status })
                })
                .collect();
            ResponseTemplate::new(200).set_body_json(json!({ "bulkId": "b", "messages": messages }))
        })
        .mount(&server)
        .await;
    let mut rig = Rig::start(config("infobip", &server.uri(), json!({})));
    let answers = rig.send(submissions(&Content::Flash { text: "Hi".into() }, 2)).await;
    assert_eq!(answers[0].verdict, Verdict::Accepted);
    assert_eq!(words(&answers[1].verdict), "Missing sender");
    let push = Content::WapPush { title: "Hi".into(), url: "http://www.example.com/".into() };
    assert_eq!(rig.send(submissions(&push, 1)).await[0].verdict, Verdict::Accepted);
    let requests = server.received_requests().await.unwrap();
    let sent =
        |at: usize| serde_json::from_slice::<Value>(&requests[at].body).unwrap()["messages"][0].clone();
    assert_eq!(sent(0)["options"]["flash"], true);
    assert_eq!(
        sent(1)["content"]["hex"],
        "0605040B8423F0010601AE02056A0045C60D036578616D706C6500850701034869000101",
        "the vector of the provider papers"
    );
    assert_eq!(sent(1)["content"]["esmClass"], 0x40);
}

#[tokio::test]
async fn kannel_gets_part_after_part_with_its_header_and_an_address_for_the_receipt() {
    let server = MockServer::start().await;
    Mock::given(method("GET"))
        .and(query_param("username", "tester"))
        .and(query_param("password", "s3cret"))
        .respond_with(ResponseTemplate::new(202).set_body_string("0: Accepted for delivery"))
        .mount(&server)
        .await;
    let more = json!({ "public_url": "https://sms.example.com/", "hook_secret": SECRET });
    let mut rig = Rig::start(config("kannel", &server.uri(), more));
    let answers = rig.send(submissions(&content(&"long ".repeat(40)), 1)).await;
    assert_eq!(answers[0].verdict, Verdict::Accepted);
    assert_eq!(answers[0].accepted.iter().map(|(part, _)| part).collect::<Vec<_>>(), [0, 1]);
    let requests = server.received_requests().await.unwrap();
    let query = requests[1].url.query().unwrap();
    let header = |query: &str| {
        let header = query.split("udh=").nth(1).unwrap().split('&').next().unwrap().to_owned();
        assert!(header.starts_with("%05%00%03"), "{query}");
        header
    };
    let first = header(requests[0].url.query().unwrap());
    let reference = first.strip_suffix("%02%01").unwrap();
    assert_eq!(header(query), format!("{reference}%02%02"));
    let (_, reference) = answers[0].accepted.iter().last().unwrap();
    let asked = format!("id%3D{}%26type%3D%25d%26to%3D%25p", reference.0);
    assert!(query.contains(&asked) && query.contains("sms.example.com%2Fhooks%2Fcarriers%2Fmain"), "{query}");
}

#[tokio::test]
async fn a_busy_kannel_took_nothing_and_what_had_been_accepted_stays_so() {
    let server = MockServer::start().await;
    Mock::given(wiremock::matchers::any())
        .respond_with(ResponseTemplate::new(202).set_body_string("3: Queued for later delivery"))
        .up_to_n_times(1)
        .mount(&server)
        .await;
    Mock::given(wiremock::matchers::any())
        .respond_with(ResponseTemplate::new(503).set_body_string("Temporal failure, try again later."))
        .mount(&server)
        .await;
    let mut rig = Rig::start(config("kannel", &server.uri(), json!({})));
    let answers = rig.send(submissions(&content(&"long ".repeat(40)), 1)).await;
    assert!(matches!(answers[0].verdict, Verdict::Throttled(_)));
    assert_eq!(answers[0].accepted.iter().map(|(part, _)| part).collect::<Vec<_>>(), [0]);
    // The second try sends the second part alone.
    let again = Submission { parts_done: 1, ..submissions(&content(&"long ".repeat(40)), 1).remove(0) };
    rig.carrier.ready().await;
    rig.send(vec![again]).await;
    let requests = server.received_requests().await.unwrap();
    let header = |place: usize| {
        let query = requests[place].url.query().unwrap();
        query.split("udh=").nth(1).unwrap().split('&').next().unwrap().to_owned()
    };
    // The handset joins the parts of several tries by the reference.
    assert_eq!(header(2), header(1));
    assert_eq!(header(2).strip_suffix("%02%02").unwrap(), header(0).strip_suffix("%02%01").unwrap());
    assert_eq!(requests.len(), 3);
}

#[tokio::test]
async fn a_template_fills_in_escapes_and_reads_as_it_was_told() {
    let server = MockServer::start().await;
    Mock::given(path("/sms"))
        .and(query_param("who", "2348031000000"))
        .and(header("x-key", "s3cret"))
        .and(body_string_contains(r#"{"t":"Say \"hi\" & go","list":["+2348031000000"]}"#))
        .respond_with(ResponseTemplate::new(200).set_body_json(json!({ "s": "OK", "d": { "id": 77 } })))
        .mount(&server)
        .await;
    let more = json!({
        "url": format!("{}/sms?who={{to}}", server.uri()),
        "headers": { "X-Key": "{key}" },
        "body": r#"{"t":"{text}","list":{to_json}}"#,
        "success": "\"s\":\"OK\"", "id_pointer": "/d/id", "number_prefix": "",
    });
    let mut options = more.clone();
    options["number_prefix"] = json!("+");
    options["url"] = json!(format!("{}/sms?who=2348031000000", server.uri()));
    let mut rig = Rig::start(config("template", &server.uri(), options));
    let answers = rig.send(submissions(&content("Say \"hi\" & go"), 1)).await;
    assert_eq!(answers[0].verdict, Verdict::Accepted, "{answers:?}");
    assert_eq!(answers[0].accepted.iter().next().unwrap().1, &Reference("77".into()));
}

#[tokio::test]
async fn only_what_was_certainly_not_taken_is_sent_again() {
    // (status, body) -> is it known not to have been taken?
    let cases = [
        (500, "oops", Verdict::Unanswered),
        (502, "<html>", Verdict::Unanswered),
        (504, "", Verdict::Unanswered),
        (408, "", Verdict::Unanswered),
        (200, "what?", Verdict::Unanswered),
    ];
    // What a template takes for an answer, its configuration says.
    for kind in KINDS.into_iter().filter(|kind| *kind != "template") {
        for (status, body, expected) in &cases {
            let server = MockServer::start().await;
            let answer = ResponseTemplate::new(*status).set_body_string(*body);
            Mock::given(wiremock::matchers::any()).respond_with(answer).mount(&server).await;
            let mut rig = Rig::start(config(kind, &server.uri(), json!({})));
            let answers = rig.send(submissions(&content("Hello"), 1)).await;
            assert_eq!(&answers[0].verdict, expected, "{kind} {status}");
            assert_eq!(
                server.received_requests().await.unwrap().len(),
                1,
                "{kind} {status}: never by itself"
            );
        }
        for status in [401, 403, 404, 429, 302] {
            let server = answering(status, json!({})).await;
            let mut rig = Rig::start(config(kind, &server.uri(), json!({})));
            let answers = rig.send(submissions(&content("Hello"), 1)).await;
            assert!(matches!(answers[0].verdict, Verdict::Throttled(_)), "{kind} {status}: {answers:?}");
        }
    }
}

#[tokio::test]
async fn a_connection_that_is_refused_sent_nothing_and_a_silence_may_have() {
    let port = {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        listener.local_addr().unwrap().port()
    };
    let mut rig = Rig::start(config("infobip", &format!("http://127.0.0.1:{port}"), json!({})));
    let answers = rig.send(submissions(&content("Hello"), 2)).await;
    assert!(answers.iter().all(|answer| answer.verdict == Verdict::Unsent), "{answers:?}");
    assert!(matches!(rig.carrier.health(), Health::Connecting { .. }));

    let server = MockServer::start().await;
    let late = ResponseTemplate::new(200).set_delay(Duration::from_secs(5));
    Mock::given(wiremock::matchers::any()).respond_with(late).mount(&server).await;
    let mut rig = Rig::start(config("infobip", &server.uri(), json!({ "timeout_ms": 200 })));
    let answers = rig.send(submissions(&content("Hello"), 2)).await;
    for answer in &answers {
        assert_eq!(answer.verdict, Verdict::Unanswered);
        let (part, reference) = answer.accepted.iter().next().unwrap();
        assert!(part == WHOLE && reference.0.starts_with("td"), "a receipt can still settle it: {answer:?}");
    }
    assert_eq!(rig.carrier.ready().await, 1, "in doubt one message goes at a time");
}

#[tokio::test]
async fn a_provider_that_hangs_up_after_the_request_leaves_it_unknown() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        loop {
            let (mut stream, _) = listener.accept().await.unwrap();
            let mut octets = [0; 4_096];
            let _ = tokio::io::AsyncReadExt::read(&mut stream, &mut octets).await;
        }
    });
    let mut rig = Rig::start(config("termii", &format!("http://{address}"), json!({})));
    let answers = rig.send(submissions(&content("Hello"), 1)).await;
    assert_eq!(answers[0].verdict, Verdict::Unanswered);
}

#[tokio::test]
async fn closing_answers_what_is_queued_as_unsent_and_what_is_out_as_unknown() {
    let server = MockServer::start().await;
    let late = ResponseTemplate::new(200).set_delay(Duration::from_secs(30));
    Mock::given(wiremock::matchers::any()).respond_with(late).mount(&server).await;
    let mut rig = Rig::start(config("kannel", &server.uri(), json!({ "window": 1 })));
    rig.carrier.submit(submissions(&content("Hello"), 3));
    while server.received_requests().await.unwrap().is_empty() {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let carrier = Arc::clone(&rig.carrier);
    let closing = tokio::spawn(async move { carrier.close(Duration::from_millis(100)).await });
    let answers = rig.answers(3).await;
    let verdicts: Vec<&Verdict> = answers.iter().map(|answer| &answer.verdict).collect();
    assert_eq!(verdicts, [&Verdict::Unanswered, &Verdict::Unsent, &Verdict::Unsent]);
    closing.await.unwrap();
    let mut late = submissions(&content("Hello"), 1);
    late[0].message = MessageId(9);
    assert_eq!(rig.send(late).await[0].verdict, Verdict::Unsent, "a closed carrier takes nothing");
}

#[tokio::test]
async fn the_administrators_key_is_taken_when_it_is_set_and_until_then_nothing_is() {
    #[derive(Debug)]
    struct Keys(std::sync::Mutex<Option<String>>);
    impl super::KeySource for Keys {
        fn key(&self) -> futures::future::BoxFuture<'_, crate::Result<Option<crate::carrier::ConfigSecret>>> {
            let key = self.0.lock().unwrap().clone().map(crate::carrier::ConfigSecret::new);
            Box::pin(async move { Ok(key) })
        }
    }
    let keys = Arc::new(Keys(std::sync::Mutex::default()));
    let server = answering(200, json!({ "code": "ok", "message_id": "1" })).await;
    let options = json!({ "url": server.uri() }).as_object().unwrap().clone();
    let config = HttpConfig::read("main", "termii", options).unwrap();
    let source: Arc<dyn super::KeySource> = Arc::clone(&keys) as _;
    let deps = HttpDeps { keys: Some(source), ..HttpDeps::default() };
    let (carrier, events) = HttpCarrier::start(config, deps, Inbox::default()).unwrap();
    assert!(matches!(carrier.health(), Health::Connecting { reason } if reason.contains("API key")));
    *keys.0.lock().unwrap() = Some("from-admin".into());
    tokio::time::timeout(Duration::from_secs(10), carrier.ready()).await.unwrap();
    let mut rig = Rig { carrier, events, inbox: Inbox::default() };
    rig.send(submissions(&content("Hello"), 1)).await;
    let requests = server.received_requests().await.unwrap();
    assert!(String::from_utf8_lossy(&requests[0].body).contains("from-admin"));
}
